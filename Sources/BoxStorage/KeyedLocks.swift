internal import Synchronization

/// Locks by key, which exist while a thread holds them or waits for them.
final class KeyedLocks<Key: Hashable & Sendable>: Sendable {
  private struct Entry {
    let lock = Lock()
    var users = 0
  }

  private let entries = Mutex<[Key: Entry]>([:])

  /// Calls a function while the lock of a key is held.
  ///
  /// - Throws: The error of the function.
  /// - Complexity: O(1) on average, apart from the function and the wait for others.
  func withLock<R, E: Error>(_ key: Key, _ body: () throws(E) -> R) throws(E) -> R {
    let lock = entries.withLock { entries in
      entries[key, default: Entry()].users += 1
      return entries[key]?.lock
    }
    defer {
      entries.withLock { entries in
        entries[key]?.users -= 1
        if entries[key]?.users == 0 { entries[key] = nil }
      }
    }
    guard let lock else { return try body() }
    return try lock.withLock(body)
  }
}
