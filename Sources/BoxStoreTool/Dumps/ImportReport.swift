package import BoxDump
internal import BoxJSON
internal import BoxModel
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
      "\(NamePath.quoted(entity.name)): \(grouped(entity.inserted)) added"
        + (entity.updated > 0 ? ", \(grouped(entity.updated)) changed" : "")
    }
    lines += summary.relations.map { relation in
      "\(shown(relation.name)): \(counted(relation.added, "entry", "entries"))"
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
    lines += list(summary.dropped.map(shown), "not in the store, and left out")
    lines += list(
      summary.ignored.sorted { $0.key < $1.key }.map {
        "\(shown($0.key.text)) (\(grouped($0.value)))"
      },
      "not in the model, and ignored")
    lines += list(summary.filled.map(shown), "not in the input, and without a value")
    lines += summary.notes.map { "note: " + $0.escapedForDisplay }
    if lines.isEmpty { lines.append("there was nothing to import") }
    if summary.isDryRun { lines.append("dry run: nothing was kept") }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A name such as `Entity` or `Entity.property` as options read it.
  private func shown(_ name: String) -> String {
    let owner = summary.entities.map(\.name)
      .filter { name.withoutPrefix("\($0).") != nil }
      .max { $0.utf8.count < $1.utf8.count }
    if let owner, let member = name.withoutPrefix("\(owner).") {
      return NamePath([owner, member]).description
    }
    return NamePath(name.splitAtPeriods(maxSplits: 1)).description
  }

  private func list(_ names: [String], _ what: String) -> [String] {
    if names.isEmpty { return [] }
    let shown = names.prefix(20).joined(separator: ", ")
    return ["\(what): \(shown)\(names.count > 20 ? ", and \(names.count - 20) more" : "")"]
  }
}
