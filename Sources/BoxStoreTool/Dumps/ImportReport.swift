package import BoxDump
internal import BoxReport

/// The output of `boxjoint import`.
package struct ImportReport {
  package var summary: ImportSummary

  /// Creates the report.
  package init(summary: ImportSummary) {
    self.summary = summary
  }

  /// Lines for people.
  package var text: String {
    if summary.wasComplete { return "imported already: nothing to do\n" }
    var lines = summary.entities.map { entity in
      "\(entity.name.escapedForDisplay): \(grouped(entity.inserted)) added"
        + (entity.updated > 0 ? ", \(grouped(entity.updated)) changed" : "")
    }
    lines += summary.relations.map { relation in
      "\(relation.name.escapedForDisplay): \(counted(relation.added, "entry", "entries"))"
        + (relation.leftOut > 0
          ? ", \(grouped(relation.leftOut)) left out, as an object of them does not exist" : "")
    }
    if summary.repeated > 0 {
      lines.append("\(grouped(summary.repeated)) occurred more than once; the last of each counts")
    }
    if summary.dangling > 0 {
      lines.append(
        counted(summary.dangling, "relation refers", "relations refer")
          + " to \(summary.dangling == 1 ? "a missing object" : "missing objects")")
    }
    if summary.rejected > 0 { lines.append("\(grouped(summary.rejected)) rejected") }
    lines += list(summary.dropped, "not in the store, and left out")
    lines += list(
      summary.ignored.sorted { $0.key < $1.key }.map { "\($0.key) (\(grouped($0.value)))" },
      "not in the model, and ignored")
    lines += list(summary.filled, "not in the input, and without a value")
    lines += summary.notes.map { "note: " + $0.escapedForDisplay }
    if lines.isEmpty { lines.append("there was nothing to import") }
    if summary.isDryRun { lines.append("dry run: nothing was kept") }
    return lines.joined(separator: "\n") + "\n"
  }

  private func list(_ names: [String], _ what: String) -> [String] {
    if names.isEmpty { return [] }
    let shown = names.prefix(20).map(\.escapedForDisplay).joined(separator: ", ")
    return ["\(what): \(shown)\(names.count > 20 ? ", and \(names.count - 20) more" : "")"]
  }
}
