internal import BoxModel

/// A new value of a property, as text: `pages = 300`, `genre = crime`, `tags := ["sea"]`.
///
/// A value after `=` is written as in a condition, a value after `:=` as JSON.
package struct ValueAssignment: Hashable, Sendable {
  /// The new value.
  package enum NewValue: Hashable, Sendable {
    /// No value.
    case null
    /// A value as in a condition.
    case literal(Condition.Literal)
    /// A value as JSON, which is not checked yet.
    case json(String)
  }

  /// The name of the property.
  package var property: String
  /// The new value.
  package var value: NewValue

  /// Reads an assignment.
  ///
  /// - Throws: ``ConditionError``, with the line and the column.
  /// - Complexity: O(*n*) in the length of the text.
  package init(parsing text: String) throws(ConditionError) {
    self = try ConditionParser.assignment(text)
  }
}

extension ConditionParser {
  fileprivate static func assignment(_ text: String) throws(ConditionError) -> ValueAssignment {
    var parser = ConditionParser(text)
    let name: String
    do throws(ConditionError) {
      try parser.advance()
      name = try parser.nameWord("the name of a property")
      guard parser.isAt("=", ":=") else {
        throw parser.unexpected("\"=\" or \":=\" after the name")
      }
    } catch {
      let name = oddName(of: text)
      throw ConditionError(
        error.message + (name.map { "; a name such as \($0) goes in backquotes" } ?? ""),
        position: error.position)
    }
    // The text after it is not a token of a condition.
    if parser.isAt(":=") { return ValueAssignment(name, .json(parser.rest)) }
    try parser.advance()
    let value: ValueAssignment.NewValue
    if try parser.consume("nil", "null") {
      value = .null
    } else if parser.isAt("[", "{") {
      throw parser.unexpected("a single value; write \(NamePath.quoted(name)):= before JSON")
    } else {
      value = .literal(try parser.literal())
    }
    if !parser.isAtEnd { throw parser.unexpected("the end of the value; put a string in quotes") }
    return ValueAssignment(name, value)
  }

  /// The text before the sign, in backquotes; nil for a plain word, and for a text that begins with one.
  private static func oddName(of text: String) -> String? {
    var name = String(text.prefix { $0 != "=" })
    if name.hasSuffix(":"), name.count < text.count { name.removeLast() }
    return name.allSatisfy(\.isWhitespace) || NamePath.isPlain(name) || name.hasPrefix("`")
      ? nil : NamePath.quoted(name)
  }
}

extension ValueAssignment {
  fileprivate init(_ property: String, _ value: NewValue) {
    self.property = property
    self.value = value
  }
}
