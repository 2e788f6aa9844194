internal import BoxEngine

/// The state that a read transaction sees where another transaction is open on its thread.
@nonexhaustive public enum ReadView: Hashable, Sendable {
  /// The state of the open transaction, with its writes; without a transaction, the last committed state.
  case current
  /// The last committed state, without what an open transaction wrote.
  case committed
}

extension Store {
  /// Runs a function in a read transaction that sees a state of the caller's choice.
  ///
  /// ```swift
  /// try store.runInTransaction {
  ///   try books.put(Book("Eden"))
  ///   let before = try store.runInReadOnlyTransaction(.committed) { try books.count() }
  ///   print(before)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - view: The state.
  ///   - block: The function; calls of boxes in it join the read transaction.
  /// - Returns: The value of the function.
  /// - Throws: As ``runInReadOnlyTransaction(_:)-(()->T)``.
  /// - Complexity: O(1) beside the function.
  @discardableResult
  public func runInReadOnlyTransaction<T>(_ view: ReadView, _ block: () throws -> T) throws -> T {
    if view == .current { return try runInReadOnlyTransaction(block) }
    try requireOpen()
    return try ObjectBoxError.wrapping {
      if core.engine.currentTransaction?.isCoding == true { throw StoreError.usedWhileCoding }
      return try core.engine.readCommitted { _ in try block() }
    }
  }
}
