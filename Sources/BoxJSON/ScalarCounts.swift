/// The number of Unicode scalars in front of every 512th byte of a text.
///
/// Columns are counted in scalars. With this table a column costs the same wherever it is in a line,
/// so the places of all findings of a file without line ends cost no more than the file is long.
struct ScalarCounts: Sendable {
  /// The number of bytes between two entries: 4 bytes of table for 512 of text.
  static let stride = 512

  /// The number of scalars that start before each multiple of ``stride``.
  private var starts: ContiguousArray<UInt32> = [0]

  /// Counts the scalars of a text, well-formed or not.
  ///
  /// - Complexity: O(*n*) in the number of bytes.
  init(of text: UnsafeBufferPointer<UInt8>) {
    starts.reserveCapacity(text.count / Self.stride + 1)
    var block = 0
    while block + Self.stride <= text.count {
      let count = unsafe Self.count(text, block..<block + Self.stride)
      starts.append(starts[starts.count - 1] &+ UInt32(count))
      block += Self.stride
    }
  }

  /// The number of scalars that start in a range of the text.
  ///
  /// - Complexity: O(1): it looks at 1024 bytes at most.
  func count(in range: Range<Int>, of text: UnsafeBufferPointer<UInt8>) -> Int {
    unsafe count(before: range.upperBound, in: text) - count(before: range.lowerBound, in: text)
  }

  /// The offset of the scalar that has a number of scalars between itself and an offset, or the end of
  /// the text if it has fewer.
  ///
  /// - Complexity: O(log *n*) in the number of bytes.
  func offset(
    ofScalar number: Int, after offset: Int, in text: UnsafeBufferPointer<UInt8>
  ) -> Int {
    let wanted = unsafe count(before: offset, in: text) + number
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if Int(starts[middle]) <= wanted { low = middle } else { high = middle }
    }
    var left = wanted - Int(starts[low])
    var index = low * Self.stride
    while index < text.count {
      if unsafe text[index].startsScalar {
        if left == 0 { break }
        left -= 1
      }
      index += 1
    }
    return index
  }

  private func count(before offset: Int, in text: UnsafeBufferPointer<UInt8>) -> Int {
    let block = offset / Self.stride
    return unsafe Int(starts[block]) + Self.count(text, block * Self.stride..<offset)
  }

  private static func count(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int {
    var result = 0
    for index in range where unsafe text[index].startsScalar { result += 1 }
    return result
  }
}

extension UInt8 {
  /// Whether the byte is the first of a scalar in UTF-8, or cannot be part of one.
  var startsScalar: Bool { self & 0xC0 != 0x80 }
}
