import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine
@testable import EngineFaultsChild

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Capture by several processes, some of which are killed.
struct CaptureFaultsTests {
  private func open(_ directory: TemporaryDirectory) throws -> ObjectStore {
    try FaultsDirectory.open(directory.path(of: "store"))
  }

  /// Compares a store with its outbox, applied to what there was before.
  private func compare(
    _ store: ObjectStore, after base: CapturedContents?
  ) throws {
    let findings = try store.verify()
    #expect(findings.isEmpty, "\(findings.map(\.message))")
    try store.read { (transaction) throws in
      let after = try CapturedContents(transaction)
      var forward = after
      (forward.records, forward.pairs) = (base?.records ?? [:], base?.pairs ?? [])
      try forward.applyOutbox(transaction)
      #expect(forward.differences(from: after) == [])
      var backward = after
      try backward.revert(transaction)
      var before = after
      (before.records, before.pairs) = (base?.records ?? [:], base?.pairs ?? [])
      #expect(backward.differences(from: before) == [])
    }
  }

  /// Forgets the outbox, and returns what there is.
  private func base(_ store: ObjectStore) throws -> CapturedContents {
    try store.write { try $0.forgetOutbox() }
    return try store.read { try CapturedContents($0) }
  }

  @Test func `Two processes in turn are captured alike`() throws {
    let directory = try FaultsDirectory.make()
    let store = try open(directory)
    try store.switchOnSync(store.entities)
    for round in 0..<4 {
      let before = try base(store)
      _ = try ChildProcess("contend", in: directory, number: 10 + round).finish()
      for _ in 0..<10 { _ = try Ledger(store).writeNext() }
      _ = try ChildProcess("contend", in: directory, number: 5).finish()
      try compare(store, after: before)
      #expect(try store.read { try $0.capturedTransactions() }.count == 25 + round)
    }
  }

  /// Starts a process that writes, and kills it at a random moment.
  private func killChild(
    _ task: String, in directory: TemporaryDirectory, _ random: inout SplitMix64
  ) throws {
    let child = try ChildProcess(task, in: directory)
    for _ in 0..<random.below(60) { _ = child.line() }
    usleep(UInt32(random.below(4000)))
    child.kill9()
    _ = child.lines()
    #expect(child.wait() == -SIGKILL, "\(child.errors)")
  }

  @Test func `The outbox of a process that is killed is that of its commits`() throws {
    var random = TestSeed.next()
    let kills = TestSeed.count("BOXJOINT_SOAK_CAPTURE_KILLS", default: 8)
    let directory = try FaultsDirectory.make()
    do {
      let store = try open(directory)
      defer { store.close() }
      try store.switchOnSync(store.entities)
    }
    var known: CapturedContents?
    for _ in 0..<kills {
      try killChild("write", in: directory, &random)
      let store = try open(directory)
      defer { store.close() }
      try compare(store, after: known)
      if random.oneIn(3) { known = try base(store) }
    }
  }

  @Test func `Seeding that is killed captures each object once`() throws {
    var random = TestSeed.next()
    let count = TestSeed.count("BOXJOINT_SOAK_SEEDED", default: 20_000)
    let kills = TestSeed.count("BOXJOINT_SOAK_SEED_KILLS", default: 5)
    let directory = try FaultsDirectory.make()
    do {
      let store = try open(directory)
      defer { store.close() }
      let entry = try store.entity(named: "Entry")
      try store.write { transaction in
        for number in 0..<count {
          var object = DynamicObject(entry)
          object["number"] = .integer(Int64(number))
          try transaction.put(object)
        }
      }
    }
    for _ in 0..<kills {
      let child = try ChildProcess("seed", in: directory)
      for _ in 0..<1 + random.below(max(2, count / 500 / kills)) { _ = child.line() }
      usleep(UInt32(random.below(2000)))
      child.kill9()
      _ = child.lines()
      _ = child.wait()
    }
    #expect(try ChildProcess("seed", in: directory).finish().last == "done")
    let store = try open(directory)
    let operations = try store.read { try $0.capturedTransactions() }.flatMap(\.operations)
    #expect(operations.map(\.id).sorted() == (1...UInt64(count)).map { $0 })
    try compare(store, after: nil)
  }

  @Test func `An arrival that is killed was written with its position, or not at all`() throws {
    var random = TestSeed.next()
    let kills = TestSeed.count("BOXJOINT_SOAK_ARRIVAL_KILLS", default: 8)
    let directory = try FaultsDirectory.make()
    for _ in 0..<kills {
      try killChild("arrive", in: directory, &random)
      let store = try open(directory)
      defer { store.close() }
      #expect(try store.verify() == [])
      let ledger = try Ledger(store)
      let number = try ledger.check()
      if store.synchronizedEntities != nil { #expect(try ledger.position() == number) }
      // Nothing of it was captured.
      #expect(try store.read { try $0.capturedTransactions() } == [])
    }
  }

  @Test func `No write is missed while capture is switched on`() throws {
    let directory = try FaultsDirectory.make()
    let store = try open(directory)
    for _ in 0..<40 { _ = try Ledger(store).writeNext() }
    let child = try ChildProcess("reopen", in: directory)
    #expect(child.line() == "open")
    for _ in 0..<5 { _ = child.line() }
    try store.switchOnSync(store.entities, atOnce: 7) { _ in usleep(2000) }
    while let line = child.line(), line != "again" {}
    for _ in 0..<20 { _ = child.line() }
    child.kill9()
    _ = child.lines()
    _ = child.wait()
    _ = try Ledger(store).check()
    try compare(store, after: nil)
  }
}
