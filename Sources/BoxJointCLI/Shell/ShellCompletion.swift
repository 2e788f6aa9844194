internal import BoxTool

/// The completion of lines of `boxjoint shell`.
struct ShellCompletion: Hashable, Sendable {
  /// The names of the store.
  var names = StoreNames()

  private static let operators = [
    "all", "and", "any", "between", "contains", "endsWith", "ignoringCase", "in", "is", "nearest",
    "nil", "not", "or", "startsWith",
  ]

  private static let options: [ShellLine.Command: [String]] = [
    .query: [
      "--avg", "--count", "--distinct", "--explain", "--format", "--group-by", "--limit", "--max",
      "--min", "--nearest", "--offset", "--order-by", "--output", "--select", "--sum", "--where",
    ],
    .get: ["--format"], .put: ["--dry-run", "--mode"],
    .set: ["--all", "--dry-run", "--where", "--yes"],
    .remove: ["--all", "--dry-run", "--where", "--yes"],
    .link: ["--dry-run"], .unlink: ["--dry-run"],
  ]

  /// The ways to complete the word at the end of a line.
  ///
  /// - Parameter line: The line up to the cursor.
  /// - Returns: The whole words, sorted, and the number of characters of the line that they replace.
  /// - Complexity: O(*n*) in the number of names.
  func completions(of line: String) -> (words: [String], replaced: Int) {
    // Conditions and paths have words inside of one word of the shell.
    let part = String(
      line.reversed().prefix { $0.isLetter || $0.isNumber || "_-.".contains($0) }.reversed())
    let words = ShellWords(line).words
    let isFirst = words.isEmpty || words.count == 1 && !(line.last?.isWhitespace ?? false)
    let (stem, candidates) = self.candidates(part, words, isFirst: isFirst)
    let found = candidates.filter { $0.lowercased().hasPrefix(stem.lowercased()) }
    return (Set(found).sorted(), stem.count)
  }

  private func candidates(
    _ part: String, _ words: [String], isFirst: Bool
  ) -> (stem: String, words: [String]) {
    if isFirst {
      return (part, ShellLine.Command.allCases.map(\.rawValue) + ShellLine.ownWords.map(\.word))
    }
    switch words[0] {
    case ".mode": return (part, QueryFormat.allCases.map(\.rawValue))
    case ".help": return (part, ShellLine.Command.allCases.map(\.rawValue))
    case ".schema": return (part, Array(names.members.keys))
    default: break
    }
    let command = words.lazy.prefix(2).compactMap { ShellLine.Command(rawValue: $0) }.first
    if part.hasPrefix("-") { return (part, command.flatMap { Self.options[$0] } ?? []) }
    let entity = words.dropFirst().lazy
      .compactMap { $0.split(separator: ".").first.map(String.init) }
      .first { names.members[$0] != nil }
    if let dot = part.lastIndex(of: ".") {
      let owner = String(part[..<dot].split(separator: ".").last ?? "")
      let members = names.members[owner] ?? names.members.values.flatMap(\.self)
      return (String(part[part.index(after: dot)...]), members)
    }
    guard let entity else { return (part, Array(names.members.keys)) }
    return (part, (names.members[entity] ?? []) + (names.values[entity] ?? []) + Self.operators)
  }
}
