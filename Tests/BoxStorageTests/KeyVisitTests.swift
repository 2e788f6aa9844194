import TestSupport
import Testing

@testable import BoxStorage

/// The visits of entries and of keys, compared with sets in memory.
struct KeyVisitTests {
  private struct Entry: Hashable, CustomStringConvertible {
    var key: [UInt8]
    var member: UInt64
    var description: String { "\(key):\(member)" }
  }

  private struct Key: Equatable {
    var key: [UInt8]
    var first: UInt64
    var count: Int
  }

  /// A space of a storage, whose keys are bytes here: those of an integer the highest first, so that
  /// both kinds have the same order.
  private struct Sets {
    let space: Space
    let transaction: StorageTransaction

    /// A key as the storage has it: integers in the byte order of the machine.
    private func stored(_ key: [UInt8]) -> [UInt8] {
      guard space.kind == .integerSets else { return key }
      let integer = key.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      return withUnsafeBytes(of: integer) { Array($0) }
    }

    private func key(_ stored: UnsafeRawBufferPointer) -> [UInt8] {
      guard space.kind == .integerSets else { return Array(stored) }
      let integer = stored.loadUnaligned(as: UInt64.self)
      return (0..<8).reversed().map { UInt8(truncatingIfNeeded: integer >> (8 * $0)) }
    }

    func insert(_ key: [UInt8], _ member: UInt64) throws {
      _ = try stored(key).withUnsafeBytes { try transaction.insert(space, $0, member) }
    }

    func count(_ key: [UInt8]) throws -> Int {
      try stored(key).withUnsafeBytes { try transaction.memberCount(space, $0) }
    }

    func keys(
      from: [UInt8]?, _ direction: VisitDirection, limit: Int
    ) throws -> [Key] {
      var keys: [Key] = []
      try withBytes(from) {
        try transaction.keys(space, from: $0, direction) {
          keys.append(Key(key: key($0), first: $1, count: $2))
          return keys.count < limit ? .next : .stop
        }
      }
      return keys
    }

    /// The entries of a visit; without a direction from the last key down, with members ascending.
    func entries(
      from: [UInt8]?, _ direction: VisitDirection?, limit: Int
    ) throws -> [Entry] {
      var entries: [Entry] = []
      func add(_ stored: UnsafeRawBufferPointer, _ member: UInt64) -> VisitStep {
        entries.append(Entry(key: key(stored), member: member))
        return entries.count < limit ? .next : .stop
      }
      try withBytes(from) {
        if let direction {
          try transaction.entries(space, from: $0, direction, add)
        } else {
          try transaction.entries(space, descendingFrom: $0, add)
        }
      }
      return entries
    }

    /// The entries beyond one, in directions of the keys and of the members.
    func entries(
      beyond start: Entry?, _ keys: VisitDirection, _ members: VisitDirection, limit: Int
    ) throws -> [Entry] {
      var entries: [Entry] = []
      try withBytes(start?.key) { bytes in
        let beyond = bytes.map { (key: $0, member: start?.member ?? 0) }
        try transaction.entries(space, beyond: beyond, keys: keys, members: members) {
          entries.append(Entry(key: key($0), member: $1))
          return entries.count < limit ? .next : .stop
        }
      }
      return entries
    }

    private func withBytes(
      _ bytes: [UInt8]?, _ body: (UnsafeRawBufferPointer?) throws -> Void
    ) throws {
      guard let bytes else { return try body(nil) }
      try stored(bytes).withUnsafeBytes { try body($0) }
    }
  }

  /// Sets by key, their members in order.
  private typealias Model = [[UInt8]: Set<UInt64>]

  private func randomKey(_ kind: SpaceKind, _ random: inout SplitMix64) -> [UInt8] {
    if kind == .integerSets {
      let key = random.oneIn(3) ? random.next() : UInt64(random.below(40))
      return (0..<8).reversed().map { UInt8(truncatingIfNeeded: key >> (8 * $0)) }
    }
    // Many begin alike, or are the beginning of another.
    let length = random.pick([1, 2, 3, 20, 511])
    return (0..<length).map { _ in random.pick([0, 1, 97, 255]) }
  }

  private func randomSet(_ random: inout SplitMix64) -> Set<UInt64> {
    // Sets of a few members are on the page of their key; larger ones have pages of their own.
    let count = random.pick([1, 1, 1, 2, 3, 60, 300, 1 + random.below(4000)])
    let isDense = random.oneIn(2)
    return Set((0..<count).map { isDense ? UInt64($0) : random.next() })
  }

  private func check(_ sets: Sets, _ model: Model, _ random: inout SplitMix64) throws {
    let kind = sets.space.kind
    let keys = model.keys.sorted { $0.lexicographicallyPrecedes($1) }
    for key in keys.shuffled(using: &random).prefix(10) + [randomKey(kind, &random)] {
      #expect(try sets.count(key) == model[key]?.count ?? 0)
    }
    for from in [nil, keys.isEmpty ? nil : random.pick(keys), randomKey(kind, &random)] {
      let limit = random.pick([1, 2, 3, 100, .max])
      func entries(_ keys: [[UInt8]], isAscending: Bool) -> [Entry] {
        let all = keys.flatMap { key in
          let members = (model[key] ?? []).sorted()
          return (isAscending ? members : members.reversed()).map { Entry(key: key, member: $0) }
        }
        return Array(all.prefix(limit))
      }
      let above = keys.filter { key in from.map { !key.lexicographicallyPrecedes($0) } ?? true }
      let below = keys.reversed().filter { key in
        from.map { !$0.lexicographicallyPrecedes(key) } ?? true
      }
      for (direction, keys, isAscending) in [
        (VisitDirection.forward, above, true), (.backward, below, false), (nil, below, true),
      ] {
        let found = try sets.entries(from: from, direction, limit: limit)
        #expect(found == entries(keys, isAscending: isAscending))
      }
      for (direction, keys) in [(VisitDirection.forward, above), (.backward, below)] {
        let expected = keys.prefix(limit).map { key in
          Key(key: key, first: model[key]?.min() ?? 0, count: model[key]?.count ?? 0)
        }
        #expect(try sets.keys(from: from, direction, limit: limit) == expected)
      }
    }
  }

  /// The visits that begin beyond an entry, which there may be or not.
  private func checkStarts(_ sets: Sets, _ model: Model, _ random: inout SplitMix64) throws {
    let keys = model.keys.sorted { $0.lexicographicallyPrecedes($1) }
    for round in 0..<12 {
      let key =
        keys.isEmpty || random.oneIn(4) ? randomKey(sets.space.kind, &random) : random.pick(keys)
      let known = (model[key] ?? []).sorted()
      let member =
        known.isEmpty || random.oneIn(3)
        ? random.pick([0, 1, random.next(), .max - 1, .max]) : random.pick(known)
      let start = round == 0 ? nil : Entry(key: key, member: member)
      let limit = random.pick([1, 2, 100, .max])
      for keyDirection in [VisitDirection.forward, .backward] {
        for memberDirection in [VisitDirection.forward, .backward] {
          var all = (keyDirection == .forward ? keys : keys.reversed()).flatMap { key in
            let members = (model[key] ?? []).sorted()
            return (memberDirection == .forward ? members : members.reversed()).map {
              Entry(key: key, member: $0)
            }
          }
          if let start {
            all = all.filter { entry in
              if entry.key == start.key {
                return memberDirection == .forward
                  ? entry.member > start.member : entry.member < start.member
              }
              return entry.key.lexicographicallyPrecedes(start.key) == (keyDirection == .backward)
            }
          }
          let found = try sets.entries(
            beyond: start, keyDirection, memberDirection, limit: limit)
          #expect(found == Array(all.prefix(limit)), "\(keyDirection) \(memberDirection)")
        }
      }
    }
  }

  /// In the transaction that wrote them, and in one that reads.
  @Test(arguments: [SpaceKind.integerSets, .byteSets])
  func haveTheOrderOfAModel(_ kind: SpaceKind) throws {
    var random = TestSeed.next()
    for _ in 0..<TestSeed.count("BOXJOINT_SOAK_KEY_VISITS", default: 12) {
      let storage = try StorageLocation.ownMemory().open(StorageOptions())
      var model: Model = [:]
      for _ in 0..<random.pick([0, 1, 3, 30]) {
        model[randomKey(kind, &random), default: []].formUnion(randomSet(&random))
      }
      let writing = try storage.beginWrite()
      let space = try #require(try writing.openSpace("sets", kind, create: true))
      let written = Sets(space: space, transaction: writing)
      for (key, members) in model {
        for member in members { try written.insert(key, member) }
      }
      try check(written, model, &random)
      try checkStarts(written, model, &random)
      try writing.commit()
      let reading = try storage.beginRead()
      defer { reading.abort() }
      try check(Sets(space: space, transaction: reading), model, &random)
      try checkStarts(Sets(space: space, transaction: reading), model, &random)
    }
  }

  // MARK: - Damage

  /// The keys of the stores to damage.
  private let keys = (0..<20 as Range<UInt8>).map {
    [0x11, 0x72, 0x33, 0x64, 0x55, 0x66, 0x77, $0]
  }

  /// The kind of the error of each visit of a store whose file was changed; nil for none.
  private func damage(
    _ kind: SpaceKind, limit: Int = .max, _ change: (inout [UInt8]) -> Void
  ) throws -> [StorageError.Kind?] {
    let directory = try TemporaryDirectory()
    let location = StorageLocation.directory(directory.path(of: "store"))
    do {
      let writing = try location.open(StorageOptions()).beginWrite()
      let space = try #require(try writing.openSpace("sets", kind, create: true))
      let sets = Sets(space: space, transaction: writing)
      for key in keys { for member in 0..<3 as Range<UInt64> { try sets.insert(key, member) } }
      try writing.commit()
    }
    var bytes = try directory.bytes(of: "store/data.mdb")
    change(&bytes)
    try directory.write(bytes, to: "store/data.mdb")
    let reading = try location.open(StorageOptions()).beginRead()
    defer { reading.abort() }
    let space = try #require(try reading.openSpace("sets", kind, create: false))
    let sets = Sets(space: space, transaction: reading)
    return try [VisitDirection.forward, .backward].map { direction in
      try storageError { _ = try sets.keys(from: nil, direction, limit: limit) }?.kind
    }
      + [VisitDirection.forward, .backward, nil].map { direction in
        try storageError { _ = try sets.entries(from: nil, direction, limit: limit) }?.kind
      }
      + [VisitDirection.forward, .backward].map { direction in
        try storageError {
          _ = try sets.entries(beyond: nil, direction, .backward, limit: limit)
        }?.kind
      }
  }

  @Test(arguments: [SpaceKind.integerSets, .byteSets])
  func findKeysOutOfOrder(_ kind: SpaceKind) throws {
    #expect(try damage(kind) { _ in } == Array(repeating: nil, count: 7))
    let found = try damage(kind) { bytes in
      let key = kind == .byteSets ? keys[7] : keys[7].reversed()
      for page in stride(from: 0, to: bytes.count, by: 4096)
      where bytes[page..<page + 4096].firstRange(of: key) != nil {
        // The places of two entries, after the head of the page.
        for byte in 0..<2 { bytes.swapAt(page + 16 + 2 * 7 + byte, page + 16 + 2 * 8 + byte) }
      }
    }
    #expect(found == Array(repeating: .damaged, count: 7))
  }

  @Test(arguments: [SpaceKind.integerSets, .byteSets])
  func findAnotherNumberOfEntries(_ kind: SpaceKind) throws {
    func change(_ bytes: inout [UInt8]) {
      // The record of a space has the number of its entries in front of the number of its root.
      for name in bytes.ranges(of: Array("sets".utf8)) { bytes[name.upperBound + 32] += 1 }
    }
    #expect(
      try damage(kind, change) == Array(repeating: .damaged, count: 7))
    #expect(try damage(kind, limit: 5, change) == Array(repeating: nil, count: 7))
  }
}
