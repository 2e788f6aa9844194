/// A place between the tokens of a text, and questions about what follows it.
struct TokenCursor {
  let source: SourceTokens
  /// The index of the next token.
  var index: Int
  /// The index at which reading ends: the closing bracket, or the number of tokens.
  var end: Int
  /// The number of arguments of generic types around what is read.
  var argumentDepth = 0

  init(_ source: SourceTokens, _ range: Range<Int>) {
    self.source = source
    index = range.lowerBound
    end = range.upperBound
  }

  /// The token at an offset from the next one; nil past the end.
  func token(_ offset: Int = 0) -> SwiftToken? {
    index + offset < end && index + offset >= 0 ? source.tokens[index + offset] : nil
  }

  func text(_ offset: Int = 0) -> String { token(offset).map { source.text(of: $0) } ?? "" }

  func isSign(_ sign: Unicode.Scalar, _ offset: Int = 0) -> Bool {
    token(offset)?.isSign(sign) ?? false
  }

  func isWord(_ word: String, _ offset: Int = 0) -> Bool {
    token(offset).map { source.isWord($0, word) } ?? false
  }

  /// Whether the next token is a word of a set.
  func isWord(of words: Set<String>, _ offset: Int = 0) -> Bool {
    token(offset)?.kind == .word && words.contains(text(offset))
  }

  /// Whether nothing is between the next token and the one before it.
  var isJoined: Bool {
    guard index > 0, let next = token() else { return false }
    return source.areJoined(source.tokens[index - 1], next)
  }

  /// Whether the next token is on the line of the one before it.
  var isOnLine: Bool { token().map { !$0.startsLine } ?? false }

  /// Consumes a sign if it is next.
  mutating func consume(_ sign: Unicode.Scalar) -> Bool {
    if !isSign(sign) { return false }
    index += 1
    return true
  }

  /// Consumes the arrow of a result if it is next.
  mutating func consumeArrow() -> Bool {
    guard isSign("-"), isSign(">", 1),
      source.areJoined(source.tokens[index], source.tokens[index + 1])
    else { return false }
    index += 2
    return true
  }

  /// Consumes a word if it is next.
  mutating func consume(word: String) -> Bool {
    if !isWord(word) { return false }
    index += 1
    return true
  }

  /// Consumes a group in brackets, or a condition up to its `#endif`, that begins here.
  ///
  /// - Returns: The indices of the tokens inside.
  @discardableResult
  mutating func consumeGroup() -> Range<Int> {
    let start = index + 1
    var closing = index
    repeat {
      closing = max(Int(source.tokens[closing].partner), closing + 1)
    } while closing < end && source.tokens[closing].kind == .condition
      && source.tokens[closing].partner >= 0
    index = min(closing + 1, end)
    return start..<max(start, min(closing, end))
  }

  /// Whether the next word calls a function, as in `open(file)`, rather than being a modifier such as
  /// `private(set)`.
  var isCall: Bool {
    guard isSign("(", 1), token(1)?.startsLine == false else { return false }
    let details = ["set", "safe", "unsafe", "nonsending"]
    return !(details.contains { isWord($0, 2) } && isSign(")", 3))
  }
}
