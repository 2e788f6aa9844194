/// Clocks of 47 bits of milliseconds and 16 bits of a counter.
package enum SyncClock {
  /// A clock above the server's time and this is replaced.
  package static let tolerance: UInt64 = 5_000

  /// The first clock of a millisecond.
  package static func value(milliseconds: UInt64) -> UInt64 {
    min(milliseconds, 1 << 47 - 1) << 16
  }

  /// The clock of the next put: above the clocks of the store and the object, and at least the server's time.
  package static func next(own: UInt64, object: UInt64, milliseconds: UInt64) -> UInt64 {
    let limit = UInt64(Int64.max)
    return max(
      min(own, limit - 1) + 1, min(object, limit - 1) + 1, value(milliseconds: milliseconds))
  }
}
