internal import BoxModel

/// A word that can be typed, and how it begins without backquotes.
package struct CompletionWord: Hashable, Sendable {
  /// The name that the word is.
  package let name: String
  /// The word, in backquotes where it needs them.
  package let text: String
  /// The type of what it names, and what else is known; empty for nothing.
  package var (type, note) = ("", "")

  /// A word that stands for itself.
  package init(_ word: String, type: String = "") {
    (name, text) = (word, word)
    self.type = type
  }

  /// A name, in backquotes where it needs them.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - isQuoted: Whether it begins with a backquote in any case.
  package init(name: String, isQuoted: Bool) {
    self.name = name
    text = isQuoted && NamePath.isPlain(name) ? "`\(name)`" : NamePath.quoted(name)
  }
}

/// The place in a line at which a word is completed.
package struct CompletionPlace: Hashable, Sendable {
  /// The end of the line that is replaced.
  package private(set) var part: String
  /// The part of the name that was typed.
  package private(set) var stem: String
  /// The names before the periods in front of it.
  package private(set) var owners: [String] = []
  /// Whether the part begins with a backquote.
  package private(set) var isQuoted = false

  /// The place at the end of a whole word.
  package init(word: String) { (part, stem) = (word, word) }

  /// The place at the end of a line.
  ///
  /// - Complexity: O(*n*) in the length of the line.
  package init(_ line: String) {
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
      stem = String(Self.word(atEndOf: line[...]))
      part = stem
      before = line.dropLast(stem.count)
    }
    while before.last == ".", let owner = Self.name(atEndOf: before.dropLast()) {
      owners.insert(NamePath.unquoted(String(owner)) ?? String(owner), at: 0)
      before = line[..<owner.startIndex]
    }
  }

  /// The words that begin with what was typed, in their order.
  ///
  /// - Complexity: O(*n*) in the number of words.
  package func fitting(_ words: [CompletionWord]) -> [CompletionWord] {
    let start = stem.lowercased()
    return words.filter { $0.name.lowercased().hasPrefix(start) }
  }

  private static func word(atEndOf text: Substring) -> Substring {
    let isOutside: (Character) -> Bool = {
      !($0.isLetter || $0.isNumber || "_-".contains($0))
    }
    return text[(text.lastIndex(where: isOutside).map(text.index(after:)) ?? text.startIndex)...]
  }

  /// The name at the end of a text, with its backquotes; nil for none.
  private static func name(atEndOf text: Substring) -> Substring? {
    guard text.last == "`" else {
      let word = word(atEndOf: text)
      return word.isEmpty ? nil : word
    }
    var rest = text.dropLast()
    while let start = rest.lastIndex(of: "`") {
      rest = rest[..<start]
      if rest.last != "\\" { return text[start...] }
    }
    return nil
  }
}

extension StoreNames {
  /// The entity to which a path leads.
  ///
  /// - Parameters:
  ///   - path: The names: relations, and perhaps an entity first.
  ///   - entity: The entity at which the path begins; nil if that is not known.
  /// - Returns: The entity; nil for a name that there is not.
  /// - Complexity: O(*n*) in the members of the entities on the path.
  package func entity(at path: [String], of entity: String?) -> String? {
    var rest = path[...]
    var found = entity
    if let first = rest.first, entity.flatMap({ target(of: first, $0) }) == nil,
      members[first] != nil
    {
      found = first
      rest = rest.dropFirst()
    }
    for name in rest {
      guard let owner = found else { return nil }
      found = target(of: name, owner)
    }
    return found
  }

  /// The entity to which a relation leads, by the names that conditions give it.
  private func target(of name: String, _ entity: String) -> String? {
    let facts = facts[entity] ?? []
    for suffix in ["", "Id", "ID", "_id"] {
      let other = name + suffix
      let found = facts.first { $0.target != nil && $0.name.utf8.elementsEqual(other.utf8) }
      if let found { return found.target }
    }
    return nil
  }

  /// The facts about the member at the end of a path; nil for none.
  func member(at path: [String], of entity: String?) -> MemberFacts? {
    guard let name = path.last,
      let owner = path.count == 1 ? entity : self.entity(at: path.dropLast(), of: entity)
    else { return nil }
    return facts[owner]?.first { $0.name.utf8.elementsEqual(name.utf8) }
  }
}
