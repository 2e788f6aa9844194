internal import BoxEngine
internal import Synchronization

/// A request of the reader to end what is read for an answer, made when the connection is closed.
package final class BrowseCancellation: Sendable {
  private struct State {
    var isRequested = false
    var interruptions: [Interruption] = []
  }

  private let state = Mutex(State())

  /// Creates a request that is not made yet.
  package init() {}

  /// Ends what is being read, and what is read later.
  package func request() {
    let interruptions = state.withLock { state in
      state.isRequested = true
      return state.interruptions
    }
    for interruption in interruptions { interruption.request() }
  }

  /// Whether the request is made.
  package var isRequested: Bool { state.withLock(\.isRequested) }

  /// An interruption that the request makes too.
  ///
  /// - Parameter limit: The time after which it makes itself; nil for none.
  /// - Returns: The interruption.
  func interruption(after limit: Duration?) -> Interruption {
    let interruption = Interruption(deadline: limit.map { .now + $0 })
    let isRequested = state.withLock { state in
      state.interruptions.append(interruption)
      return state.isRequested
    }
    if isRequested { interruption.request() }
    return interruption
  }
}
