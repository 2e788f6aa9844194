internal import BoxStorage
internal import Synchronization

/// Index entries of ended write transactions, of a store that is being filled.
///
/// No one else has the store open, so the entries are not missed; before a read transaction they
/// are written.
final class DeferredEntries: Sendable {
  /// The entries of each index of the store, by its position.
  struct Entries {
    var integers: [PendingEntries]
    var texts: [PendingTexts]

    var byteCount: Int {
      integers.reduce(0) { $0 + $1.byteCount } + texts.reduce(0) { $0 + $1.byteCount }
    }
  }

  /// The limits at which entries are written.
  struct Limits {
    /// The number of bytes above which all entries are written: 32 MiB, and as much again while
    /// they are sorted.
    var bytes = 1 << 25
    /// The number of entries in one transaction, so that it changes few pages.
    var entries = 1 << 17
  }

  private struct State {
    var entries: Entries?
    var limits = Limits()
  }

  private let inUse = Atomic<Bool>(false)
  private let state = Mutex(State())

  /// Whether entries are held back.
  var isInUse: Bool { inUse.load(ordering: .acquiring) }

  /// Begins to hold entries back.
  func begin(_ schema: StoreSchema, _ limits: Limits) {
    state.withLock {
      $0.limits = limits
      $0.entries = Entries(
        integers: Array(repeating: PendingEntries(), count: schema.indexes.count),
        texts: Array(repeating: PendingTexts(), count: schema.indexes.count))
    }
    inUse.store(true, ordering: .releasing)
  }

  /// Writes the rest.
  func end(_ schema: StoreSchema, _ storage: StorageHandle) throws(StoreError) {
    try write(schema, to: storage)
    inUse.store(false, ordering: .releasing)
    state.withLock { $0.entries = nil }
  }

  /// Gives the entries to a transaction; nil if none are held back.
  ///
  /// - Throws: ``StoreError/transactionFailed(reason:)`` if a transaction did not give them back.
  func claim() throws(StoreError) -> Entries? {
    if !isInUse { return nil }
    let taken = state.withLock { $0.entries.take() }
    guard let taken else {
      throw StoreError.transactionFailed(reason: "an earlier one, which filled the store, failed")
    }
    return taken
  }

  /// Takes the entries back from a transaction that was committed.
  func putBack(_ left: Entries, _ schema: StoreSchema, _ storage: StorageHandle) throws(StoreError)
  {
    let byteCount = left.byteCount
    let areMany = state.withLock {
      $0.entries = left
      return byteCount >= $0.limits.bytes
    }
    if areMany { try write(schema, to: storage) }
  }

  /// Writes what is held back, in transactions of its own.
  func write(_ schema: StoreSchema, to storage: StorageHandle) throws(StoreError) {
    guard var left = try claim() else { return }
    let limit = state.withLock { $0.limits.entries }
    defer { state.withLock { $0.entries = left } }
    for index in schema.indexes {
      try left.integers[index.position].flush(
        to: index.space, atOnce: limit
      ) { (write) throws(StoreError) in try Self.commit(storage, write) }
      try left.texts[index.position].flush(
        to: index.space, atOnce: limit
      ) { (write) throws(StoreError) in try Self.commit(storage, write) }
    }
  }

  private static func commit(
    _ storage: StorageHandle, _ write: (StorageAccess) throws(StoreError) -> Void
  ) throws(StoreError) {
    let transaction = try storage.beginWrite()
    defer { transaction.abort() }
    try write(transaction)
    try transaction.commit()
  }
}
