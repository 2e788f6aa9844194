import BoxReport

/// The layout of a model as text.
package enum ModelTextLayout: Hashable, Sendable {
  /// For reading: the columns of each table are as wide as they must be, retired UIDs are counted.
  case aligned
  /// For reading, with every retired UID.
  case complete
  /// For comparing line by line: a change of one element changes its line and no other. So columns
  /// have fixed widths, a longer cell moves only the rest of its own line, and every UID is listed.
  case stable
}

extension Model {
  /// The model as text for people: each entity with its properties and relations, then what
  /// concerns the model as a whole.
  ///
  /// Lines that do not start with a space are headings. Control characters are escaped, so that no name
  /// breaks a line. The order is the order of the file.
  ///
  /// - Complexity: O(*n*) in the size of the model.
  package func text(_ layout: ModelTextLayout = .aligned) -> String {
    var lines: [String] = []
    for section in ModelTable(self).sections {
      lines.append("\(section.name)  (\(section.identity))")
      // Generators draw the counter from the properties: it follows them here too.
      lines += section.facts.map { "  \($0.name): \($0.value)" }
      if let grid = section.properties, !grid.rows.isEmpty {
        lines += grid.lines(layout, widths: [4, 24, 10, 20, 28, 16, 19])
      }
      if let grid = section.relations {
        lines.append("  relations")
        lines += grid.lines(layout, widths: [4, 24, 24, 19])
      }
      lines.append("")
    }
    lines.append("model")
    lines += facts().map { "  \($0.name): \($0.value)" }
    for list in uidLists() {
      if layout == .aligned {
        lines.append("  \(list.name): \(list.uids.count)")
      } else {
        lines.append("  \(list.name)")
        lines += list.uids.map { "    \($0)" }
      }
    }
    return lines.map { $0.escapedForDisplay + "\n" }.joined()
  }
}

extension ModelTable.Grid {
  /// The header and the rows as lines, indented.
  fileprivate func lines(_ layout: ModelTextLayout, widths: [Int]) -> [String] {
    let cells = ([columns] + rows).map { $0.map(\.escapedForDisplay) }
    // Columns without cells are left out.
    let used = columns.indices.filter { column in
      layout == .stable || cells.dropFirst().contains { !$0[column].isEmpty }
    }
    var table = TextTable(cells.map { row in used.map { row[$0] } })
    table.indent = 4
    if layout == .stable { table.widths = widths }
    return table.lines()
  }
}
