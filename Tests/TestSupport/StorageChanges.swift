package import BoxStorage

/// Random changes of a storage that has spaces of every kind: of single entries and of thousands, which split
/// pages, join them and change the depth of trees.
package struct StorageChanges {
  private var random: SplitMix64

  /// Starts with a generator of random numbers.
  package init(_ random: SplitMix64) { self.random = random }

  /// The spaces that can be there, by the storage's name of each.
  package static let spaces: [(name: String, kind: SpaceKind)] = [
    ("records", .records), ("sets", .integerSets), ("texts", .byteSets), ("bytes", .bytes),
    ("more records", .records), ("more sets", .integerSets),
  ]

  /// Commits a transaction with some changes, a part of them perhaps in a nested one.
  package mutating func commit(to storage: Storage) throws {
    let transaction = try storage.beginWrite()
    defer { transaction.abort() }
    for _ in 0...random.below(3) {
      let (name, kind) = random.pick(Self.spaces)
      guard let space = try transaction.openSpace(name, kind, create: true) else { continue }
      if random.oneIn(8) {
        let nested = try transaction.beginNested()
        try change(space, nested)
        if random.oneIn(2) { try nested.commit() } else { nested.abort() }
      } else if name.hasPrefix("more"), random.oneIn(6) {
        try transaction.dropSpace(space)
      } else {
        try change(space, transaction)
      }
    }
    try transaction.commit()
  }

  private mutating func change(_ space: Space, _ transaction: StorageTransaction) throws {
    let first = random.below(2000)
    switch random.below(16) {
    case 0: try transaction.clear(space)
    case 1:
      for number in first..<first + 20 + random.below(900) {
        try remove(number, space, transaction)
      }
    case 2:
      for number in first..<first + 20 + random.below(900) { try put(number, space, transaction) }
    case 3:
      for _ in 0..<random.below(300) { try changeOne(random.below(2000), space, transaction) }
    case 4:
      // The members of one key, which go from the node to pages of their own and back.
      let isAdded = random.oneIn(2)
      for _ in 0..<random.below(4000) {
        try changeMember(first % 7, isAdded: isAdded, space, transaction)
      }
    default:
      for _ in 0...random.below(4) { try changeOne(random.below(2000), space, transaction) }
    }
  }

  private mutating func changeOne(
    _ number: Int, _ space: Space, _ transaction: StorageTransaction
  ) throws {
    let (removes, isFew) = (random.oneIn(3), random.oneIn(2))
    if isFew { return try changeMember(number % 7, isAdded: !removes, space, transaction) }
    if removes {
      try remove(number, space, transaction)
    } else {
      try put(number, space, transaction)
    }
  }

  private mutating func put(
    _ number: Int, _ space: Space, _ transaction: StorageTransaction
  ) throws {
    switch space.kind {
    case .integerSets, .byteSets:
      try changeMember(number, isAdded: true, space, transaction)
    case .records, .bytes:
      // Few sizes and few different bytes: many values are replaced by the same ones, also long ones.
      let count = number.isMultiple(of: 40) ? random.pick([3000, 5000, 12_000]) : random.below(200)
      let isUsual = random.oneIn(2) && count < 200
      let value = [UInt8](repeating: UInt8(random.below(2)), count: isUsual ? 50 : count)
      try key(number, of: space) { key in
        try value.withUnsafeBytes { try transaction.put(space, key, $0, .replace) }
      }
    }
  }

  private func remove(
    _ number: Int, _ space: Space, _ transaction: StorageTransaction
  ) throws {
    try key(number, of: space) { _ = try transaction.remove(space, $0) }
  }

  private mutating func changeMember(
    _ number: Int, isAdded: Bool, _ space: Space, _ transaction: StorageTransaction
  ) throws {
    guard space.kind == .integerSets || space.kind == .byteSets else { return }
    let member = UInt64(random.below(6000)) &* 0x1_0003
    try key(number, of: space) { key in
      if isAdded {
        _ = try transaction.insert(space, key, member)
      } else {
        _ = try transaction.remove(space, key, member)
      }
    }
  }

  /// The key of a number; some keys of bytes are long.
  private func key(
    _ number: Int, of space: Space, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    if space.kind == .records || space.kind == .integerSets {
      return try withUnsafeBytes(of: UInt64(number) &* 0x1_0003) { try body($0) }
    }
    let text = String(number * 7919 % 10_007) + String(repeating: "x", count: number % 90 * 4)
    var bytes = Array(text.utf8)
    try bytes.withUnsafeMutableBytes { try body(UnsafeRawBufferPointer($0)) }
  }
}
