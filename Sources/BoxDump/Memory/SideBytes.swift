/// Bytes that a text contains only in escaped form, one value after the other.
///
/// Reserve space before adding bytes, because that may move the existing ones. It is a programmer
/// error to add more than there is room for, which stops the program.
@safe struct SideBytes: ~Copyable {
  private var start = UnsafeMutableRawPointer.allocate(byteCount: 256, alignment: 16)
  private var capacity = 256
  /// The number of bytes.
  private(set) var count = 0

  deinit { unsafe start.deallocate() }

  /// Makes room for more bytes.
  mutating func reserve(_ more: Int) {
    if count + more <= capacity { return }
    capacity = max(count + more, 2 * capacity)
    let grown = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    unsafe grown.copyMemory(from: start, byteCount: count)
    unsafe start.deallocate()
    unsafe start = grown
  }

  /// Goes to a multiple of sixteen bytes in memory.
  mutating func align() {
    reserve(16)
    count = (count + 15) & ~15
  }

  /// Adds an integer.
  @inline(__always)
  mutating func append<T: FixedWidthInteger & BitwiseCopyable>(_ value: T) {
    precondition(count + MemoryLayout<T>.size <= capacity)
    unsafe start.storeBytes(of: value, toByteOffset: count, as: T.self)
    count += MemoryLayout<T>.size
  }

  /// Adds the bytes of elements, and makes room for them.
  mutating func append<T: BitwiseCopyable>(_ elements: [T]) {
    unsafe elements.withUnsafeBytes { bytes in
      reserve(bytes.count)
      if let first = bytes.baseAddress {
        unsafe (start + count).copyMemory(from: first, byteCount: bytes.count)
      }
      count += bytes.count
    }
  }

  /// Forgets the bytes from one on.
  @inline(__always)
  mutating func removeAll(from start: Int = 0) { count = min(start, count) }

  /// Some bytes, which are valid until room is made for more.
  @inline(__always)
  @unsafe subscript(range: Range<Int>) -> UnsafeRawBufferPointer {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    return unsafe UnsafeRawBufferPointer(start: start + range.lowerBound, count: range.count)
  }
}
