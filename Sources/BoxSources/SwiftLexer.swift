/// A reader of tokens in order.
protocol TokenReader {
  /// Takes in a token.
  ///
  /// - Parameters:
  ///   - kind: The kind of the token.
  ///   - range: Its bytes; of a comment with annotations those without its slashes.
  ///   - bytes: The whole text.
  ///   - startsLine: Whether it is the first of its line.
  mutating func read(
    _ kind: SwiftToken.Kind, _ range: Range<Int>, of bytes: [UInt8], startsLine: Bool)
}

/// Splits Swift source text into tokens.
///
/// It knows no grammar but that of comments and strings, so it needs no swift-syntax, and works at once in a
/// build without optimisation. A bare regular expression is read as signs and words.
struct SwiftLexer<Reader: TokenReader> {
  private let bytes: [UInt8]
  private let prefix: [UInt8]
  private var position = 0
  private var startsLine = true
  private(set) var reader: Reader
  /// The number of interpolations inside of each other at the place that is read.
  private var interpolations = 0
  /// Whether the text ended early, as too many interpolations are inside of each other.
  private(set) var isTooDeep = false

  /// Reads a text.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - prefix: The word before the colon of an annotation, whose case does not count.
  ///   - reader: The reader that gets the tokens, comments without annotations left out.
  /// - Complexity: O(*n*) in the size of the text.
  init(reading bytes: [UInt8], prefix: String, _ reader: Reader) {
    self.bytes = bytes
    self.prefix = prefix.lowercased().utf8 + [UInt8(ascii: ":")]
    self.reader = reader
    readAll()
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
    case _ where first.isPartOfWord:
      add(.word, to: bytes[position...].firstIndex { !$0.isPartOfWord } ?? bytes.count)
    default: add(.sign, to: position + 1)
    }
  }

  private mutating func add(_ kind: SwiftToken.Kind, to end: Int) {
    let end = min(end, bytes.count)
    reader.read(kind, position..<end, of: bytes, startsLine: startsLine)
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
    reader.read(.annotation, body.indices, of: bytes, startsLine: startsLine)
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
    add(.word, to: bytes[end...].firstIndex { !$0.isPartOfWord } ?? bytes.count)
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

extension UInt8 {
  /// Whether a byte is part of a name, a keyword or a number.
  var isPartOfWord: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 128...255:
      true
    default: false
    }
  }
}
