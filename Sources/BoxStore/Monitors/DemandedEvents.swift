#if canImport(Combine) || OpenCombine
  internal import Dispatch
  internal import Synchronization

  #if canImport(Combine)
    internal import Combine
  #else
    internal import OpenCombine
  #endif

  /// The subscription of a publisher to a monitor: events, as many as its subscriber asks for.
  final class DemandedEvents<S: MonitoredState, R: Subscriber>: Subscription, Sendable
  where R.Input == S.Event, R.Failure == any Error {
    /// The subscriber is called outside of the lock, by one call at a time.
    private struct State: @unchecked Sendable {
      /// Nil once the subscription has ended.
      var subscriber: R?
      var events: MonitorSubscriber<S>?
    }

    private let hub: MonitorHub<S>
    /// The monitor, which is kept as long as the subscription is.
    private let monitor: any AnyObject & Sendable
    private let queue: DispatchQueue
    private let demand = PendingDemand()
    private let state: Mutex<State>

    init(
      _ hub: MonitorHub<S>, keeping monitor: any AnyObject & Sendable, _ subscriber: R,
      _ queue: DispatchQueue
    ) {
      self.hub = hub
      self.monitor = monitor
      self.queue = queue
      state = Mutex(State(subscriber: subscriber))
    }

    deinit { cancel() }

    /// Gives the subscriber its subscription, and follows the monitor unless that cancels.
    func start() {
      state.withLock { $0.subscriber }?.receive(subscription: self)
      let events = MonitorSubscriber<S> { [weak self] in self?.schedule($0) }
      let isCancelled = state.withLock { state in
        if state.subscriber != nil { state.events = events }
        return state.subscriber == nil
      }
      if !isCancelled { hub.add(events) }
    }

    // MARK: - Calls of the subscriber

    func request(_ demand: Subscribers.Demand) {
      self.demand.add(demand)
      state.withLock { $0.events }?.wake()
    }

    func cancel() { _ = takeSubscriber() }

    // MARK: - Calls of the monitor

    private func schedule(_ events: MonitorSubscriber<S>) {
      guard events.beginCall(isDemanded: demand.isPositive) else { return }
      queue.async { [self] in
        switch events.take(isDemanded: demand.isPositive) {
        case .event(let event): send(event)
        case .failure(let error):
          takeSubscriber()?.receive(completion: .failure(error))
          return
        case .end:
          takeSubscriber()?.receive(completion: .finished)
          return
        case nil: break
        }
        events.endCall()
        events.wake()
      }
    }

    private func send(_ event: S.Event) {
      guard demand.takeOne(), let subscriber = state.withLock({ $0.subscriber }) else { return }
      demand.add(subscriber.receive(event))
    }

    /// Ends the subscription and returns its subscriber, the first time.
    private func takeSubscriber() -> R? {
      let (subscriber, events) = state.withLock { state in
        defer { (state.subscriber, state.events) = (nil, nil) }
        return (state.subscriber, state.events)
      }
      if let events { hub.remove(events) }
      return subscriber
    }
  }
#endif
