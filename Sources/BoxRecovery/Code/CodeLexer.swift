/// Splits code into tokens, without its comments.
///
/// It knows as much of each language as is needed to tell calls from comments and strings. Code that is
/// cut off ends before the token that has no end, so that half a number or a name is never read.
struct CodeLexer {
  private let bytes: [UInt8]
  private let language: CodeLanguage
  private var offset = 0
  private var tokens: [CodeToken] = []

  private init(_ bytes: [UInt8], _ language: CodeLanguage) {
    self.bytes = bytes
    self.language = language
  }

  /// The tokens of code.
  ///
  /// - Complexity: O(*n*) in the size of the code.
  static func tokens(of bytes: [UInt8], in language: CodeLanguage) -> [CodeToken] {
    var lexer = CodeLexer(bytes, language)
    lexer.run()
    return lexer.tokens
  }

  private func byte(_ distance: Int = 0) -> UInt8 {
    offset + distance < bytes.count ? bytes[offset + distance] : 0
  }

  private mutating func run() {
    while offset < bytes.count {
      let next = byte()
      if CodeByte.isSpace(next) {
        offset += 1
      } else if next == UInt8(ascii: "/"), byte(1) == UInt8(ascii: "/") {
        skipLine()
      } else if next == UInt8(ascii: "/"), byte(1) == UInt8(ascii: "*") {
        skipComment()
      } else if next == UInt8(ascii: "#"), language == .c {
        skipDirective()
      } else if !lexString() {
        lexPlain(next)
      }
    }
  }

  /// Reads a word, a number or a mark.
  private mutating func lexPlain(_ next: UInt8) {
    let start = offset
    if CodeByte.isWordStart(next) {
      repeat { offset += 1 } while offset < bytes.count && CodeByte.isWord(byte())
      add(.word, from: start)
    } else if CodeByte.isDigit(next) {
      lexNumber()
    } else {
      offset += 1
      // A name in backticks is the name.
      if next != UInt8(ascii: "`") { add(.mark, from: start) }
    }
  }

  private mutating func add(
    _ kind: CodeToken.Kind, from start: Int, rawness: Int = 0, quotes: Int = 0
  ) {
    // A word or number at the end of the code may be a half.
    if kind != .mark, kind != .text, offset >= bytes.count { return }
    tokens.append(
      CodeToken(
        kind: kind, rawness: UInt8(clamping: rawness), quotes: UInt8(clamping: quotes),
        start: Int32(clamping: start), end: Int32(clamping: offset)))
  }

  private mutating func skipLine() {
    while offset < bytes.count, byte() != 0x0A, byte() != 0x0D { offset += 1 }
  }

  private mutating func skipComment() {
    var depth = 1
    offset += 2
    while offset < bytes.count, depth > 0 {
      if byte() == UInt8(ascii: "*"), byte(1) == UInt8(ascii: "/") {
        depth -= 1
        offset += 2
      } else if language.nestsComments, byte() == UInt8(ascii: "/"), byte(1) == UInt8(ascii: "*") {
        depth += 1
        offset += 2
      } else {
        offset += 1
      }
    }
  }

  private mutating func lexNumber() {
    let start = offset
    var previous: UInt8 = 0
    while offset < bytes.count {
      let next = byte()
      let isSeparator =
        language == .c && next == UInt8(ascii: "'") && CodeByte.isWord(byte(1))
      let isPoint = next == UInt8(ascii: ".") && CodeByte.isDigit(byte(1))
      let isSign =
        (next == UInt8(ascii: "-") || next == UInt8(ascii: "+")) && (previous | 0x20) == 0x65
        && !(start + 1 < bytes.count && (bytes[start + 1] | 0x20) == UInt8(ascii: "x"))
      guard CodeByte.isWord(next) || isSeparator || isPoint || isSign else { break }
      previous = next
      offset += 1
    }
    add(.number, from: start)
  }
}

// MARK: - Directives of C

extension CodeLexer {
  /// Skips a line for the preprocessor, and the lines that `#if 0` leaves out.
  private mutating func skipDirective() {
    guard startsLine() else {
      offset += 1
      return
    }
    let words = directive()
    guard words.first == "if", words.dropFirst().first == "0" || words.dropFirst().first == "false"
    else { return }
    var depth = 1
    while offset < bytes.count {
      while offset < bytes.count, CodeByte.isSpace(byte()) { offset += 1 }
      guard byte() == UInt8(ascii: "#") else {
        skipLine()
        continue
      }
      switch directive().first {
      case "if", "ifdef", "ifndef": depth += 1
      case "endif": depth -= 1
      case "else", "elif": if depth == 1 { depth = 0 }
      default: break
      }
      if depth == 0 { return }
    }
  }

  private func startsLine() -> Bool {
    var before = offset - 1
    while before >= 0, bytes[before] != 0x0A, bytes[before] != 0x0D {
      if !CodeByte.isSpace(bytes[before]) { return false }
      before -= 1
    }
    return true
  }

  /// Reads a directive to the end of its line, and returns its first two words.
  private mutating func directive() -> [String] {
    let start = offset + 1
    while true {
      skipLine()
      let isContinued = offset > start && bytes[offset - 1] == UInt8(ascii: "\\")
      if !isContinued || offset >= bytes.count { break }
      offset += 1
      // The line feed of a carriage return.
      if offset < bytes.count, bytes[offset - 1] == 0x0D, byte() == 0x0A { offset += 1 }
    }
    return bytes[min(start, offset)..<offset].prefix(200)
      .split(whereSeparator: { !CodeByte.isWord($0) }).prefix(2)
      .map { String(decoding: $0, as: UTF8.self) }
  }
}

// MARK: - Strings

extension CodeLexer {
  /// Reads a string or a character; returns false if there is none.
  private mutating func lexString() -> Bool {
    let next = byte()
    switch (language, next) {
    case (.dart, UInt8(ascii: "r")) where Self.isQuote(byte(1)) && !followsWord():
      offset += 1
      readString(quote: byte(), rawness: 1, from: offset - 1)
    case (.dart, UInt8(ascii: "'")), (_, UInt8(ascii: "\"")):
      readString(quote: next, rawness: 0, from: offset)
    case (.swift, UInt8(ascii: "#")):
      var hashes = 1
      while byte(hashes) == next { hashes += 1 }
      guard byte(hashes) == UInt8(ascii: "\"") else {
        // All of them at once: to count those that follow each would take quadratic time.
        for _ in 0..<hashes {
          offset += 1
          add(.mark, from: offset - 1)
        }
        return true
      }
      let start = offset
      offset += hashes
      readString(quote: byte(), rawness: hashes, from: start)
    case (.go, UInt8(ascii: "`")): readDelimited([next], from: offset)
    case (.c, UInt8(ascii: "R")) where byte(1) == UInt8(ascii: "\"") && !followsWord():
      readRawC()
    case (.java, UInt8(ascii: "'")), (.go, UInt8(ascii: "'")), (.c, UInt8(ascii: "'")):
      readString(quote: next, rawness: 0, from: offset, isOpaque: true)
    default: return false
    }
    return true
  }

  private static func isQuote(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
  }

  private func followsWord() -> Bool { offset > 0 && CodeByte.isWord(bytes[offset - 1]) }

  /// Reads a string whose opening quote is next.
  private mutating func readString(
    quote: UInt8, rawness: Int, from start: Int, isOpaque: Bool = false
  ) {
    let isTriple =
      byte(1) == quote && byte(2) == quote && language != .go && language != .c && !isOpaque
    let quotes = isTriple ? 3 : 1
    offset += quotes
    var isOpaque = isOpaque || (isTriple && language == .java)
    while offset < bytes.count {
      let next = byte()
      if next == quote, closes(quote, quotes, rawness) {
        offset += quotes + (language == .swift ? rawness : 0)
        return add(isOpaque ? .opaqueText : .text, from: start, rawness: rawness, quotes: quotes)
      }
      if !isTriple, next == 0x0A || next == 0x0D {
        // A string that is not closed on its line has no value.
        return add(.opaqueText, from: start)
      }
      if next == UInt8(ascii: "\\"), escapes(rawness) {
        let marks = 1 + (language == .swift ? rawness : 0)
        if language == .swift, byte(marks) == UInt8(ascii: "(") { isOpaque = true }
        offset += marks + 1
        continue
      }
      if language == .dart, rawness == 0, next == UInt8(ascii: "$") { isOpaque = true }
      offset += 1
    }
    // The code ends inside of the string.
    offset = bytes.count
  }

  private func closes(_ quote: UInt8, _ quotes: Int, _ rawness: Int) -> Bool {
    for distance in 0..<quotes where byte(distance) != quote { return false }
    guard language == .swift else { return true }
    for distance in 0..<rawness where byte(quotes + distance) != UInt8(ascii: "#") { return false }
    return true
  }

  private func escapes(_ rawness: Int) -> Bool {
    guard rawness > 0 else { return true }
    guard language == .swift else { return false }
    for distance in 0..<rawness where byte(1 + distance) != UInt8(ascii: "#") { return false }
    return true
  }

  /// `R"delimiter(…)delimiter"`.
  private mutating func readRawC() {
    let start = offset
    offset += 2
    var delimiter: [UInt8] = [UInt8(ascii: ")")]
    while offset < bytes.count, byte() != UInt8(ascii: "("), delimiter.count < 18 {
      delimiter.append(byte())
      offset += 1
    }
    readDelimited(delimiter + [UInt8(ascii: "\"")], from: start)
  }

  /// Reads a string without escapes up to a delimiter; its value is not needed.
  private mutating func readDelimited(_ delimiter: [UInt8], from start: Int) {
    offset += 1
    while offset < bytes.count {
      if byte() == delimiter[0], bytes[offset...].starts(with: delimiter) {
        offset += delimiter.count
        return add(.opaqueText, from: start)
      }
      offset += 1
    }
  }
}
