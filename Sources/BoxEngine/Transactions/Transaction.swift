internal import BoxModel
internal import BoxStorage

/// A transaction over a store: one snapshot for all reads, and all writes or none.
///
/// It belongs to the thread and to the call that it was lent to; used later, every method throws
/// ``StoreError/transactionEnded``.
///
/// The memory behind its pointers is its own, or that of its reader state.
@safe public final class Transaction {
  /// The store.
  public let store: ObjectStore
  /// Whether it may write.
  public let isWritable: Bool

  // A transaction belongs to one thread, and a closure that could come back in the middle of an
  // access is refused by `isCoding`: checking each access again at run time took a tenth of a put.

  /// Nil once the transaction has ended.
  @safe @exclusivity(unchecked) var storage: StorageAccess?
  /// The error that left a nested transaction; nothing can be committed after it.
  @safe @exclusivity(unchecked) var failure: String?
  /// Whether a closure of the caller writes or reads an object at the moment, and must not use the store.
  @safe @exclusivity(unchecked) package internal(set) var isCoding = false
  /// The properties that every object had before, and that records of this transaction lack.
  @safe @exclusivity(unchecked) var missingProperties: Set<UID> = []
  /// The number of visits of ids that are in progress, during which the caller may read but not
  /// write: a write could move the records under their cursors.
  @safe @exclusivity(unchecked) private var visits = 0

  private let identity: ObjectIdentifier
  private let reader: Unmanaged<ReaderState>
  /// The verifiers of the reader state.
  private let verifiers: UnsafeMutablePointer<RecordVerifier?>
  /// Nil in a read transaction.
  private let writes: UnsafeMutablePointer<WriteState>?
  /// A value that a library above the engine keeps with the transaction.
  @safe @exclusivity(unchecked) package var attachment: AnyObject?
  /// The request of the caller to end the visits of this transaction; nil without one.
  @safe @exclusivity(unchecked) var interruption: Interruption?
  /// The number of look-ups of objects since there has been one.
  @safe @exclusivity(unchecked) var lookUps = 0
  /// The records that a read in this write transaction verified last.
  @safe @exclusivity(unchecked) var verified = VerifiedRecords()

  /// The objects that lost unique values in a call that is in progress and puts several; nil outside of one.
  @safe @exclusivity(unchecked) package var displaced: DisplacedObjects?
  /// The numbers of the objects that this transaction removed as others took over their unique values, and of those that
  /// delete rules removed or changed with them.
  @safe @exclusivity(unchecked) package var displacement = RemovalEffects()

  @safe @exclusivity(unchecked) private var keptPathLinks: PathLinks?

  /// The links that paths have followed: empty ones where a write transaction may change links.
  var pathLinks: PathLinks {
    if storage?.isWritable ?? true { return PathLinks() }
    let links = keptPathLinks ?? PathLinks()
    keptPathLinks = links
    return links
  }

  init(_ store: ObjectStore, _ storage: StorageAccess, readsOnly: Bool = false) {
    self.store = store
    self.storage = storage
    isWritable = storage.isWritable && !readsOnly
    identity = ObjectIdentifier(store.schema.identity)
    unsafe reader = store.readerStates.acquire(store.schema)
    unsafe verifiers = reader._withUnsafeGuaranteedRef { unsafe $0.verifiers }
    unsafe writes = isWritable ? .allocate(capacity: 1) : nil
    unsafe writes?.initialize(to: WriteState(store))
  }

  deinit {
    unsafe writes?.deinitialize(count: 1)
    unsafe writes?.deallocate()
    // Nobody can have a record of it any more.
    unsafe store.readerStates.release(reader)
  }

  @inline(__always)
  private var writeState: UnsafeMutablePointer<WriteState> {
    guard let writes = unsafe writes else {
      preconditionFailure("a read transaction has nothing to write")
    }
    return unsafe writes
  }

  /// The writes for the end of a write transaction.
  @inline(__always)
  var pending: PendingWrites {
    _read { yield unsafe writeState.pointee.pending }
    _modify { yield unsafe &writeState.pointee.pending }
  }

  /// The writer of the records of a write transaction.
  @inline(__always)
  var writer: RecordWriter {
    _read { yield unsafe writeState.pointee.writer }
    _modify { yield unsafe &writeState.pointee.writer }
  }

  /// The things to take back if a write transaction, or a part of it, is undone.
  @inline(__always)
  var log: UndoLog {
    _read { yield unsafe writeState.pointee.log }
    _modify { yield unsafe &writeState.pointee.log }
  }

  /// The writers for records that are built before they are put.
  @inline(__always)
  var spareWriters: SpareWriters {
    _read { yield unsafe writeState.pointee.spare }
    _modify { yield unsafe &writeState.pointee.spare }
  }

  /// Whether it was committed or undone.
  package var hasEnded: Bool { storage == nil }

  /// The transaction of the storage, for reading.
  @inline(__always)
  func reading() throws(StoreError) -> StorageAccess {
    guard let storage else { throw StoreError.transactionEnded }
    if isCoding { throw StoreError.usedWhileCoding }
    return storage
  }

  /// The transaction of the storage, for writing.
  @inline(__always)
  func writing() throws(StoreError) -> StorageAccess {
    if !isWritable { throw StoreError.readTransaction }
    if let failure { throw StoreError.transactionFailed(reason: failure) }
    if visits > 0 { throw StoreError.writtenWhileVisiting }
    return try reading()
  }

  /// Runs a closure of the caller that must not use the store.
  @inline(__always)
  func coding<R>(_ body: () throws -> R) rethrows -> R {
    isCoding = true
    defer { isCoding = false }
    return try body()
  }

  /// Begins a visit, during which the caller may read and not write.
  @inline(__always)
  func beginVisit() { visits += 1 }

  /// Ends the visit.
  @inline(__always)
  func endVisit() { visits -= 1 }

  @inline(__always)
  func require(_ relation: RelationSchema) throws(StoreError) {
    if ObjectIdentifier(relation.identity) != identity {
      throw StoreError.foreignSchema(relation.name)
    }
  }

  @inline(__always)
  func require(_ entity: EntitySchema) throws(StoreError) {
    if ObjectIdentifier(entity.identity) != identity {
      throw StoreError.foreignSchema(entity.name)
    }
  }

  /// The verifier of the records of an entity.
  @inline(__always)
  func verifier(_ entity: EntitySchema) -> RecordVerifier {
    unsafe verifiers[entity.position] ?? makeVerifier(entity)
  }

  private func makeVerifier(_ entity: EntitySchema) -> RecordVerifier {
    unsafe reader._withUnsafeGuaranteedRef { $0.makeVerifier(entity) }
  }

  /// The verified record of an object, valid as long as its bytes are.
  @inline(__always)
  func view(
    _ entity: EntitySchema, _ id: UInt64, _ record: UnsafeRawBufferPointer
  ) throws(StoreError) -> RecordView {
    try unsafe view(entity, id, record, verifier(entity))
  }

  /// The same, where the verifier was looked up before.
  @inline(__always)
  func view(
    _ entity: EntitySchema, _ id: UInt64, _ record: UnsafeRawBufferPointer,
    _ verifier: RecordVerifier
  ) throws(StoreError) -> RecordView {
    do throws(RecordDamage) {
      return try unsafe verifier.view(
        id, record, isChecked: verified.contains(entity.position, id))
    } catch let damage {
      throw StoreError.damagedRecord(entity: entity.name, id: id, damage)
    }
  }

  /// Writes what was held back to the storage.
  func flush() throws(StoreError) {
    try pending.flush(to: try writing())
  }

  func commit() throws(StoreError) {
    guard let storage else { throw StoreError.transactionEnded }
    if let failure {
      abort()
      throw StoreError.transactionFailed(reason: failure)
    }
    if isWritable {
      if pending.capture != nil { try captureDisplaced(storage) }
      try pending.finish(to: storage)
      try forgetRequirements(storage)
    }
    self.storage = nil
    try commit(storage)
    if isWritable { log = UndoLog() }
  }

  private func commit(_ storage: StorageAccess) throws(StoreError) {
    guard isWritable, let search = store.neighbourSearch,
      let changes = search.changes(of: pending, number: storage.number, store.schema.entities)
    else { return try storage.commit() }
    search.recordChanges(changes)
    do {
      try storage.commit()
    } catch {
      search.end(changes.number, isCommitted: false)
      throw error
    }
    search.end(changes.number, isCommitted: true)
  }

  func abort() {
    storage?.abort()
    storage = nil
  }

  /// Ends a read transaction; returns whether that of the storage ended too, which it does unless it
  /// writes: then another transaction continues it.
  func endReading() -> Bool {
    guard let storage else { return true }
    self.storage = nil
    if storage.isWritable { return false }
    storage.abort()
    return true
  }
}

/// Records of one entity, next to each other, whose checksums were verified in a transaction.
///
/// A record that is read and then replaced need not be checked twice: no other process changes it
/// meanwhile, and what the transaction itself writes is right.
struct VerifiedRecords {
  private var entity = -1
  private var ids: ClosedRange<UInt64> = 0...0

  @inline(__always)
  func contains(_ entity: Int, _ id: UInt64) -> Bool {
    self.entity == entity && ids.contains(id)
  }

  /// Remembers the records from the first to the last id of a visit, in any direction.
  mutating func record(_ entity: Int, _ first: UInt64, _ last: UInt64) {
    self.entity = entity
    ids = min(first, last)...max(first, last)
  }
}
