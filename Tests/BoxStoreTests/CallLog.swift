import Synchronization

/// The values that a handler was called with.
final class CallLog<Entry: Sendable>: Sendable {
  private let entries = Mutex<[Entry]>([])

  func append(_ entry: Entry) { entries.withLock { $0.append(entry) } }

  var count: Int { entries.withLock { $0.count } }

  var all: [Entry] { entries.withLock { $0 } }

  /// Waits until there are so many entries, for up to ten seconds.
  func wait(for count: Int) async -> Bool { await wait { $0.count >= count } }

  /// Waits until the entries fulfil a condition, for up to ten seconds.
  func wait(until isDone: ([Entry]) -> Bool) async -> Bool {
    for _ in 0..<1000 where !isDone(all) { try? await Task.sleep(for: .milliseconds(10)) }
    return isDone(all)
  }
}
