/// A token of Swift source text, without the white space and the comments around it.
///
/// It has no text of its own: most tokens are in bodies, which nobody looks at.
package struct SwiftToken: Hashable, Sendable {
  package enum Kind: UInt8, Sendable {
    /// A name or a keyword, such as `class`, `_` or `$0`.
    case word
    /// A name in backticks, which have it.
    case quotedName
    case number
    /// A string with all its interpolations.
    case string
    /// A regular expression.
    case regex
    /// A bracket, or one other character of punctuation or of an operator.
    case sign
    /// `#if`, `#elseif`, `#else` or `#endif`.
    case condition
    /// A number sign with a word, such as `#selector`.
    case macro
  }

  package var kind: Kind
  /// Whether it is the first of its line.
  package var startsLine: Bool
  /// The first byte.
  var first: UInt8
  private var start: Int32
  private var end: Int32
  /// For a bracket, the index of the other bracket; for `#if` and its like, the index of the next one, up to
  /// `#endif`.
  var partner: Int32 = -1

  init(kind: Kind, startsLine: Bool, first: UInt8, range: Range<Int>) {
    self.kind = kind
    self.startsLine = startsLine
    self.first = first
    start = Int32(range.lowerBound)
    end = Int32(range.upperBound)
  }

  /// The bytes in the text.
  package var range: Range<Int> { Int(start)..<Int(end) }

  func isSign(_ sign: Unicode.Scalar) -> Bool { kind == .sign && first == UInt8(ascii: sign) }

  /// Whether it may be the name of a declaration.
  var isName: Bool { kind == .word || kind == .quotedName }

  /// Whether it is a bracket that opens a group.
  var opensGroup: Bool { isSign("(") || isSign("[") || isSign("{") }
}

/// A comment with annotations.
package struct AnnotationComment: Hashable, Sendable {
  /// The bytes in the text, with the slashes.
  package var range: Range<Int>
  /// Whether it follows a token on the same line.
  var isTrailing: Bool
  /// The index of the token that follows.
  var next: Int
}

/// A place from which a text cannot be read as Swift.
package struct SourceMistake: Hashable, Sendable {
  /// The offset of the first byte.
  package var offset: Int
  /// The mistake, as a part of a sentence.
  package var message: String
}

/// The tokens of a text.
///
/// It is a class since each cursor has it, and cursors are copied wherever reading may have to go back.
package final class SourceTokens: Sendable {
  package let bytes: [UInt8]
  /// The tokens in order.
  package let tokens: [SwiftToken]
  /// The comments with annotations, in order.
  let comments: [AnnotationComment]
  /// The indices of the words that may begin a declaration of a type.
  let typeWords: [TypeWord]
  /// The first mistake in comments, strings and brackets; the tokens end there.
  package let mistake: SourceMistake?

  /// A word that may begin a declaration of a type.
  struct TypeWord: Sendable {
    var index: Int
    /// Whether it is between `#if` and `#endif`.
    var isConditional: Bool
    /// Whether the innermost bracket around it is a brace.
    var isInBraces: Bool
  }

  /// Reads a text.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - prefix: The word before the colon of an annotation, whose case does not count.
  /// - Complexity: O(*n*) in the size of the text.
  package init(of bytes: [UInt8], prefix: String) {
    let lexer = SwiftLexer(reading: bytes, prefix: prefix)
    self.bytes = bytes
    tokens = lexer.tokens
    comments = lexer.comments
    typeWords = lexer.typeWords
    mistake = lexer.mistake
  }

  /// The comments with annotations that directly precede a token.
  ///
  /// - Complexity: O(log *m*) in the number of such comments in the file.
  func comments(before token: Int) -> ArraySlice<AnnotationComment> {
    if comments.isEmpty { return [] }
    let first = comments.partitioningIndex { $0.next >= token }
    return comments[first...].prefix { $0.next == token }
  }

  /// The text of a token.
  package func text(of token: SwiftToken) -> String {
    String(decoding: bytes[token.range], as: UTF8.self)
  }

  /// The text from the first to the last of some tokens, with what is between them.
  package func text(of tokens: Range<Int>) -> String {
    guard let first = tokens.first, let last = tokens.last else { return "" }
    let range = self.tokens[first].range.lowerBound..<self.tokens[last].range.upperBound
    return String(decoding: bytes[range], as: UTF8.self)
  }

  /// Whether a token is a word.
  func isWord(_ token: SwiftToken, _ word: String) -> Bool {
    token.kind == .word && bytes[token.range].elementsEqual(word.utf8)
  }

  /// Whether two tokens have nothing between them.
  func areJoined(_ first: SwiftToken, _ second: SwiftToken) -> Bool {
    first.range.upperBound == second.range.lowerBound
  }
}

extension Array {
  /// The position of the first element that fulfils a condition, which all elements after it fulfil too.
  ///
  /// - Complexity: O(log *n*) in the number of elements.
  package func partitioningIndex(_ isBehind: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
