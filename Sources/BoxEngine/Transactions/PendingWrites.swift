internal import BoxStorage

/// What a write transaction holds back until it ends, or until it is asked for.
struct PendingWrites {
  /// The highest id that was given, of each entity that was written to.
  private var lastIDs: [EntityIDs?]
  private var entries: [PendingEntries]
  /// Those of the indexes that have keys of bytes.
  private var texts: [PendingTexts]
  private(set) var changes: [Change] = []
  private let observed: [Bool]
  private let schema: StoreSchema

  private struct EntityIDs {
    var last: UInt64
    /// The highest key in the storage, above which records are appended.
    var highest: UInt64
    var isChanged = false
  }

  struct Change {
    var entity: Int
    var kind: ObjectChange.Kind
    var id: UInt64
  }

  init(_ store: ObjectStore) {
    schema = store.schema
    lastIDs = Array(repeating: nil, count: schema.entities.count)
    entries = Array(repeating: PendingEntries(), count: schema.indexes.count)
    texts = Array(repeating: PendingTexts(), count: schema.indexes.count)
    observed = store.observers.observedEntities(count: schema.entities.count)
  }

  // MARK: - Ids

  private mutating func ids(
    _ entity: EntitySchema, _ storage: any StorageTransaction
  ) throws -> EntityIDs {
    if let known = lastIDs[entity.position] { return known }
    let highest = try storage.lastKey(entity.space) ?? 0
    let last = try StoredCatalog.lastID(entity.uid, schema.idsSpace, storage)
    let ids = EntityIDs(last: max(last, highest), highest: highest)
    lastIDs[entity.position] = ids
    return ids
  }

  /// The last id that was given.
  mutating func lastID(
    _ entity: EntitySchema, _ storage: any StorageTransaction
  ) throws -> UInt64 {
    try ids(entity, storage).last
  }

  /// The highest id that an object has, or had in this transaction.
  mutating func highestKey(
    _ entity: EntitySchema, _ storage: any StorageTransaction
  ) throws -> UInt64 {
    try ids(entity, storage).highest
  }

  /// Counts ids up to one as given.
  mutating func raiseLastID(
    _ entity: EntitySchema, to id: UInt64, _ storage: any StorageTransaction
  ) throws {
    if id <= (try ids(entity, storage)).last { return }
    lastIDs[entity.position]?.last = id
    lastIDs[entity.position]?.isChanged = true
  }

  /// Notes that a record was put; whether its key is above all others.
  mutating func take(
    _ id: UInt64, _ entity: EntitySchema, _ storage: any StorageTransaction
  ) throws -> Bool {
    var ids = try ids(entity, storage)
    let isHighest = id > ids.highest
    if id > ids.last {
      ids.last = id
      ids.isChanged = true
    }
    if isHighest { ids.highest = id }
    lastIDs[entity.position] = ids
    return isHighest
  }

  /// Gives all ids up to one.
  mutating func raiseLastID(
    _ id: UInt64, _ entity: EntitySchema, _ storage: any StorageTransaction
  ) throws {
    var ids = try ids(entity, storage)
    if id <= ids.last { return }
    ids.last = id
    ids.isChanged = true
    lastIDs[entity.position] = ids
  }

  /// Has the last id written even if no record has it any more.
  mutating func keepLastID(_ entity: EntitySchema) {
    lastIDs[entity.position]?.isChanged = true
  }

  /// Notes that all records of an entity are gone.
  mutating func forgetRecords(_ entity: EntitySchema) {
    for index in entity.indexes {
      entries[index.position].forget()
      texts[index.position].forget()
    }
    lastIDs[entity.position]?.highest = 0
  }

  // MARK: - Index entries

  @inline(__always)
  mutating func add(_ key: UInt64, _ id: UInt64, to index: Int) {
    entries[index].add(key, id)
  }

  @inline(__always)
  mutating func remove(_ key: UInt64, _ id: UInt64, from index: Int) {
    entries[index].remove(key, id)
  }

  mutating func add(_ text: UnsafeRawBufferPointer, _ id: UInt64, to index: Int) {
    texts[index].add(text, id)
  }

  mutating func remove(_ text: UnsafeRawBufferPointer, _ id: UInt64, from index: Int) {
    texts[index].remove(text, id)
  }

  /// Writes the entries of an index.
  mutating func flush(
    _ index: IndexSchema, to storage: any StorageTransaction
  ) throws(StorageError) {
    try entries[index.position].flush(to: index.space, in: storage)
    try texts[index.position].flush(to: index.space, in: storage)
  }

  /// Entries are written at the latest when there are this many: 256 MiB.
  private static let maximumEntries = 1 << 24

  mutating func flushIfMany(
    _ index: Int, to storage: any StorageTransaction
  ) throws(StorageError) {
    if entries[index].count >= Self.maximumEntries || texts[index].areMany {
      try flush(schema.indexes[index], to: storage)
    }
  }

  // MARK: - Notifications

  @inline(__always)
  mutating func note(_ kind: ObjectChange.Kind, _ entity: EntitySchema, _ id: UInt64) {
    if observed[entity.position] {
      changes.append(Change(entity: entity.position, kind: kind, id: id))
    }
  }

  func isObserved(_ entity: EntitySchema) -> Bool { observed[entity.position] }

  // MARK: - The end

  mutating func flush(to storage: any StorageTransaction) throws {
    for index in schema.indexes { try flush(index, to: storage) }
    for entity in schema.entities {
      guard let ids = lastIDs[entity.position], ids.isChanged else { continue }
      try StoredCatalog.setLastID(ids.last, of: entity.uid, schema.idsSpace, storage)
      lastIDs[entity.position]?.isChanged = false
    }
  }
}
