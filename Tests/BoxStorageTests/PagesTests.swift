import BoxStorage
import CLMDB
import TestSupport
import Testing

/// The walk agrees with LMDB about files that LMDB wrote.
struct PagesTests {
  @Test func findsNothingInFilesOfManyTransactions() throws {
    var random = TestSeed.next()
    for transactions in [1, 2, 5, 30] {
      let directory = try PagesGenerator.make(&random, transactions: transactions)
      try expectSound(directory)
    }
  }

  @Test func findsNothingInLargeTransactions() throws {
    var random = TestSeed.next()
    try expectSound(PagesGenerator.make(&random, transactions: 3, changes: 3000))
  }

  @Test func findsNothingInCopies() throws {
    var random = TestSeed.next()
    let directory = try PagesGenerator.make(&random)
    let (plain, compacted) = (try TemporaryDirectory(), try TemporaryDirectory())
    do {
      let file = try PagesFile(directory.path(of: "data.mdb"))
      try file.copy(to: plain.path(of: "data.mdb"), isCompacted: false)
      try file.copy(to: compacted.path(of: "data.mdb"), isCompacted: true)
    }
    try expectSound(plain)
    try expectSound(compacted)
    let report = try PageWalker(PageSource(compacted.bytes(of: "data.mdb"))).walk()
    #expect(report.freePages == 0)
  }

  @Test func findsNothingInANewFile() throws {
    let directory = try TemporaryDirectory()
    _ = try PagesFile(directory.path(of: "data.mdb"))
    let report = try PageWalker(PageSource(directory.bytes(of: "data.mdb"))).walk()
    #expect(report.problems == [])
    #expect(report.transaction == 0)
    #expect(report.pageCount == 2)
    #expect(report.usedPages == 2)
  }

  @Test func coversEveryKindOfPage() throws {
    var random = SplitMix64(seed: 1)
    let directory = try PagesGenerator.make(&random)
    let report = try PageWalker(PageSource(directory.bytes(of: "data.mdb"))).walk()
    let databases = Dictionary(uniqueKeysWithValues: report.databases.map { ($0.name ?? "", $0) })
    #expect(report.freePages > 0)
    #expect(report.freelist.entries > 0)
    #expect(try #require(databases["objects"]).overflowPages > 0)
    #expect(try #require(databases["objects"]).branchPages > 0)
    #expect(databases["empty"]?.pages == 0)
    #expect(databases["dropped"] == nil)
    // On larger pages the same entries need fewer of them.
    guard report.pageSize == 4096 else { return }
    for name in ["relation", "index", "words", "loose integers", "small index"] {
      #expect(try #require(databases[name]).duplicateTrees > 0, "\(name)")
    }
    // More than a leaf for each tree: some have branches.
    let index = try #require(databases["index"])
    #expect(index.duplicatePages > index.duplicateTrees)
  }

  @Test func reportsProgressUpToTheEnd() throws {
    var random = TestSeed.next()
    let directory = try PagesGenerator.make(&random, transactions: 3, changes: 3000)
    var calls: [(done: UInt64, total: UInt64)] = []
    var walker = PageWalker(PageSource(try directory.bytes(of: "data.mdb")))
    walker.progress = { calls.append((done: $0, total: $1)) }
    let report = try walker.walk()
    #expect(calls.count > 1)
    #expect(calls.last?.done == report.pageCount)
    #expect(calls.allSatisfy { $0.total == report.pageCount })
    #expect(zip(calls, calls.dropFirst()).allSatisfy { $0.done <= $1.done })
  }

  @Test func passesOnWhatReadingAndVisitingThrow() throws {
    var random = TestSeed.next()
    let directory = try PagesGenerator.make(&random, transactions: 1)
    let bytes = try directory.bytes(of: "data.mdb")
    var walker = PageWalker(PageSource(bytes))
    walker.visit = { _, _, _ in throw TestFailure("visited") }
    #expect(throws: TestFailure.self) { try walker.walk() }
    let refusing = PageSource(size: UInt64(bytes.count)) { _, _ in throw TestFailure("read") }
    #expect(throws: TestFailure.self) { try PageWalker(refusing).walk() }
  }

  /// Nothing is wrong, and LMDB has the same entries and counts.
  private func expectSound(_ directory: TemporaryDirectory) throws {
    let bytes = try directory.bytes(of: "data.mdb")
    var walked = PagesDigest()
    var walker = PageWalker(PageSource(bytes))
    walker.visit = { walked.add($0 ?? "", $1, $2) }
    let report = try walker.walk()
    #expect(report.problems == [])
    #expect(report.notes == [])
    #expect(report.isComplete)
    #expect(report.usedPages + report.freePages == report.pageCount)

    walker.visit = nil
    #expect(try walker.walk() == report)

    let file = try PagesFile(directory.path(of: "data.mdb"))
    var read = PagesDigest()
    try file.visit { name, key, value in if name != "" { read.add(name, key.bytes, value.bytes) } }
    #expect(read == walked)
    for database in report.databases + [report.main] {
      let expected = try file.statistics(of: database.name)
      #expect(database.entries == UInt64(expected.ms_entries))
      #expect(database.depth == Int(expected.ms_depth))
      #expect(database.branchPages == UInt64(expected.ms_branch_pages))
      #expect(database.leafPages == UInt64(expected.ms_leaf_pages))
      #expect(database.overflowPages == UInt64(expected.ms_overflow_pages))
      #expect(report.pageSize == Int(expected.ms_psize))
    }
  }
}

/// The entries of a file in short: each of its databases has a hash and a number of entries.
struct PagesDigest: Equatable {
  private var hashes: [String: UInt64] = [:]
  private(set) var entries = 0

  mutating func add(_ database: String, _ key: RawSpan, _ value: RawSpan) {
    var hash = hashes[database] ?? 0xCBF2_9CE4_8422_2325
    Self.add(key, to: &hash)
    Self.add(value, to: &hash)
    hashes[database] = hash
    entries += 1
  }

  private static func add(_ bytes: RawSpan, to hash: inout UInt64) {
    hash = (hash ^ UInt64(bytes.byteCount)) &* 0x100_0000_01B3
    bytes.withUnsafeBytes { for byte in $0 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 } }
  }
}
