import BoxReport

extension Model {
  /// The model as Markdown: a heading and a table for each entity, then the model as a whole.
  ///
  /// Names are escaped, so that no part of them is read as Markdown or HTML.
  ///
  /// - Complexity: O(*n*) in the size of the model.
  package func markdown() -> String {
    var lines: [String] = []
    for section in ModelTable(self).sections {
      lines += ["### \(section.name.escapedForMarkdown)", "", section.identity, ""]
      lines += section.facts.map {
        "- \($0.name.escapedForMarkdown): \($0.value.escapedForMarkdown)"
      }
      lines.append("")
      if let grid = section.properties, !grid.rows.isEmpty { lines += grid.markdown }
      if let grid = section.relations { lines += ["Relations:", ""] + grid.markdown }
    }
    lines += ["### Model as a whole", ""]
    lines += facts().map { "- \($0.name.escapedForMarkdown): \($0.value.escapedForMarkdown)" }
    lines += uidLists().map { "- \($0.name): \($0.uids.count)" }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension ModelTable.Grid {
  /// The table, followed by an empty line.
  fileprivate var markdown: [String] {
    let header = [columns.markdownRow, columns.map { _ in "---" }.markdownRow]
    return header + rows.map { $0.map(\.escapedForMarkdown).markdownRow } + [""]
  }
}

extension [String] {
  fileprivate var markdownRow: String { "| \(joined(separator: " | ")) |" }
}
