package import BoxReport

extension MergeRecord {
  /// The report for a comment or the summary of a CI step, ending with a line feed.
  ///
  /// The decisions that people should know are a table, with their consequences. The open conflicts are
  /// another, with what each choice means for data. The other decisions are folded in.
  ///
  /// - Parameters:
  ///   - ours: The name of ours, such as a branch.
  ///   - theirs: The name of theirs.
  ///   - limit: The maximum number of rows of a table; the rest is counted.
  /// - Returns: The text, in which names show exactly as they are.
  /// - Complexity: O(*n*) in the number of decisions and conflicts.
  package func markdown(
    ours: String = "ours", theirs: String = "theirs", limit: Int = 100
  ) -> String {
    var blocks: [[String]] = [[counts.escapedForMarkdown]]
    if let reason {
      blocks.append(["\(Self.tag(reason.rule)) \(reason.message.escapedForMarkdown)"])
      if let help = reason.help { blocks.append(["help: \(help.escapedForMarkdown)"]) }
    }
    if !conflicts.isEmpty {
      let names = [ours, theirs].map(\.escapedForMarkdown)
      blocks.append(
        Self.table(
          ["Open conflict", "take ours: \(names[0])", "take theirs: \(names[1])"],
          conflicts.map(Self.cells), limit, of: "conflict"))
    }
    let (mattering, rest) = (relevantDecisions, decisions.filter { !$0.matters })
    let header = ["Rule", "Element", "Decision"]
    if !mattering.isEmpty {
      blocks.append(Self.table(header, mattering.map(Self.cells), limit, of: "decision"))
    }
    if !rest.isEmpty {
      blocks.append(["<details><summary>\(Self.count(rest.count, "other decision"))</summary>"])
      blocks.append(Self.table(header, rest.map(Self.cells), limit, of: "decision"))
      blocks.append(["</details>"])
    }
    blocks += published.filter { !$0.isResolved }.map { source in
      let help = source.help.map { "; try `\($0.escapedForDisplay)`" } ?? ""
      return ["published: \(source.name.escapedForMarkdown) cannot be looked up here\(help)"]
    }
    blocks += notes.map { ["note: \($0.escapedForMarkdown)"] }
    return blocks.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
  }

  private static func cells(_ conflict: Conflict) -> [String] {
    let head =
      "\(tag(conflict.rule)) **\(conflict.label.escapedForMarkdown)**: "
      + conflict.message.escapedForMarkdown + "<br>id: \(conflict.id.escapedForMarkdown)"
    let help = conflict.help.map { "<br>help: \($0.escapedForMarkdown)" } ?? ""
    return [head + help, conflict.ours.escapedForMarkdown, conflict.theirs.escapedForMarkdown]
  }

  private static func cells(_ decision: Decision) -> [String] {
    let consequence = decision.consequence.map { "<br>**\($0.escapedForMarkdown)**" } ?? ""
    return [
      tag(decision.rule), decision.label.escapedForMarkdown,
      decision.message.escapedForMarkdown + consequence,
    ]
  }

  private static func table(
    _ header: [String], _ rows: [[String]], _ limit: Int, of noun: String
  ) -> [String] {
    func line(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |" }
    var lines = [line(header), line(header.map { _ in "---" })] + rows.prefix(limit).map(line)
    if rows.count > limit { lines += ["", "and \(count(rows.count - limit, "more " + noun))"] }
    return lines
  }

  private static func tag(_ rule: Rule) -> String {
    "\(rule.id) \(rule.name)".escapedForMarkdown
  }
}
