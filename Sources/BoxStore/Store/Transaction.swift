internal import BoxEngine

/// The transaction of a call of `Store.runInTransaction(_:)`.
///
/// It belongs to that call and must not be kept.
public final class Transaction {
  private let engine: EngineTransaction

  init(_ engine: EngineTransaction) { self.engine = engine }

  /// Whether anything was put, removed or linked in the transaction so far.
  public var hasChanges: Bool { TransactionState.of(engine).hasChanges }

  /// Ends the call, and undoes the transaction.
  ///
  /// - Throws: Always `CancellationError`, which leaves the call that runs the transaction.
  public func cancel() throws -> Never { throw CancellationError() }
}
