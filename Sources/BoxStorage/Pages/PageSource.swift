/// The bytes of a data file, read in pieces.
@safe package struct PageSource {
  /// Bytes in the file.
  package var size: UInt64
  /// The transaction of the head whose state is read; nil for the newer head.
  ///
  /// A commit writes its head before it syncs it, and only after that do transactions begin with its
  /// state. Until then the older head has the state that they read.
  var transaction: UInt64?
  /// Fills a buffer with the bytes from an offset on.
  ///
  /// It returns how many bytes there were: fewer than asked for only at the end of the file, and
  /// never more. An error ends the walk.
  package var read: (_ offset: UInt64, _ buffer: UnsafeMutableRawBufferPointer) throws -> Int

  /// Creates a source of a size in bytes.
  package init(
    size: UInt64,
    read: @escaping (_ offset: UInt64, _ buffer: UnsafeMutableRawBufferPointer) throws -> Int
  ) {
    self.size = size
    unsafe self.read = read
  }

  /// Creates a source of bytes in memory.
  package init(_ bytes: [UInt8]) {
    unsafe self.init(size: UInt64(bytes.count)) { offset, buffer in
      guard let start = Int(exactly: offset), start < bytes.count else { return 0 }
      let count = min(buffer.count, bytes.count - start)
      unsafe bytes.withUnsafeBytes {
        unsafe buffer.copyMemory(from: .init(rebasing: $0[start..<start + count]))
      }
      return count
    }
  }

  /// The bytes of both heads, and what follows them in a file with small pages.
  ///
  /// - Throws: The errors of reading.
  func heads() throws -> [UInt8] {
    let largest = Int(PageFormat.metaPages) * (PageFormat.pageSizes.max() ?? 0)
    var heads = [UInt8](repeating: 0, count: largest)
    let count = try unsafe heads.withUnsafeMutableBytes { try unsafe read(0, $0) }
    heads.removeSubrange(count...)
    return heads
  }

  /// The same pages with a copy of the heads, which each transaction writes over.
  ///
  /// - Throws: The errors of reading.
  package func withOwnHeads() throws -> PageSource { withHeads(try heads()) }

  /// The same pages with other heads.
  func withHeads(_ heads: [UInt8]) -> PageSource {
    let copy = PageSource(heads)
    return unsafe PageSource(size: size) { offset, buffer in
      let copied = try unsafe copy.read(offset, buffer)
      if copied == buffer.count { return copied }
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[copied...])
      return unsafe copied + (try read(offset + UInt64(copied), rest))
    }
  }

  /// Fills a buffer, or says that the file ends before.
  func fill(_ buffer: UnsafeMutableRawBufferPointer, from offset: UInt64) throws -> Bool {
    let (end, isTooLarge) = offset.addingReportingOverflow(UInt64(buffer.count))
    guard !isTooLarge, end <= size else { return false }
    return try unsafe read(offset, buffer) == buffer.count
  }
}
