internal import BoxJSON
internal import BoxModel
internal import BoxReport

/// Takes the text of a condition apart into words, values and signs.
struct ConditionLexer {
  enum Token: Hashable {
    /// A name or a key word.
    case word(String)
    /// A name in backquotes, which is never a key word.
    case name(String)
    case literal(Condition.Literal)
    case sign(String)
    case end

    /// The token as messages name it.
    var words: String {
      switch self {
      case .word(let text), .sign(let text): "\"\(text.escapedForDisplay)\""
      case .name(let name): "`\(name.escapedForDisplay)`"
      case .literal(let literal): literal.description.escapedForDisplay
      case .end: "the end"
      }
    }
  }

  private let scalars: [Unicode.Scalar]
  private var index = 0
  /// The place of the token read last.
  private(set) var position = JSONPosition(line: 1, column: 1)
  private var line = 1
  private var lineStart = 0

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  private static let signs = [
    "&&", "||", "==", "!=", "<>", "<=", ">=", "<", ">", "=", "!", "(", ")", "[", "]", ",", ".",
    ":=", "{",
  ]

  private var current: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  private func ahead(_ distance: Int) -> Unicode.Scalar? {
    index + distance < scalars.count ? scalars[index + distance] : nil
  }

  /// The text after the token that was read last.
  var rest: String { String(String.UnicodeScalarView(scalars[index...])) }

  private var here: JSONPosition { position(of: index) }

  /// The place of a scalar in the line.
  private func position(of index: Int) -> JSONPosition {
    JSONPosition(line: line, column: index - lineStart + 1)
  }

  mutating func next() throws(ConditionError) -> Token {
    while let scalar = current, scalar.properties.isWhitespace {
      index += 1
      if scalar == "\n" { (line, lineStart) = (line + 1, index) }
    }
    position = here
    guard let scalar = current else { return .end }
    if scalar == "x" || scalar == "X", ahead(1) == "'" { return try bytes() }
    if NamePath.isWordStart(scalar) {
      index += 1
      return .word(String(scalar) + consume(while: NamePath.isWordPart))
    }
    if scalar == "`" { return .name(try quoted(by: scalar, "name")) }
    if scalar == "\"" || scalar == "'" {
      return .literal(.string(try quoted(by: scalar, "string")))
    }
    if Self.isDigit(scalar) || (scalar == "-" && ahead(1) != nil) { return try number() }
    for sign in Self.signs
    where sign.unicodeScalars.enumerated().allSatisfy({ ahead($0) == $1 }) {
      index += sign.unicodeScalars.count
      return .sign(sign)
    }
    throw ConditionError(
      "\"\(String(scalar).escapedForDisplay)\" has no meaning here", position: position)
  }

  private mutating func consume(while isPart: (Unicode.Scalar) -> Bool) -> String {
    var text = ""
    while let scalar = current, isPart(scalar) {
      text.unicodeScalars.append(scalar)
      index += 1
    }
    return text
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  // MARK: - Strings

  private mutating func quoted(
    by quote: Unicode.Scalar, _ what: String
  ) throws(ConditionError) -> String {
    let start = (place: here, index: index)
    do throws(QuotedText.Problem) {
      let text = try QuotedText.read(scalars, at: &index)
      countLines(from: start.index, to: index)
      return text
    } catch {
      switch error {
      case .noClosingQuote:
        throw ConditionError("the \(what) has no closing \(quote)", position: start.place)
      case .wrongNumber(let place):
        countLines(from: start.index, to: place)
        throw ConditionError(
          "write a character by its number as \\u{e9}", position: position(of: place))
      case .unknownEscape(let place):
        countLines(from: start.index, to: place)
        throw ConditionError(
          "a backslash stands before one of n, r, t, u, \\ and a quote",
          position: position(of: place))
      }
    }
  }

  private mutating func countLines(from start: Int, to end: Int) {
    for place in start..<end where scalars[place] == "\n" {
      (line, lineStart) = (line + 1, place + 1)
    }
  }

  /// Reads bytes, as in x'00ff'.
  private mutating func bytes() throws(ConditionError) -> Token {
    index += 1
    let text = try quoted(by: "'", "value of bytes")
    guard let bytes = Hexadecimal.bytes(text.utf8) else {
      throw ConditionError(
        "bytes have two hexadecimal digits each, as in x'00ff'", position: position)
    }
    return .literal(.bytes(bytes))
  }

  // MARK: - Numbers and dates

  private mutating func number() throws(ConditionError) -> Token {
    if isDate { return try date() }
    var text = ""
    if current == "-" {
      index += 1
      if let scalar = current, NamePath.isWordStart(scalar) {
        let word = consume(while: NamePath.isWordPart)
        if word.lowercased() == "infinity" { return .literal(.number(-.infinity)) }
        throw ConditionError("a number is expected after \"-\"", position: position)
      }
      text = "-"
    }
    let isFirstDigit = current.map(Self.isDigit) ?? false
    var isWhole = true
    while let scalar = current {
      let isExponentSign =
        (scalar == "-" || scalar == "+") && (text.hasSuffix("e") || text.hasSuffix("E"))
      let isFraction = scalar == "." && (ahead(1).map(Self.isDigit) ?? false)
      guard Self.isDigit(scalar) || NamePath.isWordPart(scalar) || isExponentSign || isFraction
      else {
        break
      }
      if !Self.isDigit(scalar) && scalar != "_" { isWhole = false }
      if scalar != "_" { text.unicodeScalars.append(scalar) }
      index += 1
    }
    if isFirstDigit, isWhole {
      // An integer has no sign of zero.
      if text.hasPrefix("-"), text.utf8.dropFirst().allSatisfy({ $0 == 0x30 }) {
        return .literal(.number(-0.0))
      }
      if let value = Int64(text) { return .literal(.integer(value)) }
      if let value = UInt64(text) { return .literal(.unsigned(value)) }
      // As a number it is still above, or below, all integers of 64 bits.
      if let value = Double(text), value.isFinite {
        return .literal(Self.isExact(text, value) ? .number(value) : .digits(text))
      }
      throw ConditionError("the number is too large", position: position)
    }
    let isPlain = text.utf8.allSatisfy { "0123456789.eE+-".utf8.contains($0) }
    if isFirstDigit, isPlain, let value = Double(text), value.isFinite {
      return .literal(Self.isExact(text, value) ? .number(value) : .digits(text))
    }
    throw ConditionError("\"\(text.escapedForDisplay)\" is not a number", position: position)
  }

  /// Whether a number says all that its text does about integers, of which a `Double` lacks many from 2^53 on.
  private static func isExact(_ text: String, _ value: Double) -> Bool {
    guard let decimal = JSONDecimal(text) else { return true }
    guard value.rounded() == value, abs(value) <= 0x1p64 else {
      return decimal == JSONDecimal("\(value)")
    }
    let (floor, isExact) = decimal.floor(limit: 1 << 100)
    return isExact && floor == Int128(value)
  }

  private var isDate: Bool {
    (0..<8).allSatisfy { offset in
      guard let scalar = ahead(offset) else { return false }
      return offset == 4 || offset == 7 ? scalar == "-" : Self.isDigit(scalar)
    }
  }

  private mutating func date() throws(ConditionError) -> Token {
    let text = consume { Self.isDigit($0) || "-+:.TtZz".unicodeScalars.contains($0) }
    guard let literal = Condition.Literal(date: text) else {
      throw ConditionError(
        "\"\(text)\" is not a date; write 2024-02-29 or 2024-02-29T12:00:00Z", position: position)
    }
    return .literal(literal)
  }
}

extension Condition.Literal {
  /// The date of a text in ISO 8601; nil for any other text.
  init?(date text: String) {
    guard let moment = ISO8601.moment(text), ISO8601.seconds.contains(moment.seconds) else {
      return nil
    }
    self = .date(seconds: moment.seconds, nanoseconds: moment.nanoseconds)
  }
}
