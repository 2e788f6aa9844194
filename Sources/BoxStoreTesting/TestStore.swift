internal import BoxEngine
internal import BoxStorage
internal import BoxStore
internal import BoxSystem
internal import Synchronization

/// The description of the stores of a test.
struct TestStorePlan: Sendable {
  let model: StoreModel
  let seed: StoreSeed?
  /// Whether the store is in a directory, and not in memory.
  let usesDirectory: Bool

  /// Makes a store.
  ///
  /// - Returns: The handle, and all that is known of the store without keeping it open.
  /// - Throws: `ObjectBoxError`.
  /// - Complexity: O(*n*) in the pages; for the first store of a seed, in its objects.
  func open() throws -> (handle: Store, test: TestStore) {
    let template = try StoreTemplate.shared(model, seed)
    let (holders, faults) = (OpenHolders(), PlannedFaults())
    var options = template.options
    options.storage.faults = faults.ofStorage
    let directory = usesDirectory ? try Self.makeDirectory(template.pages) : nil
    if !usesDirectory { options.storage.template = template.pages }
    let number = Self.count.add(1, ordering: .relaxed).newValue
    do {
      let handle = try Store(
        opening: directory ?? "\(Store.inMemoryPrefix)boxjoint test \(number)", template.document,
        options, holders: holders)
      faults.attach(to: handle)
      return (handle, TestStore(borrowed: handle.borrowed, holders: holders, directory: directory))
    } catch {
      if let directory { TestStore.removeFiles(in: directory) }
      throw error
    }
  }

  private static let count = Atomic<Int>(0)

  private static func makeDirectory(_ pages: StorageTemplate) throws -> String {
    let prefix = StorageLocation.temporaryDirectory + "/boxjoint-test-"
    let directory: String
    do throws(SystemError) {
      directory = try createTemporaryDirectory(prefix: prefix)
    } catch {
      throw ObjectBoxError.general(message: "cannot create a directory at \(prefix): \(error)")
    }
    try ObjectBoxError.wrapping {
      do throws(StorageError) {
        try pages.write(to: StoreFiles(directory))
      } catch {
        TestStore.removeFiles(in: directory)
        throw StoreError.storage(error)
      }
    }
    return directory
  }
}

/// All that is known of the store of a test, without keeping it open.
struct TestStore: Sendable {
  private let borrowed: Store
  private let holders: OpenHolders
  /// The directory; nil for a store in memory.
  let directory: String?

  init(borrowed: Store, holders: OpenHolders, directory: String?) {
    (self.borrowed, self.holders, self.directory) = (borrowed, holders, directory)
  }

  /// The time that objects of the test get to end: a queue that calls an observer keeps it until then.
  @TaskLocal static var patience = Duration.seconds(5)

  /// Those who use the store after the test; none if it was closed.
  var holdersLeft: [String] { borrowed.isClosed ? [] : holders.names }

  /// Waits until nobody uses the store.
  ///
  /// - Parameters:
  ///   - end: The time at which the wait ends.
  ///   - holders: Returns those who use it.
  /// - Returns: Those who still use it.
  static func wait(
    until end: ContinuousClock.Instant, for holders: () -> [String]
  ) async -> [String] {
    var pause = Duration.microseconds(100)
    while true {
      let left = holders()
      if left.isEmpty || ContinuousClock.now > end { return left }
      // Also where the task of the test is cancelled.
      let wait = pause
      await Task.detached { try? await Task.sleep(for: wait) }.value
      pause = min(pause * 2, .milliseconds(50))
    }
  }

  /// Closes the store for all who use it.
  func close() { borrowed.closeAllHandles() }

  /// Removes the directory, if there is one.
  func removeDirectory() {
    if let directory { Self.removeFiles(in: directory) }
  }

  /// Removes the files of a store, and the directory if nothing else is in it.
  static func removeFiles(in directory: String) { StoreFiles(directory).remove() }
}

/// The store of a running test, which is made when it is first used.
final class CurrentStore: Sendable {
  private enum State: Sendable {
    case unused
    case open(Store, TestStore)
    /// The test is over, and its handle is still there.
    case ending(Store, TestStore)
    case ended
  }

  @TaskLocal static var value: CurrentStore?

  private let plan: TestStorePlan
  private let state = Mutex(State.unused)

  init(_ plan: TestStorePlan) { self.plan = plan }

  /// The handle of the test.
  ///
  /// - Throws: `ObjectBoxError.illegalState` after the test, and the error with which the store cannot be made.
  func handle() throws -> Store {
    try state.withLock { state in
      switch state {
      case .open(let handle, _): return handle
      case .ending, .ended:
        throw ObjectBoxError.illegalState(
          message: "the test of this store has ended; wait for its tasks in the test")
      case .unused:
        let (handle, test) = try plan.open()
        state = .open(handle, test)
        return handle
      }
    }
  }

  /// Ends the use of the store in the test.
  ///
  /// - Returns: The store; nil if the test did not use it.
  func end() -> TestStore? {
    state.withLock { state in
      guard case .open(let handle, let store) = state else {
        state = .ended
        return nil
      }
      state = .ending(handle, store)
      return store
    }
  }

  /// Those who use the store beside the handle of the test and its boxes; none if the store was closed.
  var otherHolders: [String] {
    state.withLock { state in
      guard case .ending(let handle, _) = state, !handle.engine.isClosed else { return [] }
      return handle.otherHolders
    }
  }

  /// Gives the handle of the test back, which closes the store unless others keep it open.
  func releaseHandle() {
    // Released after the lock.
    let last = state.withLock { state in
      defer { state = .ended }
      return state
    }
    withExtendedLifetime(last) {}
  }

  /// Gives the handle back, and waits until nobody uses the store, at most for the time of ``TestStore/patience``.
  ///
  /// - Returns: Those who still use it.
  func releaseHandle(of store: TestStore) async -> [String] {
    let end = ContinuousClock.now + TestStore.patience
    // While the store is open: sequences of changes keep no handle, and would end with the store.
    let others = await TestStore.wait(until: end) { otherHolders }
    releaseHandle()
    let left = await TestStore.wait(until: end) { store.holdersLeft }
    return left.isEmpty ? others : left
  }
}
