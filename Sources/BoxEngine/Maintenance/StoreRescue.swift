package import BoxStorage

/// A store with damaged pages, opened as a copy of the data on its undamaged pages.
///
/// The damaged file is neither mapped nor changed. The copy is in a file without a name, in the
/// directory for temporary files, and is removed when the store is closed.
package struct StoreRescue {
  /// Data that is missing from the copy.
  package struct Loss: Hashable, Sendable {
    /// The entity, or `Entity.relation`.
    package var name: String
    /// The number of objects or entries that are missing; nil if it is not known.
    package var missing: Int?
    /// The number of objects or entries that the store had; nil if it is not known.
    package var recorded: Int?
  }

  /// The copy, which the caller has to close.
  package let store: ObjectStore
  /// The first problems of the pages.
  package let problems: [PageProblem]
  /// The entities with missing objects, in the order of the model.
  package private(set) var objects: [Loss] = []
  /// The to-many relations with missing entries, in the order of the model.
  package private(set) var entries: [Loss] = []

  /// Copies the data of the undamaged pages, and opens the copy.
  ///
  /// - Parameters:
  ///   - directory: The directory of the store.
  ///   - options: The options that the store is opened with.
  ///   - progress: Called from time to time with the pages done and their total.
  /// - Throws: ``StoreError/damagedCatalog(_:)`` or ``StoreError/notAStore(_:)`` if the catalog of the
  ///   store is damaged: nothing can be read without it. ``StoreError/storage(_:)`` if the file cannot
  ///   be read or the copy cannot be written.
  /// - Complexity: O(*n* log *n*) in the size of the store, which is read twice.
  package init(
    _ directory: String, options: StoreOptions,
    progress: @escaping (_ done: Int, _ total: Int) -> Void
  ) throws(StoreError) {
    let copy = StorageLocation.memory("rescue of \(directory) \(UInt64.random(in: 0 ... .max))")
    var copying = options
    copying.storage.isReadOnly = false
    copying.storage.pageCheck = nil
    copying.storage.maximumSpaces = Self.maximumSpaces
    // It keeps the copy until the store has it.
    let storage = try StorageHandle(opening: copy, copying.storage, alone: false)
    var reading = options.storage
    reading.pageCheck = nil
    let report = try StoreError.only {
      try StorageLocation.directory(directory).readingPages(reading) {
        try Self.fill(storage, from: $0, completesLastIDs: true, progress: progress)
      }
    }
    store = try ObjectStore.open(copy, options: copying)
    problems = report.problems
    if store.synchronizedEntities != nil, SyncRescue.isCut(report) {
      try store.switchOffSync()
      entries.append(Loss(name: "outbox"))
    }
    for entity in store.schema.entities {
      objects += loss(entity.name, SpaceName.objects(of: entity.uid), report)
      for relation in entity.relations {
        entries += loss(
          "\(entity.name).\(relation.name)", SpaceName.targets(of: relation.uid), report)
      }
    }
  }

  /// The number of spaces that there is room for in a copy.
  static let maximumSpaces = 1 << 15

  /// Copies the data of the undamaged pages to an empty storage.
  ///
  /// - Parameters:
  ///   - storage: The storage, with room for ``maximumSpaces`` spaces.
  ///   - source: The pages.
  ///   - spaces: The names of the spaces to copy; nil for all.
  ///   - completesLastIDs: Whether a last id that was lost becomes 0, with which a store can be opened.
  ///   - progress: Called from time to time with the pages done and their total.
  /// - Returns: The problems, and the number of copied entries.
  /// - Throws: ``StoreError/damagedCatalog(_:)``, ``StoreError/newerFormat(_:)``, and
  ///   ``StoreError/storage(_:)`` if the pages cannot be read or the copy cannot be written.
  static func fill(
    _ storage: StorageHandle, from source: PageSource, only spaces: [String]? = nil,
    completesLastIDs: Bool = false, progress: @escaping (_ done: Int, _ total: Int) -> Void
  ) throws(StoreError) -> PageRescue.Report {
    var report = try StoreError.only {
      try PageRescue.copy(source, to: storage.base, only: spaces) {
        progress(Int(clamping: $0), Int(clamping: $1))
      }
    }
    try completeSpaces(storage, &report, lastIDs: completesLastIDs)
    return report
  }

  /// Makes the spaces whose names were lost: the catalog says which there were.
  ///
  /// One of another kind than in the catalog has a damaged record, and its entries cannot be read.
  private static func completeSpaces(
    _ storage: StorageHandle, _ report: inout PageRescue.Report, lastIDs: Bool
  ) throws(StoreError) {
    try storage.spacesLock.withLock { () throws(StoreError) in
      let transaction = try storage.beginWrite()
      defer { transaction.abort() }
      guard report.foreignKind(of: StoredCatalog.space, .bytes) == nil,
        let space = try transaction.openSpace(StoredCatalog.space, .bytes, create: false),
        let catalog = try StoredCatalog.read(space, transaction)
      else {
        throw StoreError.damagedCatalog(
          "it is on a damaged page, and nothing can be read without it")
      }
      var expected = catalog.spaceKinds
      expected[StoredCatalog.idsSpace] = .records
      for (name, kind) in expected.sorted(by: { $0.key < $1.key }) {
        if let found = report.foreignKind(of: name, kind) {
          if let foreign = try transaction.openSpace(name, found, create: false) {
            try transaction.dropSpace(foreign)
          }
          report.spaces[name]?.copied = 0
          report.spaces[name]?.isCut = true
          report.spaces[name]?.isWhole = false
        }
        _ = try transaction.openSpace(name, kind, create: true)
      }
      if lastIDs,
        let ids = try transaction.openSpace(StoredCatalog.idsSpace, .records, create: true)
      {
        for entity in catalog.entities where try !transaction.hasValue(ids, entity.uid) {
          try StoredCatalog.setLastID(0, of: entity.uid, ids, transaction)
        }
      }
      try transaction.commit()
    }
  }

  private func loss(
    _ name: String, _ space: String, _ report: PageRescue.Report
  ) -> [Loss] {
    guard let count = report.spaces[space], let recorded = count.recorded else {
      return [Loss(name: name)]
    }
    if recorded <= count.copied { return [] }
    return [
      Loss(name: name, missing: Int(recorded - count.copied), recorded: Int(clamping: recorded))
    ]
  }
}

extension PageRescue.Report {
  /// The kind of a space, if it is another one than the given.
  fileprivate func foreignKind(of name: String, _ kind: SpaceKind) -> SpaceKind? {
    spaces[name]?.kind.flatMap { $0 == kind ? nil : $0 }
  }
}
