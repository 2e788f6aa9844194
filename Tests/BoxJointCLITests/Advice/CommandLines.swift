/// The command lines in a text: between quotation marks, or at the beginning of a line.
enum CommandLines {
  /// The commands of git that advice names; other words after `git` are English.
  private static let gitCommands: Set<String> = [
    "add", "cat-file", "checkout", "commit", "config", "fetch", "lfs", "merge", "mergetool", "push",
    "remote", "rm", "sparse-checkout", "submodule", "switch",
  ]

  /// Whether a text begins as a command line does.
  private static func isCommandLine(_ text: some StringProtocol) -> Bool {
    guard !text.hasPrefix(" ") else { return false }
    let words = String(text).split(separator: " ").map(String.init)
    switch words.first {
    case "boxjoint": return words.count > 1
    case "git": return words.count > 1 && gitCommands.contains(words[1])
    default: return false
    }
  }

  /// All command lines in a text.
  static func all(in text: String) -> [String] { quoted(in: text) + begun(in: text) }

  /// Those between backquotes, quotation marks or apostrophes.
  private static func quoted(in text: String) -> [String] {
    ["`", "\"", "'"].flatMap { (mark: Character) in
      text.split(separator: mark, omittingEmptySubsequences: false).dropFirst().dropLast()
        .filter { isCommandLine($0) && !$0.contains("\n") }.map(String.init)
    }
  }

  /// Those at the beginning of a line, up to two spaces or a parenthesis.
  ///
  /// A line that ends with a backslash continues on the next one.
  static func begun(in text: String) -> [String] {
    var lines: [String] = []
    var isContinued = false
    for line in text.split(separator: "\n") {
      let content = String(line.drop { $0 == " " })
      if isContinued, let last = lines.indices.last {
        lines[last] = lines[last].dropLast() + content
      } else {
        lines.append(content)
      }
      isContinued = content.hasSuffix("\\")
    }
    return lines.filter { isCommandLine($0) }.map { line in
      let ends = ["  ", " ("].compactMap { line.firstRange(of: $0)?.lowerBound }
      let cut = ends.min().map { String(line[..<$0]) } ?? line
      return cut.hasSuffix(" ") ? String(cut.dropLast()) : cut
    }
  }

  /// The first command line of an output that has the form of one of the sources; nil if there is none.
  static func first(of form: String, in output: String) -> String? {
    output.split(separator: "\n").lazy.flatMap { line in
      let inner = line.split(separator: "(").dropFirst().map { $0.prefix { $0 != ")" } }
      return all(in: String(line)) + inner.filter { isCommandLine($0) }.map(String.init)
    }.first { matches($0, form) }
  }

  /// Whether a command line has a form, in which `_` stands for anything.
  private static func matches(_ line: String, _ form: String) -> Bool {
    let parts = form.split(separator: "_", omittingEmptySubsequences: false)
    guard let first = parts.first, line.hasPrefix(first) else { return false }
    var rest = line[line.index(line.startIndex, offsetBy: first.count)...]
    for part in parts.dropFirst().dropLast() {
      guard let range = rest.firstRange(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    guard parts.count > 1, let last = parts.last else { return rest.isEmpty }
    return rest.hasSuffix(last)
  }

  /// The words of a command line as a shell reads them, up to a pipe or a redirection.
  static func words(of line: String) -> [String] {
    var words: [String] = []
    var word: String?
    var mark: Character?
    for character in line {
      switch character {
      case mark: mark = nil
      case "'" where mark == nil, "\"" where mark == nil:
        mark = character
        word = word ?? ""
      case " " where mark == nil:
        if let word { words.append(word) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    if let word { words.append(word) }
    return Array(words.prefix { !["|", ">", "<"].contains($0) })
  }
}
