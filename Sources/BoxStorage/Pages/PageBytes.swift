/// Bytes that stay in memory while they are looked at, read in little-endian order.
///
/// It is a programmer error to read outside of the bytes: whatever comes from the file is compared
/// with ``count`` first. Such an error stops the program before it reads foreign memory.
@safe struct PageBytes {
  /// The bytes themselves, for those who take a span of them.
  let buffer: UnsafeRawBufferPointer

  init(_ buffer: UnsafeRawBufferPointer) { unsafe self.buffer = buffer }

  var count: Int { unsafe buffer.count }

  func uint16(at offset: Int) -> UInt16 { load(UInt16.self, at: offset) }
  func uint32(at offset: Int) -> UInt32 { load(UInt32.self, at: offset) }
  func uint64(at offset: Int) -> UInt64 { load(UInt64.self, at: offset) }
  /// A word of 2 bytes as an offset or a size.
  func word(at offset: Int) -> Int { Int(uint16(at: offset)) }

  subscript(offset: Int) -> UInt8 {
    unsafe precondition(offset >= 0 && offset < buffer.count)
    return unsafe buffer[offset]
  }

  subscript(range: Range<Int>) -> PageBytes {
    unsafe precondition(range.lowerBound >= 0 && range.upperBound <= buffer.count)
    return unsafe PageBytes(UnsafeRawBufferPointer(rebasing: buffer[range]))
  }

  private func load<Integer: FixedWidthInteger & BitwiseCopyable>(
    _: Integer.Type, at offset: Int
  ) -> Integer {
    unsafe precondition(offset >= 0 && offset <= buffer.count - MemoryLayout<Integer>.size)
    return unsafe Integer(
      littleEndian: buffer.loadUnaligned(fromByteOffset: offset, as: Integer.self))
  }
}
