import BoxStorage
import TestSupport

/// A whole file, with what LMDB says about its bytes.
struct PagesSpecimen {
  /// The part that a byte belongs to, by the addresses that LMDB gives.
  enum Place: UInt8 {
    /// Anything that LMDB gives no address of: headers, offsets, branch pages, unused bytes.
    case structure
    /// The flags and lengths in front of a key.
    case node
    case key
    case value
    case duplicate
    /// The record of a named database.
    case record
  }

  /// The result of a changed byte.
  enum Outcome: String {
    case found
    /// The contents are as before, and LMDB can go on writing.
    case harmless
    /// The contents are others, and the byte is one of them.
    case contents
    /// The flags of a database are others.
    case flags
    case failureOtherContentsInLMDB
    case failureContentsChangedFromOutside
    case failureAfterWriting

    var isFailure: Bool { rawValue.hasPrefix("failure") }
  }

  let bytes: [UInt8]
  let pageSize: Int
  /// The offsets of bytes that are in no value, duplicate or key, on pages that look used; those at
  /// the start of a page many times.
  let structure: [Int]
  private let places: [Place]
  private let digest: PagesDigest
  private let flags: [String: DatabaseFlags]

  /// Reads the file `data.mdb` of a directory.
  init(_ directory: TemporaryDirectory) throws {
    bytes = try directory.bytes(of: "data.mdb")
    let walk = try Self.walk(bytes)
    guard walk.report.isSound else { throw TestFailure("\(walk.report.problems)") }
    (digest, flags, pageSize) = (walk.digest, walk.flags, walk.report.pageSize)
    let places = try Self.places(of: bytes, in: directory)
    self.places = places
    structure = Self.structure(of: bytes, places, pageSize: pageSize)
    guard try Self.read(bytes) == digest else { throw TestFailure("LMDB reads something else") }
  }

  /// The result of reading a file that differs in one byte.
  func outcome(
    of changed: [UInt8], changedAt offset: Int, _ random: inout SplitMix64
  ) throws -> Outcome {
    let walk = try Self.walk(changed)
    guard walk.report.isSound else { return .found }
    guard walk.flags == flags else {
      return places[offset] == .record ? .flags : .failureContentsChangedFromOutside
    }
    guard try Self.read(changed) == walk.digest else { return .failureOtherContentsInLMDB }
    guard walk.digest == digest else {
      let isContents = [.key, .value, .duplicate, .node].contains(places[offset])
      return isContents ? .contents : .failureContentsChangedFromOutside
    }
    return try canBeWritten(changed, &random) ? .harmless : .failureAfterWriting
  }

  private struct Walk {
    var report: PageReport
    var digest: PagesDigest
    var flags: [String: DatabaseFlags] {
      let all = report.databases.map { ($0.name ?? "", $0.flags) } + [("", report.main.flags)]
      return Dictionary(all) { first, _ in first }
    }
  }

  private static func walk(_ bytes: [UInt8]) throws -> Walk {
    var digest = PagesDigest()
    var walker = PageWalker(PageSource(bytes))
    walker.visit = { digest.add($0 ?? "", $1, $2) }
    let report = try walker.walk()
    return Walk(report: report, digest: digest)
  }

  private static func structure(
    of bytes: [UInt8], _ places: [Place], pageSize: Int
  ) -> [Int] {
    var structure: [Int] = []
    for start in stride(from: 0, to: bytes.count, by: pageSize) {
      let isBranch = bytes[start + 10] == 1
      let isUsed = places[start..<start + pageSize].contains { $0 != .structure }
      guard start < 2 * pageSize || isBranch || isUsed else { continue }
      for offset in start..<start + pageSize {
        switch places[offset] {
        case .key, .value, .duplicate: continue
        case .node, .record: structure += [offset, offset]
        case .structure:
          structure += Array(repeating: offset, count: offset - start < 48 ? 50 : 1)
        }
      }
    }
    return structure
  }

  /// The contents that LMDB reads from a file.
  private static func read(_ bytes: [UInt8]) throws -> PagesDigest {
    let directory = try TemporaryDirectory()
    try directory.write(bytes, to: "data.mdb")
    var digest = PagesDigest()
    try PagesFile(directory.path(of: "data.mdb")).visit { name, key, value in
      if name != "" { digest.add(name, key.bytes, value.bytes) }
    }
    return digest
  }

  /// Whether transactions on a copy leave a sound file.
  private func canBeWritten(_ bytes: [UInt8], _ random: inout SplitMix64) throws -> Bool {
    let directory = try TemporaryDirectory()
    try directory.write(bytes, to: "data.mdb")
    let file = try PagesFile(directory.path(of: "data.mdb"))
    for _ in 0..<3 {
      try file.write { transaction in
        for specification in PagesSpecification.all {
          try PagesGenerator.change(specification, 5, &random, transaction)
        }
      }
    }
    return try PageWalker(PageSource(directory.bytes(of: "data.mdb"))).walk().isSound
  }

  /// The part that each byte of the file belongs to.
  private static func places(of bytes: [UInt8], in directory: TemporaryDirectory) throws -> [Place]
  {
    var extents: [(address: UInt, content: [UInt8], place: Place)] = []
    try PagesFile(directory.path(of: "data.mdb")).visit { name, key, value in
      let hasDuplicates = PagesSpecification.all.contains {
        $0.name == name && $0.flags & 0x04 != 0
      }
      extents.append((UInt(bitPattern: key.baseAddress), Array(key), .key))
      let place: Place = name == "" ? .record : hasDuplicates ? .duplicate : .value
      extents.append((UInt(bitPattern: value.baseAddress), Array(value), place))
    }
    let base = try base(of: extents.map { ($0.address, $0.content) }, in: bytes)
    var places = [Place](repeating: .structure, count: bytes.count)
    // A header stands in front of keys and of duplicates; the contents go before it.
    for (address, content, place) in extents
    where [.key, .duplicate].contains(place) && !content.isEmpty {
      let start = Int(address - base)
      for offset in start - 8..<start { places[offset] = .node }
    }
    for (address, content, place) in extents where !content.isEmpty {
      let start = Int(address - base)
      for offset in start..<start + content.count { places[offset] = place }
    }
    return places
  }

  /// The address of the file's first byte: the only one at which all contents are in place.
  private static func base(
    of extents: [(address: UInt, content: [UInt8])], in bytes: [UInt8]
  ) throws -> UInt {
    guard let longest = extents.max(by: { $0.content.count < $1.content.count }) else {
      throw TestFailure("the file has no entries")
    }
    let size = longest.content.count
    for offset in 0...bytes.count - size
    where bytes[offset..<offset + size].elementsEqual(longest.content) {
      let base = longest.address &- UInt(offset)
      let isRight = extents.allSatisfy { address, content in
        address >= base && Int(address - base) + content.count <= bytes.count
          && bytes[Int(address - base)...].starts(with: content)
      }
      if isRight { return base }
    }
    throw TestFailure("the contents are not found in the file")
  }
}
