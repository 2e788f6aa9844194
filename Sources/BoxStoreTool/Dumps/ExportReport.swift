package import BoxDump
internal import BoxEngine
internal import BoxReport
internal import BoxStorage

/// The result of an export.
package struct ExportReport: Sendable {
  /// The directory of the store.
  package let store: String
  /// The file or the directory of the dump; nil for a stream.
  package let output: String?
  /// The counts.
  package let totals: DumpTotals
  /// The data that was on damaged pages; nil if no page is damaged.
  package var lostPages: LostPages?

  /// The line about a dump that has a path; nil for a stream.
  package var text: String? {
    guard let output else { return nil }
    let targets = totals.relations.reduce(0) { $0 + $1.targets }
    var text =
      "exported \(counted(totals.objects, "object")) of "
      + counted(totals.entities.count, "entity", "entities")
    if !totals.relations.isEmpty {
      text +=
        " and \(counted(targets, "entry", "entries")) of "
        + counted(totals.relations.count, "relation")
    }
    return text + " to \(output.escapedForDisplay)\n"
  }

  /// The lines about damaged data that the dump lacks.
  package var complaints: [String] {
    var lines = lostPages.map { $0.lines.map { "boxjoint: \(store): \($0)" } } ?? []
    if !totals.leftOut.isEmpty {
      let (objects, entries) = (totals.leftOut.objects, totals.leftOut.entries)
      lines.append(
        "boxjoint: \(store): left out as damaged: \(counted(objects, "object")), and "
          + "\(counted(entries, "entry", "entries")) of relations")
    }
    if !lines.isEmpty {
      let command = "boxjoint store verify \(shellOperand(store))"
      lines.append("boxjoint: \(store): `\(command)` lists the damage")
    }
    return lines
  }
}

/// The data on the damaged pages of a store that was salvaged.
package struct LostPages: Sendable {
  /// The first problem of the pages.
  let problem: String?
  /// The entities and relations with missing data, with the numbers of objects and entries.
  let losses: [String]

  init(_ rescue: StoreRescue) {
    problem = rescue.problems.first?.description
    losses =
      rescue.objects.map { Self.text($0, "object", "objects") }
      + rescue.entries.map { Self.text($0, "entry", "entries") }
  }

  /// The lines about it, without the name of the store.
  var lines: [String] {
    let problem = problem.map { " (\($0.escapedForDisplay))" } ?? ""
    let relief = losses.isEmpty ? ", but no data was on them" : ""
    return ["pages are damaged\(problem)\(relief)"] + losses.map { "missing: \($0)" }
  }

  private static func text(_ loss: StoreRescue.Loss, _ one: String, _ many: String) -> String {
    let name = loss.name.escapedForDisplay
    guard let missing = loss.missing, let recorded = loss.recorded else {
      return "\(name), an unknown number of \(many)"
    }
    return "\(name), \(grouped(missing)) of \(counted(recorded, one, many))"
  }
}
