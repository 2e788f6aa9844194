import TestSupport
import Testing

@testable import BoxStorage

/// The visits of records, compared with a dictionary in memory.
struct RecordVisitTests {
  private typealias Model = [UInt64: [UInt8]]

  /// Values of all sizes: dozens on a page, a few, one, and on pages of their own.
  private func randomValue(_ sizes: [Int], _ random: inout SplitMix64) -> [UInt8] {
    let size = random.below(random.pick(sizes) + 1)
    return (0..<size).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }

  /// Changes a space and its model: puts, of which some replace, and removals.
  private func change(
    _ space: Space, _ transaction: StorageTransaction, _ model: inout Model, _ count: Int,
    _ random: inout SplitMix64
  ) throws {
    let sizes = random.pick([[8], [100], [20, 100, 1500], [0, 100, 3000], [2000, 10_000]])
    let isDense = random.oneIn(2)
    for _ in 0..<count {
      let key = isDense ? UInt64(random.below(2 * count)) : random.next()
      if random.oneIn(6), model.removeValue(forKey: key) != nil {
        #expect(try transaction.remove(space, key))
      } else {
        let value = randomValue(sizes, &random)
        model[key] = value
        try transaction.put(value, at: key, in: space)
      }
    }
  }

  private func check(
    _ space: Space, _ transaction: StorageTransaction, _ model: Model,
    _ random: inout SplitMix64
  ) throws {
    let keys = model.keys.sorted()
    let starts = [
      nil, random.next(), UInt64(random.below(100)), keys.randomElement(using: &random),
    ]
    for from in starts {
      for direction in [VisitDirection.forward, .backward] {
        let ordered = direction == .forward ? keys : keys.reversed()
        let limit = random.pick([1, 7, 40, .max])
        let expected = ordered.filter { key in
          from.map { direction == .forward ? $0 <= key : key <= $0 } ?? true
        }.prefix(limit)
        var found: [UInt64] = []
        try transaction.records(space, from: from, direction) { key, value in
          #expect(model[key].map { value.elementsEqual($0) } ?? false)
          found.append(key)
          return found.count < limit ? .next : .stop
        }
        #expect(found == Array(expected))
      }
    }
  }

  /// In the transaction that wrote them, in one that reads, and after more of both.
  @Test func haveTheOrderOfAModel() throws {
    var random = TestSeed.next()
    for _ in 0..<TestSeed.count("BOXJOINT_SOAK_KEY_VISITS", default: 16) {
      let storage = try StorageLocation.ownMemory().open(StorageOptions())
      var model: Model = [:]
      for _ in 0..<2 {
        let writing = try storage.beginWrite()
        let space = try #require(try writing.openSpace("records", .records, create: true))
        let count = random.pick([0, 1, 5, 40, 400, 1500])
        try change(space, writing, &model, count, &random)
        try check(space, writing, model, &random)
        try writing.commit()
        let reading = try storage.beginRead()
        defer { reading.abort() }
        try check(space, reading, model, &random)
      }
    }
  }

  // MARK: - Damage

  private let keys = (0..<20 as Range<UInt64>).map { 0x7766_5564_3372_1100 + $0 }

  /// The kinds of the errors of a visit in each direction, where a page with records was changed.
  private func damage(
    _ change: (_ bytes: inout [UInt8], _ page: Int, _ node: Int) -> Void
  ) throws -> [StorageError.Kind?] {
    let directory = try TemporaryDirectory()
    let location = StorageLocation.directory(directory.path(of: "store"))
    do {
      let writing = try location.open(StorageOptions()).beginWrite()
      let space = try #require(try writing.openSpace("records", .records, create: true))
      for key in keys {
        try writing.put([UInt8](repeating: UInt8(key & 31), count: 50), at: key, in: space)
      }
      try writing.commit()
    }
    var bytes = try directory.bytes(of: "store/data.mdb")
    let key = (0..<8).map { UInt8(truncatingIfNeeded: keys[10] >> (8 * $0)) }
    for place in bytes.ranges(of: key) {
      change(&bytes, place.lowerBound & ~4095, place.lowerBound - 8)
    }
    try directory.write(bytes, to: "store/data.mdb")
    let reading = try location.open(StorageOptions()).beginRead()
    defer { reading.abort() }
    let space = try #require(try reading.openSpace("records", .records, create: false))
    return try [VisitDirection.forward, .backward].map { direction in
      try storageError {
        try reading.records(space, from: nil, direction) { key, value in
          #expect(
            keys.contains(key) && value.elementsEqual(repeatElement(UInt8(key & 31), count: 50)))
          return .next
        }
      }?.kind
    }
  }

  @Test func findsNodesThatAreNoRecords() throws {
    #expect(try damage { _, _, _ in } == [nil, nil])
    let changes: [(inout [UInt8], Int, Int) -> Void] = [
      // Beyond the page: the size of the value in its second and in its third byte.
      { bytes, _, node in bytes[node + 1] = 0x20 },
      { bytes, _, node in bytes[node + 2] = 1 },
      // Flags: duplicates, the record of a space, and one that there is not.
      { bytes, _, node in bytes[node + 4] = 4 },
      { bytes, _, node in bytes[node + 4] = 2 },
      { bytes, _, node in bytes[node + 5] = 1 },
      // The size of the key.
      { bytes, _, node in bytes[node + 6] = 7 },
      { bytes, _, node in bytes[node + 7] = 8 },
      // The place of a node: in the head of the page, in what is free, and behind the last one.
      { bytes, page, _ in (bytes[page + 36], bytes[page + 37]) = (2, 0) },
      { bytes, page, _ in (bytes[page + 36], bytes[page + 37]) = (100, 0) },
      { bytes, page, _ in (bytes[page + 36], bytes[page + 37]) = (0xF8, 0x0F) },
      { bytes, page, _ in (bytes[page + 36], bytes[page + 37]) = (0xFE, 0xFF) },
      // The places of two nodes, exchanged.
      { bytes, page, _ in
        for byte in 0..<2 { bytes.swapAt(page + 36 + byte, page + 38 + byte) }
      },
    ]
    for (position, change) in changes.enumerated() {
      #expect(try damage(change) == [.damaged, .damaged], "change \(position)")
    }
  }
}
