internal import BoxEngine

/// The things that the library keeps with a transaction.
final class TransactionState {
  /// The put in progress; nil between puts.
  var put: PutContext?
  /// Whether anything was put, removed or linked.
  var hasChanges = false
  /// Whether the transaction was cancelled, so that it must not be committed.
  var isCancelled = false
  /// The session of the last put of one object.
  private var session: __PutSession?

  /// A session for the put of one object: the last one is reused for the same kind, since a transaction may
  /// put a million objects one by one.
  @unsafe func session(
    _ core: __EntityCore, _ mode: PutMode, _ transaction: EngineTransaction,
    _ writer: UnsafeMutablePointer<RecordWriter>
  ) -> __PutSession {
    if let session, unsafe session.serves(core, mode, writer) {
      session.restart()
      return session
    }
    let made = unsafe __PutSession(core, mode, transaction, writer)
    session = made
    return made
  }

  /// The put in progress in a transaction.
  static func put(in transaction: EngineTransaction?) -> PutContext? {
    (transaction?.attachment as? TransactionState)?.put
  }

  /// The state of a transaction, made when it is first asked for.
  static func of(_ transaction: EngineTransaction) -> TransactionState {
    if let state = transaction.attachment as? TransactionState { return state }
    let state = TransactionState()
    transaction.attachment = state
    return state
  }

  /// Runs a function of the application; throws also if it swallowed the error of a cancellation.
  static func uncancelled<R>(_ transaction: EngineTransaction, _ body: () throws -> R) throws -> R {
    let result = try body()
    if (transaction.attachment as? TransactionState)?.isCancelled == true {
      throw CancellationError()
    }
    return result
  }

  /// Runs a function of the application in a transaction that it shares with other callers.
  static func scoped<R>(_ transaction: EngineTransaction, _ body: () throws -> R) throws -> R {
    let outer = transaction.attachment
    transaction.attachment = nil
    defer { transaction.attachment = outer }
    return try uncancelled(transaction, body)
  }
}
