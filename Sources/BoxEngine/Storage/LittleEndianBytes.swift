extension FixedWidthInteger {
  /// The bytes of the integer, the lowest first.
  var littleEndianBytes: [UInt8] {
    (0..<Self.bitWidth / 8).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) }
  }

  /// Creates an integer from its bytes, the lowest first; none of those that are missing is set.
  init(littleEndianBytes bytes: some Sequence<UInt8>) {
    self = bytes.enumerated().reduce(0) {
      $0 | Self(truncatingIfNeeded: $1.element) << (8 * $1.offset)
    }
  }
}
