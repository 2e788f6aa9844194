import BoxJSON
import BoxReport

extension ModelChanges {
  /// The changes as text for people; empty without changes.
  ///
  /// It has a heading for each entity, a line for each change with a plus, a minus or a tilde in
  /// front, and under it what the change means for stored data.
  ///
  /// - Complexity: O(*n*) in the number of changes.
  package func text() -> String {
    let whole = root.map { "  ~ \($0.sentence)".escapedForDisplay + "\n" }.joined()
    let entities = groups.map { group in
      let heading = "\(group.name)  (entity \(group.pair.id), uid \(group.pair.uid))"
      let lines = group.listedChanges.flatMap { change in
        ["  \(change.sign) \(change.sentence)"] + change.consequences.map { "      \($0)" }
      }
      return ([heading] + lines).map { $0.escapedForDisplay + "\n" }.joined()
    }
    return ((whole.isEmpty ? [] : ["The model\n" + whole]) + entities).joined(separator: "\n")
  }

  /// The changes as Markdown: a heading and a table for each entity.
  ///
  /// - Complexity: O(*n*) in the number of changes.
  package func markdown() -> String {
    if isEmpty { return "No differences.\n" }
    let whole = root.map { "| changed | \($0.sentence.escapedForMarkdown) | |\n" }.joined()
    let entities = groups.map { group in
      let rows = group.listedChanges.map { change in
        let meaning = change.consequences.map(\.escapedForMarkdown).joined(separator: "<br>")
        return "| \(change.word) | \(change.sentence.escapedForMarkdown) | \(meaning) |\n"
      }
      return Self.table(group.name, rows.joined())
    }
    return ((whole.isEmpty ? [] : [Self.table("The model", whole)]) + entities)
      .joined(separator: "\n")
  }

  private static func table(_ heading: String, _ rows: String) -> String {
    "### \(heading.escapedForMarkdown)\n\n| | Element | Stored data |\n| --- | --- | --- |\n" + rows
  }
}

extension ModelChanges.RootEntry {
  fileprivate var sentence: String {
    let subject = entity.map { "\(key) of \($0)" } ?? key
    if !retired.isEmpty || !released.isEmpty {
      let parts = [
        retired.isEmpty ? nil : "\(Self.few(retired)) added",
        released.isEmpty ? nil : "\(Self.few(released)) removed",
      ]
      return "\(subject): \(parts.compactMap { $0 }.joined(separator: "; "))"
    }
    return switch (before.map(ModelTable.oneLine), after.map(ModelTable.oneLine)) {
    case (let before?, let after?): "\(subject) changed from \(before) to \(after)"
    case (nil, let after?): "\(subject) added: \(after)"
    case (let before?, nil): "\(subject) removed, was \(before)"
    case (nil, nil): subject
    }
  }

  private static func few(_ uids: [UID]) -> String {
    let shown = uids.prefix(3).map(\.description).joined(separator: ", ")
    return uids.count > 3 ? "\(shown) and \(uids.count - 3) more" : shown
  }
}

extension ModelChanges.Group {
  /// The changes without the indexes that were added or removed with a change of their property.
  fileprivate var listedChanges: [ModelChanges.Change] {
    changes.filter { change in
      guard change.key.kind == .index else { return true }
      if case .changed = change.change { return true }
      return !changes.contains { $0.key.kind == .property && $0.name.hasSameBytes(as: change.name) }
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
