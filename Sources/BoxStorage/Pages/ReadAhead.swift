/// Reads the pages of a file that follow one another in pieces of many pages.
///
/// A store that was filled in order has its pages in the order of its trees, and a call of the system for
/// each is a tenth of a walk over them. Bytes that were read ahead serve only requests that continue from
/// there, so that a second read of a place sees the current file.
@safe final class ReadAhead {
  /// Bytes that are read at once at most.
  private static let largest = 64 * 1024
  /// The number of consecutive requests after which it reads ahead.
  private static let requestsInOrder = 4

  private let read: (UInt64, UnsafeMutableRawBufferPointer) throws(StorageError) -> Int
  /// The bytes that were read ahead, from `start` on.
  private let window = UnsafeMutableRawBufferPointer.allocate(
    byteCount: largest, alignment: 16)
  private var start: UInt64 = 0
  private var count = 0
  /// The end of the last request, and how many in a row began at the end of the one before.
  private var end = UInt64.max
  private var inOrder = 0

  /// Creates a reader.
  ///
  /// - Parameter read: Fills a buffer with the bytes from an offset on, and returns how many there were.
  init(read: @escaping (UInt64, UnsafeMutableRawBufferPointer) throws(StorageError) -> Int) {
    unsafe self.read = read
  }

  deinit { unsafe window.deallocate() }

  /// Fills a buffer with the bytes from an offset on.
  ///
  /// - Returns: The number of bytes, fewer than asked for at the end of the file alone.
  /// - Throws: What reading throws.
  func fill(
    _ buffer: UnsafeMutableRawBufferPointer, from offset: UInt64
  ) throws(StorageError) -> Int {
    if offset == end {
      inOrder += 1
    } else {
      (inOrder, count) = (0, 0)
    }
    end = offset &+ UInt64(buffer.count)
    if inOrder < Self.requestsInOrder || buffer.count > Self.largest / 2 {
      return try unsafe read(offset, buffer)
    }
    if count == 0 || end > start + UInt64(count) {
      (start, count) = (offset, 0)
      count = try unsafe read(offset, window)
    }
    let first = Int(offset - start)
    let found = min(buffer.count, count - first)
    if found > 0 {
      unsafe buffer.copyMemory(from: .init(rebasing: window[first..<first + found]))
    }
    return found
  }
}
