internal import BoxEngine
internal import Dispatch
internal import Synchronization

/// A subscription: its handler is called until it ends.
///
/// It ends with ``unsubscribe()``, or when the observer is released. Keep the observer as long as the
/// handler is to be called.
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
  private let observation: Mutex<Observation?>
  /// Whether the handler is also called after the observer is released.
  private let isDetached: Bool

  /// Subscribes to the commits that change any of some entities.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - entities: The entities.
  ///   - queue: The queue on which the call is made.
  ///   - flags: The options.
  ///   - call: Called for each commit, and at the beginning if that is asked for. It returns the number
  ///     of the last commit that it has seen: older ones, which are still on the way, are left out.
  init(
    _ store: StoreCore, _ entities: [EntitySchema], _ queue: DispatchQueue, _ flags: Flags,
    _ call: @escaping @Sendable () -> UInt64
  ) {
    let delivery = Delivery(queue, call)
    self.delivery = delivery
    isDetached = flags.contains(.dontSubscribe)
    let made =
      isDetached
      ? nil
      : try? store.engine.observe(entities, detail: .entities) { delivery.send($0.number) }
    observation = Mutex(made)
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
    let ended = observation.withLock { $0.take() }
    ended?.cancel()
  }

  /// The calls of a handler on its queue.
  private final class Delivery: Sendable {
    private let queue: DispatchQueue
    private let call: @Sendable () -> UInt64
    private let isActive = Atomic<Bool>(true)
    /// The number of the last commit that the handler has seen.
    private let seen = Mutex<UInt64>(0)

    init(_ queue: DispatchQueue, _ call: @escaping @Sendable () -> UInt64) {
      self.queue = queue
      self.call = call
    }

    func end() { isActive.store(false, ordering: .releasing) }

    /// Calls the handler for a commit, or for 0 at the beginning.
    func send(_ number: UInt64) { queue.async { [self] in run(number) } }

    private func run(_ number: UInt64) {
      guard isActive.load(ordering: .acquiring) else { return }
      // The first call is not needed either once a commit was seen.
      if seen.withLock({ $0 >= max(number, 1) }) { return }
      let last = call()
      seen.withLock { $0 = max($0, max(last, number)) }
    }
  }
}

extension StoreCore {
  /// The number of the last commit, or 0 if the store is closed.
  var lastCommit: UInt64 { (try? reading { try $0.number }) ?? 0 }

  /// Reads something in one transaction, with the number of the last commit that it sees.
  ///
  /// - Returns: The value or the error, and the number; 0 for an error.
  func observed<R>(_ read: () throws -> R) -> (Result<R, ObjectBoxError>, UInt64) {
    do {
      return try reading { transaction in
        let number = try transaction.number
        return (.success(try read()), number)
      }
    } catch {
      return (.failure((error as? ObjectBoxError) ?? .unexpected(error: error)), 0)
    }
  }
}
