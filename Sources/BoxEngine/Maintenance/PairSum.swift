/// A sum over pairs of integers that does not depend on their order, to compare two sets of pairs.
///
/// Each pair adds 128 bits of its hash. Two different sets have one sum with a probability of 2^-128, so
/// that two sums that are equal stand for the same set where neither set has a pair twice.
struct PairSum: Equatable {
  /// The number of pairs.
  private(set) var count = 0
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  /// Adds a pair.
  @inline(__always)
  mutating func add(_ first: UInt64, _ second: UInt64) {
    let start = StringHash.mixed(first ^ 0x9E37_79B9_7F4A_7C15)
    let end = StringHash.mixed(start ^ second)
    count += 1
    low &+= end
    high &+= StringHash.mixed(end ^ (start << 32 | start >> 32))
  }

  /// Adds a key of bytes and an integer.
  mutating func add(_ key: UnsafeRawBufferPointer, _ second: UInt64) {
    unsafe add(StringHash.of(key), second)
  }
}
