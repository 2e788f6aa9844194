internal import BoxModel

/// The completion of a condition on the objects of an entity.
package struct ConditionCompletion: Hashable, Sendable {
  /// The words of conditions.
  package static let words = [
    "all", "and", "any", "between", "contains", "endsWith", "ignoringCase", "in", "is", "nearest",
    "nil", "not", "or", "startsWith",
  ]

  private let names: StoreNames
  private let entity: String

  /// Creates the completion of conditions on an entity.
  package init(_ names: StoreNames, of entity: String) {
    self.names = names
    self.entity = entity
  }

  /// The ways to complete the word at the end of a condition, of those that can follow what is before it.
  ///
  /// - Parameter text: The condition up to the cursor.
  /// - Returns: The words, the likeliest first, and the end of the text that they replace; no words inside
  ///   a string, nor after something that no condition has.
  /// - Complexity: O(*n*) in the length of the text and the number of names.
  package func completions(of text: String) -> (words: [CompletionWord], replaced: String) {
    var tokens = ConditionTokens(text)
    let place = CompletionPlace(tokens.takeLast())
    if tokens.endsInside { return ([], "") }
    var reader = ConditionReader(names, entity)
    for token in tokens.tokens { reader.take(token) }
    let all = place.owners.isEmpty ? words(reader, place) : members(at: place, reader)
    // A word that is typed already is not inserted.
    let found = place.fitting(all)
    return (found.count == 1 && found[0].text == place.part ? [] : found, place.part)
  }

  private func words(_ reader: ConditionReader, _ place: CompletionPlace) -> [CompletionWord] {
    let words: [CompletionWord]
    switch reader.expected {
    case .name: words = namesToBegin(reader, place)
    case .comparison: words = comparisons(reader)
    case .value:
      let member = names.member(at: reader.subject, of: reader.scope)
      let type = member.map { "value of \($0.name)" } ?? ""
      words =
        (member?.values ?? []).map { CompletionWord(name: $0, isQuoted: place.isQuoted).of(type) }
        + (member?.literals ?? []).map { CompletionWord($0, type: type) }
        + (reader.takesNil ? [CompletionWord("nil", type: "no value")] : [])
    case .null: words = ["nil", "not nil"].map { CompletionWord($0, type: "no value") }
    case .limit: words = [CompletionWord("and", type: "the other limit")]
    case .connective:
      let isText = names.member(at: reader.subject, of: reader.scope)?.isText ?? false
      let signs = place.stem.isEmpty ? ["&&", "||"] : ["and", "or"]
      words =
        signs.map { CompletionWord($0, type: "another condition") }
        + (isText ? [CompletionWord("ignoringCase", type: "of the strings")] : [])
    case .next, .nothing: words = []
    }
    return place.isQuoted ? words.filter { $0.text.hasPrefix("`") } : words
  }

  private func namesToBegin(
    _ reader: ConditionReader, _ place: CompletionPlace
  ) -> [CompletionWord] {
    let own = named(names.facts[reader.scope ?? entity] ?? [], place)
    guard reader.isInFunction else {
      return own
        + [
          CompletionWord("any", type: "function", "any(relation, condition)"),
          CompletionWord("nearest", type: "function", "nearest(vector, [1, 2.5], 10)"),
          CompletionWord("not", type: "negation"),
        ]
    }
    // Relations of others are followed backwards.
    let others = names.facts.keys.sorted().filter { other in
      names.facts[other]?.contains { $0.target != nil && $0.target == reader.scope } ?? false
    }
    return own
      + others.map { CompletionWord(name: $0, isQuoted: place.isQuoted).of("entity", "backwards") }
  }

  private func comparisons(_ reader: ConditionReader) -> [CompletionWord] {
    guard !reader.isAfterIn, let member = names.member(at: reader.subject, of: reader.scope) else {
      return []
    }
    let signs = reader.isElement ? member.elementComparisons : member.comparisons
    let isNegated = reader.isNegated
    return signs.compactMap { sign in
      if !isNegated { return CompletionWord(sign, type: member.type) }
      return sign.hasPrefix("not ")
        ? CompletionWord(String(sign.dropFirst(4)), type: member.type) : nil
    }
  }

  private func members(
    at place: CompletionPlace, _ reader: ConditionReader
  ) -> [CompletionWord] {
    guard reader.expected == .name, let owner = names.entity(at: place.owners, of: reader.scope)
    else { return [] }
    return named(names.facts[owner] ?? [], place).map { word in
      var word = word
      word.type += " of \(owner)"
      return word
    }
  }

  private func named(_ members: [MemberFacts], _ place: CompletionPlace) -> [CompletionWord] {
    members.map { CompletionWord(name: $0.name, isQuoted: place.isQuoted).of($0.type, $0.note) }
  }
}

extension CompletionWord {
  fileprivate init(_ word: String, type: String, _ note: String) {
    self.init(word, type: type)
    self.note = note
  }

  fileprivate func of(_ type: String, _ note: String = "") -> CompletionWord {
    var word = self
    (word.type, word.note) = (type, note)
    return word
  }
}

/// The names, values and signs of a condition that may be half typed.
private struct ConditionTokens {
  enum Token: Hashable {
    /// Names with periods between them, or a key word.
    case path(String)
    case value
    case sign(String)
  }

  private(set) var tokens: [Token] = []
  /// Whether the text ends in a value, so that no name is typed there.
  private(set) var endsInside = false
  private var rest: Substring

  private static let signs = ["&&", "||", "==", "!=", "<>", "<=", ">="]

  /// Takes a text apart.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  init(_ text: String) {
    rest = text[...]
    while let first = rest.first {
      endsInside = false
      if first.isWhitespace {
        rest = rest.drop(while: \.isWhitespace)
      } else if first == "\"" || first == "'" {
        takeString(first)
      } else if first == "`" || Self.isWord(first) && !first.isNumber {
        takePath()
      } else if first.isNumber || first == "-" {
        rest = rest.dropFirst().drop { Self.isWord($0) || ".+-:".contains($0) }
        tokens.append(.value)
        endsInside = rest.isEmpty
      } else {
        let sign = Self.signs.first { rest.hasPrefix($0) } ?? String(first)
        rest = rest.dropFirst(sign.count)
        tokens.append(.sign(sign))
      }
    }
    if case .path? = tokens.last, text.last?.isWhitespace ?? true { tokens.append(.sign("")) }
  }

  /// Takes away the path at the end of the text, to which more may be typed; empty for none.
  mutating func takeLast() -> String {
    guard let last = tokens.popLast() else { return "" }
    if case .path(let text) = last { return text }
    if last != .sign("") { tokens.append(last) }
    return ""
  }

  private static func isWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || "_$@".contains(character)
  }

  private mutating func takeString(_ quote: Character) {
    skip(to: quote)
    tokens.append(.value)
  }

  /// Skips a text to its closing quote, or to the end without one.
  private mutating func skip(to quote: Character) {
    rest = rest.dropFirst()
    endsInside = true
    while let next = rest.popFirst() {
      if next == "\\" { rest = rest.dropFirst() }
      if next == quote {
        endsInside = false
        return
      }
    }
  }

  private mutating func takePath() {
    let start = rest
    repeat {
      if rest.first == "." { rest = rest.dropFirst() }
      if rest.first == "`" {
        skip(to: "`")
        // A name without its closing backquote is what is being typed.
        endsInside = false
      } else {
        rest = rest.drop(while: Self.isWord)
      }
    } while rest.first == "."
    let text = start[..<rest.startIndex]
    if let quote = rest.first, quote == "'", text.lowercased() == "x" { return takeString(quote) }
    tokens.append(.path(String(text)))
  }
}

/// The reader of a condition, which knows what can follow.
private struct ConditionReader {
  enum Expected {
    case name, comparison, value, null, limit, next, connective
    /// Nothing that is known.
    case nothing
  }

  private enum Frame: Equatable {
    case group, list
    /// The parentheses of a function, and the entity outside of them.
    case function(String, outside: String?)
  }

  private let names: StoreNames
  private(set) var expected = Expected.name
  /// The entity whose properties are named.
  private(set) var scope: String?
  /// The names of the property that is compared.
  private(set) var subject: [String] = []
  private(set) var isAfterIn = false
  private(set) var isNegated = false
  private(set) var isElement = false
  private(set) var takesNil = false
  private var isBetween = false
  private var frames: [Frame] = []

  init(_ names: StoreNames, _ entity: String) {
    self.names = names
    scope = entity
  }

  /// Whether the name is the first argument of a function.
  var isInFunction: Bool {
    if case .function(_, let outside)? = frames.last { return outside == nil }
    return false
  }

  mutating func take(_ token: ConditionTokens.Token) {
    switch (expected, token) {
    case (_, .sign("")): break
    case (.name, .path(let text)):
      if text.lowercased() == "not" { return }
      subject = NamePath(reading: text).names
      (isAfterIn, isNegated, isElement, isBetween) = (false, false, false, false)
      expected = .comparison
    case (.name, .sign("!")): break
    case (.name, .sign("(")): frames.append(.group)
    case (.comparison, .sign(let sign)): takeSign(sign)
    case (.comparison, .path(let text)): takeWord(text.lowercased())
    case (.null, .path(let text)): expected = text.lowercased() == "not" ? .null : .connective
    case (.value, .sign(let sign)) where ")]".contains(sign) && frames.last == .list: close()
    case (.value, .value), (.value, .path):
      expected = frames.last == .list ? .next : isBetween ? .limit : .connective
    case (.limit, .path), (.limit, .sign("&&")):
      isBetween = false
      expected = .value
    case (.next, .sign(",")): expected = .value
    case (.next, .sign(let sign)) where ")]".contains(sign): close()
    case (.connective, .sign("&&")), (.connective, .sign("||")): expected = .name
    case (.connective, .sign(")")): close()
    case (.connective, .path(let text)):
      if text.lowercased() != "ignoringcase" { expected = .name }
    default: expected = .nothing
    }
  }

  private mutating func close() {
    guard let frame = frames.popLast() else {
      expected = .nothing
      return
    }
    if case .function(_, let outside?) = frame { scope = outside }
    expected = .connective
  }

  private mutating func takeSign(_ sign: String) {
    switch sign {
    case "(" where isAfterIn, "[" where isAfterIn:
      frames.append(.list)
      (expected, takesNil) = (.value, false)
    case "(" where ["any", "nearest"].contains(subject.last) && subject.count == 1:
      frames.append(.function(subject[0], outside: nil))
      expected = .name
    case ",":
      guard case .function("any", outside: nil)? = frames.last else {
        expected = .nothing
        return
      }
      frames[frames.count - 1] = .function("any", outside: scope)
      // A relation of the entity, or one of another with this entity as its target.
      scope =
        subject.count == 2 && names.entity(at: subject, of: subject[0]) == scope
        ? subject[0] : names.entity(at: subject, of: scope)
      expected = .name
    case ")":
      guard case .function("any", outside: nil)? = frames.popLast() else {
        expected = .nothing
        return
      }
      isElement = true
    case "==", "!=", "=", "<>": (expected, takesNil) = (.value, !isElement)
    case "<", "<=", ">", ">=": (expected, takesNil) = (.value, false)
    default: expected = .nothing
    }
  }

  private mutating func takeWord(_ word: String) {
    takesNil = false
    switch word {
    case "in": isAfterIn = true
    case "not": isNegated = true
    case "is": expected = .null
    case "between": (expected, isBetween) = (.value, true)
    case "contains", "startswith", "endswith": expected = .value
    default: expected = .nothing
    }
  }
}
