/// Splits Swift source text into tokens.
///
/// It knows no grammar but that of comments and strings, so it needs no swift-syntax, and works at once in a
/// build without optimisation. A bare regular expression is read as signs and words.
struct SwiftLexer {
  private let bytes: [UInt8]
  private let prefix: [UInt8]
  private var position = 0
  private var startsLine = true
  private(set) var tokens: [SwiftToken] = []
  /// The number of interpolations inside of each other at the place that is read.
  private var interpolations = 0
  /// Whether the text ended early, as too many interpolations are inside of each other.
  private(set) var isTooDeep = false

  /// The tokens of a text.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - prefix: The word before the colon of an annotation, whose case does not count.
  /// - Returns: The tokens in order, comments without annotations left out.
  /// - Complexity: O(*n*) in the size of the text.
  static func tokens(of bytes: [UInt8], prefix: String) -> [SwiftToken] {
    reading(bytes, prefix: prefix).tokens
  }

  /// Reads a text, as ``tokens(of:prefix:)``.
  static func reading(_ bytes: [UInt8], prefix: String) -> SwiftLexer {
    var lexer = SwiftLexer(bytes, prefix)
    lexer.readAll()
    return lexer
  }

  private init(_ bytes: [UInt8], _ prefix: String) {
    self.bytes = bytes
    self.prefix = prefix.lowercased().utf8 + [UInt8(ascii: ":")]
  }

  private mutating func readAll() {
    while position < bytes.count { readNext() }
  }

  private func byte(_ offset: Int = 0) -> UInt8 {
    position + offset < bytes.count ? bytes[position + offset] : 0
  }

  private mutating func readNext() {
    let first = bytes[position]
    switch first {
    case 10, 13:
      startsLine = true
      position += 1
    case 32, 9, 11, 12, 0: position += 1
    case UInt8(ascii: "/") where byte(1) == first: readLineComment()
    case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"): readBlockComment()
    case UInt8(ascii: "\""): readString(from: position, marks: 0)
    case UInt8(ascii: "#"): readAfterMarks()
    case UInt8(ascii: "`"):
      let end = bytes[(position + 1)...].firstIndex { $0 == first || $0 == 10 } ?? bytes.count - 1
      add(.word, to: end + 1)
    case _ where Self.isWordByte(first):
      add(.word, to: bytes[position...].firstIndex { !Self.isWordByte($0) } ?? bytes.count)
    default: add(.sign, to: position + 1)
    }
  }

  static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 128...255:
      true
    default: false
    }
  }

  private mutating func add(_ kind: SwiftToken.Kind, to end: Int) {
    let end = min(end, bytes.count)
    let text = String(decoding: bytes[position..<end], as: UTF8.self)
    tokens.append(SwiftToken(kind: kind, text: text, startsLine: startsLine))
    startsLine = false
    position = end
  }

  // MARK: - Comments

  private mutating func readLineComment() {
    let end = bytes[position...].firstIndex { $0 == 10 || $0 == 13 } ?? bytes.count
    takeComment(bytes[position..<end])
    position = end
  }

  private mutating func readBlockComment() {
    let start = position
    var depth = 0
    while position < bytes.count {
      if byte() == UInt8(ascii: "/"), byte(1) == UInt8(ascii: "*") {
        depth += 1
        position += 2
      } else if byte() == UInt8(ascii: "*"), byte(1) == UInt8(ascii: "/") {
        depth -= 1
        position += 2
        if depth == 0 { break }
      } else {
        position += 1
      }
    }
    position = min(position, bytes.count)
    takeComment(bytes[start..<position])
  }

  private mutating func takeComment(_ comment: ArraySlice<UInt8>) {
    let body = comment.drop { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "*") || $0 <= 32 }
    guard body.count >= prefix.count,
      zip(body, prefix).allSatisfy({ ($0 | (65...90 ~= $0 ? 32 : 0)) == $1 })
    else { return }
    let text = String(decoding: body, as: UTF8.self)
    let words = text.split { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
    tokens.append(
      SwiftToken(kind: .annotation, text: words.joined(separator: " "), startsLine: startsLine))
  }

  // MARK: - Strings

  /// Reads what number signs begin: a raw string, an extended regular expression, or a directive.
  private mutating func readAfterMarks() {
    let start = position
    let end = bytes[position...].firstIndex { $0 != UInt8(ascii: "#") } ?? bytes.count
    let marks = end - position
    position = end
    if byte() == UInt8(ascii: "\"") { return readString(from: start, marks: marks) }
    if byte() == UInt8(ascii: "/") {
      skipExpression(marks: marks)
      let stop = position
      position = start
      return add(.literal, to: stop)
    }
    position = start
    add(.word, to: bytes[end...].firstIndex { !Self.isWordByte($0) } ?? bytes.count)
  }

  private mutating func skipExpression(marks: Int) {
    position += 1
    while position < bytes.count {
      if byte() == UInt8(ascii: "/"), hasMarks(marks, at: position + 1) {
        position += 1 + marks
        return
      }
      position += byte() == UInt8(ascii: "\\") ? 2 : 1
    }
  }

  private func hasMarks(_ count: Int, at start: Int) -> Bool {
    start + count <= bytes.count
      && bytes[start..<start + count].allSatisfy { $0 == UInt8(ascii: "#") }
  }

  private mutating func readString(from start: Int, marks: Int) {
    skipString(marks: marks)
    let end = position
    position = start
    add(.literal, to: end)
  }

  /// Moves from the opening quote of a string behind its end.
  private mutating func skipString(marks: Int) {
    let quote = UInt8(ascii: "\"")
    let quotes = byte(1) == quote && byte(2) == quote ? 3 : 1
    position += quotes
    while position < bytes.count {
      let next = byte()
      if next == UInt8(ascii: "\\"), hasMarks(marks, at: position + 1) {
        position += 1 + marks
        if byte() == UInt8(ascii: "(") { skipInterpolation() } else { position += 1 }
      } else if next == quote, quotes == 1 || (byte(1) == quote && byte(2) == quote),
        hasMarks(marks, at: position + quotes)
      {
        position += quotes + marks
        return
      } else if next == 10, quotes == 1 {
        // A string on one line is not closed: the rest is read as code.
        return
      } else {
        position += 1
      }
    }
  }

  /// Moves behind the closing parenthesis of an interpolation, which may hold strings of its own.
  private mutating func skipInterpolation() {
    if interpolations >= SourceNesting.limit {
      isTooDeep = true
      position = bytes.count
    }
    interpolations += 1
    defer { interpolations -= 1 }
    var depth = 0
    while position < bytes.count {
      switch byte() {
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"): depth -= 1
      case UInt8(ascii: "\""):
        skipString(marks: 0)
        continue
      case UInt8(ascii: "#"):
        let end = bytes[position...].firstIndex { $0 != UInt8(ascii: "#") } ?? bytes.count
        let marks = end - position
        position = end
        if byte() == UInt8(ascii: "\"") { skipString(marks: marks) }
        continue
      default: break
      }
      position += 1
      if depth == 0 { return }
    }
  }
}
