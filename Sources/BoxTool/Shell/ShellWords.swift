/// The words of a line, as a shell for people separates them.
///
/// Blanks separate words. Between single quotes every character stands for itself. Between double
/// quotes, and outside of quotes, a backslash makes the next character stand for itself; between double
/// quotes only before `"` and `\`. A `#` at the beginning of a word begins a comment.
package struct ShellWords: Hashable, Sendable {
  /// The words, without their quotes.
  package private(set) var words: [String] = []
  /// Whether the line ends inside of quotes or with a backslash, so that it continues on the next one.
  package private(set) var isOpen = false
  /// The word at the end of the line, to which more may be typed; empty behind a blank.
  package private(set) var last = ""

  /// Reads a line.
  ///
  /// - Complexity: O(*n*) in the length of the line.
  package init(_ line: String) {
    var word: String?
    var quote: Character?
    var rest = line[...]
    while let character = rest.popFirst() {
      switch (character, quote) {
      case (let end, let open?) where end == open: quote = nil
      case ("\\", "\""):
        if let next = rest.first, next == "\"" || next == "\\" {
          word?.append(rest.removeFirst())
        } else {
          word?.append("\\")
        }
      case (_, _?): word?.append(character)
      case ("'", nil), ("\"", nil):
        quote = character
        word = word ?? ""
      case ("\\", nil):
        guard let next = rest.popFirst() else {
          isOpen = true
          break
        }
        // A line that was continued.
        if next != "\n" { word = (word ?? "") + String(next) }
      case ("#", nil) where word == nil:
        while let next = rest.first, next != "\n" { rest.removeFirst() }
      case (" ", nil), ("\t", nil), ("\n", nil), ("\r", nil):
        if let word { words.append(word) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    if quote != nil { isOpen = true }
    last = word ?? ""
    if let word { words.append(word) }
  }
}
