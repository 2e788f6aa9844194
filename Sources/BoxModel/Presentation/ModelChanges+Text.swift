import BoxReport

extension ModelChanges {
  /// The changes as text for people; empty without changes.
  ///
  /// It has a heading for each entity, a line for each change with a plus, a minus or a tilde in
  /// front, and under it what the change means for stored data.
  ///
  /// - Complexity: O(*n*) in the number of changes.
  public func text() -> String {
    groups.map { group in
      let heading = "\(group.name)  (entity \(group.pair.id), uid \(group.pair.uid))"
      let lines = group.listedChanges.flatMap { change in
        ["  \(change.sign) \(change.sentence)"] + change.consequences.map { "      \($0)" }
      }
      return ([heading] + lines).map { $0.escapedForDisplay + "\n" }.joined()
    }.joined(separator: "\n")
  }

  /// The changes as Markdown: a heading and a table for each entity.
  ///
  /// - Complexity: O(*n*) in the number of changes.
  public func markdown() -> String {
    if isEmpty { return "No differences.\n" }
    return groups.map { group in
      let rows = group.listedChanges.map { change in
        let meaning = change.consequences.map(\.escapedForMarkdown).joined(separator: "<br>")
        return "| \(change.word) | \(change.sentence.escapedForMarkdown) | \(meaning) |\n"
      }
      return "### \(group.name.escapedForMarkdown)\n\n| | Element | Stored data |\n"
        + "| --- | --- | --- |\n" + rows.joined()
    }.joined(separator: "\n")
  }
}

extension ModelChanges.Group {
  /// The changes without the indexes that came or went with a change of their property.
  fileprivate var listedChanges: [ModelChanges.Change] {
    changes.filter { change in
      guard change.key.kind == .index else { return true }
      if case .changed = change.change { return true }
      return !changes.contains { $0.key.kind == .property && $0.name == change.name }
    }
  }
}

extension ModelChanges.Change {
  fileprivate var sign: String {
    switch change {
    case .added: "+"
    case .removed: "-"
    case .changed: "~"
    }
  }

  /// The kind of the change, in a word.
  var word: String {
    switch change {
    case .added: "added"
    case .removed: "removed"
    case .changed: "changed"
    }
  }

  fileprivate var sentence: String {
    let subject = key.kind == .index ? "index of \(name)" : "\(key.kind) \(name)"
    let about = details.isEmpty ? "" : ": " + details.joined(separator: "; ")
    switch change {
    case .added: return "\(subject) added, uid \(key.uid)"
    case .removed: return "\(subject) removed, uid \(key.uid)\(about)"
    case .changed: return subject + about
    }
  }
}
