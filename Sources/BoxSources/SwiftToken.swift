/// A token of Swift source text, without the white space and the comments around it.
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
  /// The bytes of the token as text; of an annotation the comment without its slashes.
  var text: String
  /// Whether it is the first of its line.
  var startsLine: Bool

  func isSign(_ sign: String) -> Bool { kind == .sign && text == sign }

  func isWord(_ word: String) -> Bool { kind == .word && text == word }
}
