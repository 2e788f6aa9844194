internal import BoxEngine
internal import Dispatch
internal import Synchronization

/// A subscription: its handler is called until it ends.
///
/// It ends with ``unsubscribe()``, or when the observer is released. Keep the observer as long as the
/// handler is to be called. On any queue, one call is made at a time, and none has older objects than the
/// one before.
public final class Observer: Sendable {
  /// Options for subscribing.
  public struct Flags: OptionSet, Sendable {
    /// The bits.
    public let rawValue: Int
    /// Creates flags from bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Calls the handler once at the beginning, with the current objects.
    public static let sendInitial = Flags(rawValue: 1)
    /// Calls the handler for no change: with ``sendInitial``, it is called once.
    public static let dontSubscribe = Flags(rawValue: 2)
  }

  private let delivery: Delivery
  private let sources: Mutex<Sources>
  /// Whether the handler is also called after the observer is released.
  private let isDetached: Bool

  /// The calls that the store makes.
  private struct Sources: Sendable {
    var observation: Observation?
    var closing: ClosingNotice?
  }

  /// Subscribes to the commits that change any of some entities.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - entities: The entities.
  ///   - queue: The queue on which the calls are made.
  ///   - flags: The options.
  ///   - isTerminated: Whether a last call is made when the store is closed.
  ///   - isReady: Whether a call can be made now; ``resume()`` asks again.
  ///   - call: Called after a commit, and at the beginning if that is asked for. It returns the number
  ///     of the last commit that it has seen: older ones, which are still on the way, are left out.
  init(
    _ store: StoreCore, _ entities: [EntitySchema], _ queue: DispatchQueue, _ flags: Flags,
    isTerminated: Bool = false, isReady: @escaping @Sendable () -> Bool = { true },
    _ call: @escaping @Sendable () -> UInt64
  ) {
    let delivery = Delivery(queue, isReady: isReady, call)
    self.delivery = delivery
    isDetached = flags.contains(.dontSubscribe)
    var sources = Sources()
    if !isDetached {
      sources.observation = try? store.engine.observe(entities, detail: .entities) {
        delivery.send($0.number)
      }
    }
    if isTerminated { sources.closing = store.whenClosed { delivery.send(.max) } }
    self.sources = Mutex(sources)
    // After it is registered: a commit in between is told, and left out if it is in what was read.
    if flags.contains(.sendInitial) { delivery.send(0) }
  }

  deinit { if !isDetached { unsubscribe() } }

  /// Ends the subscription.
  ///
  /// A call that is running is not waited for, and no other begins. May be called on any thread, in the
  /// handler, and again.
  public func unsubscribe() {
    delivery.end()
    // Released after the lock.
    let ended = sources.withLock { sources in
      defer { sources = Sources() }
      return sources
    }
    ended.observation?.cancel()
    ended.closing?.cancel()
  }

  /// Makes the call that waits until the subscription is ready, if there is one.
  func resume() { delivery.resume() }
}

extension Observer.Flags: CustomDebugStringConvertible {
  /// The names of the flags.
  public var debugDescription: String {
    let names: [(Self, String)] = [
      (.sendInitial, "sendInitial"), (.dontSubscribe, "dontSubscribe"),
    ]
    let set = names.filter { contains($0.0) }.map(\.1)
    return "Observer.Flags(\(set.joined(separator: ", ")))"
  }
}

extension Observer: CustomDebugStringConvertible {
  /// Whether the subscription goes on.
  public var debugDescription: String {
    let isSubscribed = sources.withLock { $0.observation != nil }
    return "Observer(\(isSubscribed ? "subscribed" : "not subscribed"))"
  }
}
