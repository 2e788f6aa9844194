public import Dispatch
internal import Synchronization

extension Store {
  /// Runs a function in a write transaction on a thread of the store, and calls another one at its end.
  ///
  /// Calls run in the order in which they were made, together with calls of the `async` method of this name.
  /// The completion is called once, with the value of the function after its changes are on disk, or with an
  /// error.
  ///
  /// - Parameters:
  ///   - block: The function.
  ///   - queue: The queue on which the completion is called.
  ///   - completion: Called with the value or the error.
  /// - Complexity: O(1); the function runs later.
  public func runInTransaction<T: Sendable>(
    _ block: sending @escaping (Transaction) throws -> T,
    completionQueue queue: DispatchQueue = .main,
    completion: @escaping @Sendable (Result<T, any Error>) -> Void
  ) {
    let work = Transferred(block)
    let value = CompletedValue<T>()
    do {
      try requireOpen()
      try core.enqueue(
        { [core] engine in
          let result = try TransactionState.scoped(engine) {
            try work.value(Transaction(engine, of: core, notesChanges: true))
          }
          value.set(result)
        },
        completion: { error in
          queue.async { completion(value.result(error)) }
        })
    } catch {
      queue.async { completion(.failure(error)) }
    }
  }
}

/// The value of a function that runs on another thread.
private final class CompletedValue<T: Sendable>: Sendable {
  private let value = Mutex<T?>(nil)

  func set(_ value: T) { self.value.withLock { $0 = value } }

  /// The value, or the error with which the transaction ended.
  func result(_ error: (any Error)?) -> Result<T, any Error> {
    if let error { return .failure(error) }
    guard let value = value.withLock({ $0 }) else {
      return .failure(ObjectBoxError.illegalState(message: "the transaction did not run"))
    }
    return .success(value)
  }
}
