public import BoxJSON

/// A condition that was read from a text, with the places of its parts.
public struct ParsedCondition: Hashable, Sendable {
  /// The condition.
  public var condition: Condition
  /// The place of each name in ``Condition/names``.
  public var positions: [JSONPosition]
}

/// Reads conditions such as `Person.age > 30 && name startsWith "A"`.
///
/// - `==`, `!=`, `<`, `<=`, `>`, `>=` compare, `between … and …` and `in (…)` are as in SQL,
///   `contains`, `startsWith` and `endsWith` look into strings, `contains` into vectors too.
/// - `ignoringCase` behind a comparison of strings ignores case.
/// - `&&`, `||`, `!` can be written `and`, `or`, `not`; `&&` binds stronger than `||`.
/// - Values are numbers, `true` and `false`, strings in quotes of either kind, `nil` or `null`, and
///   dates of ISO 8601 as they are: `born >= 2000-01-01`.
/// - A name that is not a plain word stands in backquotes.
public struct ConditionParser {
  /// Words that are not names without backquotes.
  static let keywords: Set<String> = [
    "and", "or", "not", "in", "is", "between", "contains", "startswith", "endswith",
    "ignoringcase", "nil", "null", "true", "false", "nan", "infinity",
  ]

  /// The maximum depth of nested parentheses.
  public static let maximumDepth = 64

  private var lexer: ConditionLexer
  private var token = ConditionLexer.Token.end
  private var position = JSONPosition(line: 1, column: 1)
  private var positions: [JSONPosition] = []
  private var depth = 0

  private init(_ text: String) { lexer = ConditionLexer(text) }

  /// Reads a condition.
  ///
  /// - Throws: ``ConditionError``, with the line and the column.
  /// - Complexity: O(*n*) in the length of the text.
  public static func parse(_ text: String) throws(ConditionError) -> ParsedCondition {
    var parser = ConditionParser(text)
    try parser.advance()
    let condition = try parser.alternatives()
    if parser.token != .end {
      throw parser.unexpected("\"&&\", \"||\" or the end of the condition")
    }
    return ParsedCondition(condition: condition, positions: parser.positions)
  }

  // MARK: - Tokens

  private mutating func advance() throws(ConditionError) {
    token = try lexer.next()
    position = lexer.position
  }

  private func unexpected(_ expected: String) -> ConditionError {
    ConditionError("expected \(expected) and found \(token.words)", position: position)
  }

  /// Whether the token is a key word, in any case, or a sign.
  private func isAt(_ texts: String...) -> Bool {
    switch token {
    case .word(let word): texts.contains(word.lowercased())
    case .sign(let sign): texts.contains(sign)
    default: false
    }
  }

  private mutating func take(_ texts: String...) throws(ConditionError) -> Bool {
    for text in texts where isAt(text) {
      try advance()
      return true
    }
    return false
  }

  // MARK: - Words between conditions

  private mutating func alternatives() throws(ConditionError) -> Condition {
    var parts = [try conjunction()]
    while try take("||", "or") { parts.append(try conjunction()) }
    return parts.count == 1 ? parts[0] : .or(parts)
  }

  private mutating func conjunction() throws(ConditionError) -> Condition {
    var parts = [try negation()]
    while try take("&&", "and") { parts.append(try negation()) }
    return parts.count == 1 ? parts[0] : .and(parts)
  }

  private mutating func negation() throws(ConditionError) -> Condition {
    depth += 1
    defer { depth -= 1 }
    if depth > Self.maximumDepth {
      throw ConditionError(
        "the condition is nested deeper than \(Self.maximumDepth) levels", position: position)
    }
    if try take("!", "not") { return .not(try negation()) }
    if try take("(") {
      let inner: Condition
      if isAt("true", "false") {
        // What a condition without parts is printed as.
        inner = isAt("true") ? .and([]) : .or([])
        try advance()
      } else {
        inner = try alternatives()
      }
      guard try take(")") else { throw unexpected("\")\"") }
      return inner
    }
    return try comparison()
  }

  // MARK: - Comparisons

  private mutating func comparison() throws(ConditionError) -> Condition {
    positions.append(position)
    let name = try propertyName()
    if case .sign(let sign) = token {
      let operators = ["=": "==", "<>": "!="]
      if let comparison = Condition.Comparison(rawValue: operators[sign] ?? sign) {
        try advance()
        return try compare(name, comparison)
      }
    }
    if try take("is") {
      let isNegated = try take("not")
      guard try take("nil", "null") else { throw unexpected("\"nil\"") }
      return isNegated ? .not(.isNull(name)) : .isNull(name)
    }
    if try take("between") {
      let low = try literal()
      guard try take("and", "&&") else { throw unexpected("\"and\" between the two limits") }
      return .between(name, low, try literal())
    }
    if try take("not") { return .not(try contentComparison(name)) }
    return try contentComparison(name)
  }

  private mutating func propertyName() throws(ConditionError) -> Condition.PropertyName {
    let first = try nameWord("the name of a property")
    guard try take(".") else { return Condition.PropertyName(first) }
    let second = try nameWord("the name of a property behind the period")
    if isAt(".") {
      throw ConditionError(
        "a condition cannot follow relations: write Entity.property", position: position)
    }
    return Condition.PropertyName(second, of: first)
  }

  private mutating func nameWord(_ expected: String) throws(ConditionError) -> String {
    let name: String
    switch token {
    case .name(let text): name = text
    case .word(let text) where !Self.keywords.contains(text.lowercased()): name = text
    default: throw unexpected(expected)
    }
    try advance()
    return name
  }

  private mutating func compare(
    _ name: Condition.PropertyName, _ comparison: Condition.Comparison
  ) throws(ConditionError) -> Condition {
    if isAt("nil", "null") {
      guard comparison == .equal || comparison == .notEqual else {
        throw ConditionError(
          "nil is neither less nor greater than anything; write == nil or != nil",
          position: position)
      }
      try advance()
      return comparison == .equal ? .isNull(name) : .not(.isNull(name))
    }
    let literal = try literal()
    return .compare(name, comparison, literal, ignoringCase: try take("ignoringcase"))
  }

  /// Parses a comparison that can follow `not`: `in`, `contains`, `startsWith`, `endsWith`.
  private mutating func contentComparison(
    _ name: Condition.PropertyName
  ) throws(ConditionError) -> Condition {
    if try take("in") {
      let literals = try list()
      return .isOneOf(name, literals, ignoringCase: try take("ignoringcase"))
    }
    for match in Condition.Match.allCases where isAt(match.rawValue.lowercased()) {
      try advance()
      let literal = try literal()
      return .match(name, match, literal, ignoringCase: try take("ignoringcase"))
    }
    throw unexpected("a comparison such as ==, <, in, between, contains or startsWith")
  }

  private mutating func list() throws(ConditionError) -> [Condition.Literal] {
    let isSquare = isAt("[")
    guard try take("(", "[") else { throw unexpected("\"(\" before the values") }
    let end = isSquare ? "]" : ")"
    var literals: [Condition.Literal] = []
    if try take(end) { return literals }
    repeat {
      literals.append(try literal())
    } while try take(",")
    guard try take(end) else { throw unexpected("\",\" or \"\(end)\"") }
    return literals
  }

  private mutating func literal() throws(ConditionError) -> Condition.Literal {
    let value: Condition.Literal
    switch token {
    case .literal(let literal): value = literal
    case .word(let word):
      switch word.lowercased() {
      case "true": value = .bool(true)
      case "false": value = .bool(false)
      case "nan": value = .number(.nan)
      case "infinity": value = .number(.infinity)
      case "nil", "null":
        throw ConditionError("nil cannot stand here; write \"or … == nil\"", position: position)
      default:
        throw ConditionError(
          "a value is expected here; write a string in quotes: \"\(word)\"", position: position)
      }
    default: throw unexpected("a value")
    }
    try advance()
    return value
  }
}
