internal import BoxModel
internal import BoxStoreTool

/// The completion of lines of `boxjoint shell`.
struct ShellCompletion: Hashable, Sendable {
  /// The names of the store.
  var names = StoreNames()

  private static let operators = [
    "all", "and", "any", "between", "contains", "endsWith", "ignoringCase", "in", "is", "nearest",
    "nil", "not", "or", "startsWith",
  ]

  /// The options of the commands, as their parsers declare them.
  private static let options = Dictionary(
    uniqueKeysWithValues: ShellLine.Command.allCases.map { ($0, declaredOptions(of: $0.type)) })

  /// A word that can be typed, and how it begins without backquotes.
  private struct Candidate {
    let name: String
    let word: String

    /// A word that stands for itself.
    init(_ word: String) {
      name = word
      self.word = word
    }

    /// A name, in backquotes where it needs them.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - isQuoted: Whether it begins with a backquote in any case.
    init(name: String, isQuoted: Bool) {
      self.name = name
      let text = NamePath.quoted(name)
      word = isQuoted && NamePath.isPlain(name) ? "`\(name)`" : text
    }
  }

  /// The place in a line at which a word is completed.
  private struct Place {
    /// The end of the line that is replaced.
    var part: String
    /// The part of the name that was typed.
    var stem: String
    /// The name before the period in front of it, if any.
    var owner: String?
    /// Whether the part begins with a backquote.
    var isQuoted = false

    /// The place at the end of a whole word.
    init(word: String) { (part, stem) = (word, word) }

    init(_ line: String) {
      var (open, isEscaped): (String.Index?, Bool) = (nil, false)
      for index in line.indices {
        if line[index] == "`", !isEscaped { open = open == nil ? index : nil }
        isEscaped = line[index] == "\\" && !isEscaped
      }
      var before: Substring
      if let open {
        isQuoted = true
        part = String(line[open...])
        stem = NamePath.unquoted(part + "`") ?? String(part.dropFirst())
        before = line[..<open]
      } else {
        // Conditions and paths have words inside of one word of the shell.
        let isPart: (Character) -> Bool = { $0.isLetter || $0.isNumber || "_-".contains($0) }
        stem = String(line.reversed().prefix(while: isPart).reversed())
        part = stem
        before = line.dropLast(stem.count)
      }
      if before.last == "." {
        before = before.dropLast()
        let start = before.lastIndex { !($0.isLetter || $0.isNumber || "_-".contains($0)) }
        owner = String(before[(start.map(before.index(after:)) ?? before.startIndex)...])
      }
    }
  }

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
    let place = isFirst ? Place(word: shell.last) : Place(line)
    let found = candidates(place, words, isFirst: isFirst).filter {
      $0.name.lowercased().hasPrefix(place.stem.lowercased())
    }
    let texts = Set(found.map { $0.word.written(in: shell.quote) })
    return (texts.sorted(), place.part.count)
  }

  private func candidates(_ place: Place, _ words: [String], isFirst: Bool) -> [Candidate] {
    func named(_ names: some Sequence<String>) -> [Candidate] {
      names.map { Candidate(name: $0, isQuoted: place.isQuoted) }
    }
    if isFirst {
      return ShellLine.Command.allCases.map { Candidate($0.rawValue) }
        + ShellLine.ownWords.map { Candidate($0.word) }
    }
    switch words[0] {
    case ".mode": return QueryFormat.allCases.map { Candidate($0.rawValue) }
    case ".help": return ShellLine.Command.allCases.map { Candidate($0.rawValue) }
    case ".schema": return named(names.members.keys)
    default: break
    }
    let command = words.lazy.prefix(2).compactMap { ShellLine.Command(rawValue: $0) }.first
    if place.part.hasPrefix("-") {
      return (command.flatMap { Self.options[$0] } ?? []).map { Candidate($0) }
    }
    if let owner = place.owner {
      return named(names.members[owner] ?? names.members.values.flatMap(\.self))
    }
    let entity = words.dropFirst().lazy
      .compactMap { NamePath(reading: $0).names.first }.first { names.members[$0] != nil }
    guard let entity else { return named(names.members.keys) }
    return named((names.members[entity] ?? []) + (names.values[entity] ?? []))
      + (place.isQuoted ? [] : Self.operators.map { Candidate($0) })
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
