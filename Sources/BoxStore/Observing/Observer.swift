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

  private let calls: CommitCalls
  /// Nil after the end.
  private let feed: Mutex<CommitFeed?>
  /// Whether the handler is also called after the observer is released.
  private let isDetached: Bool

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
    let calls = CommitCalls(queue, isReady: isReady, call)
    self.calls = calls
    isDetached = flags.contains(.dontSubscribe)
    let onClose = { @Sendable in calls.send(.max) }
    feed = Mutex(
      isDetached
        ? nil
        : try? CommitFeed(
          store, entities, .entities, for: isTerminated ? "a sequence or publisher" : "an Observer",
          onClose: isTerminated ? onClose : nil
        ) { calls.send($0.number) })
    // After the registration: a commit in between is queued, and skipped if the first read includes it.
    if flags.contains(.sendInitial) { calls.send(0) }
  }

  deinit { if !isDetached { unsubscribe() } }

  /// Ends the subscription.
  ///
  /// A call that is running is not waited for, and no other begins. May be called on any thread, in the
  /// handler, and again.
  public func unsubscribe() {
    calls.end()
    // Released after the lock.
    let ended = feed.withLock { feed in
      defer { feed = nil }
      return feed
    }
    ended?.cancel()
  }

  /// Makes the call that waits until the subscription is ready, if there is one.
  func resume() { calls.resume() }
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
  /// Whether the subscription is active.
  public var debugDescription: String {
    let isSubscribed = feed.withLock { $0 != nil }
    return "Observer(\(isSubscribed ? "subscribed" : "not subscribed"))"
  }
}
