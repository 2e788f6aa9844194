import BoxStore
import Synchronization
import Testing

@testable import BoxStoreTesting

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Runs a function as a test that has a trait.
struct Scope {
  private let trait: StoreTrait
  private let patience: Duration

  init(_ trait: StoreTrait, patience: Duration = .seconds(20)) {
    (self.trait, self.patience) = (trait, patience)
  }

  /// - Throws: The error of the function.
  func run<T: Sendable>(_ body: @escaping @Sendable () async throws -> T) async throws -> T {
    let test = try #require(Test.current)
    let result = Kept<T>()
    try await TestStore.$patience.withValue(patience) {
      try await trait.provideScope(for: test, testCase: nil) { result.value = try await body() }
    }
    return try #require(result.value)
  }
}

/// A value that outlives a function.
final class Kept<T: Sendable>: Sendable {
  private let kept = Mutex<T?>(nil)

  var value: T? {
    get { kept.withLock { $0 } }
    set {
      // The old one is released after the lock.
      let old = kept.withLock { kept in
        defer { kept = newValue }
        return kept
      }
      withExtendedLifetime(old) {}
    }
  }
}

/// Whether a path has anything.
func fileExists(_ path: String) -> Bool { access(path, F_OK) == 0 }
