import BoxStore
import Dispatch
import TestSupport
import Testing

/// Commits that are made just after a monitor and its subscription.
struct MonitorStartTests {
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
      let copy = FollowedList<Setting>()
      let subscription = monitor.subscribe(dispatchQueue: DispatchQueue(label: "start")) {
        copy.take($0)
      }
      try Self.commit(to: box, undoing: round.isMultiple(of: 2))
      let expected = try box.query().build().findIds().map(\.value)
      let isReached = await settles { copy.ids == expected }
      let ids = try monitor.list().ids.map(\.value)
      #expect(isReached, "round \(round): \(copy.ids) is not \(expected), the monitor has \(ids)")
      store.close()
      withExtendedLifetime((monitor, subscription)) {}
    }
  }
}
