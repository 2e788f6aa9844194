/// The pages of one level of two states, to find those that both have.
///
/// A table with open addressing, made once for a level of pages: numbers need no hash that resists attacks.
struct PageNumbers {
  /// Numbers of pages, 0 for an empty slot, with the highest bit set once a page was found again.
  private var table: [UInt64]
  private let shift: UInt64
  private static let isShared: UInt64 = 1 << 63

  /// The pages of a level; nil if one is among them twice, or is not a tree page.
  init?(_ pages: [UInt64]) {
    let bits = UInt64.bitWidth - (2 * pages.count + 1).leadingZeroBitCount
    table = [UInt64](repeating: 0, count: 1 << bits)
    shift = UInt64(UInt64.bitWidth - bits)
    for page in pages {
      let slot = slot(of: page)
      if page == 0 || page >= Self.isShared || table[slot] != 0 { return nil }
      table[slot] = page
    }
  }

  /// Notes that the other state has a page: whether this one has it, or nil if that was noted before.
  mutating func share(_ page: UInt64) -> Bool? {
    let slot = slot(of: page)
    if table[slot] == 0 { return false }
    if table[slot] & Self.isShared != 0 { return nil }
    table[slot] |= Self.isShared
    return true
  }

  /// Whether the other state has a page of this one too.
  func isShared(_ page: UInt64) -> Bool { table[slot(of: page)] & Self.isShared != 0 }

  /// The place of a page, or of the gap where it would be.
  private func slot(of page: UInt64) -> Int {
    var slot = Int((page &* 0x9E37_79B9_7F4A_7C15) >> shift)
    while table[slot] != 0 && table[slot] & ~Self.isShared != page {
      slot = (slot + 1) & (table.count - 1)
    }
    return slot
  }
}
