internal import Dispatch
internal import Synchronization

/// The state of something that is monitored, and the differences between two states.
protocol MonitoredState: Sendable {
  /// A change from one state to the next.
  associatedtype Delta: Sendable
  /// The difference as a receiver gets it.
  associatedtype Event: Sendable

  /// Whether a receiver gets the state at first, as an event, and not only the changes from it on.
  static var isSentAtFirst: Bool { get }
  /// Adds a later change to an earlier one, from nil on.
  static func add(_ delta: Delta, to earlier: inout Delta?)
  /// The difference between two states; nil if a receiver need not see it.
  ///
  /// - Parameters:
  ///   - old: The earlier state; nil for a receiver that has seen none.
  ///   - new: The later state.
  ///   - delta: What was changed in between; nil for a receiver that has seen none.
  /// - Returns: The difference.
  static func event(from old: Self?, to new: Self, _ delta: Delta?) -> Event?
}

/// A subscription to a monitor: what its receiver has seen, and what was changed since.
///
/// However slow the receiver is, what is kept for it grows with what was changed, and not with the commits.
final class MonitorSubscriber<S: MonitoredState>: Sendable {
  /// The next thing that the receiver gets.
  enum Next {
    case event(S.Event)
    case failure(any Error)
    /// The subscription ended.
    case end
  }

  private struct State: Sendable {
    /// Nil before the first event.
    var seen: S?
    var latest: S?
    var delta: S.Delta?
    var failure: (any Error)?
    var isEnded = false
    /// Whether the receiver took the end.
    var isOver = false

    var isDue: Bool { delta != nil || (seen == nil && latest != nil) }
  }

  private let state = Mutex(State())
  private let wakeReceiver: @Sendable (MonitorSubscriber<S>) -> Void

  /// Creates a subscription.
  ///
  /// - Parameter wake: Called when there can be something to take; perhaps several times.
  init(wake: @escaping @Sendable (MonitorSubscriber<S>) -> Void) { wakeReceiver = wake }

  /// Tells the receiver that there can be something to take; to be called without a lock.
  func wake() { wakeReceiver(self) }

  // MARK: - The monitor

  /// Takes the first state.
  func begin(_ first: S) {
    state.withLock { state in
      state.latest = first
      if !S.isSentAtFirst { state.seen = first }
    }
  }

  /// Takes a state, and what was changed since the one before; ``wake()`` has to follow.
  func record(_ latest: S, _ delta: S.Delta) {
    state.withLock { state in
      state.latest = latest
      if state.seen != nil { S.add(delta, to: &state.delta) }
    }
  }

  /// Ends the subscription with an error, after what was recorded.
  func fail(_ error: any Error) {
    state.withLock { $0.failure = error }
    wake()
  }

  /// Ends the subscription; what was not taken is lost.
  func end() {
    state.withLock { $0.isEnded = true }
    wake()
  }

  // MARK: - The receiver

  /// Returns the next event for the receiver.
  ///
  /// - Parameter isDemanded: Whether the receiver takes events; it always takes the end.
  /// - Returns: The next event; nil if none is pending.
  func nextEvent(isDemanded: Bool = true) -> Next? {
    while true {
      let step = state.withLock { state -> (S?, S, S.Delta?)? in
        guard isDemanded, !state.isEnded, state.isDue, let latest = state.latest else { return nil }
        defer { (state.seen, state.delta) = (latest, nil) }
        return (state.seen, latest, state.delta)
      }
      guard let (old, new, delta) = step else { return nextEnd() }
      if let event = S.event(from: old, to: new, delta) { return .event(event) }
    }
  }

  private func nextEnd() -> Next? {
    state.withLock { state in
      if !state.isEnded && state.failure == nil { return nil }
      defer { (state.isEnded, state.isOver) = (true, true) }
      return state.isEnded ? .end : state.failure.map { .failure($0) }
    }
  }

  private func hasNext(isDemanded: Bool) -> Bool {
    state.withLock { state in
      !state.isOver && (state.isEnded || state.failure != nil || isDemanded && state.isDue)
    }
  }

  /// Creates a subscription whose receiver is a function, which is called on a queue until the end.
  ///
  /// - Parameters:
  ///   - queue: The queue.
  ///   - isDemanded: Whether the receiver takes events now; it always takes the end.
  ///   - receive: The function, which also gets the subscription.
  convenience init(
    on queue: DispatchQueue, isDemanded: @escaping @Sendable () -> Bool = { true },
    _ receive: @escaping @Sendable (MonitorSubscriber<S>, Next) -> Void
  ) {
    let delivery = Delivery(queue)
    self.init { subscriber in
      delivery.resume {
        subscriber.hasNext(isDemanded: isDemanded())
      } _: {
        if let next = subscriber.nextEvent(isDemanded: isDemanded()) { receive(subscriber, next) }
      }
    }
  }
}
