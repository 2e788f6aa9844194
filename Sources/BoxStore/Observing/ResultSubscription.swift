#if canImport(Combine) || OpenCombine
  internal import Dispatch
  internal import Synchronization

  #if canImport(Combine)
    internal import Combine
  #else
    internal import OpenCombine
  #endif

  /// The subscription of a publisher: results, as many as its subscriber asks for.
  ///
  /// Results that nobody asks for are not read. Once the subscriber asks, it gets the newest ones.
  final class ResultSubscription<E, S: Subscriber>: Subscription, Sendable
  where S.Input == [E], S.Failure == ObjectBoxError {
    /// The subscriber is called outside of the lock, by one call at a time.
    private struct State: @unchecked Sendable {
      /// Nil once the subscription has ended.
      var subscriber: S?
      var observer: Observer?
    }

    private let results: ObservedResults<E>
    private let wasClosed: Bool
    private let demand = PendingDemand()
    private let state: Mutex<State>

    init(_ results: ObservedResults<E>, _ subscriber: S) {
      self.results = results
      wasClosed = results.store.isClosed
      state = Mutex(State(subscriber: subscriber))
    }

    /// Observes the results, unless the subscriber has cancelled already.
    func start(_ queue: DispatchQueue) {
      // Who releases the subscription ends it; it must not end inside of a look at the demand.
      let observer = results.observe(
        queue, [.sendInitial], isTerminated: true,
        isReady: { [demand, store = results.store] in demand.isPositive || store.isClosed }
      ) { [weak self] objects, error in
        if let error { self?.end(error) } else { self?.send(objects) }
      }
      let isCancelled = state.withLock { state in
        if state.subscriber != nil { state.observer = observer }
        return state.subscriber == nil
      }
      if isCancelled { return observer.unsubscribe() }
      // What was asked for before the observer was kept.
      observer.resume()
    }

    // MARK: - Calls of the subscriber

    func request(_ demand: Subscribers.Demand) {
      self.demand.add(demand)
      state.withLock { $0.observer }?.resume()
    }

    func cancel() { _ = takeSubscriber() }

    // MARK: - Calls of the observer

    private func send(_ objects: ContiguousArray<E>) {
      guard demand.takeOne() else { return }
      let subscriber = state.withLock { $0.subscriber }
      guard let more = subscriber?.receive(Array(objects)) else { return }
      // The observer asks for the next call after this one.
      demand.add(more)
    }

    private func end(_ error: ObjectBoxError) {
      // The end of the store is the end of the results, and not a failure.
      let isFinished = results.store.isClosed && !wasClosed
      takeSubscriber()?.receive(completion: isFinished ? .finished : .failure(error))
    }

    /// Ends the subscription and returns its subscriber, the first time.
    private func takeSubscriber() -> S? {
      let (subscriber, observer) = state.withLock { state in
        defer { (state.subscriber, state.observer) = (nil, nil) }
        return (state.subscriber, state.observer)
      }
      observer?.unsubscribe()
      return subscriber
    }
  }

  /// The number of results that a subscriber has asked for and not got yet.
  final class PendingDemand: Sendable {
    private let demand = Mutex(Subscribers.Demand.none)

    func add(_ more: Subscribers.Demand) { demand.withLock { $0 += more } }

    var isPositive: Bool { demand.withLock { $0 > 0 } }

    /// Takes one result off; false if none was asked for.
    func takeOne() -> Bool {
      demand.withLock { demand in
        if demand == .none { return false }
        demand -= 1
        return true
      }
    }
  }
#endif
