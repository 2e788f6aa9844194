internal import BoxEngine
public import BoxStore

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension Store {
  /// The store of the running test, which has the trait `.store`.
  ///
  /// The store is made when it is first asked for. The same handle is returned in the whole test, and in the
  /// tasks that it starts; a detached task, and a queue, do not belong to the test.
  ///
  /// - Throws: `ObjectBoxError.illegalState` where no such test runs, `ObjectBoxError.schema` for a model that is
  ///   not valid, `ObjectBoxError.illegalArgument` for a seed that cannot be imported, and the errors of the
  ///   storage.
  /// - Complexity: O(*n*) in the pages at first, and O(1) then.
  public static var current: Store {
    get throws {
      guard let current = CurrentStore.value else {
        throw ObjectBoxError.illegalState(
          message:
            "no store belongs to this task: give the test or its suite the trait .store, and pass the "
            + "store to detached tasks and queues")
      }
      return try current.handle()
    }
  }

  /// Makes a store of its own for a test that has no traits, as in XCTest.
  ///
  /// ```swift
  /// let store = try Store.test(.library)
  /// addTeardownBlock { try store.finishTest() }
  /// ```
  ///
  /// The store shares nothing with others. Its seed is imported once in a process, and copied by pages.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - seed: The objects that it begins with; nil for none.
  ///   - directory: Whether the store is in a directory of its own, and not in memory.
  ///   - sourceFile: The source file in whose directory the path of a seed begins.
  /// - Returns: The store; its directory remains until ``finishTest()``.
  /// - Throws: As ``current``.
  /// - Complexity: O(*n*) in the pages; for the first store of a seed, in its objects.
  public static func test(
    _ model: StoreModel, seed: StoreSeed? = nil, directory: Bool = false,
    sourceFile: String = #filePath
  ) throws -> Store {
    let plan = TestStorePlan(
      model: model, seed: seed?.resolved(beside: sourceFile), usesDirectory: directory)
    return try plan.open().handle
  }

  /// Closes a store that ``test(_:seed:directory:sourceFile:)`` has made, and removes its directory.
  ///
  /// - Throws: `ObjectBoxError.illegalState` if another handle, a monitor or a subscription is left, with what it is.
  ///   The store is closed for all, and its directory remains.
  /// - Complexity: O(1); waits up to five seconds for calls of observers that still run.
  public func finishTest() throws {
    let end = ContinuousClock.now + TestStore.patience
    while !engine.isClosed && !otherHolders.isEmpty && ContinuousClock.now < end { usleep(1000) }
    let left = engine.isClosed ? [] : otherHolders
    closeAllHandles()
    close()
    if !left.isEmpty {
      throw ObjectBoxError.illegalState(message: TestStore.stillUsed(by: left))
    }
    if !directoryPath.hasPrefix(Store.inMemoryPrefix) { TestStore.removeFiles(in: directoryPath) }
  }
}

extension TestStore {
  /// The message about a store that is used after its test.
  static func stillUsed(by holders: [String]) -> String {
    "the store is still used at the end of its test: \(holders.joined(separator: ", "))"
  }
}
