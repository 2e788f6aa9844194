import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine
@testable import EngineFaultsChild

/// The reader slots that processes take, and that are free again after they die.
struct ReaderSlotTests {
  @Test func aDeadReaderIsCleared() throws {
    let directory = try FaultsDirectory.make()
    let path = directory.path(of: "store")
    var ledger: Ledger? = try Ledger(FaultsDirectory.open(path))
    for number in 1...5 { try ledger?.write(number) }
    let seen = try ledger?.store.status().lastTransaction
    let reader = try ChildProcess("hold", in: directory)
    #expect(reader.line() == "holding")

    let whileReading = try grow(ledger, 6...100)
    let oldest = try ledger?.store.status().readers.first
    #expect(oldest?.process == reader.process)
    #expect(oldest?.transaction == seen)
    let held = try #require(try ledger?.store.status().heldBytes)
    #expect(held > 1 << 19)

    reader.kill9()
    #expect(reader.wait() == -9)
    // As long as nobody looks, the slot of the dead one holds the old pages.
    ledger = nil
    ledger = try Ledger(FaultsDirectory.open(path))
    #expect(try ledger?.store.status().readers.contains { $0.process == reader.process } == false)
    #expect(try ledger?.store.status().heldBytes == 0)
    let afterwards = try grow(ledger, 101...200)
    #expect(whileReading > 1 << 19)
    #expect(afterwards < whileReading / 10)
    ledger = nil
    #expect(try FaultsDirectory.check(path) == 200)
  }

  /// Writes transactions; by how many bytes the file grows.
  private func grow(_ ledger: Ledger?, _ numbers: ClosedRange<Int>) throws -> Int {
    guard let ledger else { return 0 }
    let before = try ledger.store.status().size
    for number in numbers { try ledger.write(number) }
    return try ledger.store.status().size - before
  }

  @Test func oneReaderTooManyIsAnError() throws {
    let directory = try FaultsDirectory.make()
    let store = try FaultsDirectory.open(directory.path(of: "store"))
    var readers = try (0..<126).map { _ in try store.storage.beginRead() }
    let status = try store.status()
    #expect(status.maximumReaders == 126)
    #expect(status.readers.count == 126)
    #expect(FaultsChild.kind { try store.read { _ in } } == "tooManyReaders")
    // A writer needs no slot, and one that is given back serves the next.
    try Ledger(store).write(1)
    readers.removeLast().abort()
    #expect(FaultsChild.kind { try store.read { _ in } } == "nothing")
    readers.forEach { $0.abort() }
  }

  /// Opening looks at the catalog, and needs no slot for it but where nobody may write.
  @Test func opensWithoutASlot() throws {
    let directory = try FaultsDirectory.make()
    let path = directory.path(of: "store")
    let store = try FaultsDirectory.open(path)
    try Ledger(store).write(1)
    let readers = try (0..<126).map { _ in try store.storage.beginRead() }
    let second = try ObjectStore.open(.directory(path))
    try Ledger(second).write(2)
    #expect(try second.statistics().entities.contains { $0.objects.entries > 0 })
    readers.forEach { $0.abort() }
    #expect(try Ledger(store).check() == 2)
    // What the opening took is given back.
    let again = try (0..<126).map { _ in try store.storage.beginRead() }
    again.forEach { $0.abort() }
  }

  /// The map of this process is too small for what another one wrote.
  @Test func aLargerLimitElsewhereIsAnError() throws {
    let directory = try FaultsDirectory.make()
    let path = directory.path(of: "store")
    var options = StoreOptions()
    options.storage.maximumSize = 1 << 20
    let store = try ObjectStore.open(
      .directory(path), model: FaultsDirectory.document(), options: options)
    try Ledger(store).write(1)
    // With a reader no page is used again, so that the file outgrows the limit.
    let reading = try store.storage.beginRead()
    let lines = try ChildProcess("write", in: directory, number: 400).finish()
    #expect(lines.last == "done 401")
    reading.abort()
    #expect(FaultsChild.kind { try store.read { _ in } } == "largerLimitElsewhere")
    #expect(FaultsChild.kind { try store.write { _ in } } == "largerLimitElsewhere")
    #expect(throws: StoreError.self) { try store.read { _ in } }
    do {
      try store.read { _ in }
    } catch {
      #expect(
        "\(error)".contains(
          "another process opened it with a larger maximum size; open it with the same here"))
    }
  }

  @Test func useAfterForkIsAnError() throws {
    let directory = try FaultsDirectory.make()
    let lines = try ChildProcess("fork", in: directory).finish()
    #expect(
      lines == [
        "read usedAfterFork", "write usedAfterFork", "status usedAfterFork", "parent 2 0",
        "in a read transaction: nothing", "in a write transaction: usedAfterFork",
        "parent nothing 1 nothing",
      ])
    #expect(try FaultsDirectory.check(directory.path(of: "store")) == 2)
  }
}
