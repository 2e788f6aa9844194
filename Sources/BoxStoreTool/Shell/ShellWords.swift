/// The words of a line, as a shell for people separates them.
///
/// Blanks separate words. Between single quotes every character stands for itself. Between double
/// quotes, and outside of quotes, a backslash makes the next character stand for itself; between double
/// quotes only before `"` and `\`. A `#` at the beginning of a word begins a comment. Outside of quotes a
/// name in backquotes, which a period, a comma or an equals sign may precede, is a part of a word as it is.
package struct ShellWords: Hashable, Sendable {
  /// The words, without their quotes.
  package private(set) var words: [String] = []
  /// Whether the line ends inside of quotes or with a backslash, so that it continues on the next one.
  package private(set) var isOpen = false
  /// The word at the end of the line, to which more may be typed; empty after a blank.
  package private(set) var last = ""

  /// The quote inside of which the line ends; nil outside.
  package private(set) var quote: Character?

  /// Reads a line.
  ///
  /// - Complexity: O(*n*) in the length of the line.
  package init(_ line: String) {
    var word: String?
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
      case ("`", nil) where word?.last.map({ ".,=(".contains($0) }) ?? true:
        word = (word ?? "") + "`" + Self.takeName(&rest)
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

  /// Takes the rest of a name in backquotes with the closing one; nothing without a closing one.
  private static func takeName(_ rest: inout Substring) -> Substring {
    var end = rest.startIndex
    while end < rest.endIndex, rest[end] != "`" {
      rest.formIndex(&end, offsetBy: rest[end] == "\\" ? 2 : 1, limitedBy: rest.endIndex)
    }
    guard end < rest.endIndex else { return "" }
    defer { rest = rest[rest.index(after: end)...] }
    return rest[...end]
  }
}
