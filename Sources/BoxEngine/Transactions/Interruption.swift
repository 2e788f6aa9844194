internal import Synchronization

/// A request to end what a store is reading, made from another thread or from a signal handler.
package final class Interruption: Sendable {
  private let flag = Atomic(false)

  /// Creates a request that is not made yet.
  package init() {}

  /// Ends the visits of objects that are in progress, and those that begin later, with
  /// ``StoreError/interrupted``.
  ///
  /// Safe in a signal handler: it writes one byte.
  package func request() { flag.store(true, ordering: .relaxed) }

  /// Takes the request back.
  package func clear() { flag.store(false, ordering: .relaxed) }

  /// Whether the request is made.
  package var isRequested: Bool { flag.load(ordering: .relaxed) }
}

extension Transaction {
  /// The number of objects that a visit reads between two looks at the interruption.
  static let visitsBetweenLooks = 256

  /// Ends a visit of objects if that was requested.
  ///
  /// - Throws: ``StoreError/interrupted``.
  @inline(__always)
  func checkInterruption() throws(StoreError) {
    if store.interruption.isRequested { throw .interrupted }
  }
}
