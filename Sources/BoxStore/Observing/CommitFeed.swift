internal import BoxEngine
internal import Synchronization

/// Keeps a function registered that is called when a store is closed.
final class ClosingNotice: Sendable {
  private let end: @Sendable () -> Void

  init(end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }

  /// Removes the function; a call that is under way is still made.
  func cancel() { end() }
}

/// The functions that are called once when a store is closed.
struct ClosingNotices: Sendable {
  private var bodies: [Int: @Sendable () -> Void] = [:]
  private var next = 0

  /// Adds a function.
  ///
  /// - Returns: The number by which it is removed.
  mutating func add(_ body: @escaping @Sendable () -> Void) -> Int {
    next += 1
    bodies[next] = body
    return next
  }

  /// Removes a function, to be released by the caller.
  mutating func remove(_ number: Int) -> (@Sendable () -> Void)? {
    bodies.removeValue(forKey: number)
  }

  /// Removes all functions, to be called by the caller.
  mutating func removeAll() -> [@Sendable () -> Void] {
    defer { bodies = [:] }
    return bodies.sorted { $0.key < $1.key }.map(\.value)
  }
}

/// The place where commits and the end of a store come in, for an observer, a monitor or a sequence.
///
/// It ends when it is released.
final class CommitFeed: Sendable {
  private let observation: Observation
  private let closing: ClosingNotice?
  private let holder: OpenHolder?

  /// Follows the commits that change any of some entities.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - entities: The entities.
  ///   - detail: The detail of the changes.
  ///   - name: The name of the one who follows, for tests; such as "a ListMonitor".
  ///   - onClose: Called when the store is closed; nil for no call.
  ///   - onCommit: Called after each commit, on the thread of the store's observers.
  /// - Throws: ``ObjectBoxError`` if the entities are of another store.
  init(
    _ store: StoreCore, _ entities: [EntitySchema], _ detail: ObservationDetail,
    for name: @autoclosure () -> String, onClose: (@Sendable () -> Void)?,
    _ onCommit: @escaping @Sendable (CommitChanges) -> Void
  ) throws {
    observation = try ObjectBoxError.wrapping {
      try store.engine.observe(entities, detail: detail, onCommit)
    }
    closing = onClose.map { store.whenClosed($0) }
    holder = store.holders?.add("\(name()) of \(entities.map(\.name).joined(separator: ", "))")
  }

  /// Ends the calls; one that is under way is still made.
  func cancel() {
    observation.cancel()
    closing?.cancel()
    holder?.end()
  }
}
