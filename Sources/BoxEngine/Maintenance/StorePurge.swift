internal import BoxModel
internal import BoxStorage

/// Removes what the model of a store lacks.
struct StorePurge {
  private let storage: StorageHandle
  private let directory: String
  private let maximumSpaces: Int
  /// Whether changes that were not sent may be lost.
  private let discardsUnsent: Bool
  /// Called with what is to be removed, before it is.
  private let agreeing: (HiddenData) throws -> Void

  init(
    _ storage: StorageHandle, _ directory: String, spaces maximumSpaces: Int,
    discardsUnsent: Bool, agreeing: @escaping (HiddenData) throws -> Void
  ) {
    self.storage = storage
    self.directory = directory
    self.maximumSpaces = maximumSpaces
    self.discardsUnsent = discardsUnsent
    self.agreeing = agreeing
  }

  /// - Throws: ``StoreError``, ``NeedsSpaces``, or the error of `agreeing`.
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
      transaction: transaction, create: false, catalog: space, ids: ids, checkpoints: nil)
    let schema = try StoreSchema(catalog, try StoreOpening.storedModel(bytes).model, spaces)
    let hidden = HiddenData(schema, transaction)
    if !discardsUnsent { try hidden.requireNothingUnsent() }
    try agreeing(hidden)
    if let spaces = schema.syncSpaces { try SyncPurge(schema, spaces, transaction).run() }
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
    catalog.purge()
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
      try transaction.keys(entity.space, from: start) { id in
        ids.append(id)
        return ids.count < 10_000 ? .next : .stop
      }
      for id in ids {
        guard let record = try unsafe transaction.value(entity.space, id) else { continue }
        writer.begin(entity.layout)
        unsafe copyVisible(entity, try reader.view(of: entity, id, record), &writer)
        try unsafe transaction.put(entity.space, id, writer.finish(id), .replace)
      }
      next = ids.last.flatMap { $0 == .max ? nil : $0 + 1 }
    }
  }

  private func copyVisible(
    _ entity: EntitySchema, _ record: borrowing RecordView, _ writer: inout RecordWriter
  ) {
    for position in entity.writeOrder {
      writer.copy(entity.properties[position].slot, from: record)
    }
  }
}
