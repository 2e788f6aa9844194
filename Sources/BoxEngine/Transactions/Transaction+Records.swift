internal import BoxStorage

/// Writers of records that are not in use, of one transaction.
///
/// Records that are built at the same time, one while another waits, need a writer each. The memory is
/// its own.
@safe struct SpareWriters: ~Copyable {
  private var spare: [UnsafeMutablePointer<RecordWriter>] = unsafe []

  deinit {
    for position in unsafe spare.indices {
      unsafe spare[position].deinitialize(count: 1)
      unsafe spare[position].deallocate()
    }
  }

  mutating func acquire() -> UnsafeMutablePointer<RecordWriter> {
    if let writer = unsafe spare.popLast() { return unsafe writer }
    let writer = UnsafeMutablePointer<RecordWriter>.allocate(capacity: 1)
    unsafe writer.initialize(to: RecordWriter())
    return unsafe writer
  }

  mutating func release(_ writer: UnsafeMutablePointer<RecordWriter>) {
    unsafe spare.append(writer)
  }
}

extension Transaction {
  /// Lends a writer, with which records are built before they are put.
  ///
  /// While it is lent the transaction can be used, also to put other objects. Calls can be nested; each
  /// lends a writer of its own.
  ///
  /// - Throws: ``StoreError/readTransaction``, ``StoreError/transactionEnded``,
  ///   ``StoreError/transactionFailed(reason:)``, ``StoreError/usedWhileCoding``,
  ///   ``StoreError/writtenWhileVisiting``, and the error of `body`.
  @unsafe package func withRecordWriter<R>(
    _ body: (UnsafeMutablePointer<RecordWriter>) throws -> R
  ) throws -> R {
    _ = try writing()
    let lent = unsafe spareWriters.acquire()
    defer { unsafe spareWriters.release(lent) }
    return try unsafe body(lent)
  }

  /// Reserves the id of a new object, which is to be put with it in this transaction.
  ///
  /// - Throws: ``StoreError/idsExhausted(entity:)``, and as ``withRecordWriter(_:)``.
  /// - Complexity: O(1), or O(log *n*) for the first one in a transaction.
  package func reserveID(_ entity: EntitySchema) throws(StoreError) -> UInt64 {
    try require(entity)
    let storage = try writing()
    let id = try issueID(entity, storage)
    try pending.reserveIDs(entity, through: id, storage)
    return id
  }

  /// Puts the object whose record was built in a writer.
  ///
  /// - Parameters:
  ///   - entity: The entity for which the record was begun.
  ///   - id: Its id, given by ``reserveID(_:)`` or before; or any id where the caller assigns them.
  ///   - mode: The treatment of existing and missing objects.
  ///   - writer: The record.
  /// - Returns: Whether the object is new.
  /// - Throws: As ``put(_:id:mode:_:)``.
  /// - Complexity: As ``put(_:id:mode:_:)``.
  @discardableResult
  package func putBuilt(
    _ entity: EntitySchema, id: UInt64, mode: PutMode, in writer: inout RecordWriter
  ) throws(StoreError) -> Bool {
    try require(entity)
    let storage = try writing()
    if id == 0 { throw StoreError.notFound(entity: entity.name, id: 0) }
    let place = try place(entity, id, mode, storage)
    let isNew = unsafe place.old == nil
    try writeBuilt(entity, place, &writer, storage)
    return isNew
  }

  /// Requires that an id was given to an object of an entity.
  ///
  /// - Throws: ``StoreError/idNotGiven(entity:id:last:)``, and as ``withRecordWriter(_:)``.
  package func requireGiven(_ entity: EntitySchema, _ id: UInt64) throws(StoreError) {
    try require(entity)
    let last = try pending.lastID(entity, try writing())
    if id > last { throw StoreError.idNotGiven(entity: entity.name, id: id, last: last) }
  }

  /// Requires that an object has, or has had, an id that a relation to one stores, also while a closure of the caller
  /// runs.
  ///
  /// - Parameters:
  ///   - id: The id.
  ///   - position: The position of the target entity in the store.
  /// - Throws: ``StoreError/notFound(entity:id:)``, and as ``withRecordWriter(_:)``.
  /// - Complexity: O(1), or O(log *n*) for the first one in a transaction.
  package func requireTarget(_ id: UInt64, of position: Int) throws(StoreError) {
    if pending.isGiven(id, position) { return }
    guard let storage else { throw StoreError.transactionEnded }
    let entity = store.schema.entities[position]
    if id > (try pending.lastID(entity, storage)) {
      throw StoreError.notFound(entity: entity.name, id: id)
    }
  }

  /// Requires that an id which the caller assigns belongs to an object, or did when a relation to one was stored.
  ///
  /// Below the last id there are ids that nobody has given.
  ///
  /// - Parameters:
  ///   - id: The id of the target.
  ///   - position: The position of the target entity in the store.
  ///   - owner: The entity of the object that has the relation.
  ///   - ownerID: Its id; 0 for a new one.
  ///   - slot: The slot of the relation.
  /// - Throws: ``StoreError/notFound(entity:id:)``, and as ``withRecordWriter(_:)``.
  /// - Complexity: O(1) for entities whose ids are given, and O(log *n*) for others.
  package func requireAssigned(
    _ id: UInt64, of position: Int, unlessStoredIn owner: EntitySchema, _ ownerID: UInt64,
    at slot: Int
  ) throws(StoreError) {
    let entity = store.schema.entities[position]
    if !entity.hasAssignableIDs || entity == owner && id == ownerID { return }
    guard let storage else { throw StoreError.transactionEnded }
    if try storage.hasValue(entity.space, id) { return }
    if ownerID != 0, let old = try unsafe storage.value(owner.space, ownerID),
      try unsafe view(owner, ownerID, old).integerBits(slot) == id
    {
      return
    }
    throw StoreError.notFound(entity: entity.name, id: id)
  }

  /// Whether an object exists that a relation to one leads to, also while a closure of the caller runs.
  ///
  /// - Throws: As ``withRecordWriter(_:)``.
  /// - Complexity: O(log *n*).
  package func hasTarget(_ id: UInt64, of entity: EntitySchema) throws(StoreError) -> Bool {
    guard let storage else { throw StoreError.transactionEnded }
    return try storage.hasValue(entity.space, id)
  }

  /// The entity at a position in the store.
  package func entity(at position: Int) -> EntitySchema { store.schema.entities[position] }

  /// Refuses the use of the store until ``endCoding()``: a closure of the caller runs.
  @inline(__always)
  package func beginCoding() { isCoding = true }

  /// Ends what ``beginCoding()`` began.
  @inline(__always)
  package func endCoding() { isCoding = false }

  /// Runs a part of such a closure that may use the store.
  ///
  /// - Throws: The error of the part.
  package func interruptingCoding<R>(_ body: () throws -> R) rethrows -> R {
    let wasCoding = isCoding
    isCoding = false
    defer { isCoding = wasCoding }
    return try body()
  }

  /// Requires that the transaction could be committed: that no error has left a nested call.
  ///
  /// - Throws: ``StoreError/transactionFailed(reason:)``, and as ``withRecordWriter(_:)``.
  package func requireNoFailure() throws(StoreError) { _ = try writing() }

  /// Marks the transaction as failed, so that it is not committed.
  package func markFailed(_ reason: String) {
    if failure == nil { failure = reason }
  }
}
