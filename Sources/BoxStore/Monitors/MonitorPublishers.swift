#if canImport(Combine) || OpenCombine
  public import Dispatch

  #if canImport(Combine)
    public import Combine
  #else
    public import OpenCombine
  #endif

  extension ListMonitor {
    /// A publisher of the list at first, and then of each change.
    public var publisher: ListMonitorPublisher<E> { ListMonitorPublisher(core) }
  }

  extension ObjectMonitor {
    /// A publisher of each change from the subscription on.
    public var publisher: ObjectMonitorPublisher<E> { ObjectMonitorPublisher(core) }
  }

  /// A publisher of the changes of a list.
  ///
  /// Each subscriber gets a change when it asks for more; commits that were made before are one change then.
  /// The publisher keeps the monitor, finishes when the monitor ends, and fails with the error with which it
  /// ends.
  public final class ListMonitorPublisher<E: EntityInspectable & __EntityRelatable>: Publisher,
    Sendable
  where E == E.EntityBindingType.EntityType {
    /// A change.
    public typealias Output = ListChange<E>
    /// The error with which the monitor ends.
    public typealias Failure = any Error

    private let core: ListMonitorCore<E>

    init(_ core: ListMonitorCore<E>) { self.core = core }

    /// Attaches a subscriber, which is called on the main queue.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Failure == any Error, S.Input == ListChange<E> {
      receive(subscriber: subscriber, dispatchQueue: .main)
    }

    /// Attaches a subscriber, which is called on a queue.
    public func receive<S: Subscriber>(subscriber: S, dispatchQueue: DispatchQueue)
    where S.Failure == any Error, S.Input == ListChange<E> {
      core.hub.attach(subscriber, dispatchQueue, keeping: core)
    }
  }

  /// A publisher of the changes of an object; as ``ListMonitorPublisher``.
  public final class ObjectMonitorPublisher<E: EntityInspectable & __EntityRelatable>: Publisher,
    Sendable
  where E == E.EntityBindingType.EntityType {
    /// A change.
    public typealias Output = ObjectEvent
    /// The error with which the monitor ends.
    public typealias Failure = any Error

    private let core: ObjectMonitorCore<E>

    init(_ core: ObjectMonitorCore<E>) { self.core = core }

    /// Attaches a subscriber, which is called on the main queue.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Failure == any Error, S.Input == ObjectEvent {
      receive(subscriber: subscriber, dispatchQueue: .main)
    }

    /// Attaches a subscriber, which is called on a queue.
    public func receive<S: Subscriber>(subscriber: S, dispatchQueue: DispatchQueue)
    where S.Failure == any Error, S.Input == ObjectEvent {
      core.hub.attach(subscriber, dispatchQueue, keeping: core)
    }
  }

  extension ListMonitorPublisher: CustomDebugStringConvertible {
    /// The type of the objects.
    public var debugDescription: String { "ListMonitorPublisher<\(E.self)>" }
  }

  extension ObjectMonitorPublisher: CustomDebugStringConvertible {
    /// The type of the object.
    public var debugDescription: String { "ObjectMonitorPublisher<\(E.self)>" }
  }

  extension MonitorHub {
    /// Gives a subscriber its subscription, and then the events; the monitor is kept as long as that is.
    fileprivate func attach<R: Subscriber>(
      _ subscriber: R, _ queue: DispatchQueue, keeping monitor: any AnyObject & Sendable
    ) where R.Input == S.Event, R.Failure == any Error {
      let subscription = DemandedSubscription(subscriber)
      let events = MonitorSubscriber<S>(
        on: queue, isDemanded: { [demand = subscription.demand] in demand.isPositive }
      ) { [weak subscription] _, next in
        switch next {
        case .event(let event): subscription?.send(event)
        case .failure(let error): subscription?.finish(.failure(error))
        case .end: subscription?.finish(.finished)
        }
      }
      subscription.start {
        add(events)
        return .init(
          resume: { events.wake() },
          end: { [self, monitor] in
            remove(events); _ = monitor
          })
      }
    }
  }
#endif
