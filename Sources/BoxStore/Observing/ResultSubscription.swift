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
      var demand = Subscribers.Demand.none
      var observer: Observer?
    }

    private let results: ObservedResults<E>
    private let wasClosed: Bool
    private let state: Mutex<State>

    init(_ results: ObservedResults<E>, _ subscriber: S) {
      self.results = results
      wasClosed = results.store.isClosed
      state = Mutex(State(subscriber: subscriber))
    }

    /// Observes the results, unless the subscriber has cancelled already.
    func start(_ queue: DispatchQueue) {
      // Who releases the subscription ends it.
      let observer = results.observe(
        queue, [.sendInitial], isTerminated: true,
        isReady: { [weak self] in self?.isReady ?? false }
      ) { [weak self] objects, error in
        if let error { self?.end(error) } else { self?.send(objects) }
      }
      let isCancelled = state.withLock { state in
        if state.subscriber != nil { state.observer = observer }
        return state.subscriber == nil
      }
      if isCancelled { observer.unsubscribe() }
    }

    // MARK: - Calls of the subscriber

    func request(_ demand: Subscribers.Demand) {
      let observer = state.withLock { state in
        state.demand += demand
        return state.observer
      }
      observer?.resume()
    }

    func cancel() { _ = takeSubscriber() }

    // MARK: - Calls of the observer

    /// Whether the subscriber can be called: it has asked for results, or is to hear of the end.
    private var isReady: Bool { state.withLock { $0.demand > 0 } || results.store.isClosed }

    private func send(_ objects: ContiguousArray<E>) {
      let subscriber = state.withLock { state -> S? in
        guard state.demand > 0 else { return nil }
        state.demand -= 1
        return state.subscriber
      }
      guard let more = subscriber?.receive(Array(objects)) else { return }
      // The observer asks for the next call after this one.
      state.withLock { $0.demand += more }
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
#endif
