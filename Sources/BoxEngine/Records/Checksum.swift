internal import CChecksum

/// CRC32C, the cyclic redundancy check of RFC 3720, appendix B.4.
enum Checksum {
  private static let isFast = boxjoint_crc32c_is_fast() != 0

  /// The check of bytes; 0xE3069283 for the digits 1 to 9. O(*n*).
  static func crc32c(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    guard let start = bytes.baseAddress else { return 0 }
    if isFast {
      let start = start.assumingMemoryBound(to: UInt8.self)
      return ~boxjoint_crc32c_fast(~0, start, bytes.count)
    }
    return table(bytes)
  }

  /// The same by a table, for machines without the instruction.
  static func table(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    var crc: UInt32 = ~0
    for byte in bytes {
      crc = remainders[Int(UInt8(truncatingIfNeeded: crc) ^ byte)] ^ (crc >> 8)
    }
    return ~crc
  }

  private static let remainders: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { crc, _ in crc & 1 == 0 ? crc >> 1 : (crc >> 1) ^ 0x82F6_3B78 }
  }
}
