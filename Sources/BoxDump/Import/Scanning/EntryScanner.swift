internal import BoxEngine
internal import BoxJSON

/// Reads the entries of to-many relations: a source and its targets.
struct EntryScanner {
  let scanner = ObjectScanner(
    [
      ImportField(key: "source", form: .id, position: 0, slot: -1, type: .uint64),
      ImportField(key: "targets", form: .uint64s, position: 1, slot: -1, type: .uint64s),
    ], ignoresUnknown: false)

  /// Reads an entry.
  ///
  /// - Parameter elements: The input, of which the entry is the last element.
  /// - Returns: The source, and the bytes of the ids of the targets, valid until the next entry.
  /// - Throws: ``ScanFailure``.
  func scan(
    _ elements: DumpElements
  ) throws(ScanFailure) -> (source: UInt64, targets: UnsafeRawBufferPointer) {
    let range = elements.range
    scanner.spansLines = elements.spansLines
    try scanner.scan(elements.text.base, from: range.lowerBound, end: range.upperBound)
    try scanner.requireEnd(range.upperBound, isLine: elements.isLine)
    let (source, targets) = (scanner.values[0], scanner.values[1])
    guard source.state == .scalar, targets.state == .side else {
      throw ScanFailure(
        index: range.lowerBound, expected: "\"source\" and \"targets\" are needed",
        isMessage: true)
    }
    return unsafe (source.bits, scanner.bytes(of: targets))
  }
}

extension ObjectScanner {
  /// Checks that nothing but white space follows the object: in a line, after the brace of the line.
  ///
  /// - Throws: ``ScanFailure``.
  func requireEnd(_ end: Int, isLine: Bool) throws(ScanFailure) {
    if isLine {
      skipSpace()
      guard base[index] == .rightBrace else { throw unexpected("the end of the line's object") }
      index += 1
    }
    // After an element of an array comes a comma or the end.
    if index < end { skipSpace() }
    if index < end { throw unexpected("nothing more") }
    if index > end { throw unexpected("the object in one line") }
  }
}
