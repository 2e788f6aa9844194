internal import BoxDump
internal import BoxEngine

extension LostObjects {
  /// Writes the objects and entries as they were, as a dump that an import which replaces objects puts back.
  ///
  /// The file is complete and synced when this returns.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - old: The state that has them.
  /// - Throws: `StoreError` if a record is damaged, `DumpError`, and ``CommandFailure`` if the file cannot be written.
  /// - Complexity: O(*n* log *n*) in the objects and entries.
  func save(to path: String, in old: Transaction) throws {
    // It can have appeared since it was looked for, as while a question was asked.
    try requireNewFile(path)
    var chosen = ChosenObjects()
    let restored = parts.map(\.restored)
    for (part, others) in zip(parts, restored) {
      // An object of which only entries are lost is not replaced, so it keeps what was written to it since.
      chosen.add((part.removed + others).sorted(), of: part.entity)
    }
    // An import in that mode gives a source the targets of its element alone, and takes the entries of an object out that
    // it replaces. So all entries of both are saved.
    for part in entries {
      chosen.add(
        try part.targets.map { ($0.source, try old.targets(part.relation, of: $0.source)) },
        of: part.relation)
    }
    for (part, others) in zip(parts, restored) where !others.isEmpty {
      for relation in part.entity.relations {
        chosen.add(try others.map { ($0, try old.targets(relation, of: $0)) }, of: relation)
      }
    }
    var options = ExportOptions()
    options.chosen = chosen
    try DumpExporter(old.store, options).export(to: FileDestination(path))
  }
}

extension LostObjects.Part {
  /// The objects that stay, and that an import has to give their values back.
  ///
  /// Those that lost nothing are among them, as one may have taken over the unique value of an object that was lost, which
  /// would displace it when it comes back.
  fileprivate var restored: [UInt64] { (overwritten + supplemented).sorted() }
}
