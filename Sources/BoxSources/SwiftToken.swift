/// A token of Swift source text, without the white space and the comments around it.
///
/// It has no text of its own: most tokens are in bodies, which nobody looks at.
struct SwiftToken: Hashable {
  enum Kind: Hashable {
    /// A name, a keyword or a number; a name in backticks has them.
    case word
    /// A string with all its interpolations, or an extended regular expression.
    case literal
    /// One other character.
    case sign
    /// A comment with annotations.
    case annotation
  }

  var kind: Kind
  /// Whether it is the first of its line.
  var startsLine: Bool
  /// The first byte.
  var first: UInt8
  /// The bytes of the token; of an annotation those of the comment without its slashes.
  var range: Range<Int>

  func isSign(_ sign: Unicode.Scalar) -> Bool { kind == .sign && first == UInt8(ascii: sign) }
}

/// The tokens of a text.
struct SourceTokens {
  private let bytes: [UInt8]
  /// The tokens in order, comments without annotations left out.
  let tokens: [SwiftToken]

  /// Reads a text.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - prefix: The word before the colon of an annotation, whose case does not count.
  /// - Complexity: O(*n*) in the size of the text.
  init(of bytes: [UInt8], prefix: String) {
    self.bytes = bytes
    tokens = SwiftLexer(reading: bytes, prefix: prefix, TokenList()).reader.tokens
  }

  /// The text of a token; of an annotation with one space between its words.
  func text(of token: SwiftToken) -> String {
    let text = String(decoding: bytes[token.range], as: UTF8.self)
    guard token.kind == .annotation else { return text }
    let words = text.split { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
    return words.joined(separator: " ")
  }

  /// Whether a token is a word.
  func isWord(_ token: SwiftToken, _ word: String) -> Bool {
    token.kind == .word && bytes[token.range].elementsEqual(word.utf8)
  }
}

/// Keeps the tokens.
private struct TokenList: TokenReader {
  private(set) var tokens: [SwiftToken] = []

  mutating func read(
    _ kind: SwiftToken.Kind, _ range: Range<Int>, of bytes: [UInt8], startsLine: Bool
  ) {
    tokens.append(
      SwiftToken(
        kind: kind, startsLine: startsLine, first: bytes[range.lowerBound], range: range))
  }
}
