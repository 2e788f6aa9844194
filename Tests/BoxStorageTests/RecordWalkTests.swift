import TestSupport
import Testing

@testable import BoxStorage

/// Walks of a write transaction that replace records, compared with a dictionary in memory.
struct RecordWalkTests {
  private typealias Model = [UInt64: [UInt8]]

  private struct Spaces {
    var records: Space
    var others: Space
    var sets: Space
  }

  private func bytes(_ count: Int, _ random: inout SplitMix64) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }

  private func spaces(_ transaction: StorageTransaction) throws -> Spaces {
    Spaces(
      records: try #require(try transaction.openSpace("records", .records, create: true)),
      others: try #require(try transaction.openSpace("others", .records, create: true)),
      sets: try #require(try transaction.openSpace("sets", .integerSets, create: true)))
  }

  /// Writes to another place than the record of a walk, in each way in which a transaction can.
  private func writeElsewhere(
    _ spaces: Spaces, _ transaction: StorageTransaction, _ model: inout Model,
    _ random: inout SplitMix64
  ) throws {
    switch random.below(7) {
    case 0:
      let key = UInt64(random.below(600))
      model[key] = bytes(random.below(200), &random)
      try transaction.put(model[key] ?? [], at: key, in: spaces.records)
    case 1:
      let key = model.keys.randomElement(using: &random) ?? 0
      #expect(
        try transaction.remove(spaces.records, key) == (model.removeValue(forKey: key) != nil))
    case 2:
      try transaction.put(bytes(100, &random), at: UInt64(random.below(40)), in: spaces.others)
    case 3: _ = try transaction.insert(spaces.sets, UInt64(random.below(9)), random.next())
    case 4: try transaction.clear(spaces.others)
    case 5: _ = try transaction.openSpace("new\(random.below(5))", .bytes, create: true)
    default:
      let entries = (0..<5).map { IntegerEntry(key: UInt64($0), member: random.next()) }
      try entries.withUnsafeBufferPointer {
        try transaction.insert(spaces.sets, sorted: $0, atEnd: false)
      }
    }
  }

  /// Walks over the records from a key on, and changes some of them and others.
  private func walk(
    _ spaces: Spaces, _ transaction: StorageTransaction, _ model: inout Model, depth: Int,
    _ random: inout SplitMix64
  ) throws {
    var last = random.oneIn(2) ? nil : UInt64(random.below(600))
    // Most walks are of one kind, so that whole pages are.
    let (changesSize, writesElsewhere) = (random.pick([0, 0, 8, 60]), random.pick([0, 0, 40, 8]))
    let (keeps, returns) = (random.pick([0, 2, 20]), random.pick([0, 0, 20]))
    var visited: [UInt64] = []
    while true {
      let found = try transaction.nextRecord(spaces.records, after: last).map {
        (key: $0.key, value: [UInt8]($0.value))
      }
      let expected = model.keys.filter { key in last.map { $0 < key } ?? true }.min()
      #expect(found?.key == expected)
      guard let (key, value) = found, key == expected else { return }
      #expect(value == model[key])
      last = key
      visited.append(key)
      if keeps > 0 && random.oneIn(keeps) { continue }
      if random.oneIn(90) { return }
      if returns > 0 && random.oneIn(returns) {
        // One that was visited is replaced again, and the walk goes on behind it.
        let earlier = random.pick(visited.suffix(random.pick([2, 10, 40])))
        guard let count = model[earlier]?.count else { continue }
        model[earlier] = bytes(count, &random)
        try transaction.put(model[earlier] ?? [], at: earlier, in: spaces.records)
        last = earlier
        continue
      }
      if random.oneIn(200) && depth < 2 {
        try inside(spaces, transaction, &model, depth: depth + 1, &random)
      }
      if writesElsewhere > 0 && random.oneIn(writesElsewhere) {
        try writeElsewhere(spaces, transaction, &model, &random)
      }
      let isOfOtherSize = changesSize > 0 && random.oneIn(changesSize)
      let new = bytes(isOfOtherSize ? random.below(300) : value.count, &random)
      model[key] = new
      try transaction.put(new, at: key, in: spaces.records)
      if random.oneIn(10) {
        let read = random.oneIn(2) ? key : random.pick(model.keys.sorted())
        #expect(try transaction.value(spaces.records, read).map { [UInt8]($0) } == model[read])
      }
    }
  }

  /// Walks in a nested transaction, which may be undone.
  private func inside(
    _ spaces: Spaces, _ transaction: StorageTransaction, _ model: inout Model, depth: Int,
    _ random: inout SplitMix64
  ) throws {
    let nested = try transaction.beginNested()
    var changed = model
    try walk(spaces, nested, &changed, depth: depth, &random)
    if random.oneIn(3) { return nested.abort() }
    try nested.commit()
    model = changed
  }

  private func content(
    _ space: Space, _ transaction: StorageTransaction
  ) throws -> Model {
    var content: Model = [:]
    try transaction.records(space, from: nil, .forward) { key, value in
      content[key] = [UInt8](value)
      return .next
    }
    return content
  }

  @Test func continuesAfterARecordThatIsReplacedTwice() throws {
    let storage = try StorageLocation.ownMemory().open(StorageOptions())
    let first = try storage.beginWrite()
    let space = try spaces(first).records
    for key in 0..<9 as Range<UInt64> { try first.put([0, 0], at: key, in: space) }
    try first.commit()
    let writing = try storage.beginWrite()
    defer { writing.abort() }
    _ = try spaces(writing)
    for key in 0..<5 as Range<UInt64> {
      _ = try writing.nextRecord(space, after: key == 0 ? nil : key - 1)
      try writing.put([1, 1], at: key, in: space)
    }
    try writing.put([2, 2], at: 0, in: space)
    for key in 1..<9 as Range<UInt64> {
      let found = try #require(try writing.nextRecord(space, after: key - 1))
      #expect(found.key == key)
      #expect([UInt8](found.value) == (key < 5 ? [1, 1] : [0, 0]))
    }
    #expect(try writing.value(space, 0).map { [UInt8]($0) } == [2, 2])
  }

  @Test func changeWhatAModelDoes() throws {
    var random = TestSeed.next()
    for round in 0..<TestSeed.count("BOXJOINT_SOAK_RECORD_WALKS", default: 25) {
      let directory = try TemporaryDirectory()
      let location =
        round % 4 == 0
        ? StorageLocation.directory(directory.path(of: "store")) : StorageLocation.ownMemory()
      let storage = try location.open(StorageOptions())
      var model: Model = [:]
      let first = try storage.beginWrite()
      var spaces = try spaces(first)
      let size = random.pick([8, 40, 120, 900, 5000])
      for key in 0..<UInt64(random.pick([3, 60, 500])) where !random.oneIn(9) {
        model[key] = bytes(random.oneIn(20) ? random.below(300) : size, &random)
        try first.put(model[key] ?? [], at: key, in: spaces.records)
      }
      try first.commit()
      for _ in 0..<4 {
        let writing = try storage.beginWrite()
        spaces = try self.spaces(writing)
        var changed = model
        for _ in 0..<random.pick([1, 1, 3]) {
          try walk(spaces, writing, &changed, depth: 0, &random)
        }
        #expect(try content(spaces.records, writing) == changed)
        if random.oneIn(4) {
          writing.abort()
        } else {
          try writing.commit()
          model = changed
        }
        let reading = try storage.beginRead()
        defer { reading.abort() }
        #expect(try content(spaces.records, reading) == model)
      }
    }
  }
}
