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
  /// The first byte is looked for sixteen or more at a time, as the system does it. That is the fastest
  /// way for text; where both repeat their bytes, each place would be compared to its end, and another
  /// search takes over.
  ///
  /// - Complexity: O(*n*).
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
    // The bytes at a place that are compared without being counted.
    let head = min(part.count, 256)
    var compared = 0
    let last = bytes.count - part.count
    while position <= last {
      guard let found = unsafe memchr(start + position, first, last - position + 1) else {
        return false
      }
      let here = unsafe UnsafeRawPointer(found) - UnsafeRawPointer(start)
      position = here + 1
      if unsafe memcmp(start + here, wanted, head) != 0 { continue }
      if unsafe head == part.count
        || memcmp(start + here + head, wanted + head, part.count - head) == 0
      {
        return true
      }
      compared += part.count
      if compared > position + 4 * part.count {
        return unsafe containsRepeated(UnsafeBufferPointer(rebasing: bytes[position...]), part)
      }
    }
    return false
  }

  /// The same, and no byte is looked at more than twice: the search of Knuth, Morris and Pratt.
  @inline(never)
  private static func containsRepeated(
    _ bytes: UnsafeBufferPointer<UInt8>, _ part: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    // For each start of the part, the number of bytes at its end that are a shorter start, too.
    var borders = [Int](repeating: 0, count: part.count)
    var length = 0
    for index in 1..<part.count {
      while length > 0, unsafe part[index] != part[length] { length = borders[length - 1] }
      if unsafe part[index] == part[length] { length += 1 }
      borders[index] = length
    }
    var matched = 0
    for index in 0..<bytes.count {
      while matched > 0, unsafe bytes[index] != part[matched] { matched = borders[matched - 1] }
      if unsafe bytes[index] == part[matched] { matched += 1 }
      if matched == part.count { return true }
    }
    return false
  }
}
