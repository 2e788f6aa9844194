internal import Synchronization

/// A request to end what a store is reading, made from another thread, from a signal handler, or by a deadline.
package final class Interruption: Sendable {
  private let flag = Atomic(false)
  /// The time at which the request makes itself; nil for none.
  private let deadline: ContinuousClock.Instant?

  /// Creates a request that is not made yet.
  ///
  /// - Parameter deadline: The time at which it makes itself; nil for none.
  package init(deadline: ContinuousClock.Instant? = nil) { self.deadline = deadline }

  /// Ends the visits of objects that are in progress, and those that begin later, with
  /// ``StoreError/interrupted``.
  ///
  /// Safe in a signal handler: it writes one byte.
  package func request() { flag.store(true, ordering: .relaxed) }

  /// Takes the request back; the deadline stays.
  package func clear() { flag.store(false, ordering: .relaxed) }

  /// Whether the request is made by a call.
  package var isRequested: Bool { flag.load(ordering: .relaxed) }

  /// Whether the deadline has passed.
  package var isPastDeadline: Bool { deadline.map { ContinuousClock.now >= $0 } ?? false }
}

extension Transaction {
  /// The number of objects that a visit reads between two looks at the interruption.
  static let visitsBetweenLooks = 256

  /// The number of look-ups of objects between two looks at the clock.
  private static let lookUpsBetweenClocks = 16

  /// Ends a visit of objects if that was requested, of the store or of this transaction.
  ///
  /// - Throws: ``StoreError/interrupted``.
  @inline(__always)
  func checkInterruption() throws(StoreError) {
    if store.interruption.isRequested { throw .interrupted }
    if let interruption, interruption.isRequested || interruption.isPastDeadline {
      throw .interrupted
    }
  }

  /// Ends a look-up of objects as ``checkInterruption()`` does, and looks at the clock for one of several.
  @inline(__always)
  func checkInterruptionOfLookUp() throws(StoreError) {
    if store.interruption.isRequested { throw .interrupted }
    guard let interruption else { return }
    lookUps &+= 1
    if interruption.isRequested
      || lookUps % Self.lookUpsBetweenClocks == 0 && interruption.isPastDeadline
    {
      throw .interrupted
    }
  }

  /// Whether visits end because the deadline of this transaction has passed, and for no other reason.
  var isPastDeadline: Bool {
    guard let interruption, !store.interruption.isRequested else { return false }
    return !interruption.isRequested && interruption.isPastDeadline
  }
}

extension ObjectStore {
  /// Runs a function in a read transaction, or in the transaction that is open on this thread, whose visits
  /// of objects also end by a request of the caller's own.
  ///
  /// - Parameters:
  ///   - interruption: The request; its deadline holds for the whole call.
  ///   - body: Called with the transaction.
  /// - Returns: The result of the function.
  /// - Throws: As ``read(_:)``, and ``StoreError/interrupted`` from visits after the request.
  package func read<R>(
    _ interruption: Interruption, _ body: (Transaction) throws -> R
  ) throws -> R {
    try read { transaction in
      let outer = transaction.interruption
      transaction.interruption = interruption
      defer { transaction.interruption = outer }
      return try body(transaction)
    }
  }
}
