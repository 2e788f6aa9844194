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
    copying.storage.maximumSpaces = 1 << 15
    let report = try Self.copy(directory, options.storage, to: copy, copying) { storage, source in
      try PageRescue.copy(source, to: storage) {
        progress(Int(clamping: $0), Int(clamping: $1))
      }
    }
    store = report.store
    problems = report.report.problems
    for entity in store.schema.entities {
      objects += loss(entity.name, SpaceName.objects(of: entity.uid), report.report)
      for relation in entity.relations {
        entries += loss(
          "\(entity.name).\(relation.name)", SpaceName.targets(of: relation.uid), report.report)
      }
    }
  }

  private static func copy(
    _ directory: String, _ options: StorageOptions, to place: StorageLocation,
    _ copying: StoreOptions,
    _ body: (Storage, PageSource) throws -> PageRescue.Report
  ) throws(StoreError) -> (store: ObjectStore, report: PageRescue.Report) {
    // It keeps the copy until the store has it.
    let storage = try StorageHandle(opening: place, copying.storage, alone: false)
    var reading = options
    reading.pageCheck = nil
    let location = StorageLocation.directory(directory)
    let report = try StoreError.only {
      try location.readingPages(reading) { try body(storage.base, $0) }
    }
    try completeSpaces(storage, directory)
    return (try ObjectStore.open(place, options: copying), report)
  }

  /// Makes the spaces whose names were lost: the catalog says which there were.
  private static func completeSpaces(
    _ storage: StorageHandle, _ directory: String
  ) throws(StoreError) {
    try storage.spacesLock.withLock { () throws(StoreError) in
      let transaction = try storage.beginWrite()
      defer { transaction.abort() }
      guard
        let space = try transaction.openSpace(StoredCatalog.space, .bytes, create: false),
        let catalog = try StoredCatalog.read(space, transaction)
      else {
        throw StoreError.damagedCatalog(
          "it is on a damaged page, and nothing can be read without it")
      }
      for (name, kind) in catalog.spaceKinds.sorted(by: { $0.key < $1.key }) {
        _ = try transaction.openSpace(name, kind, create: true)
      }
      if let ids = try transaction.openSpace(StoredCatalog.idsSpace, .records, create: true) {
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
