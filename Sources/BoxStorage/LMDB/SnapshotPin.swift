/// A state of a storage that is kept, so that a newer one can be compared with it.
///
/// It is a reader: it takes one of the places for readers, and the pages that commits replace stay in the
/// file until it ends. Any thread may use it, one at a time.
package final class SnapshotPin: Sendable {
  /// Only used while the lock is held.
  ///
  /// LMDB does not bind the read transactions of a storage to threads.
  nonisolated(unsafe) private let transaction: StorageTransaction
  private let lock = Lock()
  /// The number of the state.
  package let number: UInt64

  /// Keeps the state that the last commit left.
  ///
  /// - Throws: ``StorageError`` of kind `tooManyReaders`, `usedAfterFork`, `closed` or `other`.
  package init(_ storage: Storage) throws(StorageError) {
    let transaction = try storage.beginRead()
    unsafe self.transaction = transaction
    number = transaction.number
    // Its head is still there now.
    _ = try storage.mappedPages(in: transaction)
  }

  /// Calls a function with the read transaction that sees the state; it must not escape.
  ///
  /// After ``end()`` each of its functions throws an error of kind `closed`.
  ///
  /// - Throws: The error of the function.
  package func withTransaction<R, E: Error>(
    _ body: (StorageTransaction) throws(E) -> R
  ) throws(E) -> R {
    try lock.withLock { () throws(E) in try unsafe body(transaction) }
  }

  /// Gives the state up; does nothing if that was done before.
  package func end() { lock.withLock { unsafe transaction.abort() } }
}
