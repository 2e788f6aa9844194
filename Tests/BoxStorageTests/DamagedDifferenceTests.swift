import TestSupport
import Testing

@testable import BoxStorage

/// The differences of two states in a file with damaged pages.
struct DamagedDifferenceTests {
  private struct Roots {
    var older: DatabaseRecord
    var newer: DatabaseRecord
  }

  /// The bytes of a file with two states, and the roots of its spaces in both.
  private func file(
    _ random: inout SplitMix64
  ) throws -> (bytes: [UInt8], pageSize: Int, roots: [Roots]) {
    let directory = try TemporaryDirectory()
    let storage = try StorageLocation.directory(directory.path).open(StorageOptions())
    var changes = StorageChanges(SplitMix64(seed: random.next()))
    for _ in 0..<30 { try changes.commit(to: storage) }
    let older = try storage.beginRead()
    for _ in 0..<3 { try changes.commit(to: storage) }
    let newer = try storage.beginRead()
    let roots = try StorageChanges.spaces.compactMap { space -> Roots? in
      let older = try older.record(ofSpace: space.name)
      let newer = try newer.record(ofSpace: space.name)
      if older?.root == newer?.root { return nil }
      return Roots(older: older ?? .empty, newer: newer ?? .empty)
    }
    return (try directory.bytes(of: "data.mdb"), storage.pageSize, roots)
  }

  /// The entries that differ, or all if the older state is empty; nil if they are not known.
  private func changes(
    _ bytes: [UInt8], _ pageSize: Int, _ older: DatabaseRecord, _ newer: DatabaseRecord
  ) throws -> [StorageContents.Change]? {
    try bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return nil }
      let pages = MappedPages(start, pageSize: pageSize, count: UInt64(bytes.count / pageSize))
      var difference = PageDifference(pages, maximumPages: 4096)
      var changes: [StorageContents.Change] = []
      do {
        try difference.visit(older, newer) {
          let entry = StorageContents.Entry(key: Array($1), value: Array($2))
          changes.append(StorageContents.Change(change: $0, entry: entry))
        }
      } catch is DifferenceUnknown {
        return nil
      }
      return changes
    }
  }

  @Test func damagedPagesAreNotKnownOrRight() throws {
    var random = TestSeed.next()
    let count = TestSeed.count("BOXJOINT_SOAK_DAMAGED_DIFFERENCES", default: 500)
    var (known, unknown) = (0, 0)
    for _ in 0..<max(1, count / 500) {
      let (sound, size, roots) = try file(&random)
      for _ in 0..<min(count, 500) {
        var bytes = sound
        for _ in 0...random.below(4) { damage(&bytes, size, &random) }
        for roots in roots {
          var (older, newer) = (roots.older, roots.newer)
          if random.oneIn(20) { (older.depth, newer.root) = (random.below(40), random.next()) }
          let found = try changes(bytes, size, older, newer)
          if found == nil { unknown += 1 } else { known += 1 }
          // Where all entries can be read, the states differ as these do.
          guard let old = try changes(bytes, size, .empty, older),
            let new = try changes(bytes, size, .empty, newer)
          else { continue }
          let hasSets = roots.newer.flags.union(roots.older.flags).contains(.duplicates)
          #expect(found.map { Set($0) } == expected(old, new, hasSets: hasSets))
        }
      }
    }
    #expect(known > 0 && unknown > 0)
  }

  private func expected(
    _ old: [StorageContents.Change], _ new: [StorageContents.Change], hasSets: Bool
  ) -> Set<StorageContents.Change> {
    let (before, after) = (Set(old.map(\.entry)), Set(new.map(\.entry)))
    let (oldKeys, newKeys) = (Set(before.map(\.key)), Set(after.map(\.key)))
    let removed = before.subtracting(after).filter { hasSets || !newKeys.contains($0.key) }
      .map { StorageContents.Change(change: .removed, entry: $0) }
    let others = after.subtracting(before).map { entry in
      StorageContents.Change(
        change: hasSets || !oldKeys.contains(entry.key) ? .inserted : .updated, entry: entry)
    }
    return Set(removed + others)
  }

  /// Changes a byte, mostly of a header or an offset, or exchanges two pages.
  private func damage(_ bytes: inout [UInt8], _ size: Int, _ random: inout SplitMix64) {
    let pages = 2..<bytes.count / size
    let (first, second) = (random.pick(pages) * size, random.pick(pages) * size)
    switch random.below(40) {
    case 0: for index in 0..<size { bytes.swapAt(first + index, second + index) }
    case 1: for index in 0..<size { bytes[first + index] = bytes[second + index] }
    case 2..<25: bytes[first + random.below(80)] ^= UInt8(1 << random.below(8))
    default: bytes[first + random.below(size)] = UInt8(random.below(256))
    }
  }
}
