internal import BoxJSON

/// The walk through what holds the elements, in any layout.
extension InputText {
  /// Consumes white space, and returns the byte after it; nil at the end of the text.
  func nextByte() throws(DumpError) -> UInt8? {
    while true {
      var index = start
      while index < end, base[index].isWhiteSpace { index += 1 }
      consume(to: index)
      if start < end { return base[start] }
      if try !readMore() { return nil }
    }
  }

  /// Consumes white space and one of some bytes.
  ///
  /// - Throws: ``DumpError`` for any other.
  @discardableResult
  func expect(_ bytes: UInt8..., as words: String) throws(DumpError) -> UInt8 {
    guard let byte = try nextByte() else {
      throw endsEarly("the text ends where \(words) is expected", at: start)
    }
    guard bytes.contains(byte) else {
      throw error("expected \(words), found \(shown(at: start))", at: start)
    }
    consume(to: start + 1)
    return byte
  }

  /// Consumes white space, and returns the range of the value after it, which is completely in memory then
  /// and is not consumed.
  ///
  /// Only its end is looked for: what is in it may be anything.
  func value() throws(DumpError) -> Range<Int> {
    guard try nextByte() != nil else {
      throw endsEarly("the text ends where a value is expected", at: start)
    }
    var scan = ValueScan()
    while true {
      if let valueEnd = try endOfValue(&scan) { return start..<valueEnd }
      if try !readMore() {
        let byte = base[start]
        if byte != .leftBrace && byte != .leftBracket && byte != .quote { return start..<end }
        throw endsEarly("the text ends in the middle of the value that begins here", at: start)
      }
    }
  }

  /// Consumes white space and a value, which may be larger than an element.
  func skipValue() throws(DumpError) {
    guard let first = try nextByte() else {
      throw endsEarly("the text ends where a value is expected", at: start)
    }
    var scan = ValueScan()
    let place = position(at: start)
    while true {
      if let valueEnd = try endOfValue(&scan) { return consume(to: valueEnd) }
      consume(to: start + scan.offset)
      scan.offset = 0
      if try !readMore() {
        if first != .leftBrace && first != .leftBracket && first != .quote { return }
        throw DumpError(
          "the text ends in the middle of the value that begins here", kind: .cutOff, path: name,
          position: place)
      }
    }
  }

  /// The first byte that is not white space, which is not consumed; nil at the end of the text.
  func firstVisibleByte() throws(DumpError) -> UInt8? {
    var offset = 0
    while true {
      while start + offset < end {
        if !base[start + offset].isWhiteSpace { return base[start + offset] }
        offset += 1
      }
      if try !readMore() { return nil }
    }
  }

  /// Whether the line at the start is one object, or a damaged one that another line does not complete.
  ///
  /// Objects over several lines, and several in a line, are read in another way. No more of the text is
  /// read than the object and what follows it on its line.
  func isLineOfObject() throws(DumpError) -> Bool {
    var scan = ValueScan()
    while true {
      let feed = lineFeed(from: start + scan.offset)
      if let valueEnd = try endOfValue(&scan, before: feed) { return try endsLine(valueEnd) }
      // No line feed is in a string.
      if feed != nil { return scan.isInString }
      if try !readMore() { return true }
    }
  }

  /// Whether nothing but white space is between an index and the end of its line.
  private func endsLine(_ index: Int) throws(DumpError) -> Bool {
    var offset = index - start
    while true {
      while start + offset < end {
        let byte = base[start + offset]
        if byte == 10 || !byte.isWhiteSpace { return byte == 10 }
        offset += 1
      }
      if try !readMore() { return true }
    }
  }

  /// Consumes white space and a string, and returns the string.
  func key() throws(DumpError) -> String {
    guard let byte = try nextByte() else {
      throw endsEarly("the text ends where a key is expected", at: start)
    }
    if byte != .quote {
      throw error("expected a key in quotes, found \(shown(at: start))", at: start)
    }
    let range = try value()
    let key = try document(range)
    let text = key.key(key.root)
    consume(to: range.upperBound)
    return text
  }

  /// A small value, parsed as a document.
  func document(_ range: Range<Int>) throws(DumpError) -> JSONDocument {
    do throws(JSONError) {
      return try JSONDocument(parsing: bytes(range))
    } catch {
      let place = position(at: range.lowerBound + error.offset)
      throw DumpError(error.message, path: name, position: place)
    }
  }

  /// The maximum depth of nested arrays and objects.
  static var maximumDepth: Int { 128 }

  /// The progress of the search for the end of a value, so that a long one is scanned once.
  private struct ValueScan {
    /// The offset from the start.
    var offset = 0
    var depth = 0
    var isInString = false
  }

  /// The index after the value that begins at the start; nil if more has to be read.
  private func endOfValue(
    _ scan: inout ValueScan, before limit: Int? = nil
  ) throws(DumpError) -> Int? {
    let end = limit ?? end
    var index = start + scan.offset
    var depth = scan.depth
    var isInString = scan.isInString
    while index < end {
      let byte = base[index]
      if isInString {
        // A backslash is looked at together with what it escapes.
        if byte == .backslash && index + 1 == end { break }
        index += byte == .backslash ? 2 : 1
        if byte != .quote { continue }
        isInString = false
        if depth == 0 { return index }
        continue
      }
      switch byte {
      case .quote: isInString = true
      case .leftBrace, .leftBracket:
        depth += 1
        if depth > Self.maximumDepth {
          throw error("values are nested deeper than \(Self.maximumDepth) levels", at: index)
        }
      case .rightBrace, .rightBracket:
        // A plain value may end with what it is in.
        if depth == 0 { return index }
        depth -= 1
        if depth == 0 { return index + 1 }
      case .comma where depth == 0: return index
      case _ where depth == 0 && byte.isWhiteSpace: return index
      default: break
      }
      index += 1
    }
    scan = ValueScan(offset: index - start, depth: depth, isInString: isInString)
    return nil
  }

  /// The text at an index, shortened, for a message.
  func shown(at index: Int) -> String {
    var stop = index
    while stop < end, stop - index < 40, base[stop] != 10 { stop += 1 }
    if stop == index { return stop < end ? "the end of the line" : "the end of the text" }
    return String(decoding: bytes(index..<stop), as: UTF8.self).quotedForDisplay
  }
}
