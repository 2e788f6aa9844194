/// Bytes that stay in memory while they are looked at, read in little-endian order.
///
/// It is a programmer error to read outside of the bytes: whatever comes from the file is compared
/// with ``count`` first. Such an error stops the program before it reads foreign memory.
///
/// Its functions are inlined, like ``PageNode``'s: calls of them took a third of a walk.
@safe struct PageBytes {
  /// The bytes themselves, for those who take a span of them.
  let buffer: UnsafeRawBufferPointer

  @inline(__always) init(_ buffer: UnsafeRawBufferPointer) { unsafe self.buffer = buffer }

  @inline(__always) var count: Int { unsafe buffer.count }

  @inline(__always) func uint16(at offset: Int) -> UInt16 { load(UInt16.self, at: offset) }
  @inline(__always) func uint32(at offset: Int) -> UInt32 { load(UInt32.self, at: offset) }
  @inline(__always) func uint64(at offset: Int) -> UInt64 { load(UInt64.self, at: offset) }
  /// A word of 2 bytes as an offset or a size.
  @inline(__always) func word(at offset: Int) -> Int { Int(uint16(at: offset)) }

  @inline(__always) subscript(offset: Int) -> UInt8 {
    unsafe precondition(offset >= 0 && offset < buffer.count)
    return unsafe buffer[offset]
  }

  @inline(__always) subscript(range: Range<Int>) -> PageBytes {
    unsafe precondition(range.lowerBound >= 0 && range.upperBound <= buffer.count)
    return unsafe PageBytes(UnsafeRawBufferPointer(rebasing: buffer[range]))
  }

  @inline(__always)
  private func load<Integer: FixedWidthInteger & BitwiseCopyable>(
    _: Integer.Type, at offset: Int
  ) -> Integer {
    unsafe precondition(offset >= 0 && offset <= buffer.count - MemoryLayout<Integer>.size)
    return unsafe Integer(
      littleEndian: buffer.loadUnaligned(fromByteOffset: offset, as: Integer.self))
  }
}
