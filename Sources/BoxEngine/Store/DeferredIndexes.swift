internal import BoxModel
internal import BoxStorage

/// The deferred indexes of an open store: the model has them, the store does not yet.
struct DeferredIndexes: Sendable {
  /// The indexes by the UIDs of their properties.
  var indexes: [UID: CatalogIndex]
  var document: ModelDocument
  /// The options with which the store was opened.
  var options: StoreOptions
}

extension ObjectStore {
  /// Whether the model in the store has indexes that were deferred when it was opened.
  package var lacksIndexes: Bool { deferred != nil && !hasUnappliedModel }

  /// Builds the indexes that were deferred when the store was opened.
  ///
  /// They are written in several transactions, so that memory is bounded. Each index becomes part
  /// of the store when it is complete. After a crash at any moment, the next opening builds the
  /// missing ones. If another process writes meanwhile, all missing indexes are built in one
  /// transaction.
  ///
  /// - Parameters:
  ///   - replacingCheckpoints: The checkpoints by their keys that replace all others in the
  ///     transaction that adds the last index; nil to keep the checkpoints.
  ///   - progress: Called with the index as `Entity.property`, the work done and the total work on
  ///     it: each object counts once when it is read and once when its entry is written.
  /// - Returns: The store with all indexes, to be used from now on, as this one can no longer be
  ///   written to. It is this one if no index was deferred.
  /// - Throws: ``StoreError/closed``, ``StoreError/damagedRecord(entity:id:_:)``,
  ///   ``StoreError/modelChangedElsewhere``, ``StoreError/readTransaction`` or ``StoreError/writingElsewhere`` in a transaction of the same
  ///   thread, ``StoreError/usedWhileCoding`` inside a converter, or ``StoreError/storage(_:)``.
  /// - Complexity: O(*n* log *n*) in the objects of the entities.
  package func buildIndexes(
    replacingCheckpoints: [[UInt8]: [UInt8]]? = nil,
    progress: @escaping (_ index: String, _ done: Int, _ total: Int) -> Void = { _, _, _ in }
  ) throws(StoreError) -> ObjectStore {
    if ConverterScope.isActive { throw StoreError.usedWhileCoding }
    guard let deferred else {
      if let replacingCheckpoints { try replaceCheckpoints(replacingCheckpoints) }
      return self
    }
    if let current = ThreadTransactions.current(of: self) {
      throw current.isWritable ? StoreError.writingElsewhere : StoreError.readTransaction
    }
    if ThreadTransactions.isWriting(to: storageID) { throw StoreError.writingElsewhere }
    if hasUnappliedModel { try StoreError.only { try write { _ in } } }
    let storage = try storage
    return try OpeningLock.hold(location) { () throws(StoreError) in
      try writing.withLock { () throws(StoreError) in
        try storage.spacesLock.withLock { () throws(StoreError) in
          let building = try IndexBuilding(
            store: self, deferred, replacingCheckpoints: replacingCheckpoints, progress: progress)
          if let store = try building.run() { return store }
          return try atOnce(deferred, replacingCheckpoints: replacingCheckpoints, storage)
        }
      }
    }
  }

  private func replaceCheckpoints(_ checkpoints: [[UInt8]: [UInt8]]) throws(StoreError) {
    try StoreError.only { try write { try $0.replaceCheckpoints(checkpoints) } }
  }

  /// Builds the indexes in one transaction, as opening the store does.
  private func atOnce(
    _ deferred: DeferredIndexes, replacingCheckpoints: [[UInt8]: [UInt8]]?, _ storage: StorageHandle
  ) throws(StoreError) -> ObjectStore {
    var options = deferred.options
    options.defersIndexes = false
    options.appliesModelOnFirstWrite = false
    let store = try StoreOpening(location, deferred.document, options)
      .write(storage, deferred.document)
    if let replacingCheckpoints { try store.replaceCheckpoints(replacingCheckpoints) }
    return store
  }
}

/// The building of indexes in several transactions.
///
/// Between two transactions, the catalog does not contain the index, so no one reads it. But
/// another process may write objects without updating the index, so the numbers of the transactions
/// must be consecutive.
private final class IndexBuilding {
  private let store: ObjectStore
  private let storage: StorageHandle
  private let deferred: DeferredIndexes
  private let replacingCheckpoints: [[UInt8]: [UInt8]]?
  private let progress: (String, Int, Int) -> Void
  private var transaction: StorageAccess
  /// The catalog with the indexes that are complete.
  private var catalog: Catalog
  /// Whether the transaction lacks an index that is complete.
  private var isCatalogChanged = false
  /// Whether another process has written between two of the transactions.
  private var isDisturbed = false
  /// The approximate number of bytes of index entries that the current transaction has written.
  private var written = 0

  init(
    store: ObjectStore, _ deferred: DeferredIndexes, replacingCheckpoints: [[UInt8]: [UInt8]]?,
    progress: @escaping (String, Int, Int) -> Void
  ) throws(StoreError) {
    self.store = store
    self.deferred = deferred
    self.replacingCheckpoints = replacingCheckpoints
    self.progress = progress
    catalog = store.catalog
    storage = try store.storage
    transaction = try storage.beginWrite()
  }

  deinit { transaction.abort() }

  /// Builds all indexes; nil if another process has written meanwhile.
  func run() throws(StoreError) -> ObjectStore? {
    let space = store.schema.catalogSpace
    let document = deferred.document
    // Another process may have built them, or have removed them.
    guard try StoredCatalog.generation(space, transaction) == catalog.generation,
      try StoredCatalog.model(space, transaction) == document.bytesWithoutMark
    else { throw StoreError.modelChangedElsewhere }
    do throws(StoreError) {
      for position in catalog.entities.indices {
        for property in catalog.entities[position].properties.indices {
          let uid = catalog.entities[position].properties[property].uid
          if let index = deferred.indexes[uid] { try build(index, position, property) }
        }
      }
    } catch {
      if !isDisturbed { throw error }
      transaction.abort()
      return nil
    }
    if let replacingCheckpoints, let checkpoints = store.schema.checkpointSpace {
      try StoredCheckpoint.replace(checkpoints, with: replacingCheckpoints, transaction)
    }
    try writeCatalog()
    let spaces = StoreSpaces(
      transaction: transaction, create: false, catalog: space, ids: store.schema.idsSpace,
      checkpoints: store.schema.checkpointSpace)
    let schema = try StoreSchema(catalog, document.model, spaces)
    try transaction.commit()
    return ObjectStore(
      store.location, storage, document.model, schema, store.warnings)
  }

  private func build(_ index: CatalogIndex, _ position: Int, _ property: Int) throws(StoreError) {
    let spaces = StoreSpaces(
      transaction: transaction, create: true, catalog: store.schema.catalogSpace,
      ids: store.schema.idsSpace, checkpoints: store.schema.checkpointSpace)
    var known = catalog.entities[position].properties[property]
    known.index = index
    guard let entity = store.entity(catalog.entities[position].uid),
      let named = entity.properties.first(where: { $0.uid == known.uid })
    else { throw StoreError.damagedCatalog("\(known.name) is missing") }
    let schema = IndexSchema(
      uid: index.uid, kind: index.kind, isUnique: false, replacesOnConflict: false,
      skipsZero: index.skipsZero, entity: entity.name, property: named.name, slot: known.slot,
      type: named.type, space: try spaces.open(SpaceName.index(index.uid), known.indexSpaceKind),
      position: 0)
    // A building that was interrupted may have left entries.
    try transaction.clear(schema.space)
    var builder = IndexBuilder(
      path: deferred.options.modelPath, transaction: transaction,
      makeSpool: store.location.makeSpoolFile)
    builder.limits.chunk = deferred.options.indexChunk
    let name = "\(entity.name).\(named.name)"
    var (done, total) = (0, 0)
    var sorter = try builder.sorted(schema, of: entity) {
      (done, total) = ($0, $1)
      progress(name, done, 2 * total)
    }
    func recordProgress(_ count: Int, bytes: Int) throws(StoreError) {
      try self.countWritten(bytes)
      done += count
      progress(name, done, 2 * total)
    }
    if schema.hasByteKeys {
      try sorter.drainTexts { (chunk) throws(StoreError) in
        try chunk.insert(into: schema.space, transaction)
        try recordProgress(chunk.count, bytes: chunk.size)
      }
    } else {
      try unsafe sorter.drainIntegers { (chunk) throws(StoreError) in
        try unsafe transaction.insert(schema.space, sorted: chunk, atEnd: true)
        try recordProgress(chunk.count, bytes: chunk.count * MemoryLayout<IntegerEntry>.stride)
      }
    }
    // Null has no entry.
    progress(name, 2 * total, 2 * total)
    catalog.entities[position].properties[property].index = index
    catalog.generation += 1
    isCatalogChanged = true
  }

  /// Writes the catalog before a commit, and not for each index: it has the names of all elements.
  private func writeCatalog() throws(StoreError) {
    if !isCatalogChanged { return }
    // The objects may lack what they all had before.
    let stored = try StoredCatalog.read(store.schema.catalogSpace, transaction)
    catalog = catalog.without(requirements: stored?.unrequired ?? [])
    try StoredCatalog.write(
      catalog, model: deferred.document.bytes, store.schema.catalogSpace,
      ids: store.schema.idsSpace, transaction)
    isCatalogChanged = false
  }

  /// Counts written bytes, and commits if there are many.
  private func countWritten(_ bytes: Int) throws(StoreError) {
    written += bytes
    if written < deferred.options.indexBytes { return }
    written = 0
    try writeCatalog()
    let number = transaction.number
    try transaction.commit()
    transaction = try storage.beginWrite()
    isDisturbed = transaction.number != number + 1
    if isDisturbed { throw .modelChangedElsewhere }
  }
}
