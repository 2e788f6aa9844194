#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Comparisons of bytes.
enum ByteOrder {
  /// Below, at or above 0 as the first bytes come before the second, equal them or come after them; of
  /// two that begin alike the shorter comes first.
  ///
  /// - Complexity: O(*n*).
  @inline(__always)
  static func compare(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Int {
    let order = unsafe compareStarts(a, b)
    return order != 0 ? order : a.count - b.count
  }

  /// The same for what both have, as many bytes as the shorter one.
  @inline(__always)
  static func compareStarts(
    _ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>
  ) -> Int {
    let count = min(a.count, b.count)
    if count == 0 { return 0 }
    guard let a = a.baseAddress, let b = b.baseAddress else { return 0 }
    return unsafe Int(memcmp(a, b, count))
  }

  /// Whether bytes contain others.
  ///
  /// The first byte is looked for sixteen or more at a time, as the system does it.
  ///
  /// - Complexity: O(*n*) for text; O(*n* · *m*) where both repeat one byte.
  @inline(__always)
  static func contains(
    _ bytes: UnsafeBufferPointer<UInt8>, _ part: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard let start = bytes.baseAddress, let wanted = part.baseAddress, part.count > 0 else {
      return part.isEmpty
    }
    if bytes.count < part.count { return false }
    let first = unsafe Int32(wanted[0])
    var position = 0
    let last = bytes.count - part.count
    while position <= last {
      guard let found = unsafe memchr(start + position, first, last - position + 1) else {
        return false
      }
      let here = unsafe UnsafeRawPointer(found) - UnsafeRawPointer(start)
      if unsafe memcmp(start + here, wanted, part.count) == 0 { return true }
      position = here + 1
    }
    return false
  }
}
