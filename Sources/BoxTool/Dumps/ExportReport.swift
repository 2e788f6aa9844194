package import BoxDump
internal import BoxReport

/// The result of an export.
package struct ExportReport: Sendable {
  /// The directory of the store.
  package let store: String
  /// The file or the directory of the dump; nil for a stream.
  package let output: String?
  /// The counts.
  package let totals: DumpTotals

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

  /// The line about damaged data that the dump lacks; nil if it lacks none.
  package var complaint: String? {
    if totals.leftOut.isEmpty { return nil }
    let (objects, entries) = (totals.leftOut.objects, totals.leftOut.entries)
    return "boxjoint: \(store): left out as damaged: \(counted(objects, "object")), and "
      + "\(counted(entries, "entry", "entries")) of relations; `boxjoint store verify` names them"
  }
}
