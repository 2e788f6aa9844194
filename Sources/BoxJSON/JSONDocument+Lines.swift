/// Lines and columns. The scanner notes where lines start, so nothing is searched twice.
extension JSONDocument {
  /// The line and column of an offset, which is clamped to the text.
  ///
  /// All bytes of one scalar have its column.
  ///
  /// - Complexity: O(log *n* + *m*) in the number of lines and the length of the line.
  public func position(at offset: Int) -> JSONPosition {
    var offset = min(max(offset, 0), bytes.count)
    while offset > 0, offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset -= 1 }
    return bytes.withUnsafeBufferPointer { lines.position(of: offset, in: $0) }
  }

  /// The text of the line that holds an offset, without its ending.
  ///
  /// - Complexity: O(log *n* + *m*) in the number of lines and the length of the line.
  public func line(at offset: Int) -> String {
    let line = lines.lineIndex(of: min(max(offset, 0), bytes.count)) + 1
    return String(decoding: bytes[range(ofLine: line)], as: UTF8.self)
  }

  /// The bytes of a line, counted from 1, without its ending.
  ///
  /// A line that is not there has the empty range at the end of the text.
  public func range(ofLine line: Int) -> Range<Int> {
    bytes.withUnsafeBufferPointer { lines.range(ofLine: line, in: $0) }
  }

  /// The number of lines; a text that ends with a line ending has an empty one behind it.
  public var lineCount: Int { lines.starts.count }
}
