/// Splits code into tokens, without its comments.
///
/// It knows as much of each language as is needed to tell calls from comments and strings. Code that is
/// cut off ends before the token that has no end, so that half a number or a name is never read.
struct CodeLexer {
  private let bytes: [UInt8]
  private let language: CodeLanguage
  private var offset = 0
  private var tokens: [CodeToken] = []
  /// The conditions for the preprocessor that are open.
  private var conditions = CodeConditions()
  /// The number of strings around the code that is read: their text is not a token.
  private var enclosingStrings = 0
  /// The place of the first string that does not end on its line; nil without one.
  private var unclosedString: Int?

  private init(_ bytes: [UInt8], _ language: CodeLanguage) {
    self.bytes = bytes
    self.language = language
  }

  /// The tokens of code, and the offset of the first string that does not end on its line.
  ///
  /// - Complexity: O(*n*) in the size of the code.
  static func tokens(
    of bytes: [UInt8], in language: CodeLanguage
  ) -> (tokens: [CodeToken], unclosedString: Int?) {
    var lexer = CodeLexer(bytes, language)
    lexer.run()
    return (lexer.tokens, lexer.unclosedString)
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
      } else if next == UInt8(ascii: "#"), language == .c || language == .swift, startsLine(),
        readDirective()
      {
        continue
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
    guard conditions.areActive, enclosingStrings == 0 else { return }
    // A word or number at the end of the code may be a half.
    if kind != .mark, kind != .text, offset >= bytes.count { return }
    tokens.append(
      CodeToken(
        kind: kind, rawness: UInt8(clamping: rawness), quotes: UInt8(clamping: quotes),
        start: Int32(clamping: start), end: Int32(clamping: offset)))
  }

  /// Skips the rest of a line; in C, a backslash at its end joins it with the next one.
  private mutating func skipLine() {
    while offset < bytes.count {
      while offset < bytes.count, byte() != 0x0A, byte() != 0x0D { offset += 1 }
      guard language == .c, isContinued() else { return }
      skipLineEnd()
    }
  }

  /// Whether a backslash ends the line before the line end that is next.
  private func isContinued() -> Bool {
    var before = offset - 1
    while before >= 0, bytes[before] == 0x20 || bytes[before] == 0x09 { before -= 1 }
    return before >= 0 && bytes[before] == UInt8(ascii: "\\")
  }

  private mutating func skipLineEnd() {
    offset += byte() == 0x0D && byte(1) == 0x0A ? 2 : 1
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

// MARK: - Directives

extension CodeLexer {
  /// Reads a directive of C or Swift; returns false if the text is not one.
  ///
  /// A comment in it may end on a later line, and a backslash joins it with the next one.
  private mutating func readDirective() -> Bool {
    let start = offset
    offset += 1
    while byte() == 0x20 || byte() == 0x09 { offset += 1 }
    let wordStart = offset
    while CodeByte.isWord(byte()) { offset += 1 }
    let word = String(decoding: bytes[wordStart..<offset], as: UTF8.self)
    guard language == .c || CodeConditions.words.contains(word) else {
      offset = start
      return false
    }
    let condition = restOfDirective()
    conditions.apply(word, String(decoding: condition, as: UTF8.self))
    return true
  }

  /// The first bytes of the rest of a directive, without its comments and spaces.
  private mutating func restOfDirective() -> [UInt8] {
    var rest: [UInt8] = []
    while offset < bytes.count {
      let next = byte()
      if next == UInt8(ascii: "/"), byte(1) == UInt8(ascii: "/") {
        skipLine()
      } else if next == UInt8(ascii: "/"), byte(1) == UInt8(ascii: "*") {
        skipComment()
      } else if next == 0x0A || next == 0x0D {
        guard language == .c, isContinued() else { break }
        skipLineEnd()
      } else if next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") {
        skipQuoted(next)
      } else {
        // No condition that is understood is longer.
        if !CodeByte.isSpace(next), next != UInt8(ascii: "\\"), rest.count < 16 {
          rest.append(next)
        }
        offset += 1
      }
    }
    return rest
  }

  /// Passes over a string or character in a directive, which ends with its line at the latest.
  private mutating func skipQuoted(_ quote: UInt8) {
    repeat {
      offset += byte() == UInt8(ascii: "\\") && byte(1) != 0x0A && byte(1) != 0x0D ? 2 : 1
    } while offset < bytes.count && byte() != quote && byte() != 0x0A && byte() != 0x0D
    if byte() == quote { offset += 1 }
  }

  private func startsLine() -> Bool {
    var before = offset - 1
    while before >= 0, bytes[before] != 0x0A, bytes[before] != 0x0D {
      if !CodeByte.isSpace(bytes[before]) { return false }
      before -= 1
    }
    return true
  }
}

// MARK: - Strings

extension CodeLexer {
  /// Reads a string or a character; returns false if the text is not one.
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
    case (.c, UInt8(ascii: "R")), (.c, UInt8(ascii: "L")), (.c, UInt8(ascii: "U")),
      (.c, UInt8(ascii: "u")):
      guard let length = rawPrefixLength(), !followsWord() else { return false }
      readRawC(prefixLength: length)
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
        if conditions.areActive { unclosedString = unclosedString ?? start }
        return add(.opaqueText, from: start)
      }
      if next == UInt8(ascii: "\\"), escapes(rawness) {
        let marks = 1 + (language == .swift ? rawness : 0)
        offset += marks
        if language == .swift, byte() == UInt8(ascii: "(") {
          isOpaque = true
          skipInterpolation(UInt8(ascii: "("), UInt8(ascii: ")"), acrossLines: isTriple)
        } else if language == .c, byte() == 0x0D {
          skipLineEnd()
        } else {
          offset += 1
        }
        continue
      }
      if language == .dart, rawness == 0, next == UInt8(ascii: "$") { isOpaque = true }
      offset += 1
      if isOpaque, language == .dart, next == UInt8(ascii: "$"), byte() == UInt8(ascii: "{") {
        skipInterpolation(UInt8(ascii: "{"), UInt8(ascii: "}"), acrossLines: isTriple)
      }
    }
    // The code ends inside of the string.
    offset = bytes.count
  }

  /// Passes over an expression in a string, whose opening bracket is next.
  ///
  /// It may have strings of its own, and these brackets and quotes that mean nothing. If code is nested
  /// deeper than any generator writes, or is broken here, the rest of it is not read.
  private mutating func skipInterpolation(_ opening: UInt8, _ closing: UInt8, acrossLines: Bool) {
    enclosingStrings += 1
    defer { enclosingStrings -= 1 }
    guard enclosingStrings <= Self.maximumEnclosingStrings else {
      offset = bytes.count
      return
    }
    var depth = 0
    while offset < bytes.count {
      let next = byte()
      if !acrossLines, next == 0x0A || next == 0x0D {
        offset = bytes.count
      } else if next == UInt8(ascii: "/"), byte(1) == UInt8(ascii: "*") {
        skipComment()
      } else if !lexString() {
        offset += 1
        if next == opening { depth += 1 }
        if next == closing { depth -= 1 }
        if depth == 0 { return }
      }
    }
  }

  /// The depth of strings in strings that is read.
  private static let maximumEnclosingStrings = 16

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

  /// The length of `R"`, `LR"`, `uR"`, `UR"` or `u8R"`; nil if no raw string is next.
  private func rawPrefixLength() -> Int? {
    let rest = bytes[offset...].prefix(4)
    return ["R\"", "LR\"", "uR\"", "UR\"", "u8R\""].first { rest.starts(with: $0.utf8) }?
      .utf8.count
  }

  /// `R"delimiter(…)delimiter"`, after a prefix that ends with the quote.
  private mutating func readRawC(prefixLength: Int) {
    let start = offset
    offset += prefixLength
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
