import BoxStore
import Dispatch
import Synchronization
import TestSupport
import Testing

/// Commits that are made just after a monitor and its subscription.
struct MonitorStartTests {
  /// The ids that differences lead to.
  private final class Copy: Sendable {
    private let sections = Mutex([[Id]]())

    var ids: [Id] { sections.withLock { $0.flatMap(\.self) } }

    func apply(_ change: ListChange<Setting>) {
      sections.withLock { change.replay(on: &$0) { $0.value } }
    }
  }

  /// Replaces the only object some times.
  private static func commit(to box: Box<Setting>, undoing: Bool) throws {
    let store = box.store
    for number in 0..<8 {
      // A transaction that is undone keeps the ids that it gave.
      if undoing {
        _ = try? store.runInTransaction { (transaction: Transaction) in
          try box.put(Setting("\(number) undone", 1))
          try transaction.cancel()
        }
      }
      try store.runInTransaction {
        try box.removeAll()
        try box.put(Setting("\(number)", 1))
      }
    }
  }

  @Test func theFirstCommitsAreFollowed() async throws {
    for round in 0..<TestSeed.count("BOXJOINT_SOAK_STARTS", default: 100) {
      let store = try SampleStore.inMemory()
      let box: Box<Setting> = store.box()
      let monitor = try box.query().ordered(by: .ascending(Setting.count)).build().monitor()
      let copy = Copy()
      let subscription = monitor.subscribe(dispatchQueue: DispatchQueue(label: "start")) { result in
        do {
          copy.apply(try result.get())
        } catch {
          Issue.record(error)
        }
      }
      try Self.commit(to: box, undoing: round.isMultiple(of: 2))
      let expected = try box.query().build().findIds().map(\.value)
      for _ in 0..<10_000 {
        if copy.ids == expected { break }
        try await Task.sleep(for: .microseconds(500))
      }
      let ids = try monitor.list().ids.map(\.value)
      #expect(copy.ids == expected, "round \(round): the monitor has \(ids)")
      store.close()
      withExtendedLifetime((monitor, subscription)) {}
    }
  }
}
