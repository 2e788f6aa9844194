import BoxStorage
import TestSupport
import Testing

/// A damaged file never ends the process, and what the walk lets pass LMDB reads as it was visited.
struct PagesDamageTests {
  private static let changes = TestSeed.count("BOXJOINT_PAGE_CHANGES", default: 600)

  /// A changed byte is found; or LMDB reads the contents that the walk has visited, which are those
  /// from before unless the byte is in a key, a value or a length in front of them.
  @Test func findsAChangedByteOrTheFileIsSound() throws {
    var random = TestSeed.next()
    let directory = try PagesGenerator.make(&random, transactions: 4, changes: 180)
    let original = try PagesSpecimen(directory)
    var outcomes: [String: Int] = [:]
    for index in 0..<Self.changes {
      // Most bytes of a file are values or not in use: most changes are elsewhere.
      let offset =
        index % 4 == 0 ? random.below(original.bytes.count) : random.pick(original.structure)
      let old = original.bytes[offset]
      let new = random.oneIn(2) ? old ^ (1 << UInt8(random.below(8))) : UInt8(random.below(256))
      if new == old { continue }
      var bytes = original.bytes
      bytes[offset] = new
      let outcome = try original.outcome(of: bytes, changedAt: offset, &random)
      outcomes[outcome.rawValue, default: 0] += 1
      #expect(
        !outcome.isFailure,
        """
        \(outcome): byte \(offset % original.pageSize) of page \(offset / original.pageSize), \
        \(old) is now \(new)
        """)
    }
    print("of \(Self.changes) changes: \(outcomes.sorted { $0.key < $1.key })")
  }

  @Test func findsEveryChangeInTheFieldsOfMetaPagesThatLMDBNeeds() throws {
    var random = TestSeed.next()
    let bytes = try PagesGenerator.make(&random, transactions: 3).bytes(of: "data.mdb")
    let whole = try PageWalker(PageSource(bytes)).walk()
    let current = Int(whole.transaction % 2)
    // Number, kind, magic, version, page size, flags, transaction.
    let ofBoth = [0..<8, 10..<12, 16..<24, 40..<46, 144..<152].joined()
    // The records of the freelist and the main database, and the last page.
    let ofCurrent = (40..<144)
    for (page, fields) in [(0, Array(ofBoth)), (1, Array(ofBoth)), (current, Array(ofCurrent))] {
      for field in fields {
        // Any other number of a transaction, and all single bits.
        let changes: [UInt8] = field == 144 ? Array(1...255) : [1, 2, 4, 8, 16, 32, 64, 128]
        for change in changes {
          var damaged = bytes
          damaged[page * whole.pageSize + field] ^= change
          let report = try PageWalker(PageSource(damaged)).walk()
          // Flags that order the names in the same way can only be compared, and those of the
          // environment order nothing.
          let hasOtherFlags = 92..<94 ~= field && report.main.flags != []
          #expect(!report.isSound || hasOtherFlags, "byte \(field) of page \(page) by \(change)")
        }
      }
    }
  }

  @Test func endsOnManyChangesAtOnce() throws {
    var random = TestSeed.next()
    let directory = try PagesGenerator.make(&random)
    let original = try directory.bytes(of: "data.mdb")
    let size = try walk(original).pageSize
    for _ in 0..<Self.changes / 10 {
      var bytes = original
      for _ in 0...random.below(40) { damage(&bytes, pageSize: size, &random) }
      _ = try walk(bytes)
    }
  }

  @Test func endsOnTruncatedFiles() throws {
    var random = TestSeed.next()
    let directory = try PagesGenerator.make(&random, transactions: 4)
    let bytes = try directory.bytes(of: "data.mdb")
    let whole = try PageWalker(PageSource(bytes)).walk()
    let size = whole.pageSize
    let lengths =
      [0, 1, 15, 16, 100, 151, 152, size - 1, size, size + 1, size + 152, 2 * size - 1]
      + stride(from: 2 * size, to: bytes.count, by: size)
      + (0..<50).map { _ in random.below(bytes.count) }
    for length in lengths {
      let report = try walk(Array(bytes[..<length]))
      if report.isSound {
        // Pages that are free when the transaction ends need not be in the file.
        #expect(report.usedPages == whole.usedPages)
        let directory = try TemporaryDirectory()
        try directory.write(bytes[..<length], to: "data.mdb")
        var entries = 0
        try PagesFile(directory.path(of: "data.mdb")).visit { name, _, _ in
          entries += name == "" ? 0 : 1
        }
        #expect(UInt64(entries) == whole.databases.reduce(0) { $0 + $1.entries })
      }
    }
    let kinds = try [0, 1, 100, size, 2 * size].map {
      try walk(Array(bytes[..<$0])).problems.first?.kind
    }
    #expect(kinds == [.empty, .format, .format, .truncated, .truncated])
  }

  @Test func endsOnBytesThatAreNoFile() throws {
    var random = TestSeed.next()
    for size in [1, 16, 152, 4096, 8192, 100_000] {
      let bytes = (0..<size).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      #expect(try walk(bytes).problems.map(\.kind) == [.format])
    }
    let database = Array("SQLite format 3\0".utf8) + Array(repeating: 0, count: 8000)
    #expect(try walk(database).problems.map(\.kind) == [.format])
  }

  @Test func endsOnRandomPagesAfterValidMetaPages() throws {
    var random = TestSeed.next()
    let directory = try PagesGenerator.make(&random, transactions: 2)
    var bytes = try directory.bytes(of: "data.mdb")
    let size = try walk(bytes).pageSize
    for index in 2 * size..<bytes.count { bytes[index] = UInt8(truncatingIfNeeded: random.next()) }
    #expect(try !walk(bytes).problems.isEmpty)
    // Headers that are in order let the walk look at what is behind them.
    for page in 2..<bytes.count / size {
      let number = withUnsafeBytes(of: UInt64(page).littleEndian) { Array($0) }
      bytes.replaceSubrange(page * size..<page * size + 8, with: number)
      bytes[page * size + 10] = random.pick([1, 2, 4, 0x22])
      bytes[page * size + 11] = 0
    }
    for _ in 0..<20 {
      for _ in 0..<1000 { damage(&bytes, pageSize: size, &random) }
      _ = try walk(bytes)
    }
  }

  @Test func namesTheSystemsThatOtherFilesAreFrom() throws {
    var bytes = [UInt8](repeating: 0, count: 8192)
    bytes.replaceSubrange(16..<20, with: [0xBE, 0xEF, 0xC0, 0xDE])
    #expect(try walk(bytes).problems.map(\.kind) == [.bigEndian])
    bytes.replaceSubrange(12..<20, with: [0xDE, 0xC0, 0xEF, 0xBE, 1, 0, 0, 0])
    #expect(try walk(bytes).problems.map(\.kind) == [.wordSize])
  }

  @Test func stopsAtItsLimit() throws {
    var random = TestSeed.next()
    var bytes = try PagesGenerator.make(&random, transactions: 2).bytes(of: "data.mdb")
    // Every page behind the meta pages has a wrong number.
    let size = try walk(bytes).pageSize
    for page in 2..<bytes.count / size { bytes[page * size] ^= 0xFF }
    let whole = try walk(bytes)
    #expect(whole.isComplete)
    #expect(whole.problems.count > 1)
    var walker = PageWalker(PageSource(bytes))
    walker.problemLimit = 1
    let report = try walker.walk()
    #expect(!report.isComplete)
    #expect(report.problems == [whole.problems[0]])
  }

  private func walk(_ bytes: [UInt8]) throws -> PageReport {
    var walker = PageWalker(PageSource(bytes))
    walker.visit = { _, _, _ in }
    return try walker.walk()
  }

  /// Changes a byte, exchanges two pages, or clears one.
  private func damage(
    _ bytes: inout [UInt8], pageSize: Int, _ random: inout SplitMix64
  ) {
    let pages = 2..<bytes.count / pageSize
    let (first, second) = (random.pick(pages) * pageSize, random.pick(pages) * pageSize)
    switch random.below(40) {
    case 0:
      for index in 0..<pageSize { bytes.swapAt(first + index, second + index) }
    case 1:
      for index in 0..<pageSize { bytes[first + index] = 0 }
    case 2..<20:
      // The headers and the nodes' offsets.
      bytes[first + random.below(64)] = UInt8(random.below(256))
    default:
      bytes[first + random.below(pageSize)] = UInt8(random.below(256))
    }
  }
}
