internal import BoxEngine
internal import BoxJSON

/// Reads the entries of to-many relations: a source and its targets.
struct EntryScanner {
  let scanner: ObjectScanner

  /// Creates a scanner.
  ///
  /// - Parameters:
  ///   - takesPairs: Whether an entry may have one target in place of a list, as tables of other programs do.
  ///   - ignoresUnknown: Whether other members are skipped.
  init(takesPairs: Bool = false, ignoresUnknown: Bool = false) {
    var fields = [
      ImportField(key: "source", form: .id, position: 0, slot: -1, type: .uint64),
      ImportField(key: "targets", form: .uint64s, position: 1, slot: -1, type: .uint64s),
    ]
    if takesPairs {
      fields.append(ImportField(key: "target", form: .id, position: 2, slot: -1, type: .uint64))
    }
    scanner = ObjectScanner(fields, ignoresUnknown: ignoresUnknown)
  }

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
    if scanner.values.count > 2, scanner.values[2].state == .scalar {
      if scanner.values[1].state != .absent {
        throw ScanFailure(
          index: range.lowerBound, expected: "an entry has \"target\" or \"targets\", and not both",
          isMessage: true)
      }
      scanner.append([scanner.values[2].bits], 1)
    }
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
