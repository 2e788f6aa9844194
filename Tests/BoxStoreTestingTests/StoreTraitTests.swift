import BoxStore
import BoxStoreTesting
import TestSupport
import Testing

/// Stores of tests with the trait.
@Suite(.store(.sample))
struct StoreTraitTests {
  @Test(arguments: 0..<300) func eachCaseHasItsOwnStore(_ number: Int) throws {
    let box = try Store.current.box(for: Setting.self)
    #expect(try box.isEmpty())
    try box.put(Setting("\(number)", Int32(number)))
    #expect(try Store.current.contents() == lines((1, "\(number)", number)))
  }

  @Test func aTestHasOneStoreInAllOfItsTasks() async throws {
    let box = try Store.current.box(for: Setting.self)
    async let id = try Store.current.box(for: Setting.self).put(Setting("a"))
    #expect(try await box.get(id)?.key == "a")
    let count = try await Task { try Store.current.box(for: Setting.self).count() }.value
    #expect(count == 1)
  }

  @Test(.store(.sample, seed: "../Fixtures/testing/settings.ndjson"))
  func theTraitOfATestCountsRatherThanThatOfItsSuite() throws {
    let box = try Store.current.box(for: Setting.self)
    #expect(try box.all().map(\.key) == ["a", "b", "c"])
    try box.put(Setting("d", 40))
    #expect(try Store.current.contents().contains(lines((4, "d", 40))))
  }

  @Test func noStoreBelongsToADetachedTask() async throws {
    let error = await #expect(throws: ObjectBoxError.self) {
      try await Task.detached { try Store.current.isClosed }.value
    }
    #expect(caseName(error) == "illegalState")
    #expect(error?.message.contains("pass the store to detached tasks") == true)
  }

  @Test func aTaskThatOutlivesItsTestHasNoStore() async throws {
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let task = try await Scope(StoreTrait.store(.sample)).run { () -> Task<String, Never> in
      _ = try Store.current
      return Task {
        for await _ in gate {}
        do {
          _ = try Store.current
          return "none"
        } catch {
          return "\(error)"
        }
      }
    }
    open.finish()
    #expect(await task.value.contains("the test of this store has ended"))
  }

  @Test func aTestThatDoesNotUseItsStoreMakesNone() async throws {
    // The model is not valid, which only a store would find.
    try await Scope(StoreTrait.store(StoreModel(json: "{"))).run {}
  }

  // MARK: - Directories

  @Test func theDirectoryOfATestIsRemoved() async throws {
    let path = try await Scope(StoreTrait.store(.sample, directory: true)).run {
      try Store.current.box(for: Setting.self).put(Setting("a"))
      let path = try Store.current.directoryPath
      #expect(fileExists(path))
      return path
    }
    #expect(path.hasPrefix("/"))
    #expect(!fileExists(path))
  }

  @Test(arguments: [false, true])
  func theDirectoryOfAFailedTestIsKept(throwing: Bool) async throws {
    let path = Kept<String>()
    let trait = StoreTrait.store(.sample, directory: true)
    let test = try #require(Test.current)
    // A known issue would not be a failure.
    let hidden = IssueHandlingTrait.compactMapIssues { $0.comments == ["as planned"] ? nil : $0 }
    try await hidden.provideScope(for: test, testCase: nil) {
      do {
        try await Scope(trait).run {
          let store = try Store.current
          try store.box(for: Setting.self).put(Setting("a", 5))
          path.value = store.directoryPath
          if throwing { throw TestFailure("as planned") }
          Issue.record("as planned")
        }
      } catch is TestFailure {
        #expect(throwing)
      }
    }
    let store = try Store(model: .sample, directory: try #require(path.value))
    #expect(try store.contents() == lines((1, "a", 5)))
    try store.closeAndDeleteAllFiles()
  }
}
