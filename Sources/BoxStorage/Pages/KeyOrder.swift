/// The order of the keys of a tree.
enum KeyOrder {
  /// By bytes, a prefix first.
  case bytes
  /// By bytes from the end, a suffix first.
  case reversed
  /// As unsigned numbers of one size: 4 or 8 bytes.
  case integer

  /// Whether a key comes before another one.
  ///
  /// Numbers must have the same size.
  ///
  /// - Complexity: O(*n*) in the number of bytes.
  @inline(__always)
  func precedes(_ left: PageBytes, _ right: PageBytes) -> Bool {
    let shared = min(left.count, right.count)
    switch self {
    case .bytes:
      var offset = 0
      while offset + 8 <= shared {
        let (a, b) = (left.uint64(at: offset), right.uint64(at: offset))
        if a != b { return a.byteSwapped < b.byteSwapped }
        offset += 8
      }
      while offset < shared {
        if left[offset] != right[offset] { return left[offset] < right[offset] }
        offset += 1
      }
      return left.count < right.count
    case .reversed:
      var offset = 1
      while offset <= shared {
        let (a, b) = (left[left.count - offset], right[right.count - offset])
        if a != b { return a < b }
        offset += 1
      }
      return left.count < right.count
    case .integer:
      if shared >= 8 { return left.uint64(at: 0) < right.uint64(at: 0) }
      if shared >= 4 { return left.uint32(at: 0) < right.uint32(at: 0) }
      return false
    }
  }

  /// Whether a key can have a size.
  func accepts(size: Int) -> Bool { self != .integer || size == 4 || size == 8 }
}
