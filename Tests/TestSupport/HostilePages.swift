/// Damage to the data file of a store, aimed at what LMDB reads without a check.
///
/// The file must be sound, and have pages of 4096 bytes.
public struct HostilePages: Sendable {
  /// The target of a change.
  public enum Target: CaseIterable, Sendable {
    case byte, bytes, header, offset, node, swapped, copied, cleared, head, freelist, chain,
      duplicates, cut
  }

  private let bytes: [UInt8]
  private let pageSize = 4096
  private let pages: [Int]
  private let leaves: [Int]
  private let trees: [Int]
  private let chains: [Int]

  /// Creates damage to a file.
  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
    let flags = (0..<bytes.count / 4096).map { Int(bytes[$0 * 4096 + 10]) }
    pages = flags.indices.filter { $0 > 1 && flags[$0] & 7 != 0 }
    leaves = pages.filter { flags[$0] == 2 }
    trees = pages.filter { flags[$0] == 1 || flags[$0] == 2 }
    chains = pages.filter { flags[$0] == 4 }
  }

  /// A copy of the file with one to eight changes of one kind.
  public func damaged(_ random: inout SplitMix64) -> [UInt8] {
    var copy = bytes
    let target = random.pick(Target.allCases)
    if target == .cut {
      copy.removeLast(random.oneIn(2) ? pageSize : random.below(copy.count))
      return copy
    }
    for _ in 0..<random.pick([1, 1, 1, 2, 8]) { damage(&copy, target, &random) }
    return copy
  }

  private func damage(_ bytes: inout [UInt8], _ target: Target, _ random: inout SplitMix64) {
    let (page, other) = (random.pick(pages) * pageSize, random.pick(pages) * pageSize)
    switch target {
    case .byte: bytes[random.below(bytes.count)] = UInt8(random.below(256))
    case .bytes:
      let start = random.below(bytes.count - 64)
      let value = random.pick([0, 255, UInt8(random.below(256))])
      for place in start..<start + 1 + random.below(63) { bytes[place] = value }
    case .header: bytes[page + random.below(16)] ^= 1 << UInt8(random.below(8))
    case .swapped:
      for place in 0..<pageSize { bytes.swapAt(page + place, other + place) }
    case .copied:
      // With the number of its new place, so that only its contents give it away.
      for place in 8..<pageSize { bytes[page + place] = bytes[other + place] }
    case .cleared: for place in 0..<pageSize { bytes[page + place] = 0 }
    case .head: damageHead(&bytes, &random)
    case .offset, .node: damageNode(&bytes, target, &random)
    case .freelist: damageFreelist(&bytes, &random)
    case .chain:
      guard !chains.isEmpty else { return }
      let counts: [UInt32] = [0, 1, 2, 3, 100, UInt32(bytes.count / pageSize), 1 << 31, .max]
      put(random.pick(counts), at: random.pick(chains) * pageSize + 12, &bytes)
    case .duplicates: damageDuplicates(&bytes, &random)
    case .cut: break
    }
  }

  /// A field of a meta page: both records, the last page, the number of the transaction.
  private func damageHead(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
    let fields =
      [24, 32, 40, 44, 46] + Array(stride(from: 48, through: 80, by: 8))
      + [88, 92, 94] + Array(stride(from: 96, through: 144, by: 8))
    let place = random.below(2) * pageSize + random.pick(fields)
    let old = number(at: place, bytes)
    let numbers: [UInt64] = [
      0, 1, 2, .max, 1 << 63, 1 << 32, UInt64(random.below(bytes.count / pageSize)), random.next(),
      old &+ 1, old &- 1, old &+ 2,
    ]
    put(random.pick(numbers), at: place, &bytes)
  }

  private func damageNode(
    _ bytes: inout [UInt8], _ target: Target, _ random: inout SplitMix64
  ) {
    let page = random.pick(trees) * pageSize
    guard let node = node(on: page, bytes, &random) else { return }
    let words: [UInt16] = [
      0, 1, 2, 3, 4, 6, 7, 8, 16, 511, 512, 4094, 4096, .max, UInt16(random.below(1 << 16)),
    ]
    let offset = page + 16 + 2 * random.below(8)
    put(
      random.pick(words), at: target == .offset ? offset : node + random.pick([0, 2, 4, 6]),
      &bytes)
  }

  /// The counts and the pages of the lists in the root of the freelist.
  private func damageFreelist(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
    let head = number(at: 144, bytes) > number(at: pageSize + 144, bytes) ? 0 : pageSize
    let root = number(at: head + 80, bytes)
    guard root < bytes.count / pageSize,
      let node = node(on: Int(root) * pageSize, bytes, &random)
    else { return }
    let place = node + 16 + 8 * random.pick([0, 0, 1, 2, random.below(20)])
    let numbers: [UInt64] = [
      0, 1, 2, 100_000, 1 << 40, 1 << 61, .max, UInt64(bytes.count / pageSize),
      UInt64(random.below(bytes.count / pageSize)), number(at: place, bytes) &+ 1,
    ]
    put(random.pick(numbers), at: place, &bytes)
  }

  /// The header of a page, or the record of a tree, that is the value of a node.
  private func damageDuplicates(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
    for _ in 0..<20 {
      guard let node = node(on: random.pick(leaves) * pageSize, bytes, &random) else { continue }
      let start = node + 8 + Int(word(at: node + 6, bytes))
      guard word(at: node + 4, bytes) & 6 != 0, start + 48 <= bytes.count else { continue }
      let words: [UInt16] = [0, 1, 2, 4, 8, 16, 100, .max, UInt16(random.below(1 << 16))]
      let place = start + random.pick([0, 4, 6, 8, 10, 12, 14, 16, 24, 32, 40])
      return put(random.pick(words), at: place, &bytes)
    }
  }

  /// The offset of a node of a page, if its place and its header are in the page.
  private func node(
    on page: Int, _ bytes: [UInt8], _ random: inout SplitMix64
  ) -> Int? {
    let count = (Int(word(at: page + 12, bytes)) - 16) / 2
    guard 1...2000 ~= count else { return nil }
    let offset = Int(word(at: page + 16 + 2 * random.below(count), bytes))
    return offset + 200 <= pageSize ? page + offset : nil
  }

  private func word(at place: Int, _ bytes: [UInt8]) -> UInt16 {
    place + 2 <= bytes.count ? UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8 : 0
  }

  private func number(at place: Int, _ bytes: [UInt8]) -> UInt64 {
    guard place + 8 <= bytes.count else { return 0 }
    return bytes[place..<place + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  private func put(_ value: some FixedWidthInteger, at place: Int, _ bytes: inout [UInt8]) {
    withUnsafeBytes(of: value.littleEndian) { value in
      guard place + value.count <= bytes.count else { return }
      for (offset, byte) in value.enumerated() { bytes[place + offset] = byte }
    }
  }
}
