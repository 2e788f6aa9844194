import Synchronization
import TestSupport
import Testing

@testable import BoxStorage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Commits that a watch is told of.
@Suite(.serialized)
struct CommitWatchTests {
  private final class Waiting: Sendable {
    let calls = Mutex(0)
    let isCalled = Atomic(false)
    let mayReturn = Atomic(false)
  }

  private final class Held: Sendable {
    let watch = Mutex<CommitWatch?>(nil)
  }

  /// The state that a watch saw last, and how often it was called.
  private final class Heard: Sendable {
    private let state = Mutex((calls: 0, number: UInt64(0)))
    var calls: Int { state.withLock { $0.calls } }
    var number: UInt64 { state.withLock { $0.number } }

    func look(_ storage: Storage) {
      let number = (try? storage.beginRead().number) ?? 0
      state.withLock { $0 = ($0.calls + 1, number) }
    }

    /// Waits until a state is seen, at the longest for a time; returns whether it is.
    func sees(_ number: UInt64, within milliseconds: Int = 1000) -> Bool {
      for _ in 0..<milliseconds where self.number < number { usleep(1000) }
      return self.number >= number
    }
  }

  private let directory: TemporaryDirectory
  private let storage: Storage
  private let heard = Heard()

  init() throws {
    directory = try TemporaryDirectory()
    storage = try StorageLocation.directory(directory.path(of: "store")).open(StorageOptions())
  }

  private func commit(_ storage: Storage) throws -> UInt64 {
    let transaction = try storage.beginWrite()
    let number = transaction.number
    let space = try #require(try transaction.openSpace("space", .records, create: true))
    try transaction.put([1], at: number, in: space)
    try transaction.commit()
    return number
  }

  private func watch(_ storage: Storage, after number: UInt64 = 0) throws -> CommitWatch {
    try CommitWatch(storage, after: number) { [heard] in heard.look(storage) }
  }

  @Test func hearsCommitsOfThisProcess() throws {
    let memory = try StorageLocation.memory(#function).open(StorageOptions())
    for storage in [storage, memory] {
      let watch = try watch(storage)
      for _ in 0..<20 { #expect(heard.sees(try commit(storage))) }
      #expect(heard.calls >= 20)
      watch.cancel()
      let calls = heard.calls
      _ = try commit(storage)
      usleep(300_000)
      #expect(heard.calls == calls)
    }
  }

  @Test func hearsCommitsOfAnotherProcess() async throws {
    let writer = try #require(builtProgram("StorageWriter"))
    let path = directory.path(of: "store")
    let watch = try watch(storage)
    for commits in [1, 1, 30, 300] {
      let last = try storage.beginRead().number
      let run = try await ProcessRun.of(
        writer, [path, "\(commits)", "\(commits)", commits == 30 ? "3000" : "0"])
      #expect(run.status == 0, "\(run.messages)")
      // A nested transaction that is given up, or nothing to remove, can make an empty commit.
      let number = try storage.beginRead().number
      #expect(number > last && number <= last + UInt64(commits))
      #expect(heard.sees(number))
    }
    watch.cancel()
    let calls = heard.calls
    #expect(try await ProcessRun.of(writer, [path, "5", "5", "0"]).status == 0)
    usleep(300_000)
    #expect(heard.calls == calls)
  }

  @Test func saysAtOnceThatTheStateIsLater() throws {
    let number = try commit(storage)
    let first = try watch(storage, after: number - 1)
    #expect(heard.sees(number))
    first.cancel()
    #expect(heard.calls == 1)
    let second = try watch(storage, after: number)
    usleep(300_000)
    second.cancel()
    #expect(heard.calls == 1)
  }

  @Test func severalCommitsAreOneCall() throws {
    // The first call waits until the others are committed.
    let shared = Waiting()
    let watch = try CommitWatch(storage, after: 0) {
      shared.calls.withLock { $0 += 1 }
      shared.isCalled.store(true, ordering: .releasing)
      while !shared.mayReturn.load(ordering: .acquiring) { usleep(100) }
    }
    _ = try commit(storage)
    while !shared.isCalled.load(ordering: .acquiring) { usleep(100) }
    for _ in 0..<50 { _ = try commit(storage) }
    shared.mayReturn.store(true, ordering: .releasing)
    usleep(300_000)
    watch.cancel()
    #expect(shared.calls.withLock { $0 } == 2)
  }

  @Test func theFunctionMayCancel() throws {
    for releases in [false, true] {
      let (held, shared) = (Held(), Waiting())
      do {
        let watch = try CommitWatch(storage, after: try storage.beginRead().number) {
          held.watch.withLock { watch in
            watch?.cancel()
            // Nobody else has it.
            if releases { watch = nil }
          }
          shared.calls.withLock { $0 += 1 }
        }
        held.watch.withLock { $0 = watch }
      }
      _ = try commit(storage)
      for _ in 0..<1000 where shared.calls.withLock({ $0 }) == 0 { usleep(1000) }
      _ = try commit(storage)
      usleep(100_000)
      #expect(shared.calls.withLock { $0 } == 1)
      held.watch.withLock { $0 = nil }
    }
  }

  @Test func startsAndEndsLeaveNoThreads() throws {
    #if os(Linux)
      // Other tests of the process open and close files by the hundred meanwhile, but few watches.
      func descriptors() -> Int {
        (0..<4096).count { number in
          var target = [CChar](repeating: 0, count: 64)
          guard readlink("/proc/self/fd/\(number)", &target, target.count - 1) > 0 else {
            return false
          }
          return target.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { String(cString: $0) } == "anon_inode:inotify"
          }
        }
      }
      let number = try commit(storage)
      for _ in 0..<10 { try watch(storage, after: number).cancel() }
      let before = descriptors()
      for round in 0..<1000 {
        let watch = try watch(storage, after: number)
        if round.isMultiple(of: 2) { watch.cancel() }
      }
      #expect(abs(descriptors() - before) < 100)
    #endif
  }

  @Test func aStoreThatIsRemovedIsQuiet() throws {
    let watch = try watch(storage, after: try commit(storage))
    directory.removeEverything("store")
    usleep(50_000)
    watch.cancel()
    #expect(heard.calls == 0)
  }

  @Test func theStoreClosesAfterTheWatch() throws {
    let location = StorageLocation.directory(directory.path(of: "other"))
    do {
      let storage = try location.open(StorageOptions())
      let watch = try watch(storage)
      #expect(location.isOpenHere)
      watch.cancel()
    }
    #expect(!location.isOpenHere)
  }
}
