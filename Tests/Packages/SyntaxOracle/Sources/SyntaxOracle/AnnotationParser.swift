/// Reads the annotations of one comment.
///
/// The documented spellings are many: `objectbox:entity`, quoted values, several annotations between
/// commas, options in braces with keys in quotes or without, and options after a second colon, as in
/// `hnswIndex: dimensions=3, distanceType="geo"`.
struct AnnotationParser {
  private var rest: Substring

  /// Reads a comment.
  ///
  /// - Parameters:
  ///   - comment: The comment with its slashes.
  ///   - prefix: The word before the colon, whose case does not count.
  ///   - place: The place of the comment.
  /// - Returns: The annotations, or nil if it is another comment.
  /// - Complexity: O(*n*) in the length of the comment.
  static func parse(comment: String, prefix: String, place: SourcePlace) -> [Annotation]? {
    var body = Substring(comment)
    if body.hasPrefix("/*") {
      body = body.dropFirst(2)
      if body.hasSuffix("*/") { body = body.dropLast(2) }
    }
    body = body.drop { $0 == "/" || $0 == "*" || $0.isWhitespace }
    guard body.lowercased().hasPrefix(prefix.lowercased() + ":") else { return nil }
    var parser = AnnotationParser(rest: body.dropFirst(prefix.count + 1))
    return parser.annotations(at: place)
  }

  private mutating func annotations(at place: SourcePlace) -> [Annotation] {
    var result: [Annotation] = []
    // Options that follow a colon belong to the annotation before them.
    var takesOptions = false
    while true {
      skipBlanks()
      if rest.isEmpty { break }
      if rest.first == "," {
        rest.removeFirst()
        continue
      }
      let name = word()
      skipBlanks()
      let sign = rest.first
      guard sign == "=" || sign == ":" else {
        // Something that no annotation has is reported as an unknown name.
        result.append(Annotation(name: name.isEmpty ? remainder() : name, place: place))
        takesOptions = false
        continue
      }
      rest.removeFirst()
      skipBlanks()
      if takesOptions, sign == "=", let last = result.indices.last,
        case .options(let options)? = result[last].value
      {
        result[last].value = .options(options + [AnnotationOption(key: name, value: scalar())])
      } else if sign == ":", let option = colonOption() {
        result.append(Annotation(name: name, value: .options([option]), place: place))
        takesOptions = true
      } else {
        result.append(Annotation(name: name, value: value(), place: place))
        takesOptions = false
      }
    }
    return result
  }

  /// The option of `hnswIndex: dimensions=3`; nil for `index: value`, and nothing is read then.
  private mutating func colonOption() -> AnnotationOption? {
    let start = rest
    let key = word()
    skipBlanks()
    if !key.isEmpty, rest.first == "=" {
      rest.removeFirst()
      skipBlanks()
      return AnnotationOption(key: key, value: scalar())
    }
    rest = start
    return nil
  }

  private mutating func value() -> AnnotationValue {
    guard rest.first == "{" else { return .text(scalar()) }
    let start = rest
    rest.removeFirst()
    var options: [AnnotationOption] = []
    while true {
      skipBlanks()
      if rest.first == "}" {
        rest.removeFirst()
        return .options(options)
      }
      let key = rest.first.map(Self.isQuote) == true ? scalar() : word()
      skipBlanks()
      guard !key.isEmpty, rest.first == ":" || rest.first == "=" else { return malformed(start) }
      rest.removeFirst()
      skipBlanks()
      let isQuoted = rest.first.map(Self.isQuote) == true
      let value = scalar()
      if value.isEmpty, !isQuoted { return malformed(start) }
      options.append(AnnotationOption(key: key, value: value))
      skipBlanks()
      if rest.first == "," {
        rest.removeFirst()
      } else if rest.first != "}" {
        return malformed(start)
      }
    }
  }

  private mutating func malformed(_ start: Substring) -> AnnotationValue {
    rest = rest[rest.endIndex...]
    return .malformed(String(start))
  }

  /// A text in quotes, or everything up to a comma or a closing brace.
  private mutating func scalar() -> String {
    guard let quote = rest.first, Self.isQuote(quote) else {
      // A list in brackets is one value.
      var depth = 0
      let end =
        rest.firstIndex {
          if $0 == "[" { depth += 1 }
          if $0 == "]" { depth -= 1 }
          return depth <= 0 && ($0 == "," || $0 == "}")
        } ?? rest.endIndex
      defer { rest = rest[end...] }
      return rest[..<end].trimmed
    }
    let closing: Character = quote == "\u{201C}" ? "\u{201D}" : quote
    let text = rest.dropFirst()
    let end = text.firstIndex(of: closing) ?? text.endIndex
    rest = text[end...].dropFirst()
    return String(text[..<end])
  }

  /// Letters, digits and hyphens.
  private mutating func word() -> String {
    let end =
      rest.firstIndex { !($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") } ?? rest.endIndex
    defer { rest = rest[end...] }
    return String(rest[..<end])
  }

  private mutating func remainder() -> String {
    let end = rest.firstIndex(of: ",") ?? rest.endIndex
    defer { rest = rest[end...] }
    return rest[..<end].trimmed
  }

  private mutating func skipBlanks() { rest = rest.drop(while: \.isWhitespace) }

  // Documents that went through a word processor have typographic quotes.
  private static func isQuote(_ character: Character) -> Bool {
    character == "\"" || character == "'" || character == "\u{201C}"
  }
}

extension StringProtocol {
  /// The text without the white space around it.
  var trimmed: String {
    let start = drop(while: \.isWhitespace)
    return String(start.reversed().drop(while: \.isWhitespace).reversed())
  }
}
