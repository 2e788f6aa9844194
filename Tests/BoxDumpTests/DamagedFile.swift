import BoxEngine
import BoxStorage
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Data files with flipped bits, and with pages that were copied, swapped or zeroed.
enum DamagedFile {
  static let page = 4096

  /// A store with objects of all types and many links, and no free pages that a change could hit.
  static func makeStore(_ random: inout SplitMix64, in directory: TemporaryDirectory) throws
    -> [UInt8]
  {
    let store = try DumpModel.store(&random, objects: 60)
    let thing = try store.entity(named: "Thing")
    let things = try #require(thing.relation(named: "things"))
    try store.write { (transaction) throws in
      var ids: [UInt64] = []
      try transaction.visit(thing) { id, _ in
        ids.append(id)
        return .next
      }
      for _ in 0..<300 where !ids.isEmpty {
        try transaction.link(things, random.pick(ids), random.pick(ids))
      }
    }
    try directory.write([UInt8](), to: "truth/data.mdb")
    let file = open(directory.path(of: "truth/data.mdb"), O_RDWR)
    defer { close(file) }
    try store.copy(to: file, compacting: true)
    return try directory.bytes(of: "truth/data.mdb")
  }

  /// The bytes of a data file with damage, and the damage in words.
  static func damaged(_ bytes: [UInt8], _ random: inout SplitMix64) -> (String, [UInt8]) {
    var result = bytes
    let pages = bytes.count / page
    let (from, to) = (2 + random.below(pages - 2), 2 + random.below(pages - 2))
    func range(_ page: Int) -> Range<Int> { page * Self.page..<(page + 1) * Self.page }
    // A page that keeps its number looks more like one of its place.
    let skipped = random.oneIn(2) ? 8 : 0
    switch random.below(8) {
    case 0:
      for offset in skipped..<page {
        result[to * page + offset] = bytes[from * page + offset]
      }
      return ("page \(from) copied to \(to), \(skipped) bytes aside", result)
    case 1:
      for offset in skipped..<page {
        result[to * page + offset] = bytes[from * page + offset]
        result[from * page + offset] = bytes[to * page + offset]
      }
      return ("pages \(from) and \(to) swapped, \(skipped) bytes aside", result)
    case 2:
      result.replaceSubrange(range(to), with: repeatElement(0, count: page))
      return ("page \(to) zeroed", result)
    default:
      let place = random.below(bytes.count)
      let bit = random.below(8)
      result[place] ^= 1 << UInt8(bit)
      return ("bit \(bit) of byte \(place) flipped", result)
    }
  }
}
