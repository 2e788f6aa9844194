internal import Dispatch
internal import Synchronization

/// The calls of a subscription to commits: the last commit last.
final class CommitCalls: Sendable {
  private struct State: Sendable {
    var isActive = true
    /// The commits that the handler has to see, or 0 for a call at the beginning.
    var pending = PendingCommits<Void> { _, _ in }
  }

  private let delivery: Delivery
  private let isReady: @Sendable () -> Bool
  private let call: @Sendable () -> UInt64
  private let state = Mutex(State())

  /// Creates a subscription without any call.
  ///
  /// - Parameters:
  ///   - queue: The queue on which the calls are made.
  ///   - isReady: Whether a call can be made now; ``resume()`` asks again.
  ///   - call: Returns the number of the last commit that it has seen.
  init(
    _ queue: DispatchQueue, isReady: @escaping @Sendable () -> Bool,
    _ call: @escaping @Sendable () -> UInt64
  ) {
    delivery = Delivery(queue)
    self.isReady = isReady
    self.call = call
  }

  /// Ends the calls; one that is running continues.
  func end() { state.withLock { $0.isActive = false } }

  /// Requests a call for a commit, or for 0 at the beginning.
  func send(_ number: UInt64) {
    state.withLock { state in
      // The handler may have read the commit before its delivery; then it needs no first call either.
      if state.pending.seen < max(number, 1) { state.pending.append(number, ()) }
    }
    resume()
  }

  /// Makes the call that waits until the subscription is ready, if there is one.
  func resume() {
    delivery.resume { [self] in
      state.withLock { $0.isActive && !$0.pending.isEmpty } && isReady()
    } _: { [self] in
      run()
    }
  }

  private func run() {
    let due = state.withLock { $0.isActive ? $0.pending.newest : nil }
    guard let due else { return }
    let seen = max(call(), due)
    state.withLock { _ = $0.pending.consume(through: seen) }
  }
}
