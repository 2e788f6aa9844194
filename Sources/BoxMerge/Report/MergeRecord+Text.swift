internal import BoxReport

extension MergeRecord {
  /// The level of detail of a report for people.
  package enum Extent: Hashable, Sendable {
    /// Everything.
    case full
    /// Only what the user has to act on or to know: for the middle of git's own output.
    case brief
  }

  /// The report for people, ending with a line feed; empty if there is nothing to say.
  ///
  /// Decisions are sorted by severity: those with consequences for databases or sources, the other
  /// warnings, the rest; then the conflicts with what each choice means; at the end a line of
  /// counts. Control characters in names are written out.
  ///
  /// - Complexity: O(*n*) in the number of decisions and conflicts.
  package func text(_ extent: Extent = .full) -> String {
    var lines: [String] = []
    if let reason {
      lines.append("\(reason.rule.displayTag) \(reason.message)")
      if let help = reason.help { lines.append("  help: \(help)") }
    }
    for (title, group) in decisionGroups(extent) where !group.isEmpty {
      if extent == .full { lines.append("\(title):") }
      lines += group.flatMap { Self.lines($0, indented: extent == .full) }
    }
    if !conflicts.isEmpty, extent == .full { lines.append("conflicts:") }
    for (index, conflict) in conflicts.enumerated() {
      lines += Self.lines(conflict, number: index + 1, indented: extent == .full)
    }
    lines += publishedLines(extent)
    lines += notes.map { "note: \($0)" }
    if extent == .full { lines.append(counts) }
    return lines.map { $0.escapedForDisplay + "\n" }.joined()
  }

  /// The outcome of the merge, with the numbers of decisions and conflicts, in one line.
  package var counts: String {
    let word =
      switch status {
      case .merged: "merged"
      case .conflicts: "not all merged"
      case .refused: "not merged"
      }
    if status == .refused { return word }
    let mattering = relevantDecisions.count
    var text = "\(word): \(Self.count(decisions.count, "decision"))"
    if mattering > 0 { text += " (\(mattering) to review)" }
    return text + ", " + Self.count(conflicts.count, "conflict")
  }

  /// The heads and the lines of one conflict, as a prompt shows it too.
  ///
  /// - Complexity: O(*n*) in the length of its texts.
  package static func lines(_ conflict: Conflict, number: Int, indented: Bool = true) -> [String] {
    let margin = indented ? "  " : ""
    var lines = [
      "\(margin)\(number). \(conflict.rule.displayTag) \(conflict.label): "
        + conflict.message
    ]
    lines.append("\(margin)   id: \(conflict.id)")
    lines.append("\(margin)   ours: \(conflict.ours)")
    lines.append("\(margin)   theirs: \(conflict.theirs)")
    if let help = conflict.help { lines.append("\(margin)   help: \(help)") }
    return lines
  }

  private func decisionGroups(_ extent: Extent) -> [(String, [Decision])] {
    let consequences = decisions.filter { $0.consequence != nil }
    // Changes of ids are more severe than changes of sources.
    let graver = consequences.filter { $0.rule == MergeRule.renumbered }
    let others = consequences.filter { $0.rule != MergeRule.renumbered }
    let warnings = decisions.filter { $0.consequence == nil && $0.rule.severity >= .warning }
    let rest = decisions.filter { !$0.matters }
    return [
      ("renumbered, with consequences", graver), ("with consequences", others),
      ("to review", warnings), ("also decided", extent == .full ? rest : []),
    ]
  }

  private static func lines(_ decision: Decision, indented: Bool) -> [String] {
    let margin = indented ? "  " : ""
    var lines = ["\(margin)\(decision.rule.displayTag) \(decision.label): \(decision.message)"]
    if let consequence = decision.consequence { lines.append("\(margin)   -> \(consequence)") }
    return lines
  }

  private func publishedLines(_ extent: Extent) -> [String] {
    published.compactMap { source in
      if !source.isResolved {
        let help = source.help.map { "; try \($0)" } ?? ""
        return "published: \(source.name) cannot be looked up here\(help)"
      }
      guard extent == .full else { return nil }
      return "published: \(source.name)" + (source.detail.map { " (\($0))" } ?? "")
    }
  }

  package static func count(_ number: Int, _ noun: String) -> String {
    number == 0 ? "no \(noun)s" : counted(number, noun)
  }
}

extension Rule {
  fileprivate var displayTag: String { "[\(id) \(name)]" }
}
