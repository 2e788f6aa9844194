internal import BoxModel
public import BoxStorage

extension ObjectStore {
  /// Writes a store anew without its free pages, and optionally without what its model lacks.
  ///
  /// Nobody may have the store open. After a crash at any moment there is the old data file or the
  /// new one, whole; with `purge` perhaps the old file without what was to be removed, as that is
  /// committed before the copy is written.
  ///
  /// - Parameters:
  ///   - directory: The directory of the store.
  ///   - purge: Whether hidden entities, properties and relations are removed for good.
  ///   - options: Sizes, limits and permissions.
  /// - Throws: ``StoreError/storage(_:)`` of kind `inUse` if the store is open anywhere,
  ///   ``StoreError/notAStore(_:)``, ``StoreError/newerFormat(_:)``, or ``StoreError/damaged(_:)`` if
  ///   ``requireWhole(_:options:)`` finds damage; the data file is as it was then.
  /// - Complexity: O(*n*) in the size of the data.
  public static func compact(
    _ directory: String, purge: Bool = false, options: StorageOptions = StorageOptions()
  ) throws(StoreError) {
    try compact(directory, purge: purge, options: options, isVerified: false)
  }

  /// Writes a store without its free pages, as ``compact(_:purge:options:)`` does.
  ///
  /// - Parameters:
  ///   - directory: The directory of the store.
  ///   - purge: Whether hidden entities, properties and relations are removed for good.
  ///   - options: Sizes, limits and permissions.
  ///   - isVerified: Whether the caller has verified the store, and only what was sound wrote to it since.
  /// - Throws: As ``compact(_:purge:options:)``.
  /// - Complexity: O(*n*) in the size of the data.
  package static func compact(
    _ directory: String, purge: Bool, options: StorageOptions, isVerified: Bool
  ) throws(StoreError) {
    func attempt(_ options: StorageOptions) throws {
      try StoreReplacement.replace(in: directory, options) { storage, descriptor in
        let storage = StorageHandle(storage)
        try StorePurge(storage, directory, spaces: options.maximumSpaces).run(removing: purge)
        try storage.copy(to: descriptor, compacting: true)
      }
    }
    try StoreError.only {
      try StoreReplacement.requireReplaceable(in: directory, options)
      if !isVerified { try requireWhole(directory, storage: options) }
      do {
        try attempt(options)
      } catch let error as NeedsSpaces {
        var options = options
        options.maximumSpaces = error.count
        try attempt(options)
      }
    }
  }
}

/// Removes what the model of a store lacks.
private struct StorePurge {
  private let storage: StorageHandle
  private let directory: String
  private let maximumSpaces: Int

  init(_ storage: StorageHandle, _ directory: String, spaces maximumSpaces: Int) {
    self.storage = storage
    self.directory = directory
    self.maximumSpaces = maximumSpaces
  }

  /// - Throws: ``StoreError``, or ``NeedsSpaces``.
  func run(removing: Bool) throws {
    let transaction = try storage.beginWrite()
    defer { transaction.abort() }
    guard let space = try transaction.openSpace(StoredCatalog.space, .bytes, create: false),
      let ids = try transaction.openSpace(StoredCatalog.idsSpace, .records, create: false),
      var catalog = try StoredCatalog.read(space, transaction),
      let bytes = try StoredCatalog.model(space, transaction)
    else { throw StoreError.notAStore(directory) }
    if !removing { return }
    let needed = StoreOpening.spaces(catalog, nil)
    if needed > maximumSpaces { throw NeedsSpaces(count: needed) }
    let spaces = StoreSpaces(
      transaction: transaction, create: false, catalog: space, ids: ids, work: nil)
    let schema = try StoreSchema(catalog, try StoreOpening.storedModel(bytes).model, spaces)
    for entity in schema.entities where !entity.hiddenSlots.isEmpty {
      try rewrite(entity, transaction)
    }
    for relation in schema.hiddenRelations {
      try transaction.dropSpace(relation.forward)
      try transaction.dropSpace(relation.backward)
    }
    for entity in schema.hiddenEntities {
      let last = try StoredCatalog.lastID(entity.uid, records: entity.space, ids, transaction)
      try StoredCatalog.setLastID(last, of: entity.uid, ids, transaction)
      try transaction.dropSpace(entity.space)
    }
    catalog.entities.removeAll(where: \.isHidden)
    for position in catalog.entities.indices {
      catalog.entities[position].properties.removeAll(where: \.isHidden)
      catalog.entities[position].relations.removeAll(where: \.isHidden)
    }
    catalog.generation += 1
    try StoredCatalog.write(catalog, model: bytes, space, ids: ids, transaction)
    try transaction.commit()
  }

  /// Writes the records of an entity without the values of hidden properties.
  private func rewrite(
    _ entity: EntitySchema, _ transaction: StorageAccess
  ) throws(StoreError) {
    let reader = RecordReader(entity.layout)
    var writer = RecordWriter()
    var next: UInt64? = 1
    while let start = next {
      // A visit and writes do not go together: the ids of a stretch first.
      var ids: [UInt64] = []
      try transaction.records(entity.space, from: start, .forward) { id, _ in
        ids.append(id)
        return ids.count < 10_000 ? .next : .stop
      }
      for id in ids {
        guard let record = try transaction.value(entity.space, id) else { continue }
        writer.begin(entity.layout)
        try copyVisible(entity, id, record, reader, &writer)
        try transaction.put(entity.space, id, writer.finish(id), .replace)
      }
      next = ids.last.flatMap { $0 == .max ? nil : $0 + 1 }
    }
  }

  private func copyVisible(
    _ entity: EntitySchema, _ id: UInt64, _ record: UnsafeRawBufferPointer, _ reader: RecordReader,
    _ writer: inout RecordWriter
  ) throws(StoreError) {
    let view = try reader.view(of: entity, id, record)
    for position in entity.writeOrder {
      writer.copy(entity.properties[position].slot, from: view)
    }
  }
}
