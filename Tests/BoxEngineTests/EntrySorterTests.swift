import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

/// Entries come out in order, however little memory there is.
struct EntrySorterTests {
  private static let rounds = TestSeed.count("BOXJOINT_SOAK_SORTS", default: 200)

  private func limits(_ random: inout SplitMix64) -> EntrySorter.Limits {
    EntrySorter.Limits(
      entries: 1 + random.below(40), textBytes: 1 + random.below(2000),
      runBytes: 1 + random.below(600), chunk: 1 + random.below(20))
  }

  @Test func integersComeOutInOrder() throws {
    var random = TestSeed.next()
    let directory = try TemporaryDirectory()
    for _ in 0..<Self.rounds {
      let limits = limits(&random)
      let keys = random.pick([1, 5, 1000, Int.max])
      var entries = (0..<random.below(random.pick([3, 50, 400]))).map { number in
        IntegerEntry(key: UInt64(random.below(keys)), member: UInt64(number + 1))
      }
      entries.shuffle(using: &random)
      var sorter = EntrySorter(count: entries.count, limits: limits) { () throws(StorageError) in
        try SpoolFile(in: directory.path)
      }
      for entry in entries { try sorter.add(entry.key, entry.member) }
      var sorted: [IntegerEntry] = []
      try sorter.drainIntegers {
        #expect((1...limits.chunk).contains($0.count))
        sorted += Array($0)
      }
      #expect(sorted == entries.sorted())
    }
    #expect(directory.names().isEmpty)
  }

  @Test func textsComeOutInOrder() throws {
    struct Entry: Hashable {
      var key: [UInt8]
      var member: UInt64
    }
    var random = TestSeed.next()
    let directory = try TemporaryDirectory()
    for _ in 0..<Self.rounds {
      let limits = limits(&random)
      let longest = random.pick([0, 2, 12, 700])
      var entries = (0..<random.below(random.pick([3, 50, 300]))).map { number in
        Entry(
          key: (0..<random.below(longest + 1)).map { _ in UInt8(random.pick([0, 97, 98, 255])) },
          member: UInt64(number + 1))
      }
      entries.shuffle(using: &random)
      var sorter = EntrySorter(count: entries.count, limits: limits) { () throws(StorageError) in
        try SpoolFile(in: directory.path)
      }
      for entry in entries {
        try entry.key.withUnsafeBytes { try sorter.add($0, entry.member) }
      }
      var sorted: [Entry] = []
      let storage = try StorageLocation.ownMemory().open(StorageOptions())
      let transaction = try storage.beginWrite()
      defer { transaction.abort() }
      let space = try #require(try transaction.openSpace("t", .byteSets, create: true))
      try sorter.drainTexts { (chunk) throws(StoreError) in
        #expect((1...limits.chunk).contains(chunk.count))
        try chunk.insert(into: space, StorageAccess(transaction))
      }
      try transaction.entries(space, from: nil as UnsafeRawBufferPointer?, .forward) {
        sorted.append(Entry(key: [UInt8]($0), member: $1))
        return .next
      }
      // The key is the mark and the start of the text.
      let expected = entries.map {
        Entry(key: [1] + $0.key.prefix(510), member: $0.member)
      }.sorted { a, b in
        a.key == b.key ? a.member < b.member : a.key.lexicographicallyPrecedes(b.key)
      }
      #expect(sorted == expected)
    }
    #expect(directory.names().isEmpty)
  }
}
