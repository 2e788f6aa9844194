/// Lines and columns. The scanner notes where lines start, so nothing is searched twice, and columns of
/// long lines are counted once for the whole text.
extension JSONDocument {
  /// The line and column of an offset, which is clamped to the text.
  ///
  /// All bytes of one scalar have its column.
  ///
  /// - Complexity: O(log *n*) in the number of lines, whatever the length of the line.
  package func position(at offset: Int) -> JSONPosition {
    var offset = min(max(offset, 0), bytes.count)
    while offset > 0, offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset -= 1 }
    return unsafe bytes.withUnsafeBufferPointer { unsafe lines.position(of: offset, in: $0) }
  }

  /// The line that holds an offset, without its ending, cut around the offset if it is long.
  ///
  /// - Complexity: O(log *n*) in the number of lines, whatever the length of the line.
  package func sourceLine(at offset: Int) -> SourceLine {
    unsafe bytes.withUnsafeBufferPointer { unsafe lines.sourceLine(at: offset, in: $0) }
  }

  /// The bytes of a line, counted from 1, without its ending.
  ///
  /// A line that is not there has the empty range at the end of the text.
  package func range(ofLine line: Int) -> Range<Int> {
    unsafe bytes.withUnsafeBufferPointer { unsafe lines.range(ofLine: line, in: $0) }
  }

  /// The number of lines; a text that ends with a line ending has an empty last line.
  package var lineCount: Int { lines.starts.count }
}
