#if canImport(Combine) || OpenCombine
  internal import Synchronization

  #if canImport(Combine)
    internal import Combine
  #else
    internal import OpenCombine
  #endif

  /// The subscription of a publisher: values, as many as its subscriber asks for.
  ///
  /// Nothing is read that the subscriber has not asked for. Once it asks, it gets the newest state.
  final class DemandedSubscription<R: Subscriber>: Subscription, Sendable {
    /// The observer or the monitor that has the values.
    struct Source: Sendable {
      /// Called after the subscriber asked for more.
      var resume: @Sendable () -> Void
      /// Called once, at the end.
      var end: @Sendable () -> Void
    }

    /// The subscriber is called outside of the lock, by one call at a time.
    private struct State: @unchecked Sendable {
      /// Nil once the subscription has ended.
      var subscriber: R?
      var source: Source?
    }

    /// The values that were asked for; a source asks for it where the subscription itself must not end.
    let demand = PendingDemand()
    private let state: Mutex<State>

    init(_ subscriber: R) { state = Mutex(State(subscriber: subscriber)) }

    deinit { cancel() }

    /// Gives the subscriber its subscription, and lets a source begin unless that cancels.
    func start(_ makeSource: () -> Source) {
      state.withLock { $0.subscriber }?.receive(subscription: self)
      if state.withLock({ $0.subscriber == nil }) { return }
      let source = makeSource()
      let isCancelled = state.withLock { state in
        if state.subscriber != nil { state.source = source }
        return state.subscriber == nil
      }
      // What was asked for before the source was kept.
      if isCancelled { source.end() } else { source.resume() }
    }

    // MARK: - Calls of the subscriber

    func request(_ demand: Subscribers.Demand) {
      self.demand.add(demand)
      state.withLock { $0.source }?.resume()
    }

    func cancel() { _ = takeSubscriber() }

    // MARK: - Calls of the source

    /// Gives the subscriber a value, if it has asked for one.
    func send(_ value: R.Input) {
      guard demand.takeOne(), let subscriber = state.withLock({ $0.subscriber }) else { return }
      // The source asks for the next call after this one.
      demand.add(subscriber.receive(value))
    }

    /// Ends the subscription.
    func finish(_ completion: Subscribers.Completion<R.Failure>) {
      takeSubscriber()?.receive(completion: completion)
    }

    /// Ends the subscription and returns its subscriber, the first time.
    private func takeSubscriber() -> R? {
      let (subscriber, source) = state.withLock { state in
        defer { (state.subscriber, state.source) = (nil, nil) }
        return (state.subscriber, state.source)
      }
      source?.end()
      return subscriber
    }
  }

  /// The number of values that a subscriber has asked for and not got yet.
  final class PendingDemand: Sendable {
    private let demand = Mutex(Subscribers.Demand.none)

    func add(_ more: Subscribers.Demand) { demand.withLock { $0 += more } }

    var isPositive: Bool { demand.withLock { $0 > 0 } }

    /// Takes one value off; false if none was asked for.
    func takeOne() -> Bool {
      demand.withLock { demand in
        if demand == .none { return false }
        demand -= 1
        return true
      }
    }
  }
#endif
