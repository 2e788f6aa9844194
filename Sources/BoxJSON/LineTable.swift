/// The offsets at which the lines of a text start, to convert an offset into a line and a column
/// and back.
struct LineTable: Sendable {
  /// The offset of each line's first byte, ascending; the first one is 0.
  let starts: ContiguousArray<UInt32>
  /// The table of columns; nil if every line is so short that counting its columns is quick.
  private let scalars: ScalarCounts?

  /// The table of any text, well-formed or not.
  ///
  /// - Complexity: O(*n*) in the number of bytes.
  init(of text: UnsafeBufferPointer<UInt8>) {
    var starts: ContiguousArray<UInt32> = [0]
    for index in text.indices {
      let byte = unsafe text[index]
      let endsLine =
        unsafe byte == .lineFeed
        || byte == .carriageReturn && (index + 1 == text.count || text[index + 1] != .lineFeed)
      if endsLine { starts.append(UInt32(truncatingIfNeeded: index + 1)) }
    }
    unsafe self.init(starts: starts, of: text)
  }

  /// The table of a text whose lines start at known offsets.
  ///
  /// - Complexity: O(*m*) in the number of lines, and O(*n*) in the number of bytes if one of the
  ///   lines is long.
  init(starts: ContiguousArray<UInt32>, of text: UnsafeBufferPointer<UInt8>) {
    self.starts = starts
    let limit = UInt32(SourceLine.maximumLength)
    var hasLongLine = UInt32(truncatingIfNeeded: text.count) &- starts[starts.count - 1] > limit
    for line in starts.indices.dropFirst() where starts[line] &- starts[line - 1] > limit {
      hasLongLine = true
      break
    }
    scalars = unsafe hasLongLine ? ScalarCounts(of: text) : nil
  }

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
  /// - Complexity: O(log *n*) in the number of lines.
  func position(of offset: Int, in text: UnsafeBufferPointer<UInt8>) -> JSONPosition {
    let offset = min(max(offset, 0), text.count)
    let line = lineIndex(of: offset)
    let column = unsafe 1 + scalarCount(in: Int(starts[line])..<offset, of: text)
    return JSONPosition(line: line + 1, column: column)
  }

  /// The offset of a place, or of the end of its line if the line is shorter; the end of the text if
  /// there is no such line.
  ///
  /// - Complexity: O(log *n*) in the number of bytes.
  func offset(of position: JSONPosition, in text: UnsafeBufferPointer<UInt8>) -> Int {
    let line = unsafe range(ofLine: position.line, in: text)
    let number = max(position.column, 1) - 1
    if let scalars {
      return unsafe min(
        scalars.offset(ofScalar: number, after: line.lowerBound, in: text), line.upperBound)
    }
    var left = number
    for index in line where unsafe text[index].startsScalar {
      if left == 0 { return index }
      left -= 1
    }
    return line.upperBound
  }

  /// The bytes of a line without its ending; the empty range at the end for a line that does not exist.
  func range(ofLine line: Int, in text: UnsafeBufferPointer<UInt8>) -> Range<Int> {
    guard line >= 1, line <= starts.count else { return text.count..<text.count }
    let start = Int(starts[line - 1])
    var end = line < starts.count ? Int(starts[line]) : text.count
    if end > start, unsafe text[end - 1] == .lineFeed { end -= 1 }
    if end > start, unsafe text[end - 1] == .carriageReturn { end -= 1 }
    return start..<end
  }

  /// The line that holds an offset, cut as ``SourceLine`` says.
  ///
  /// - Complexity: O(log *n*) in the number of lines.
  func sourceLine(at offset: Int, in text: UnsafeBufferPointer<UInt8>) -> SourceLine {
    let offset = min(max(offset, 0), text.count)
    let line = unsafe range(ofLine: lineIndex(of: offset) + 1, in: text)
    var part = line
    if line.count > SourceLine.maximumLength {
      let half = SourceLine.maximumLength / 2
      let middle = min(offset, line.upperBound)
      var start = max(line.lowerBound, middle - half)
      var end = min(line.upperBound, middle + half)
      // A scalar has up to three bytes after its first one; other texts than JSON may have more.
      for _ in 0..<3 where unsafe start > line.lowerBound && !text[start].startsScalar {
        start -= 1
      }
      for _ in 0..<3 where unsafe end < line.upperBound && !text[end].startsScalar { end += 1 }
      part = start..<end
    }
    return unsafe SourceLine(
      String(decoding: UnsafeBufferPointer(rebasing: text[part]), as: UTF8.self),
      column: 1 + scalarCount(in: line.lowerBound..<part.lowerBound, of: text),
      isCutAtEnd: part.upperBound < line.upperBound)
  }

  private func scalarCount(in range: Range<Int>, of text: UnsafeBufferPointer<UInt8>) -> Int {
    if range.count > SourceLine.maximumLength, let scalars {
      return unsafe scalars.count(in: range, of: text)
    }
    var result = 0
    for index in range where unsafe text[index].startsScalar { result += 1 }
    return result
  }
}
