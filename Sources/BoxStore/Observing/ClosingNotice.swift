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
  mutating func takeAll() -> [@Sendable () -> Void] {
    defer { bodies = [:] }
    return bodies.sorted { $0.key < $1.key }.map(\.value)
  }
}
