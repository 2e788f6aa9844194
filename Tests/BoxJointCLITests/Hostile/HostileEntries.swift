import BoxEngine
import BoxStorage
import TestSupport

/// Damage to what is in a store, on pages that are sound and under checksums that are right: what
/// somebody can make who knows the format.
enum HostileEntries {
  /// Changes entries of a store in place.
  static func damage(_ directory: String, _ random: inout SplitMix64) throws {
    let location = StorageLocation.directory(directory)
    let names = try PageSource.reading(directory + "/data.mdb") { try PageWalker($0).walk() }
      .spaceKinds.compactMap { name, kind in kind.map { (name, $0) } }.sorted { $0.0 < $1.0 }
    let storage = try location.open(StorageOptions())
    let transaction = try storage.beginWrite()
    for _ in 0..<random.pick([1, 1, 2, 5]) {
      let (name, kind) = random.pick(names)
      guard let space = try transaction.openSpace(name, kind, create: false) else { continue }
      try damage(space, isCatalog: !name.hasPrefix("o"), transaction, &random)
    }
    if random.oneIn(20), let kind = SpaceKind(rawValue: UInt8(random.below(4))) {
      // Of a space that is there, with another kind, nothing is made.
      _ = try? transaction.openSpace("o\(random.below(4) * 1000)", kind, create: true)
    }
    try transaction.commit()
  }

  private static func damage(
    _ space: Space, isCatalog: Bool, _ transaction: StorageTransaction,
    _ random: inout SplitMix64
  ) throws {
    switch space.kind {
    case .records:
      var ids: [UInt64] = []
      try transaction.records(space, from: nil, .forward) { id, _ in
        ids.append(id)
        return .next
      }
      guard !ids.isEmpty else { return }
      let id = random.pick(ids)
      let value = try transaction.value(space, id) ?? []
      let key = isCatalog ? [] : withUnsafeBytes(of: id.littleEndian) { Array($0) }
      let place = random.pick([id, id, id, 0, id ^ 1 << 63, .max])
      try damaged(value, under: key, &random).withUnsafeBytes {
        try transaction.put(space, place, $0, .replace)
      }
    case .bytes:
      let key = Array(random.pick(["catalog", "model", "generation", "x"]).utf8)
      try key.withUnsafeBytes { key in
        guard let value = try transaction.value(space, key) else { return }
        try damaged(Array(value), under: [], &random).withUnsafeBytes {
          try transaction.put(space, key, $0, .replace)
        }
      }
    case .integerSets:
      _ = try transaction.insert(space, random.next() >> UInt64(random.below(64)), random.next())
    case .byteSets:
      let key = (0...random.below(300)).map { _ in UInt8(random.below(256)) }
      _ = try key.withUnsafeBytes { try transaction.insert(space, $0, random.next()) }
    }
  }

  /// A changed value with the checksum that belongs to it, or now and then without.
  private static func damaged(
    _ value: [UInt8], under key: [UInt8], _ random: inout SplitMix64
  ) -> [UInt8] {
    if random.oneIn(10) { return HostileText.damaged(value, &random) }
    let body = HostileText.damaged(Array(value.dropFirst(4)), &random)
    let checksum = key.withUnsafeBytes { key in
      body.withUnsafeBytes { Checksum.crc32c($0, after: Checksum.crc32c(key)) }
    }
    return withUnsafeBytes(of: checksum.littleEndian) { Array($0) } + body
  }
}
