public import BoxJSON
internal import BoxModel

/// A condition that was read from a text, with the places of its parts.
public struct ParsedCondition: Hashable, Sendable {
  /// The condition.
  public var condition: Condition
  /// The place of each name in ``Condition/names``.
  public var positions: [JSONPosition]
  /// The place of each value, in the order of the text.
  public var valuePositions: [JSONPosition] = []
}

/// Reads conditions such as `Person.age > 30 && name startsWith "A"`.
///
/// - `==`, `!=`, `<`, `<=`, `>`, `>=` compare, `between … and …` and `in (…)` are as in SQL,
///   `contains`, `startsWith` and `endsWith` look into strings, `contains` into vectors too.
/// - `ignoringCase` after a comparison of strings ignores case.
/// - `&&`, `||`, `!` can be written `and`, `or`, `not`; `&&` binds stronger than `||`.
/// - Values are numbers, `true` and `false`, strings in quotes of either kind, `nil` or `null`, and
///   dates of ISO 8601 as they are: `born >= 2000-01-01`.
/// - A path follows relations: `customer.name == "Ada"`; of a to-many relation, some target has to
///   fulfil the condition. `any(Order.customer, total > 3)` follows a relation of another entity
///   backwards, and `any(scores) > 3` or `any(tags) startsWith "a"` asks for an element of a vector.
/// - Bytes are hexadecimal digits, `x'00ff'`. A plain word is a value of a converter: `genre == novel`.
/// - A name that is not a plain word is put in backquotes.
public struct ConditionParser {
  /// The maximum depth of nested parentheses.
  public static let maximumDepth = 64

  private var lexer: ConditionLexer
  private var token = ConditionLexer.Token.end
  private var position = JSONPosition(line: 1, column: 1)
  private var positions: [JSONPosition] = []
  private var valuePositions: [JSONPosition] = []
  private var depth = 0

  init(_ text: String) { lexer = ConditionLexer(text) }

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
    return ParsedCondition(
      condition: condition, positions: parser.positions, valuePositions: parser.valuePositions)
  }

  /// The error for a path with more names than ``maximumDepth``.
  static func pathTooLong(at position: JSONPosition?) -> ConditionError {
    ConditionError("the path is longer than \(maximumDepth) names", position: position)
  }

  // MARK: - Tokens

  mutating func advance() throws(ConditionError) {
    token = try lexer.next()
    position = lexer.position
  }

  func unexpected(_ expected: String) -> ConditionError {
    ConditionError("expected \(expected) and found \(token.words)", position: position)
  }

  /// Whether all tokens were taken.
  var isAtEnd: Bool { token == .end }

  /// The text after the token.
  var rest: String { lexer.rest }

  /// Whether the token is a key word, in any case, or a sign.
  func isAt(_ texts: String...) -> Bool {
    switch token {
    case .word(let word): texts.contains(word.lowercased())
    case .sign(let sign): texts.contains(sign)
    default: false
    }
  }

  mutating func consume(_ texts: String...) throws(ConditionError) -> Bool {
    for text in texts where isAt(text) {
      try advance()
      return true
    }
    return false
  }

  // MARK: - Words between conditions

  private mutating func alternatives() throws(ConditionError) -> Condition {
    var parts = [try conjunction()]
    while try consume("||", "or") { parts.append(try conjunction()) }
    return parts.count == 1 ? parts[0] : .or(parts)
  }

  private mutating func conjunction() throws(ConditionError) -> Condition {
    var parts = [try negation()]
    while try consume("&&", "and") { parts.append(try negation()) }
    return parts.count == 1 ? parts[0] : .and(parts)
  }

  private mutating func negation() throws(ConditionError) -> Condition {
    depth += 1
    defer { depth -= 1 }
    if depth > Self.maximumDepth {
      throw ConditionError(
        "the condition is nested deeper than \(Self.maximumDepth) levels", position: position)
    }
    if try consume("!", "not") { return .not(try negation()) }
    if try consume("(") {
      let inner: Condition
      if isAt("true", "false") {
        // What a condition without parts is printed as.
        inner = isAt("true") ? .and([]) : .or([])
        try advance()
      } else {
        inner = try alternatives()
      }
      guard try consume(")") else { throw unexpected("\")\"") }
      return inner
    }
    return try comparison()
  }

  // MARK: - Comparisons

  private mutating func comparison() throws(ConditionError) -> Condition {
    if isAtFunction("any") { return try some() }
    if isAtFunction("nearest") { return try nearest() }
    let name = Condition.PropertyName(components: try path())
    if let comparison = try comparisonSign() { return try compare(name, comparison) }
    if try consume("is") {
      let isNegated = try consume("not")
      guard try consume("nil", "null") else { throw unexpected("\"nil\"") }
      return isNegated ? .isNotNull(name) : .isNull(name)
    }
    if try consume("not") {
      // As in SQL and in `!=`: null is not "not in" a list. `!(… in …)` is true of it.
      positions.append(positions[positions.count - 1])
      return .and([.isNotNull(name), .not(try contentComparison(name))])
    }
    return try contentComparison(name)
  }

  /// Takes the sign of a comparison, if there is one.
  private mutating func comparisonSign() throws(ConditionError) -> Condition.Comparison? {
    guard case .sign(let sign) = token else { return nil }
    let operators = ["=": "==", "<>": "!="]
    guard let comparison = Condition.Comparison(rawValue: operators[sign] ?? sign) else {
      return nil
    }
    try advance()
    return comparison
  }

  /// Takes the names of a path, and notes the place of the first.
  private mutating func path() throws(ConditionError) -> [String] {
    let start = position
    positions.append(start)
    var names = [try nameWord("the name of a property")]
    while try consume(".") {
      names.append(try nameWord("the name of a property after the period"))
      if names.count > Self.maximumDepth {
        throw Self.pathTooLong(at: start)
      }
    }
    return names
  }

  // MARK: - Functions

  /// Whether the token is a word before a parenthesis; otherwise it is a name.
  private func isAtFunction(_ name: String) -> Bool {
    guard isAt(name) else { return false }
    var ahead = lexer
    return (try? ahead.next()) == .sign("(")
  }

  /// Parses `any(relation, condition)`, `any(vector) == value` and `any(vector) startsWith value`.
  private mutating func some() throws(ConditionError) -> Condition {
    try advance()
    try advance()
    let start = position
    let names = try path()
    if try consume(",") {
      let link: Condition.Link
      switch names.count {
      case 1: link = .forward(names[0])
      case 2: link = .backward(entity: names[0], relation: names[1])
      default:
        throw ConditionError(
          "any takes a relation, or Entity.relation to follow one backwards", position: start)
      }
      let part = try alternatives()
      guard try consume(")") else { throw unexpected("\")\"") }
      return .link(link, part)
    }
    guard try consume(")") else { throw unexpected("\")\", or \",\" and a condition") }
    let name = Condition.PropertyName(components: names)
    if let comparison = try comparisonSign() {
      let literal = try literal()
      return .element(name, comparison, literal, ignoringCase: try consume("ignoringcase"))
    }
    if let match = try matchWord() {
      let literal = try literal()
      return .elementMatch(name, match, literal, ignoringCase: try consume("ignoringcase"))
    }
    throw unexpected("a comparison of an element such as ==, < or startsWith")
  }

  /// Parses `nearest(vector, [1, 2.5], 10)`.
  private mutating func nearest() throws(ConditionError) -> Condition {
    try advance()
    try advance()
    let name = Condition.PropertyName(components: try path())
    guard try consume(",") else { throw unexpected("\",\" and a vector such as [1, 2.5]") }
    let start = position
    let values = valuePositions.count
    var vector: [Float] = []
    for literal in try list() {
      switch literal {
      case .integer(let value): vector.append(Float(value))
      case .number(let value): vector.append(Float("\(value)") ?? Float(value))
      case .digits(let digits): vector.append(Float(digits) ?? .nan)
      default: throw ConditionError("a vector has numbers, as in [1, 2.5]", position: start)
      }
    }
    valuePositions.removeSubrange(values...)
    guard try consume(",") else { throw unexpected("\",\" and the number of objects") }
    guard case .literal(.integer(let maximum)) = token, maximum >= 0 else {
      throw unexpected("the number of objects")
    }
    try advance()
    guard try consume(")") else { throw unexpected("\")\"") }
    return .nearest(name, vector, maximum: Int(maximum))
  }

  mutating func nameWord(_ expected: String) throws(ConditionError) -> String {
    let name: String
    switch token {
    case .name(let text): name = text
    case .word(let text) where !NamePath.keywords.contains(text.lowercased()): name = text
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
      return comparison == .equal ? .isNull(name) : .isNotNull(name)
    }
    let literal = try literal()
    return .compare(name, comparison, literal, ignoringCase: try consume("ignoringcase"))
  }

  /// Parses a comparison that can follow `not`: `in`, `between`, `contains`, `startsWith`, `endsWith`.
  private mutating func contentComparison(
    _ name: Condition.PropertyName
  ) throws(ConditionError) -> Condition {
    if try consume("in") {
      let literals = try list()
      return .isOneOf(name, literals, ignoringCase: try consume("ignoringcase"))
    }
    if try consume("between") {
      let low = try literal()
      guard try consume("and", "&&") else { throw unexpected("\"and\" between the two limits") }
      let high = try literal()
      return .between(name, low, high, ignoringCase: try consume("ignoringcase"))
    }
    if let match = try matchWord() {
      let literal = try literal()
      return .match(name, match, literal, ignoringCase: try consume("ignoringcase"))
    }
    throw unexpected("a comparison such as ==, <, in, between, contains or startsWith")
  }

  /// Takes the word for the place of a part, if there is one.
  private mutating func matchWord() throws(ConditionError) -> Condition.Match? {
    for match in Condition.Match.allCases where isAt(match.rawValue.lowercased()) {
      try advance()
      return match
    }
    return nil
  }

  private mutating func list() throws(ConditionError) -> [Condition.Literal] {
    let isSquare = isAt("[")
    guard try consume("(", "[") else { throw unexpected("\"(\" before the values") }
    let end = isSquare ? "]" : ")"
    var literals: [Condition.Literal] = []
    if try consume(end) { return literals }
    repeat {
      literals.append(try literal())
    } while try consume(",")
    guard try consume(end) else { throw unexpected("\",\" or \"\(end)\"") }
    return literals
  }

  mutating func literal() throws(ConditionError) -> Condition.Literal {
    let value: Condition.Literal
    valuePositions.append(position)
    switch token {
    case .literal(let literal): value = literal
    case .name(let name): value = .name(name)
    case .word(let word):
      switch word.lowercased() {
      case "true": value = .bool(true)
      case "false": value = .bool(false)
      case "nan": value = .number(.nan)
      case "infinity": value = .number(.infinity)
      case "nil", "null":
        throw ConditionError("nil is not allowed here; write \"or … == nil\"", position: position)
      case let word where NamePath.keywords.contains(word): throw unexpected("a value")
      default: value = .name(word)
      }
    default: throw unexpected("a value")
    }
    try advance()
    return value
  }
}

extension Condition.PropertyName {
  /// The name of a path whose last component is the property.
  fileprivate init(components: [String]) {
    self.init(components.last ?? "", path: components.dropLast())
  }
}
