import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine
@testable import EngineFaultsChild

/// No reader sees a part of a transaction, in whichever process it is written.
struct ReadersTests {
  @Test(.promise(40)) func seeWholeTransactions() throws {
    let seconds = TestSeed.count("BOXJOINT_SOAK_READER_SECONDS", default: 1)
    let directory = try FaultsDirectory.make()
    _ = try ChildProcess("write", in: directory, number: 1).finish()
    let readers = try (0..<4).map { _ in
      try ChildProcess("check", in: directory, number: seconds)
    }
    let writer = try ChildProcess("write", in: directory)
    var checks = 0
    for reader in readers {
      let lines = try reader.finish()
      let words = lines.last?.split(separator: " ").compactMap { Int($0) } ?? []
      try #require(words.count == 2)
      #expect(words[0] > 1)
      #expect(words[1] > 1)
      checks += words.first ?? 0
    }
    writer.kill9()
    var last = 1
    for line in writer.lines() where line.hasPrefix("done") {
      last = Int(line.dropFirst(5)) ?? last
    }
    print("\(checks) reads beside \(last) transactions")
    let found = try FaultsDirectory.check(directory.path(of: "store"))
    #expect(found == last || found == last + 1)
  }

  /// A check of a store that another process writes to all the time finds nothing that is not there.
  @Test func verifyBesideAWriter() throws {
    let seconds = TestSeed.count("BOXJOINT_SOAK_READER_SECONDS", default: 1)
    let directory = try FaultsDirectory.make()
    let path = directory.path(of: "store")
    // Pages enough for many transactions to end while they are walked.
    do {
      let store = try FaultsDirectory.open(path)
      let text = String(repeating: "x", count: 400)
      try store.write { (transaction) throws in
        for _ in 1...40_000 { try transaction.put("Padding", ["text": .string(text)]) }
      }
    }
    let writer = try ChildProcess("write", in: directory)
    #expect(writer.line() != nil)
    let end = ContinuousClock.now + .seconds(seconds)
    var checks = 0
    repeat {
      #expect(try ObjectStore.verify(path) == [])
      checks += 1
    } while ContinuousClock.now < end
    writer.kill9()
    let commits = writer.lines().count { $0.hasPrefix("done") }
    #expect(commits > 0)
    print("\(checks) checks beside \(commits) transactions")
  }

  @Test func pagesThatAreReadAreNotUsedAgain() throws {
    let directory = try FaultsDirectory.make()
    let path = directory.path(of: "store")
    let ledger = try Ledger(FaultsDirectory.open(path))
    for number in 1...100 { try ledger.write(number) }
    let last = try ledger.store.status().lastTransaction
    try StorageLocation.directory(path).readingPages(StorageOptions()) { pages in
      for number in 101...130 { try ledger.write(number) }
      let report = try PageWalker(pages).walk()
      #expect(report.problems.isEmpty)
      #expect(report.transaction == last)
    }
    // Without a reader of the state they are.
    try PageSource.reading(path + "/data.mdb") { file in
      let pages = try file.withOwnHeads()
      for number in 131...160 { try ledger.write(number) }
      #expect(try !PageWalker(pages).walk().problems.isEmpty)
    }
    #expect(try ledger.check() == 160)
  }

  /// Whoever has a store open checks it with the options that it is open with.
  @Test func verifyInTheProcessThatWrites() throws {
    let directory = try FaultsDirectory.make()
    let path = directory.path(of: "store")
    let ledger = try Ledger(FaultsDirectory.open(path))
    for number in 1...50 { try ledger.write(number) }
    #expect(try ObjectStore.verify(path) == [])
    for number in 51...60 { try ledger.write(number) }
    #expect(try ledger.check() == 60)
  }
}
