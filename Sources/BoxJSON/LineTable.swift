/// Where the lines of a text start: what turns an offset into a line and a column.
struct LineTable: Sendable {
  /// The offset of each line's first byte, ascending; the first one is 0.
  var starts: ContiguousArray<UInt32> = [0]

  /// The table of any text, well-formed or not.
  ///
  /// - Complexity: O(*n*) in the number of bytes.
  init(of text: UnsafeBufferPointer<UInt8>) {
    for index in text.indices {
      let byte = text[index]
      let endsLine =
        byte == .lineFeed
        || byte == .carriageReturn && (index + 1 == text.count || text[index + 1] != .lineFeed)
      if endsLine { starts.append(UInt32(truncatingIfNeeded: index + 1)) }
    }
  }

  init(starts: ContiguousArray<UInt32>) { self.starts = starts }

  /// The index, from 0, of the line that holds an offset.
  ///
  /// - Complexity: O(log *n*) in the number of lines.
  func lineIndex(of offset: Int) -> Int {
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if Int(starts[middle]) <= offset { low = middle } else { high = middle }
    }
    return low
  }

  /// The line and column of an offset.
  ///
  /// - Complexity: O(log *n* + *m*) in the number of lines and the length of the line.
  func position(of offset: Int, in text: UnsafeBufferPointer<UInt8>) -> JSONPosition {
    let offset = min(max(offset, 0), text.count)
    let line = lineIndex(of: offset)
    var column = 1
    for index in Int(starts[line])..<offset where text[index] & 0xC0 != 0x80 { column += 1 }
    return JSONPosition(line: line + 1, column: column)
  }

  /// The bytes of a line without its ending; the empty range at the end for a line that is not there.
  func range(ofLine line: Int, in text: UnsafeBufferPointer<UInt8>) -> Range<Int> {
    guard line >= 1, line <= starts.count else { return text.count..<text.count }
    let start = Int(starts[line - 1])
    var end = line < starts.count ? Int(starts[line]) : text.count
    if end > start, text[end - 1] == .lineFeed { end -= 1 }
    if end > start, text[end - 1] == .carriageReturn { end -= 1 }
    return start..<end
  }
}
