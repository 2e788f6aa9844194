internal import BoxJSON
public import BoxModel
public import BoxReport
public import BoxStorage
internal import Synchronization

/// A store of objects, described by a model.
///
/// Transactions may be run from any thread: any number that read, each on the snapshot of its
/// begin, and one at a time that writes.
public final class ObjectStore: Sendable {
  /// The location of the store.
  public let location: StorageLocation
  /// The current model.
  public let model: Model
  /// The warnings about opening the store.
  public let warnings: [Finding]

  /// The storage until the store is closed; transactions that run keep it open.
  private let opened: Mutex<StorageHandle?>
  /// The identity of the storage.
  let storageID: ObjectIdentifier
  /// Whether the store was opened to be read only.
  public let isReadOnly: Bool
  let schema: StoreSchema
  let observers = Observers()
  /// The commits of others; nil if they are not heard.
  let foreign: ForeignCommits?
  let submissions = Submissions()
  /// The states of ended transactions, for the next ones.
  let readerStates = ReaderStates()
  /// Entries of indexes that were not written yet; empty except while a store is being filled.
  let deferredEntries = DeferredEntries()
  /// The ids given by this opening; nil if ids of transactions that were undone are given again.
  let issuedIDs: IssuedIDs?
  /// Held from the begin of a write transaction until its changes are queued for the observers, so
  /// that they come in the order of the commits.
  let writing = Lock()
  /// Indexes of the model that this opening of the store does not use, if any.
  let deferred: DeferredIndexes?
  /// The transaction that applied the model; nil if the model was applied when the store was
  /// opened.
  private let first: FirstTransaction?
  /// The entities captured for data sync, and the generation of the catalog since it was switched on or off here.
  private let syncing: Mutex<SyncState>
  /// The generation of the catalog that was last found to be readable, and the last transaction
  /// whose state that was.
  private let readableGeneration: Atomic<Int>
  private let readableState = Atomic<UInt64>(0)

  /// The version of the format in which stores are written.
  package static var formatVersion: Int { Catalog.formatVersion }

  /// The largest id that an object can have: 2^63-1.
  public static let maximumID = UInt64(Int64.max)

  init(
    _ location: StorageLocation, _ storage: StorageHandle, _ model: Model, _ schema: StoreSchema,
    _ warnings: [Finding], _ options: StoreOptions = StoreOptions(),
    deferred: DeferredIndexes? = nil,
    uncommitted: (StorageAccess)? = nil
  ) {
    self.deferred = deferred
    issuedIDs = options.keepsIssuedIDs ? IssuedIDs(schema) : nil
    foreign =
      if case .everywhere(let limit) = options.hearing { ForeignCommits(limit: limit) } else { nil }
    first = uncommitted.map { FirstTransaction($0) }
    self.location = location
    opened = Mutex(storage)
    storageID = storage.id
    isReadOnly = storage.isReadOnly
    self.model = model
    self.schema = schema
    syncing = Mutex(SyncState(schema))
    readableGeneration = Atomic(schema.catalog.generation)
    self.warnings =
      storage.hasLocks
      ? warnings
      : warnings + [
        Finding(
          rule: OpeningRule.noLocks,
          message: "the lock file cannot be created, so the store is read without locks",
          advice: "make sure that no program writes to it meanwhile", path: location.description)
      ]
  }

  deinit { foreign?.end() }

  /// The request to end what is being read.
  package let interruption = Interruption()

  /// The storage.
  ///
  /// - Throws: ``StoreError/closed``.
  var storage: StorageHandle {
    get throws(StoreError) {
      guard let storage = opened.withLock({ $0 }) else { throw .closed }
      return storage
    }
  }

  /// The search for nearest vectors that queries use; nil for a scan.
  private let attachedSearch = Mutex<(any NeighbourSearch)?>(nil)

  /// The search for nearest vectors that queries use; nil for a scan.
  ///
  /// A search that is attached while a transaction writes does not receive the changes of that transaction.
  /// It has to notice that the number of the transaction is missing.
  package var neighbourSearch: (any NeighbourSearch)? {
    get { attachedSearch.withLock { $0 } }
    set { attachedSearch.withLock { $0 = newValue } }
  }

  /// The time and the random bits of captured transactions.
  private let sources = Mutex(CaptureSource())

  /// The time and the random bits of captured transactions.
  package var captureSource: CaptureSource {
    get { sources.withLock { $0 } }
    set { sources.withLock { $0 = newValue } }
  }

  /// The entities that this opening captures; nil in a store where data sync is not switched on.
  var captureSchema: CaptureSchema? { syncing.withLock { $0.capture } }

  /// The catalog of this opening.
  var catalog: Catalog {
    syncing.withLock { state in
      var catalog = schema.catalog
      (catalog.generation, catalog.sync) = (state.generation, state.entities)
      return catalog
    }
  }

  /// Adopts what this opening has made of the catalog.
  func adopt(_ state: SyncState) { syncing.withLock { $0 = state } }

  /// The entities in the order of the model.
  public var entities: [EntitySchema] { schema.entities }

  /// Whether objects can lose a unique value to another one.
  package var displaces: Bool { schema.displaces }

  /// Whether objects that have delete rules can.
  package var displacesByRules: Bool { schema.displacesByRules }

  /// The declarations about the relations of the store, also about those that the model lacks, with the names that
  /// they have now.
  ///
  /// - Complexity: O(*n*) in the number of stored elements.
  public var declarations: Declarations { schema.catalog.namedDeclarations.all }

  /// The entity of a name in the model.
  ///
  /// - Throws: ``StoreError/unknownEntity(_:)``.
  /// - Complexity: O(1) on average.
  public func entity(named name: String) throws(StoreError) -> EntitySchema {
    guard let position = schema.positions.byName[ExactText(name)] else {
      throw StoreError.unknownEntity(name)
    }
    return schema.entities[position]
  }

  /// The entity of a UID; nil if the model has none.
  ///
  /// - Complexity: O(1) on average.
  public func entity(_ uid: UID) -> EntitySchema? {
    schema.positions.byUID[uid].map { schema.entities[$0] }
  }

  /// Whether the model will be applied with the first write.
  var hasUnappliedModel: Bool { first?.isOpen ?? false }

  // MARK: - Closing

  /// Closes the store.
  ///
  /// After that, functions that begin a transaction throw ``StoreError/closed``. Transactions that run
  /// continue to their end, and the last one closes the files. Without any, they are closed when this
  /// returns, unless another opening in this process uses them. A model that was to be applied with the first
  /// write is not applied; such a store must be closed on the thread that opened it.
  ///
  /// Closing a closed store does nothing. A store that is not closed is closed when the last
  /// reference to it is released.
  ///
  /// - Complexity: O(1).
  public func close() {
    // The handle is released after the lock, as closing the files can take a while.
    foreign?.end()
    _ = opened.withLock { $0.take() }
    if ThreadTransactions.current(of: self) == nil { first?.abandon() }
  }

  /// Whether ``close()`` was called.
  public var isClosed: Bool { opened.withLock { $0 == nil } }

  // MARK: - Transactions

  /// Runs a function of the engine in a read transaction, as ``read(_:)`` does.
  func reading<R>(
    _ body: (Transaction) throws(StoreError) -> R
  ) throws(StoreError) -> R {
    try StoreError.only { try read(body) }
  }

  /// The transaction of this store that is open on the calling thread, if any.
  package var currentTransaction: Transaction? { ThreadTransactions.current(of: self) }

  /// Runs a function in a read transaction, or in the transaction that is open on this thread.
  ///
  /// - Throws: ``StoreError/closed``, ``StoreError/usedWhileCoding`` inside a converter,
  ///   ``StoreError/modelChangedElsewhere`` if the data means something else than when the store was
  ///   opened, ``StoreError/damagedCatalog(_:)``, ``StoreError/storage(_:)``, of kind
  ///   `tooManyReaders` if all reader slots are taken, and the error of `body`.
  public func read<R>(_ body: (Transaction) throws -> R) throws -> R {
    if ConverterScope.isActive { throw StoreError.usedWhileCoding }
    if let current = ThreadTransactions.current(of: self) { return try body(current) }
    let transaction = try beginReading()
    defer { endReading(transaction) }
    return try body(transaction)
  }

  /// Runs a function in a read transaction of its own, also where one is open on this thread: calls of the
  /// function join the new one.
  ///
  /// - Throws: As ``read(_:)``.
  package func readCommitted<R>(_ body: (Transaction) throws -> R) throws -> R {
    if ConverterScope.isActive { throw StoreError.usedWhileCoding }
    let transaction = try beginReading()
    defer { endReading(transaction) }
    return try body(transaction)
  }

  // Neither has a type parameter, which would make each call look its type up.

  private func beginReading() throws(StoreError) -> Transaction {
    if let uncommitted = try first?.transaction() {
      let transaction = Transaction(self, uncommitted, readsOnly: true)
      ThreadTransactions.begin(transaction)
      return transaction
    }
    if deferredEntries.isInUse {
      try writing.withLock { () throws(StoreError) in try deferredEntries.write(schema, to: storage)
      }
    }
    let access = if let foreign { try foreign.beginRead(storage) } else { try storage.beginRead() }
    do throws(StoreError) {
      try requireReadableCatalog(access)
    } catch {
      access.abort()
      throw error
    }
    let transaction = Transaction(self, access)
    ThreadTransactions.begin(transaction)
    return transaction
  }

  private func endReading(_ transaction: Transaction) {
    ThreadTransactions.end(transaction)
    // A read of the transaction that applied the model leaves that open.
    if !transaction.endReading(), isClosed { first?.abandon() }
  }

  /// Runs a function in a write transaction, or in the one that is open on this thread.
  ///
  /// The outermost call commits when the function returns, and the changes are on disk when the call
  /// returns. If the function throws, nothing of the transaction is kept; that holds for the whole
  /// of it if the error leaves a nested call, even if it is caught further out.
  ///
  /// - Throws: ``StoreError/readTransaction`` inside a read transaction,
  ///   ``StoreError/writingElsewhere`` inside a write transaction of another opening of the store,
  ///   ``StoreError/modelChangedElsewhere``, ``StoreError/transactionFailed(reason:)``,
  ///   ``StoreError/usedWhileCoding`` inside a converter, ``StoreError/closed``,
  ///   ``StoreError/storage(_:)``, and what `body` throws.
  @discardableResult
  public func write<R>(_ body: (Transaction) throws -> R) throws -> R {
    if ConverterScope.isActive { throw StoreError.usedWhileCoding }
    if let current = ThreadTransactions.current(of: self) {
      if !current.isWritable { throw StoreError.readTransaction }
      do {
        return try body(current)
      } catch {
        if current.failure == nil { current.failure = "\(error)" }
        throw error
      }
    }
    if ThreadTransactions.isWriting(to: storageID) { throw StoreError.writingElsewhere }
    var undone: Transaction?
    // Objects of the app are changed, which must not happen under the lock.
    defer { undone?.callBack() }
    return try writing.withLock {
      let storage = try storage
      // The transaction that applied the model, or a new one.
      let access = try first?.claim() ?? storage.beginWrite()
      let number = access.number
      foreign?.poll(self, before: number)
      let transaction = Transaction(self, access)
      defer { transaction.abort() }
      try requireSameCatalog(access)
      if let left = try deferredEntries.claim() { transaction.pending.adopt(left) }
      ThreadTransactions.begin(transaction)
      let result: R
      do {
        do {
          defer { ThreadTransactions.end(transaction) }
          result = try body(transaction)
        }
        if let foreign {
          try foreign.commit(self, number) { try commit(transaction, number) }
        } else {
          _ = try commit(transaction, number)
        }
      } catch {
        transaction.abort()
        keepIDs(of: transaction, storage)
        undone = transaction
        throw error
      }
      if deferredEntries.isInUse {
        try deferredEntries.putBack(transaction.pending.releaseEntries(), schema, storage)
      }
      if let first, first.noteCommit() { try storage.share() }
      return result
    }
  }

  /// Commits a transaction, and queues its changes for the observers; returns whether the entity at each position was
  /// changed.
  private func commit(
    _ transaction: Transaction, _ number: UInt64
  ) throws(StoreError) -> [Bool] {
    try transaction.commit()
    let changes = transaction.pending.changes
    observers.deliver(changes, number: number, uids: schema.entities.map(\.uid))
    return changes.touched
  }

  /// Runs a function, between whose write transactions index entries are held back, to be written in
  /// their order at its end: in the order of the objects they cost several times as much.
  ///
  /// After an error the store lacks entries, and must be thrown away.
  func deferringEntries(
    _ limits: DeferredEntries.Limits = DeferredEntries.Limits(), _ body: () throws -> Void
  ) throws {
    deferredEntries.begin(schema, limits)
    try body()
    try writing.withLock { () throws(StoreError) in try deferredEntries.end(schema, storage) }
  }

  /// Another process may have opened the store with a model that gives an empty entity other types,
  /// or that has other indexes.
  func requireReadableCatalog(_ storage: StorageAccess) throws(StoreError) {
    let state = storage.number
    if state == readableState.load(ordering: .relaxed) { return }
    let generation = try StoredCatalog.generation(schema.catalogSpace, storage)
    if generation != readableGeneration.load(ordering: .relaxed) {
      guard let stored = try StoredCatalog.read(schema.catalogSpace, storage),
        schema.isReadable(in: stored)
      else { throw StoreError.modelChangedElsewhere }
      readableGeneration.store(generation, ordering: .relaxed)
    }
    readableState.store(state, ordering: .relaxed)
  }

  /// Another process may have opened the store with a model that has other indexes.
  func requireSameCatalog(_ storage: StorageAccess) throws(StoreError) {
    let generation = try StoredCatalog.generation(schema.catalogSpace, storage)
    if generation != syncing.withLock({ $0.generation }) { throw StoreError.modelChangedElsewhere }
  }

  /// Whether the model of this opening is still the one that is in the store.
  ///
  /// - Throws: ``StoreError/closed``, ``StoreError/damagedCatalog(_:)`` or ``StoreError/storage(_:)``.
  /// - Complexity: O(1).
  package func hasCurrentModel() throws(StoreError) -> Bool {
    try reading { (transaction) throws(StoreError) in
      let storage = try transaction.reading()
      return try StoredCatalog.generation(schema.catalogSpace, storage)
        == syncing.withLock { $0.generation }
    }
  }

  // MARK: - Looking after it

  /// Sizes, readers and limits.
  ///
  /// - Throws: ``StoreError/closed`` or ``StoreError/storage(_:)``.
  public func status() throws(StoreError) -> StorageStatus {
    try storage.status()
  }

  /// Writes a consistent copy of the data file to an open file, while others read and write.
  ///
  /// - Parameters:
  ///   - descriptor: A file that is open for writing.
  ///   - compacting: Whether free pages are left out.
  /// - Throws: ``StoreError/closed`` or ``StoreError/storage(_:)``.
  public func copy(to descriptor: Int32, compacting: Bool) throws(StoreError) {
    try storage.copy(to: descriptor, compacting: compacting)
  }
}
