import BoxStore
import Dispatch
import TestSupport
import Testing

@testable import BoxStoreTesting

/// Handles, monitors and subscriptions at the end of a test.
struct OpenHandleTests {
  private static let trait = StoreTrait.store(.sample)
  private static let queue = DispatchQueue(label: "open handles")

  /// Something that a test leaves behind, and the name by which it is found.
  enum Leak: String, CaseIterable {
    case handle = "a Store"
    case clone = "test: a Store"
    case box = "a Box of Setting, or a query of it"
    case query = "or a query of it"
    case observer = "an Observer of Setting"
    case list = "a ListMonitor of Setting"
    case object = "an ObjectMonitor of Setting"
    case subscription = "ListMonitor of Setting"
    case results = "a sequence or publisher of Setting"
    case changes = "a sequence of changes of Setting"

    /// Makes it, in a store that is in use.
    func make(_ store: Store) throws -> any Sendable {
      let box = store.box(for: Setting.self)
      let query = try box.query().ordered(by: Setting.id).build()
      switch self {
      case .handle: return store
      case .clone: return try store.clone()
      case .box: return box
      case .query: return query
      case .observer: return box.subscribe(dispatchQueue: queue) { _, _ in }
      case .list: return try query.monitor()
      case .object: return try box.monitor(1 as Id)
      case .subscription: return try query.monitor().subscribe(dispatchQueue: queue) { _ in }
      // Each begins here, and not with the task.
      case .results:
        nonisolated(unsafe) let results = box.results
        return Iteration { for try await _ in results {} }
      case .changes:
        let changes = box.changes
        return Iteration { for await _ in changes {} }
      }
    }
  }

  /// A task that is cancelled when it is released.
  private final class Iteration: Sendable {
    private let task: Task<Void, any Error>

    init(_ body: @escaping @Sendable () async throws -> Void) { task = Task { try await body() } }

    deinit { task.cancel() }
  }

  @Test(arguments: Leak.allCases) func aTestFailsIfItIsLeft(_ leak: Leak) async throws {
    let kept = Kept<any Sendable>()
    let borrowed = Kept<Store>()
    try await withKnownIssue {
      try await Scope(Self.trait, patience: .milliseconds(100)).run {
        try Store.current.box(for: Setting.self).put(Setting("a"))
        borrowed.value = try Store.current.borrowed
        kept.value = try leak.make(Store.current)
      }
    } matching: { issue in
      issue.comments.contains {
        $0.rawValue.contains("the store is still used at the end of its test")
          && $0.rawValue.contains(leak.rawValue)
      }
    }
    // It was closed for all.
    #expect(borrowed.value?.isClosed == true)
    kept.value = nil
  }

  @Test(arguments: Leak.allCases) func aTestMayAllowIt(_ leak: Leak) async throws {
    let kept = Kept<any Sendable>()
    let trait = StoreTrait.store(.sample, allowsOpenHandles: true)
    let borrowed = try await Scope(trait).run {
      try Store.current.box(for: Setting.self).put(Setting("a"))
      kept.value = try leak.make(Store.current)
      return try Store.current.borrowed
    }
    // A sequence of changes does not keep the store open.
    #expect(borrowed.isClosed == (leak == .changes))
    kept.value = nil
    // Tasks and queues end a little later.
    for _ in 0..<10_000 where !borrowed.isClosed { try await Task.sleep(for: .milliseconds(1)) }
    #expect(borrowed.isClosed)
  }

  /// Observers are called on queues, whose calls keep a box until they return; none of that may fail a test.
  @Test func aTestThatEndsEverythingNeverFails() async throws {
    for number in 0..<TestSeed.count("BOXJOINT_SOAK_TESTING_RUNS", default: 25) {
      try await Scope(Self.trait).run {
        let store = try Store.current
        let box = store.box(for: Setting.self)
        let observer = box.subscribe(dispatchQueue: Self.queue) { _, _ in }
        let monitor = try box.query().ordered(by: Setting.id).build().monitor()
        let subscription = monitor.subscribe(dispatchQueue: Self.queue) { _ in }
        let changes = Iteration { for await _ in box.changes {} }
        let results = Iteration { for try await _ in box.results {} }
        for count in 0..<(number % 5) {
          try box.put(Setting("\(count)", Int32(count)))
          try box.async.put(Setting("later \(count)"))
        }
        withExtendedLifetime((observer, monitor, subscription, changes, results, store)) {}
      }
    }
  }

  @Test func aTestThatClosesItsStoreLeavesNothing() async throws {
    let kept = Kept<any Sendable>()
    try await Scope(Self.trait, patience: .zero).run {
      kept.value = try Store.current.box(for: Setting.self)
      try Store.current.close()
    }
    kept.value = nil
  }

  // MARK: - Without traits

  @Test func aStoreThatIsFinishedIsClosed() throws {
    for directory in [false, true] {
      let store = try Store.test(.sample, directory: directory)
      let box = store.box(for: Setting.self)
      try box.put(Setting("a"))
      #expect(fileExists(store.directoryPath) == directory)
      try store.finishTest()
      #expect(store.isClosed)
      #expect(!fileExists(store.directoryPath))
      try store.finishTest()
    }
  }

  @Test func aStoreThatIsUsedIsNotFinished() throws {
    let store = try Store.test(.sample, directory: true)
    let other = try store.clone()
    let monitor = try store.box(for: Setting.self).query().ordered(by: Setting.id).build()
      .monitor()
    let error = #expect(throws: ObjectBoxError.self) {
      try TestStore.$patience.withValue(.milliseconds(20)) { try store.finishTest() }
    }
    #expect(caseName(error) == "illegalState")
    #expect(error?.message.hasSuffix("test: a Store, a ListMonitor of Setting") == true)
    #expect(other.isClosed)
    withExtendedLifetime(monitor) {}
    let again = try Store(model: .sample, directory: store.directoryPath)
    try again.closeAndDeleteAllFiles()
  }
}
