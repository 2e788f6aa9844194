internal import Dispatch
internal import Synchronization

/// The state of a monitor and its subscribers.
final class MonitorHub<S: MonitoredState>: Sendable {
  private struct State: Sendable {
    var latest: S
    var failure: (any Error)?
    var isEnded = false
    var subscribers: [ObjectIdentifier: MonitorSubscriber<S>] = [:]
  }

  private let state: Mutex<State>

  init(_ first: S) { state = Mutex(State(latest: first)) }

  /// The current state.
  ///
  /// - Throws: The error with which the monitor ended.
  func latest() throws -> S {
    try state.withLock { state in
      if let failure = state.failure { throw failure }
      return state.latest
    }
  }

  /// Whether the monitor has ended or failed, so that it publishes nothing.
  var isOver: Bool { state.withLock { $0.isEnded || $0.failure != nil } }

  // MARK: - The monitor

  /// Tells all subscribers of a new state.
  func publish(_ latest: S, _ delta: S.Delta) {
    let subscribers = state.withLock { state in
      state.latest = latest
      // Under the lock, so that all get the states in their order.
      for subscriber in state.subscribers.values { subscriber.record(latest, delta) }
      return Array(state.subscribers.values)
    }
    for subscriber in subscribers { subscriber.wake() }
  }

  /// Ends the monitor with an error.
  func fail(_ error: any Error) {
    let subscribers = state.withLock { state in
      state.failure = error
      return Array(state.subscribers.values)
    }
    for subscriber in subscribers { subscriber.fail(error) }
  }

  /// Ends all subscriptions.
  func end() {
    let subscribers = state.withLock { state in
      defer { (state.isEnded, state.subscribers) = (true, [:]) }
      return Array(state.subscribers.values)
    }
    for subscriber in subscribers { subscriber.end() }
  }

  // MARK: - Subscribers

  /// Adds a subscriber, which gets the state at once.
  func add(_ subscriber: MonitorSubscriber<S>) {
    let (failure, isEnded) = state.withLock { state in
      if !state.isEnded { state.subscribers[ObjectIdentifier(subscriber)] = subscriber }
      if state.failure == nil { subscriber.begin(state.latest) }
      return (state.failure, state.isEnded)
    }
    if let failure { return subscriber.fail(failure) }
    if isEnded { return subscriber.end() }
    subscriber.wake()
  }

  /// Removes a subscriber, which gets nothing from then on.
  func remove(_ subscriber: MonitorSubscriber<S>) {
    subscriber.end()
    _ = state.withLock { $0.subscribers.removeValue(forKey: ObjectIdentifier(subscriber)) }
  }

  /// Calls a function on a queue, one call at a time, until it returns false.
  ///
  /// - Returns: The subscriber, which was added.
  func call(
    on queue: DispatchQueue,
    _ handler: @escaping @Sendable (Result<S.Event, any Error>) -> Bool
  ) -> MonitorSubscriber<S> {
    let subscriber = MonitorSubscriber<S>(on: queue) { [weak self] subscriber, next in
      let goesOn =
        switch next {
        case .event(let event): handler(.success(event))
        case .failure(let error): handler(.failure(error)) && false
        case .end: false
        }
      if !goesOn { self?.remove(subscriber) }
    }
    add(subscriber)
    return subscriber
  }

  /// Calls a function on a queue with an object, as long as the object exists.
  func call<O: AnyObject & Sendable>(
    weakly observer: O, on queue: DispatchQueue,
    _ handler: @escaping @Sendable (O, Result<S.Event, any Error>) -> Void
  ) {
    _ = call(on: queue) { [weak observer] result in
      guard let observer else { return false }
      handler(observer, result)
      return true
    }
  }
}

/// A subscription to a monitor; it ends when it is released.
///
/// Keep the subscription as long as its handler is to be called. It keeps the monitor.
public final class MonitorSubscription: Sendable {
  /// Ends the subscription; nil once it was called.
  private let end: Mutex<(@Sendable () -> Void)?>

  init(_ end: @escaping @Sendable () -> Void) { self.end = Mutex(end) }

  deinit { unsubscribe() }

  /// Ends the subscription.
  ///
  /// A call that is running is not waited for, and no other begins. May be called on any thread, in the
  /// handler, and again.
  public func unsubscribe() {
    // Called after the lock.
    let end = end.withLock { end in
      defer { end = nil }
      return end
    }
    end?()
  }
}

extension MonitorSubscription: CustomDebugStringConvertible {
  /// Whether the subscription was ended.
  public var debugDescription: String {
    "MonitorSubscription(\(end.withLock { $0 == nil } ? "not subscribed" : "subscribed"))"
  }
}
