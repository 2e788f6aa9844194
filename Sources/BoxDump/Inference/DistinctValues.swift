/// The hashes of the values of a member, as long as all of them differ.
///
/// Two values with one hash count as equal. So a member may be taken for one with repeated values, with
/// a probability of 10^-7 for a million of them, but never the other way round.
struct DistinctValues {
  /// The number of hashes that the members of an inference may keep together: 32 MiB of memory.
  final class Budget {
    @safe @exclusivity(unchecked) var remaining = 1 << 22
  }

  /// The state of the comparison.
  enum Outcome {
    case distinct, repeated
    /// There were more values than the budget allows.
    case unknown
  }

  private(set) var outcome = Outcome.distinct
  private var slots: [UInt64] = Array(repeating: 0, count: 64)
  private var count = 0
  /// Hashes that are not in the table yet.
  ///
  /// A large table is not in the cache: the processor waits for many of its entries at once if they are
  /// looked up one after the other.
  private var pending: [UInt64] = []
  private let budget: Budget

  private static let maximumPending = 256

  init(_ budget: Budget) { self.budget = budget }

  /// Adds a value by its hash.
  ///
  /// - Complexity: O(1) on average.
  mutating func insert(_ hash: UInt64) {
    pending.append(hash)
    if pending.count == Self.maximumPending { compare() }
  }

  /// Compares the values that were added last; after that ``outcome`` covers all values.
  mutating func compare() {
    if outcome != .distinct { return }
    while 2 * (count + pending.count) > slots.count {
      if !grow() { return end(.unknown) }
    }
    let isRepeated = Self.insert(pending, into: slots.mutableSpan)
    count += pending.count
    pending.removeAll(keepingCapacity: true)
    if isRepeated { end(.repeated) }
  }

  /// Adds hashes to a table that has room for them; returns whether the table had one of them before.
  private static func insert(
    _ hashes: some Sequence<UInt64>, into slots: consuming MutableSpan<UInt64>
  ) -> Bool {
    let mask = slots.count - 1
    for hash in hashes {
      // Zero marks a free slot.
      let hash = hash | 1
      var slot = Int(truncatingIfNeeded: hash >> 20) & mask
      while slots[slot] != 0 {
        if slots[slot] == hash { return true }
        slot = (slot + 1) & mask
      }
      slots[slot] = hash
    }
    return false
  }

  /// Doubles the table; returns whether the budget allows it.
  private mutating func grow() -> Bool {
    guard budget.remaining >= slots.count else { return false }
    budget.remaining -= slots.count
    let old = slots
    slots = Array(repeating: 0, count: 2 * old.count)
    _ = Self.insert(old.lazy.filter { $0 != 0 }, into: slots.mutableSpan)
    return true
  }

  private mutating func end(_ outcome: Outcome) {
    self.outcome = outcome
    budget.remaining += slots.count - 64
    slots = []
    pending = []
    count = 0
  }

  /// A hash of bytes, eight at a time.
  static func hash(_ bytes: RawSpan) -> UInt64 {
    var hash = UInt64(truncatingIfNeeded: bytes.byteCount) &* 0x9E37_79B9_7F4A_7C15
    var offset = 0
    while offset + 8 <= bytes.byteCount {
      hash = unsafe mix(hash ^ bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    var rest: UInt64 = 0
    while offset < bytes.byteCount {
      rest = unsafe rest << 8 | UInt64(bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self))
      offset += 1
    }
    return mix(hash ^ rest)
  }

  /// A hash of an integer.
  static func hash(_ value: UInt64) -> UInt64 { mix(value ^ 0x9E37_79B9_7F4A_7C15) }

  private static func mix(_ value: UInt64) -> UInt64 {
    let product = value.multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    return product.high ^ product.low
  }
}
