public import BoxStore
internal import Synchronization
public import Testing

/// Gives each test a store of its own.
///
/// ```swift
/// @Suite(.store(.library))
/// struct ShelfTests {
///   @Test func empty() throws { #expect(try Store.current.box(for: Book.self).isEmpty()) }
/// }
/// ```
///
/// Each case of a test with arguments has its own store too. At the end of the test the store is closed. The test fails
/// if it is still in use: another handle, a box or a query, a monitor, a subscription or a sequence.
public struct StoreTrait: TestTrait, SuiteTrait, TestScoping {
  private let plan: TestStorePlan
  private let allowsOpenHandles: Bool

  fileprivate init(_ plan: TestStorePlan, allowsOpenHandles: Bool) {
    (self.plan, self.allowsOpenHandles) = (plan, allowsOpenHandles)
  }

  /// True: the tests of a suite, and of the suites in it, have stores.
  public var isRecursive: Bool { true }

  /// Runs a test with its store, and closes the store.
  ///
  /// - Parameters:
  ///   - test: The test.
  ///   - testCase: The case.
  ///   - function: The body of the test.
  /// - Throws: The error of the function.
  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    let current = CurrentStore(plan)
    let failures = FailureNotice()
    do {
      try await CurrentStore.$value.withValue(current) {
        try await failures.handler.provideScope(
          for: test, testCase: testCase, performing: function)
      }
    } catch {
      failures.record()
      await finish(current, of: test, failures)
      throw error
    }
    await finish(current, of: test, failures)
  }

  private func finish(
    _ current: CurrentStore, of test: Test, _ failures: FailureNotice
  ) async {
    guard let store = current.end() else { return }
    if allowsOpenHandles {
      current.releaseHandle()
    } else {
      let left = await current.releaseHandle(of: store)
      if !left.isEmpty {
        failures.record()
        Issue.record(
          "\(TestStore.stillUsed(by: left)); end them in the test, or pass allowsOpenHandles: true",
          sourceLocation: test.sourceLocation)
      }
      store.close()
    }
    if let directory = store.directory, failures.isRecorded {
      print("The store of the failed test \(test.name) is kept in \(directory)")
    } else {
      store.removeDirectory()
    }
  }
}

extension Trait where Self == StoreTrait {
  /// Gives each test a store of its own, which is `Store.current`.
  ///
  /// If a suite and its test have the trait, the trait of the test counts.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - seed: The objects that each store begins with; nil for none.
  ///   - directory: Whether the stores are in directories, and not in memory. The directory of a test that fails
  ///     is kept, and its path printed.
  ///   - allowsOpenHandles: Whether the store may be used after the test. Then it is closed with its last handle.
  ///   - sourceFile: The source file in whose directory the path of a seed begins.
  /// - Returns: The trait.
  public static func store(
    _ model: StoreModel, seed: StoreSeed? = nil, directory: Bool = false,
    allowsOpenHandles: Bool = false, sourceFile: String = #filePath
  ) -> Self {
    let plan = TestStorePlan(
      model: model, seed: seed?.resolved(beside: sourceFile), usesDirectory: directory)
    return Self(plan, allowsOpenHandles: allowsOpenHandles)
  }
}

/// Knows whether a test has failed.
private final class FailureNotice: Sendable {
  private let recorded = Atomic<Bool>(false)

  func record() { recorded.store(true, ordering: .relaxed) }

  var isRecorded: Bool { recorded.load(ordering: .relaxed) }

  /// The trait that sees the issues of a test, and changes none.
  var handler: IssueHandlingTrait {
    .compactMapIssues { issue in
      #if compiler(>=6.3)
        if issue.isFailure { self.record() }
      #else
        self.record()
      #endif
      return issue
    }
  }
}
