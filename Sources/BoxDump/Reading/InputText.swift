internal import BoxJSON

/// A text that is read in blocks, of which the current part is in memory as a whole.
///
/// Indices refer to ``base``; reading more moves the kept part to its front.
@safe final class InputText {
  /// The file as the user named it.
  let name: String
  /// The bytes in memory, which are valid until more is read.
  @safe @exclusivity(unchecked) private(set) var base: PaddedBytes
  /// The memory of these bytes and of the zeros after them.
  @safe @exclusivity(unchecked) private var memory: UnsafeMutableRawBufferPointer
  /// The index of the first byte that is not consumed.
  @safe @exclusivity(unchecked) private(set) var start = 0
  /// The index after the last byte that was read.
  @safe @exclusivity(unchecked) private(set) var end = 0
  /// The line of ``start``, from 1.
  @safe @exclusivity(unchecked) private(set) var line = 1
  /// The offset in the text of ``start``.
  @safe @exclusivity(unchecked) private(set) var offset = 0
  /// The expected number of bytes; nil if unknown.
  var expectedSize: Int?
  /// Whether everything was read.
  @safe @exclusivity(unchecked) private(set) var isAtEnd = false
  /// The character that ends lines: a line feed, or a carriage return in delimited text of old systems.
  @safe @exclusivity(unchecked) var lineEnd: UInt8 = 10 { didSet { lastPosition = nil } }

  private let source: any ByteSource
  /// The maximum number of bytes of an element.
  var limit: Int
  /// The index at which the line of ``start`` begins; below 0 if that is no longer in memory.
  @safe @exclusivity(unchecked) private var lineStart = 0
  /// The number of characters of that line that are no longer in memory.
  @safe @exclusivity(unchecked) private var droppedColumns = 0
  /// The last place that was asked for, with its offset in the text.
  private var lastPosition: (offset: Int, place: JSONPosition)?
  @safe @exclusivity(unchecked) private var checksum = DumpChecksum()
  @safe @exclusivity(unchecked) private var checked = 0

  /// Bytes that are read at once.
  private static let block = 1 << 18

  /// Creates a text.
  ///
  /// - Parameters:
  ///   - source: The source of the bytes.
  ///   - name: The file as the user named it.
  ///   - limit: The maximum number of bytes of an element.
  init(_ source: any ByteSource, name: String, limit: Int) {
    self.source = source
    self.name = name
    self.limit = limit
    unsafe memory = Self.zeros(2 * Self.block)
    base = unsafe PaddedBytes(UnsafeBufferPointer(memory.assumingMemoryBound(to: UInt8.self)))
  }

  deinit { unsafe memory.deallocate() }

  /// Zeroed memory for bytes and the zeros after them.
  private static func zeros(_ capacity: Int) -> UnsafeMutableRawBufferPointer {
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: capacity + PaddedBytes.padding, alignment: 16)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0)
    return unsafe memory
  }

  /// A text without bytes.
  static func empty(_ name: String) -> InputText {
    InputText(EmptySource(), name: name, limit: 1)
  }

  // MARK: - Reading

  /// Appends another block; false at the end of the text.
  ///
  /// - Throws: ``DumpError`` if what is kept is longer than the limit, or cannot be read.
  func readMore() throws(DumpError) -> Bool {
    if isAtEnd { return false }
    updateChecksum(to: start)
    if end - start > limit {
      var failure = error("an element is longer than \(limit) bytes", at: start)
      failure.remedy = .raiseElementLimit
      throw failure
    }
    let kept = end - start
    if start > 0 {
      droppedColumns += characters(max(0, lineStart)..<start)
      unsafe memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[start..<end]))
      lineStart -= start
      checked -= start
      start = 0
      end = kept
    }
    if memory.count - PaddedBytes.padding - end < Self.block { grow() }
    let room = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[end..<end + Self.block])
    let count: Int
    do throws(DumpError) {
      count = try unsafe source.read(into: room)
    } catch {
      var error = error.inFile(name)
      if error.kind == .cutOff { error.position = position(at: end) }
      throw error
    }
    end += count
    unsafe UnsafeMutableRawBufferPointer(rebasing: memory[end..<end + PaddedBytes.padding])
      .initializeMemory(as: UInt8.self, repeating: 0)
    if count == 0 { isAtEnd = true }
    return count > 0
  }

  private func grow() {
    let grown = unsafe Self.zeros(2 * (memory.count - PaddedBytes.padding))
    unsafe grown.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[..<end]))
    unsafe memory.deallocate()
    unsafe memory = grown
    base = unsafe PaddedBytes(UnsafeBufferPointer(memory.assumingMemoryBound(to: UInt8.self)))
  }

  /// The end of the line that begins at the start, before the character that ends it; nil at the end of the text.
  func endOfLine() throws(DumpError) -> Int? {
    var scanned = start
    while true {
      if let found = base.firstIndex(of: lineEnd, in: scanned..<end) { return found }
      let known = end - start
      if try !readMore() { return end > start ? end : nil }
      scanned = start + known
    }
  }

  /// The index of the first line feed in memory from an index on, if any.
  func lineFeed(from index: Int) -> Int? { base.firstIndex(of: 10, in: index..<end) }

  // MARK: - Consuming

  /// Counts a line as read, with its line feed.
  func consumeLine(to endOfLine: Int) {
    let next = min(end, endOfLine + 1)
    offset += next - start
    start = next
    line += 1
    lineStart = start
    droppedColumns = 0
  }

  /// Counts everything up to an index as read.
  func consume(to index: Int) {
    var position = start
    while position < index, let found = base.firstIndex(of: lineEnd, in: position..<index) {
      position = found + 1
      line += 1
      lineStart = position
      droppedColumns = 0
    }
    offset += index - start
    start = index
  }

  /// Consumes the mark of UTF-8 at the beginning of the text, which is not a character, and which the
  /// checksum of a dump does not cover.
  func skipByteOrderMark() {
    consume(to: start + 3)
    lastPosition = nil
    checked = start
    lineStart = start
  }

  /// Whether a line begins at the start.
  var isAtLineStart: Bool { lineStart == start }

  /// The check of everything before the start.
  func checksumToStart() -> UInt32 {
    updateChecksum(to: start)
    return checksum.value
  }

  private func updateChecksum(to index: Int) {
    if index > checked {
      unsafe checksum.update(UnsafeRawBufferPointer(base[checked..<index]))
      checked = index
    }
  }

  /// Reads and forgets everything up to an offset in the text.
  ///
  /// - Throws: ``DumpError`` if the text is shorter.
  func skip(to offset: Int) throws(DumpError) {
    while self.offset < offset {
      if start == end, try !readMore() {
        throw DumpError(
          "is not the input of the interrupted import: it ends before the place to continue at",
          kind: .impossible, path: name)
      }
      consume(to: min(end, start + offset - self.offset))
    }
  }

  // MARK: - Places

  /// The place of an index that is not before the start.
  ///
  /// - Complexity: O(*n*) in the bytes since the place of the last call, if the index is after it, and
  ///   otherwise in the bytes of the line and since the start.
  func position(at index: Int) -> JSONPosition {
    let index = max(start, min(index, end))
    var known: (offset: Int, place: JSONPosition)
    if let last = lastPosition, last.offset >= offset, last.offset - offset <= index - start {
      known = last
    } else {
      let column = droppedColumns + characters(max(0, lineStart)..<start) + 1
      known = (offset, JSONPosition(line: line, column: column))
    }
    var first = start + known.offset - offset
    for position in first..<index where base[position] == lineEnd {
      known.place = JSONPosition(line: known.place.line + 1, column: 1)
      first = position + 1
    }
    known.place.column += characters(first..<index)
    known.offset = offset + index - start
    lastPosition = known
    return known.place
  }

  /// The place of an index in a record at the start; for a value on a later line, the place of the record.
  func positionInRecord(at index: Int) -> JSONPosition {
    let position = position(at: index)
    return position.line == line ? position : JSONPosition(line: line, column: 1)
  }

  /// The place of an index that is not before the start, at a cost that a long line does not raise: in
  /// one the column is 1.
  func nearPosition(at index: Int) -> JSONPosition {
    if index - lineStart > 1 << 12 { return JSONPosition(line: line, column: 1) }
    if base.firstIndex(of: lineEnd, in: start..<index) != nil { return position(at: index) }
    let column = droppedColumns + characters(max(0, lineStart)..<index) + 1
    return JSONPosition(line: line, column: column)
  }

  /// The number of characters that begin in a range.
  private func characters(_ range: Range<Int>) -> Int {
    var count = 0
    for index in range {
      count &+= base[index] & 0xC0 == 0x80 ? 0 : 1
    }
    return count
  }

  func error(_ message: String, at index: Int) -> DumpError {
    DumpError(message, path: name, position: position(at: index))
  }

  /// The error of a text that ends too early.
  func endsEarly(_ message: String, at index: Int) -> DumpError {
    DumpError(message, kind: .cutOff, path: name, position: position(at: index))
  }

  /// A copy of some bytes.
  func bytes(_ range: Range<Int>) -> [UInt8] {
    unsafe Array(base[range])
  }
}
