internal import Dispatch
internal import Synchronization

/// The calls of a subscription: one at a time on any queue, the last commit last.
///
/// A handler that is slower than the writers is not called for every commit: at most one call waits at a
/// time, whatever is committed, and it is for the newest commit.
final class Delivery: Sendable {
  private struct State: Sendable {
    var isActive = true
    /// Whether a call waits on the queue or runs.
    var isScheduled = false
    /// The newest commit that the handler has to see, or 0 for a call at the beginning; nil for none.
    var due: UInt64?
    /// The last commit that the handler has seen.
    var seen: UInt64 = 0
  }

  private let queue: DispatchQueue
  private let isReady: @Sendable () -> Bool
  private let call: @Sendable () -> UInt64
  private let state = Mutex(State())

  /// Creates a delivery without any call.
  ///
  /// - Parameters:
  ///   - queue: The queue on which the calls are made.
  ///   - isReady: Whether a call can be made now; ``resume()`` asks again.
  ///   - call: Returns the number of the last commit that it has seen.
  init(
    _ queue: DispatchQueue, isReady: @escaping @Sendable () -> Bool,
    _ call: @escaping @Sendable () -> UInt64
  ) {
    self.queue = queue
    self.isReady = isReady
    self.call = call
  }

  /// Ends the calls; one that is running continues.
  func end() { state.withLock { $0.isActive = false } }

  /// Requests a call for a commit, or for 0 at the beginning.
  func send(_ number: UInt64) {
    schedule { state in state.due = max(state.due ?? 0, number) }
  }

  /// Makes the call that waits until the subscription is ready, if there is one.
  func resume() { schedule { _ in } }

  private func schedule(_ change: (inout State) -> Void) {
    let begins = state.withLock { state in
      change(&state)
      guard state.isActive, !state.isScheduled, state.due != nil, isReady() else { return false }
      state.isScheduled = true
      return true
    }
    if begins { queue.async { [self] in run() } }
  }

  private func run() {
    let number = state.withLock { state -> UInt64? in
      defer { state.due = nil }
      guard state.isActive, let due = state.due else { return nil }
      // The handler may have read the commit before it was told; then it needs no first call either.
      return state.seen >= max(due, 1) ? nil : due
    }
    let last = number.map { max(call(), $0) }
    schedule { state in
      if let last { state.seen = max(state.seen, last) }
      state.isScheduled = false
    }
  }
}
