internal import BoxStorage

/// The writes that a transaction holds back until it ends or until they are needed.
struct PendingWrites {
  /// The highest id given so far, for each entity that was written to.
  private var lastIDs: [EntityIDs?]
  private var entries: [PendingEntries]
  /// The entries of the indexes that have keys of bytes.
  private var texts: [PendingTexts]
  /// The changes for observers.
  var changes: RecordedChanges
  /// The changes for data sync; nil in a store where it is not switched on.
  var capture: Capture?
  private let schema: StoreSchema
  /// The ids given by this opening; nil if ids that were not used are given again.
  private let issued: IssuedIDs?
  /// Whether last ids were written, which makes a commit of a transaction that changed no object.
  private(set) var hasWrittenIDs = false
  /// Whether entries of data sync were written for what the server says.
  var hasWrittenArrivals = false
  /// Whether index entries outlive the transaction.
  private var leavesEntries = false

  struct EntityIDs {
    var last: UInt64
    /// The highest key in the storage, above which records are appended.
    var highest: UInt64
    /// The last id as the storage has it.
    var stored: UInt64
    /// Whether the object with the highest id was removed, so that no record shows that the id was
    /// given.
    var hasLostHighest = false

    /// Whether the last id must be written because the records do not show it.
    ///
    /// Otherwise a put would change one more page, which slows small transactions down.
    var isToBeWritten: Bool { last > stored && (last > highest || hasLostHighest) }
  }

  init(_ store: ObjectStore) {
    schema = store.schema
    issued = store.issuedIDs
    lastIDs = Array(repeating: nil, count: schema.entities.count)
    entries = Array(repeating: PendingEntries(), count: schema.indexes.count)
    texts = Array(repeating: PendingTexts(), count: schema.indexes.count)
    var observed = store.observers.observedEntities(count: schema.entities.count)
    if let search = store.neighbourSearch {
      for entity in schema.entities where search.follows(entity) {
        observed[entity.position] = true
      }
    }
    changes = RecordedChanges(observed: observed)
    capture = store.captureSchema.map { Capture($0, store.captureSource) }
  }

  // MARK: - Ids

  private mutating func ids(
    _ entity: EntitySchema, _ storage: StorageAccess
  ) throws(StoreError) -> EntityIDs {
    if let known = lastIDs[entity.position] { return known }
    let ids = try Self.storedIDs(entity, schema, storage)
    lastIDs[entity.position] = ids
    return ids
  }

  /// The ids as the storage has them.
  static func storedIDs(
    _ entity: EntitySchema, _ schema: StoreSchema, _ storage: StorageAccess
  ) throws(StoreError) -> EntityIDs {
    let highest = try storage.lastKey(entity.space) ?? 0
    let stored = try StoredCatalog.storedLastID(entity.uid, schema.idsSpace, storage)
    return EntityIDs(last: max(stored, highest), highest: highest, stored: stored)
  }

  /// Whether the transaction knows already that an id was given to an object of the entity at a position.
  @inline(__always)
  func isGiven(_ id: UInt64, _ position: Int) -> Bool {
    lastIDs[position].map { id <= $0.last } ?? false
  }

  /// The last id that was given.
  mutating func lastID(
    _ entity: EntitySchema, _ storage: StorageAccess
  ) throws(StoreError) -> UInt64 {
    max(try ids(entity, storage).last, issued?.last(of: entity) ?? 0)
  }

  /// The id of a new object, which is not given again in this transaction if `issued` remembers it.
  ///
  /// - Throws: ``StoreError/idsExhausted(entity:)``, ``StoreError/storage(_:)``.
  mutating func nextID(
    _ entity: EntitySchema, _ storage: StorageAccess
  ) throws(StoreError) -> UInt64 {
    let last = try ids(entity, storage).last
    let id = issued?.issue(1, after: last, of: entity) ?? last + 1
    if id > ObjectStore.maximumID { throw StoreError.idsExhausted(entity: entity.name) }
    return id
  }

  /// The highest id that an object has, or had in this transaction.
  mutating func highestKey(
    _ entity: EntitySchema, _ storage: StorageAccess
  ) throws(StoreError) -> UInt64 {
    try ids(entity, storage).highest
  }

  /// Reserves the ids up to and including an id.
  mutating func reserveIDs(
    _ entity: EntitySchema, through id: UInt64, _ storage: StorageAccess
  ) throws(StoreError) {
    if id <= (try ids(entity, storage)).last { return }
    lastIDs[entity.position]?.last = id
    issued?.raise(to: id, of: entity)
  }

  /// Notes that a record is about to be removed.
  mutating func noteRemoval(
    _ id: UInt64, _ entity: EntitySchema, _ storage: StorageAccess
  ) throws(StoreError) {
    if id < (try ids(entity, storage)).highest { return }
    lastIDs[entity.position]?.hasLostHighest = true
  }

  /// Records that an object was put; returns whether its key is above all others.
  mutating func recordPut(
    _ id: UInt64, _ entity: EntitySchema, _ storage: StorageAccess
  ) throws(StoreError) -> Bool {
    var ids = try ids(entity, storage)
    let isHighest = id > ids.highest
    if id > ids.last {
      ids.last = id
      issued?.raise(to: id, of: entity)
    }
    if isHighest {
      ids.highest = id
      ids.hasLostHighest = false
    }
    lastIDs[entity.position] = ids
    return isHighest
  }

  /// Notes that all records of an entity were removed, whose ids were read before.
  mutating func forgetRecords(_ entity: EntitySchema) {
    for index in entity.indexes {
      entries[index.position].forget()
      texts[index.position].forget()
    }
    lastIDs[entity.position]?.highest = 0
    lastIDs[entity.position]?.hasLostHighest = true
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
    unsafe texts[index].add(text, id)
  }

  mutating func remove(_ text: UnsafeRawBufferPointer, _ id: UInt64, from index: Int) {
    unsafe texts[index].remove(text, id)
  }

  /// Writes the entries of an index.
  mutating func flush(
    _ index: IndexSchema, to storage: StorageAccess
  ) throws(StoreError) {
    try entries[index.position].flush(to: index.space, in: storage)
    try texts[index.position].flush(to: index.space, in: storage)
  }

  /// Entries are written at the latest when there are this many: 256 MiB.
  private static let maximumEntries = 1 << 24

  mutating func flushIfMany(
    _ index: Int, to storage: StorageAccess
  ) throws(StoreError) {
    if entries[index].count >= Self.maximumEntries || texts[index].areMany {
      try flush(schema.indexes[index], to: storage)
    }
  }

  /// Continues with entries that earlier transactions left.
  mutating func adopt(_ left: consuming DeferredEntries.Entries) {
    (entries, texts) = (left.integers, left.texts)
    leavesEntries = true
  }

  /// The entries, to be written later.
  mutating func releaseEntries() -> DeferredEntries.Entries {
    defer { (entries, texts) = ([], []) }
    return DeferredEntries.Entries(integers: entries, texts: texts)
  }

  // MARK: - The end

  /// Writes everything.
  mutating func flush(to storage: StorageAccess) throws(StoreError) {
    for index in schema.indexes { try flush(index, to: storage) }
    try flushIDs(to: storage)
    try capture?.flush(to: storage)
  }

  /// Writes everything that a commit needs: all but entries that are left for later.
  mutating func finish(to storage: StorageAccess) throws(StoreError) {
    try capture?.finish(to: storage)
    if leavesEntries { try flushIDs(to: storage) } else { try flush(to: storage) }
  }

  private mutating func flushIDs(to storage: StorageAccess) throws(StoreError) {
    for entity in schema.entities {
      guard let ids = lastIDs[entity.position], ids.isToBeWritten else { continue }
      try StoredCatalog.setLastID(ids.last, of: entity.uid, schema.idsSpace, storage)
      lastIDs[entity.position]?.stored = ids.last
      hasWrittenIDs = true
    }
  }
}
