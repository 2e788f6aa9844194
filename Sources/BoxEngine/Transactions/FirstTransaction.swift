internal import BoxStorage

/// The transaction that applied a model, kept until the first write transaction continues it.
///
/// The invariant behind `@unchecked Sendable`: the lock is held around every access.
final class FirstTransaction: @unchecked Sendable {
  private enum State {
    case open(StorageAccess)
    /// The first write transaction has it, or lost it.
    case claimed
    case committed
    /// The store was closed before the first write.
    case abandoned
  }

  private let lock = Lock()
  private var state: State

  init(_ transaction: StorageAccess) { state = .open(transaction) }

  /// The transaction; nil once it was committed.
  ///
  /// - Throws: ``StoreError/storage(_:)`` of kind `closed` if the transaction was lost: then the
  ///   store does not contain what the schema refers to.
  func transaction() throws(StoreError) -> StorageAccess? {
    try lock.withLock { () throws(StoreError) in
      switch state {
      case .open(let transaction): return transaction
      case .committed: return nil
      case .abandoned: throw .closed
      case .claimed:
        throw StoreError.storage(
          StorageError(
            .closed, "the model was not applied, as the first write failed; open the store again"
          )
        )
      }
    }
  }

  /// Whether no write transaction has begun yet.
  var isOpen: Bool {
    lock.withLock { if case .open = state { true } else { false } }
  }

  /// Hands over the transaction; nil once it was committed.
  ///
  /// - Throws: As ``transaction()``.
  func claim() throws(StoreError) -> StorageAccess? {
    guard let transaction = try transaction() else { return nil }
    lock.withLock { state = .claimed }
    return transaction
  }

  /// Discards the transaction if no write transaction has begun yet.
  func abandon() {
    lock.withLock {
      guard case .open(let transaction) = state else { return }
      transaction.abort()
      state = .abandoned
    }
  }

  /// Notes that the model is applied; returns whether it was not before.
  func noteCommit() -> Bool {
    lock.withLock {
      if case .committed = state { return false }
      state = .committed
      return true
    }
  }
}
