internal import BoxModel
internal import BoxStoreTool

/// The completion of lines of `boxjoint shell`.
struct ShellCompletion: Hashable, Sendable {
  /// The names of the store.
  var names = StoreNames()

  /// The options of the commands, as their parsers declare them.
  private static let options = Dictionary(
    uniqueKeysWithValues: ShellLine.Command.allCases.map { ($0, declaredOptions(of: $0.type)) })

  /// The ways to complete the word at the end of a line.
  ///
  /// Names are as options and conditions have them, in backquotes where they need them.
  ///
  /// - Parameter line: The line up to the cursor.
  /// - Returns: The whole words, sorted, and the number of characters of the line that they replace.
  /// - Complexity: O(*n*) in the number of names.
  func completions(of line: String) -> (words: [String], replaced: Int) {
    let shell = ShellWords(line)
    let words = shell.words
    let isFirst = words.isEmpty || words.count == 1 && !(line.last?.isWhitespace ?? false)
    let place = isFirst ? CompletionPlace(word: shell.last) : CompletionPlace(line)
    let found = place.fitting(candidates(place, words, isFirst: isFirst))
    let texts = Set(found.map { $0.text.written(in: shell.quote) })
    return (texts.sorted(), place.part.count)
  }

  private func candidates(
    _ place: CompletionPlace, _ words: [String], isFirst: Bool
  ) -> [CompletionWord] {
    func named(_ names: some Sequence<String>) -> [CompletionWord] {
      names.map { CompletionWord(name: $0, isQuoted: place.isQuoted) }
    }
    if isFirst {
      return ShellLine.Command.allCases.map { CompletionWord($0.rawValue) }
        + ShellLine.ownWords.map { CompletionWord($0.word) }
    }
    switch words[0] {
    case ".mode": return QueryFormat.allCases.map { CompletionWord($0.rawValue) }
    case ".help": return ShellLine.Command.allCases.map { CompletionWord($0.rawValue) }
    case ".schema": return named(names.members.keys)
    default: break
    }
    let command = words.lazy.prefix(2).compactMap { ShellLine.Command(rawValue: $0) }.first
    if place.part.hasPrefix("-") {
      return (command.flatMap { Self.options[$0] } ?? []).map { CompletionWord($0) }
    }
    let entity = words.dropFirst().lazy
      .compactMap { NamePath(reading: $0).names.first }.first { names.members[$0] != nil }
    if !place.owners.isEmpty {
      let owner = names.entity(at: place.owners, of: entity)
      return named(
        owner.flatMap { names.members[$0] } ?? names.members.values.flatMap(\.self))
    }
    guard let entity else { return named(names.members.keys) }
    return named((names.members[entity] ?? []) + (names.values[entity] ?? []))
      + (place.isQuoted ? [] : ConditionCompletion.words.map { CompletionWord($0) })
  }
}

extension String {
  /// The text as written inside of quotes of the shell.
  fileprivate func written(in quote: Character?) -> String {
    switch quote {
    case "'": replacing("'", with: "'\\''")
    case "\"": replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    default: self
    }
  }
}
