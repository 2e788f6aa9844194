internal import CChecksum

/// CRC32C, the cyclic redundancy check of RFC 3720, appendix B.4.
package enum Checksum {
  /// Not stored: asking the processor's features costs less than asking whether it was asked before.
  @inline(__always)
  private static var isFast: Bool { boxjoint_crc32c_is_fast() != 0 }

  /// The check of bytes; 0xE3069283 for the digits 1 to 9.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - checked: The check of what comes before the bytes.
  /// - Returns: The check of both.
  /// - Complexity: O(*n*).
  package static func crc32c(_ bytes: UnsafeRawBufferPointer, after checked: UInt32 = 0) -> UInt32 {
    guard let start = bytes.baseAddress else { return checked }
    if isFast {
      let start = unsafe start.assumingMemoryBound(to: UInt8.self)
      return unsafe ~boxjoint_crc32c_fast(~checked, start, bytes.count)
    }
    return unsafe table(bytes, after: checked)
  }

  /// The check of bytes that are not in the storage.
  static func crc32c(_ bytes: RawSpan, after checked: UInt32 = 0) -> UInt32 {
    unsafe bytes.withUnsafeBytes { unsafe crc32c($0, after: checked) }
  }

  /// The check of the key of a record and of its bytes, so that neither can be another's.
  @inline(__always)
  static func crc32c(_ key: UInt64, _ bytes: UnsafeRawBufferPointer) -> UInt32 {
    if isFast, let start = bytes.baseAddress {
      let start = unsafe start.assumingMemoryBound(to: UInt8.self)
      return unsafe boxjoint_crc32c_keyed_fast(key, start, bytes.count)
    }
    let checked = unsafe withUnsafeBytes(of: key.littleEndian) { unsafe crc32c($0) }
    return unsafe crc32c(bytes, after: checked)
  }

  /// The same by a table, for machines without the instruction.
  static func table(_ bytes: UnsafeRawBufferPointer, after checked: UInt32 = 0) -> UInt32 {
    var crc = ~checked
    for index in bytes.indices {
      crc = unsafe remainders[Int(UInt8(truncatingIfNeeded: crc) ^ bytes[index])] ^ (crc >> 8)
    }
    return ~crc
  }

  private static let remainders: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { crc, _ in crc & 1 == 0 ? crc >> 1 : (crc >> 1) ^ 0x82F6_3B78 }
  }
}
