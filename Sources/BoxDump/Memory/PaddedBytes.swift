#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The bytes of a text in memory, followed by zeros.
///
/// No JSON text contains a zero, so a reader of tokens need not look for the end: the zeros end each of
/// them. The two accessors of tokens rely on that, and assert it: in every read a check took a tenth of
/// an import. Ranges are always compared with the end of the zeros; it is a programmer error to pass another one,
/// which stops the program before it reads foreign memory.
///
/// The bytes are lent: they are valid until their owner moves them to read more of the text.
@safe struct PaddedBytes {
  /// The number of zeros, which is more than a reader of tokens looks ahead.
  static let padding = 64
  // Nothing is written to it.
  private nonisolated(unsafe) static let zeros = FixedMemory<UInt8>(repeating: 0, count: padding)

  private let start: UnsafePointer<UInt8>
  /// The number of bytes with the zeros.
  private let count: Int

  /// Creates the bytes of a text from its memory, in which zeros follow the text.
  init(_ memory: UnsafeBufferPointer<UInt8>) {
    guard let start = memory.baseAddress else { preconditionFailure("there are no zeros") }
    unsafe self.start = start
    count = memory.count
  }

  /// Nothing but zeros.
  static var empty: PaddedBytes { unsafe PaddedBytes(zeros[lent: 0..<padding]) }

  /// Calls a function with some bytes, followed by zeros; the memory is valid during the call.
  static func withPadding<R, E: Error>(
    _ bytes: [UInt8], _ body: (PaddedBytes) throws(E) -> R
  ) throws(E) -> R {
    let padded = bytes + [UInt8](repeating: 0, count: padding)
    return try unsafe padded.withUnsafeBufferPointer { (memory) throws(E) in
      try body(unsafe PaddedBytes(memory))
    }
  }

  // MARK: - The accessors of tokens

  @inline(__always)
  subscript(index: Int) -> UInt8 {
    assert(index >= 0 && index < count, "read past the zeros")
    return unsafe start[index]
  }

  /// Eight bytes, of which the first is the lowest.
  @inline(__always)
  func word(at index: Int) -> UInt64 {
    assert(index >= 0 && index <= count - 8, "read past the zeros")
    return unsafe UInt64(
      littleEndian: UnsafeRawPointer(start + index).loadUnaligned(as: UInt64.self))
  }

  // MARK: - Parts

  /// The bytes in a range.
  @inline(__always)
  @unsafe subscript(range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    return unsafe UnsafeBufferPointer(start: start + range.lowerBound, count: range.count)
  }

  /// The index of the first of some equal bytes in a range; nil if it has none.
  @inline(__always)
  func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    let found = unsafe memchr(start + range.lowerBound, Int32(byte), range.count)
    return unsafe found.map { unsafe UnsafeRawPointer(start).distance(to: UnsafeRawPointer($0)) }
  }

  /// Whether some bytes are at an index.
  @inline(__always)
  func has(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
    guard let other = bytes.baseAddress else { return true }
    precondition(index >= 0 && index <= count - bytes.count)
    return unsafe memcmp(start + index, other, bytes.count) == 0
  }

  /// Whether some bytes are at an index.
  @inline(__always)
  func has(_ bytes: [UInt8], at index: Int) -> Bool {
    unsafe bytes.withUnsafeBufferPointer { unsafe has($0, at: index) }
  }

  /// Whether these are the same bytes in memory.
  func isSame(as other: PaddedBytes) -> Bool {
    unsafe start == other.start
  }
}
