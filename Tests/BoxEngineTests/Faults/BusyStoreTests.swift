import BoxModel
import BoxStorage
import Dispatch
import TestSupport
import Testing

@testable import BoxEngine
@testable import EngineFaultsChild

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A store that others write to is never called damaged.
struct BusyStoreTests {
  /// Processes open a store again and again, with a check of its pages, beside writers whose syncs take
  /// 0.2 seconds, and beside writers that commit as fast as they can.
  @Test(
    .enabled("needs a C compiler, and Linux", SlowSyncs.isAvailable),
    arguments: [(1, true), (4, true), (1, false), (4, false)])
  func openingsFindNoDamage(writers: Int, isSlow: Bool) async throws {
    let count = TestSeed.count("BOXJOINT_SOAK_OPENINGS", default: 200) / 4
    let directory = try FaultsDirectory.make()
    let environment = isSlow ? try await SlowSyncs(directory).environment : [:]
    _ = try ChildProcess("write", in: directory, number: 40).finish()
    let writing = try (0..<writers).map { _ in
      try ChildProcess("contend", in: directory, environment: environment)
    }
    for writer in writing { #expect(writer.line() == "open") }
    let readers = try (0..<2).map { _ in
      try ChildProcess("open", in: directory, number: max(1, count / 2))
    }
    for reader in readers {
      let line = try reader.finish().last
      #expect(line?.hasPrefix("opened") == true, "\(line ?? "")")
    }
    for writer in writing { writer.kill9() }
    let commits = writing.map { $0.lines().count { $0.hasPrefix("done") } }.reduce(0, +)
    print("\(count) openings beside \(commits) commits of \(writers) writers")
    // Killed in the middle of a sync, and nobody has written since.
    #expect(try ObjectStore.verify(directory.path(of: "store")) == [])
    #expect(try FaultsDirectory.check(directory.path(of: "store")) > 40)
  }

  // MARK: - The states of a commit

  /// While a commit is synced, its head can be read, and transactions begin with the state before.
  @Test func theHeadOfASyncedCommitIsNotDamage() throws {
    let directory = try FaultsDirectory.make()
    let (path, other) = (directory.path(of: "store"), directory.path(of: "other"))
    for number in 1...40 {
      try write(number, to: path)
      guard number > 30 else { continue }
      try directory.write(directory.bytes(of: "store/data.mdb"), to: "other/data.mdb")
      // It knows the transactions up to this one.
      let reader = try FaultsDirectory.open(other)
      let known = try reader.status().lastTransaction
      try write(number + 1, to: path)
      try overwrite(other, with: path)
      var options = StorageOptions()
      let report = try StorageLocation.directory(other).readingPages(options) {
        try PageWalker($0).walk()
      }
      #expect(report.problems == [])
      #expect(report.transaction == known)
      options.pageCheck = PageCheck { _, _ in }
      #expect(try ObjectStore.verify(other) == [])
      #expect(try Ledger(reader).check() == number)
      reader.close()
      // The next one that opens it knows all of them.
      #expect(try FaultsDirectory.check(other) == number + 1)
      try remove(other)
    }
  }

  /// A head that another process is writing is read again until it is whole.
  @Test func aHeadThatIsBeingWrittenIsReadAgain() throws {
    let directory = try FaultsDirectory.make()
    let path = directory.path(of: "store")
    for number in 1...5 { try write(number, to: path) }
    let holder = try ChildProcess("hold", in: directory)
    #expect(holder.line() == "holding")
    let whole = try directory.bytes(of: "store/data.mdb")
    var torn = whole
    // The number of the transaction, of which the upper half is missing yet.
    for offset in 4096 + 145..<4096 + 152 { torn[offset] = 0xFF }
    for offset in 145..<152 { torn[offset] = 0xFF }
    try overwrite(path, bytes: torn)
    let isWhole = DispatchSemaphore(value: 0)
    DispatchQueue(label: "head").asyncAfter(deadline: .now() + .milliseconds(200)) {
      try? self.overwrite(path, bytes: whole)
      isWhole.signal()
    }
    var options = StoreOptions()
    options.storage.pageCheck = PageCheck { _, _ in }
    let store = try ObjectStore.open(
      .directory(path), model: FaultsDirectory.document(), options: options)
    #expect(try Ledger(store).check() == 5)
    store.close()
    isWhole.wait()
    // One that stays so is damaged, whoever has the store open.
    try overwrite(path, bytes: torn)
    #expect(throws: StoreError.self) {
      try ObjectStore.open(.directory(path), model: FaultsDirectory.document(), options: options)
    }
    #expect(try !ObjectStore.verify(path).isEmpty)
    try overwrite(path, bytes: whole)
    holder.kill9()
  }

  /// A backup that is put in the place of a store that others have open is not damaged, and not used.
  @Test(arguments: [false, true])
  func aReplacedFileIsNotDamage(withCheck: Bool) throws {
    let directory = try FaultsDirectory.make()
    let (path, backup) = (directory.path(of: "store"), directory.path(of: "backup"))
    for number in 1...5 { try write(number, to: path) }
    try directory.write(directory.bytes(of: "store/data.mdb"), to: "backup/data.mdb")
    for number in 6...20 { try write(number, to: path) }
    let holder = try ChildProcess("hold", in: directory)
    #expect(holder.line() == "holding")
    #expect(rename(backup + "/data.mdb", path + "/data.mdb") == 0)
    var options = StoreOptions()
    if withCheck { options.storage.pageCheck = PageCheck { _, _ in } }
    do {
      _ = try ObjectStore.open(
        .directory(path), model: FaultsDirectory.document(), options: options)
      Issue.record("the file was opened with the locks of another one")
    } catch StoreError.storage(let error) {
      #expect(error.kind == .inUse)
      #expect(error.message.contains("is not the file that other programs have open"))
    }
    holder.kill9()
    _ = holder.wait()
    #expect(try FaultsDirectory.check(path) == 5)
  }

  /// Whoever has a store open when another file is put in its place writes nothing more: it would be lost, or
  /// damage that file.
  @Test(arguments: ["renamed", "overwritten", "removed"])
  func anOpenStoreWhoseFileIsReplacedIsNotWritten(_ way: String) throws {
    let directory = try FaultsDirectory.make()
    let path = directory.path(of: "store")
    for number in 1...5 { try write(number, to: path) }
    let backup = try directory.bytes(of: "store/data.mdb")
    for number in 6...20 { try write(number, to: path) }
    let ledger = try Ledger(FaultsDirectory.open(path))
    #expect(try ledger.check() == 20)
    switch way {
    case "renamed":
      try directory.write(backup, to: "backup")
      #expect(rename(directory.path(of: "backup"), path + "/data.mdb") == 0)
    case "overwritten": try overwrite(path, bytes: backup + [UInt8](repeating: 0, count: 1 << 20))
    default: #expect(unlink(path + "/data.mdb") == 0)
    }
    do {
      try ledger.write(21)
      Issue.record("a transaction was written")
    } catch StoreError.storage(let error) {
      #expect(error.kind == .inUse, "\(error)")
    }
    ledger.store.close()
    if way == "removed" { return }
    #expect(try FaultsDirectory.check(path) == 5)
  }

  /// A process that is stopped in the middle of opening a store holds LMDB's lock: the next one says so.
  @Test func anOpenerThatWasStoppedIsNamed() throws {
    let directory = try FaultsDirectory.make()
    let path = directory.path(of: "store")
    try write(1, to: path)
    let stopped = try ChildProcess("opening", in: directory)
    #expect(stopped.line() == "opening")
    do {
      _ = try FaultsDirectory.open(path)
      Issue.record("the store was opened")
    } catch StoreError.storage(let error) {
      #expect(error.kind == .inUse)
      #expect(error.message.hasPrefix("process \(stopped.process) has been opening the store"))
    }
    stopped.kill9()
    _ = stopped.wait()
    #expect(try FaultsDirectory.check(path) == 1)
  }

  // MARK: -

  /// Writes a transaction that the store does not have yet.
  private func write(_ number: Int, to path: String) throws {
    let ledger = try Ledger(FaultsDirectory.open(path))
    if try ledger.check() < number { try ledger.write(number) }
    ledger.store.close()
  }

  private func remove(_ path: String) throws {
    try StorageLocation.directory(path).removeFiles()
    rmdir(path)
  }

  private func overwrite(_ path: String, with other: String) throws {
    try overwrite(path, bytes: TemporaryDirectory.bytes(ofFile: other + "/data.mdb"))
  }

  /// Writes bytes over a file that stays the same file.
  private func overwrite(_ path: String, bytes: [UInt8]) throws {
    let file = open(path + "/data.mdb", O_WRONLY)
    // As LMDB does, the heads come last.
    #expect(pwrite(file, Array(bytes[8192...]), bytes.count - 8192, 8192) == bytes.count - 8192)
    #expect(pwrite(file, bytes, 8192, 0) == 8192)
    close(file)
  }
}
