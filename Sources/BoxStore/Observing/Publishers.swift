#if canImport(Combine) || OpenCombine
  public import Dispatch

  #if canImport(Combine)
    public import Combine
  #else
    public import OpenCombine
  #endif

  /// An observer can be kept as a subscription.
  extension Observer: Subscription {
    /// Does nothing: a handler is called whatever was asked for.
    public func request(_ demand: Subscribers.Demand) {}

    /// Ends the subscription, as ``unsubscribe()``.
    public func cancel() { unsubscribe() }
  }

  extension Box {
    /// A publisher of all objects: now, and again after commits that changed any.
    public var publisher: BoxPublisher<EntityType> { BoxPublisher(observed) }
  }

  extension Query {
    /// A publisher of the results: now, and again after commits that can have changed them.
    public var publisher: QueryPublisher<EntityType> { QueryPublisher(observed) }
  }

  /// A publisher of all objects of a box.
  ///
  /// Each subscriber gets the objects of the newest state when it asks for more, and not every state
  /// in between. The publisher finishes when the store is closed, and fails with the error with which the
  /// objects cannot be read.
  public final class BoxPublisher<E: EntityInspectable & __EntityRelatable>: Publisher, Sendable
  where E == E.EntityBindingType.EntityType {
    /// All objects.
    public typealias Output = [E]
    /// The error with which the objects cannot be read.
    public typealias Failure = ObjectBoxError

    private let results: ObservedResults<E>

    init(_ results: ObservedResults<E>) { self.results = results }

    /// Attaches a subscriber, which is called on the main queue.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Failure == ObjectBoxError, S.Input == [E] {
      receive(subscriber: subscriber, dispatchQueue: .main)
    }

    /// Attaches a subscriber, which is called on a queue.
    public func receive<S: Subscriber>(subscriber: S, dispatchQueue: DispatchQueue)
    where S.Failure == ObjectBoxError, S.Input == [E] {
      results.attach(subscriber, dispatchQueue)
    }
  }

  /// A publisher of the results of a query; as ``BoxPublisher``.
  public final class QueryPublisher<E: EntityInspectable & __EntityRelatable>: Publisher, Sendable
  where E == E.EntityBindingType.EntityType {
    /// The results, in the order of the query.
    public typealias Output = [E]
    /// The error with which the objects cannot be read.
    public typealias Failure = ObjectBoxError

    private let results: ObservedResults<E>

    init(_ results: ObservedResults<E>) { self.results = results }

    /// Attaches a subscriber, which is called on the main queue.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Failure == ObjectBoxError, S.Input == [E] {
      receive(subscriber: subscriber, dispatchQueue: .main)
    }

    /// Attaches a subscriber, which is called on a queue.
    public func receive<S: Subscriber>(subscriber: S, dispatchQueue: DispatchQueue)
    where S.Failure == ObjectBoxError, S.Input == [E] {
      results.attach(subscriber, dispatchQueue)
    }
  }

  extension BoxPublisher: CustomDebugStringConvertible {
    /// The type of the objects.
    public var debugDescription: String { "BoxPublisher<\(E.self)>" }
  }

  extension QueryPublisher: CustomDebugStringConvertible {
    /// The type of the objects.
    public var debugDescription: String { "QueryPublisher<\(E.self)>" }
  }

  extension ObservedResults {
    /// Gives a subscriber its subscription, and then the results.
    fileprivate func attach<S: Subscriber>(_ subscriber: S, _ queue: DispatchQueue)
    where S.Failure == ObjectBoxError, S.Input == [E] {
      let wasClosed = store.isClosed
      let subscription = DemandedSubscription(subscriber)
      subscription.start {
        let observer = observe(
          queue, [.sendInitial], isTerminated: true,
          isReady: { [demand = subscription.demand] in demand.isPositive || store.isClosed }
        ) { [weak subscription] objects, error in
          guard let error else { return subscription?.send(Array(objects)) ?? () }
          // The end of the store is the end of the results, and not a failure.
          let isFinished = store.isClosed && !wasClosed
          subscription?.finish(isFinished ? .finished : .failure(error))
        }
        return .init(resume: { observer.resume() }, end: { observer.unsubscribe() })
      }
    }
  }
#endif
