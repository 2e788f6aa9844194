import BoxStore
import Dispatch
import Synchronization
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Stores that others use or that have reached a limit, and models that do not fit.
struct StoreLimitsTests {
  /// A number that several threads count up.
  private final class Counter: Sendable {
    let number = Atomic<Int>(0)
  }

  @Test func readersBeyondTheLimitAreRefusedAndGoOnLater() throws {
    let directory = try TemporaryDirectory()
    let store = try Store(
      model: SampleStore.model, directory: directory.path(of: "store"), maxReaders: 2)
    try store.box().put(Setting("a"))
    let (ready, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let done = DispatchGroup()
    for _ in 0..<2 {
      let queue = DispatchQueue(label: "reader")
      done.enter()
      queue.async {
        try? store.runInReadOnlyTransaction { () throws -> Void in
          ready.signal()
          end.wait()
        }
        done.leave()
      }
    }
    ready.wait()
    ready.wait()
    let box = store.box(for: Setting.self)
    #expect(thrownCase { _ = try box.count() } == "maxReadersExceeded")
    end.signal()
    end.signal()
    done.wait()
    #expect(try box.count() == 1)
  }

  @Test func filesThatAreInUseElsewhereAreNotRemoved() throws {
    let directory = try TemporaryDirectory()
    let store = try SampleStore.open(directory)
    try store.box().put(Setting("a"))
    // The lock that another process has that opened the store.
    let file = open(directory.path(of: "store/store.lock"), O_RDWR)
    #expect(file >= 0)
    #expect(flock(file, LOCK_SH) == 0)
    #expect(thrownCase { try store.closeAndDeleteAllFiles() } == "illegalState")
    #expect(store.isClosed)
    close(file)
    #expect(try SampleStore.open(directory).box(for: Setting.self).count() == 1)
  }

  @Test func filesAreNotRemovedWhileATransactionRuns() throws {
    let directory = try TemporaryDirectory()
    let store = try SampleStore.open(directory)
    try store.box().put(Setting("a"))
    try store.runInReadOnlyTransaction { () throws -> Void in
      #expect(thrownCase { try store.closeAndDeleteAllFiles() } == "illegalState")
    }
    #expect(try SampleStore.open(directory).box(for: Setting.self).count() == 1)
  }

  @Test(.promise(263)) func aDirectoryWithOtherFilesStays() throws {
    let directory = try TemporaryDirectory()
    let store = try SampleStore.open(directory)
    try directory.write([1], to: "store/notes.txt")
    try store.closeAndDeleteAllFiles()
    #expect(directory.names(in: directory.path(of: "store")) == ["notes.txt"])
  }

  @Test func theModelOfAnotherProgramIsRefused() throws {
    let directory = try TemporaryDirectory()
    try SampleStore.open(directory).box().put(Setting("a"))
    let other = StoreModel(json: ImportSample.model)
    #expect(
      thrownCase { _ = try Store(model: other, directory: directory.path(of: "store")) } == "schema"
    )
    #expect(try SampleStore.open(directory).box(for: Setting.self).count() == 1)
  }

  @Test(.promise(261, 397)) func aNameInMemoryIsSharedUntilItsLastHandle() throws {
    let first = try Store(model: SampleStore.model, directory: "memory:shared-name")
    try first.box().put(Setting("a"))
    #expect(try Store.isOpen(directory: "memory:shared-name"))
    let second = try Store.attachTo(directory: "memory:shared-name")
    first.close()
    #expect(try second.box(for: Setting.self).count() == 1)
    try second.closeAndDeleteAllFiles()
    let third = try Store(model: SampleStore.model, directory: "memory:shared-name")
    #expect(try third.box(for: Setting.self).isEmpty())
  }

  @Test func aDataFileIsRecognizedByWhateverPath() throws {
    let directory = try TemporaryDirectory()
    let store = try SampleStore.open(directory)
    #expect(symlink(directory.path(of: "store"), directory.path(of: "link")) == 0)
    #expect(try Store.isOpen(directory: directory.path(of: "link")))
    #expect(
      thrownCase {
        _ = try Store(model: SampleStore.model, directory: directory.path(of: "link"))
      } == "illegalState")
    withExtendedLifetime(store) {}
  }

  @Test(.promise(152)) func storesAreOpenedAndClosedByManyThreads() async throws {
    let directory = try TemporaryDirectory()
    let opened = Counter()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<20 {
            do {
              let store = try SampleStore.open(directory)
              opened.number.add(1, ordering: .relaxed)
              try store.box().put(Setting(nil))
              store.close()
            } catch {
              // Another thread has it open.
              #expect(caseName(error) == "illegalState")
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let count = opened.number.load(ordering: .relaxed)
    #expect(count > 0)
    #expect(try SampleStore.open(directory).box(for: Setting.self).count() == count)
  }
}
