internal import BoxDump
internal import BoxEngine
internal import BoxStorage
internal import BoxSystem

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A file of what a change loses, which is complete before the change is committed.
struct SavedLoss: Sendable {
  private let path: String
  private let attributes: stat?
  /// The number of the last transaction before the change.
  private let state: UInt64?

  init(_ path: String, in old: Transaction) {
    self.path = path
    attributes = (try? entryAttributes(at: path)) ?? nil
    state = try? old.store.status().lastTransaction
  }

  /// Removes the file after a change that failed, so that the command can be repeated.
  ///
  /// The file stays if the store may have the change all the same, or another program has written to it since.
  ///
  /// - Parameter current: The number of the last transaction of the store.
  func discard(_ current: () throws -> UInt64) {
    guard let attributes, let state, let now = try? current(), now == state,
      let entry = (try? entryAttributes(at: path)) ?? nil, entry.isSameFile(as: attributes)
    else { return }
    unlink(path)
  }
}

extension LostObjects {
  /// Writes the objects and entries as they were, as a dump that an import which replaces objects puts back.
  ///
  /// The file is complete and synced when this returns.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - old: The last committed state, which has them.
  /// - Returns: The file.
  /// - Throws: `StoreError` if a record is damaged, `DumpError`, and ``CommandFailure`` if the file cannot be written.
  /// - Complexity: O(*n* log *n*) in the objects and entries.
  func save(to path: String, in old: Transaction) throws -> SavedLoss {
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
    // Lines of an entity of that name would be read as the beginning or the end.
    if old.store.entities.contains(where: { $0.name == DumpFormat.envelopeKey }) {
      options.shape = .document
    }
    try DumpExporter(old.store, options).export(to: FileDestination(path))
    return SavedLoss(path, in: old)
  }
}

extension LostObjects.Part {
  /// The objects that stay, and that an import has to give their values back.
  ///
  /// Those that lost nothing are among them, as one may have taken over the unique value of an object that was lost, which
  /// would displace it when it comes back.
  fileprivate var restored: [UInt64] { (overwritten + supplemented).sorted() }
}
