/// Numbers in the entries of data sync.
extension [UInt8] {
  /// Seven bits a byte, the lowest first; the highest bit says that more follow.
  package mutating func append(varint value: UInt64) {
    var rest = value
    while rest > 0x7F {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  /// All bytes of a number, the lowest first.
  mutating func append(fixed value: some FixedWidthInteger) {
    unsafe Swift.withUnsafeBytes(of: value.littleEndian) { unsafe append(contentsOf: $0) }
  }

  /// Bytes after their number.
  mutating func append(counted bytes: UnsafeRawBufferPointer) {
    append(varint: UInt64(bytes.count))
    unsafe append(contentsOf: bytes)
  }
}

/// Reads numbers from stored bytes; nil where these are not what was written.
struct SyncReader {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  mutating func byte() -> UInt8? { rest.popFirst() }

  mutating func varint() -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      guard let byte = byte(), shift < 63 || byte <= 1 else { return nil }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    return nil
  }

  mutating func small() -> UInt32? { varint().flatMap { UInt32(exactly: $0) } }

  mutating func fixed<T: FixedWidthInteger>(_ type: T.Type = T.self) -> T? {
    take(T.bitWidth / 8).map { T(littleEndianBytes: $0) }
  }

  mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  /// Bytes after their number.
  mutating func counted() -> [UInt8]? {
    guard let count = varint().flatMap({ Int(exactly: $0) }) else { return nil }
    return take(count).map { Array($0) }
  }
}
