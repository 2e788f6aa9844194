import Synchronization
import TestSupport
import Testing

@testable import BoxStorage
@testable import BoxSystem

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Stores that threads open at the same time.
struct OpeningTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func location(_ name: String) -> StorageLocation { .directory(directory.path(of: name)) }

  /// The state that the threads of a test share.
  private final class Shared: Sendable {
    let isRunning = Atomic(false)
    let failure = Mutex<StorageError?>(nil)
    let opened = Mutex<[Storage]>([])
    let inside = Mutex([0, 0])
    let alone = Mutex(0)

    func open(_ location: StorageLocation) {
      isRunning.store(true, ordering: .releasing)
      do throws(StorageError) {
        let storage = try location.open(StorageOptions())
        opened.withLock { $0.append(storage) }
      } catch {
        failure.withLock { $0 = error }
      }
    }

    /// Counts how often no other thread is inside with the same key.
    func enter(_ key: Int) {
      let count = inside.withLock {
        $0[key] += 1
        return $0[key]
      }
      if count == 1 { alone.withLock { $0 += 1 } }
      inside.withLock { $0[key] -= 1 }
    }
  }

  private func start(
    _ count: Int = 1, _ body: @escaping @Sendable (Int) -> Void
  ) throws -> [WorkerThread] {
    try (0..<count).map { number in try WorkerThread { body(number) } }
  }

  /// An opening waits for half a second for a process that replaces the store.
  ///
  /// Another store is opened meanwhile, and the lock released in time.
  @Test func anOpeningThatWaitsHoldsUpNoOtherStore() throws {
    let waiting = location("waiting")
    _ = try waiting.open(StorageOptions())
    // A machine that is busy for half a second delays one round.
    var rounds = 0
    while rounds < 10 {
      rounds += 1
      let lock = try StoreLock.exclusive(in: directory.path(of: "waiting"), fileMode: 0o600)
      let shared = Shared()
      let threads = try start { _ in shared.open(waiting) }
      while !shared.isRunning.load(ordering: .acquiring) { usleep(100) }
      usleep(50_000)
      _ = try location("other\(rounds)").open(StorageOptions())
      lock.release()
      for thread in threads { thread.join() }
      if shared.failure.withLock({ $0 }) == nil { break }
    }
    #expect(rounds < 10)
  }

  /// However many threads open one store, the process has one environment for its file.
  @Test func oneFileIsOpenedOnce() throws {
    for round in 0..<20 {
      let store = location("shared\(round)")
      try {
        let shared = Shared()
        for thread in try start(4, { _ in shared.open(store) }) { thread.join() }
        let opened = shared.opened.withLock { $0.map { ObjectIdentifier($0 as AnyObject) } }
        #expect(opened.count == 4)
        #expect(Set(opened).count == 1)
        #expect(store.isOpenHere)
      }()
      #expect(!store.isOpenHere)
    }
  }

  @Test func locksOfKeysExcludeOnlyTheirOwnUsers() throws {
    let locks = KeyedLocks<Int>()
    let shared = Shared()
    let threads = try start(4) { number in
      for _ in 0..<2000 { locks.withLock(number % 2) { shared.enter(number % 2) } }
    }
    for thread in threads { thread.join() }
    #expect(shared.alone.withLock { $0 } == 8000)
    // One key does not wait for another one.
    locks.withLock(0) { locks.withLock(1) {} }
  }
}
