internal import BoxJSON

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The elements of an input, one after the other: the grammar of dumps in all shapes, of JSON objects
/// and of delimited text.
///
/// Everything that reads dumps is built on it, so that all of them accept the same ones. It checks all
/// that surrounds the elements, with the counts and checksums; the elements are not parsed.
final class DumpElements {
  /// The next thing in the input.
  enum Step {
    case element(DumpSection)
    /// A line that is not an element, with the reason, the way out for an import, and the index in the
    /// text.
    case invalid(String, DumpRemedy?, at: Int)
    /// The end, which is as it should be.
    case end
  }

  /// The text that the element is in.
  @safe @exclusivity(unchecked) var text: InputText
  /// The element: the object, or its line from the object on.
  @safe @exclusivity(unchecked) var range = 0..<0
  /// Whether a brace follows the object in the range, and the element is a line.
  @safe @exclusivity(unchecked) var isLine = false
  /// Whether line feeds may be between the tokens of an object.
  @safe @exclusivity(unchecked) var spansLines = false
  /// The columns of the file, and the fields of its last record; nil for JSON.
  @safe @exclusivity(unchecked) var columns: DelimitedColumns?
  @safe @exclusivity(unchecked) var record: DelimitedRecord?
  @safe @exclusivity(unchecked) var counts: ElementCounts
  /// The end of a dump that is one file, or the totals of a directory; nil before the end.
  var totals: DumpTotals?
  /// The number of bytes that the checksums of the elements cover.
  var checkedBytes = 0
  /// Whether the layout of a document was changed, so that its checksum cannot be compared.
  var hasOtherLayout = false
  /// The number of records whose keys were left out.
  var droppedKeys = 0

  let input: DumpInput
  let sections: DumpSections
  /// The form of the input without its texts, whose references would be counted for each element.
  @safe @exclusivity(unchecked) var form: Form
  /// The section of all elements of the text; nil if the text names the sections.
  @safe @exclusivity(unchecked) var section: DumpSection?
  /// The section of elements that do not name one, as the caller chose it.
  let chosenSection: DumpSection?
  /// The files that were read to their end, of an input that is not a dump.
  var identities: [InputIdentity]
  /// The source of the file that is open, of an input that is not a dump.
  var source: IdentifyingSource?
  /// The section of the last line.
  @safe @exclusivity(unchecked) var current: DumpSection?
  var state = State.element
  /// The number of the file, and the number after the last file to read.
  @safe @exclusivity(unchecked) var file = 0
  let endFile: Int
  var isFileOpen = false
  /// The end of the line that has been read and not consumed.
  @safe @exclusivity(unchecked) private var lineEnd: Int?
  /// The end of the value that has been read and not consumed.
  @safe @exclusivity(unchecked) private var valueEnd: Int?
  private let report: (DumpError) throws(DumpError) -> Void

  enum Form {
    /// Lines that name their section.
    case lines(hasEnd: Bool)
    /// Lines that are objects.
    case objects
    /// An array or a document.
    case values
    /// Objects one after the other.
    case sequence
    case records
    case directory
  }

  /// The place in a document or an array.
  enum State {
    /// After the header or a member of the document.
    case members
    /// Before the name of an array.
    case name(isRelation: Bool)
    case beforeArray
    /// Before a document that has records in it.
    case beforeRecords
    case element
    case afterElement
    case afterArray
    case end
  }

  /// Begins with the first element.
  ///
  /// - Parameters:
  ///   - input: The input, of which nothing but the header has been read.
  ///   - sections: The sections that it may have.
  ///   - section: The section of elements that do not name one.
  ///   - place: The place to begin at instead.
  ///   - files: The numbers of the only files of a directory to be read; nil for all.
  ///   - identities: The files before the place, of an input that is not a dump.
  ///   - report: Called with each checksum and count that is wrong; reading continues if it returns.
  /// - Throws: ``DumpError`` if the input cannot be read, or differs from what was before the place.
  init(
    _ input: DumpInput, _ sections: DumpSections, of section: DumpSection? = nil,
    from place: InputPlace? = nil, files: Range<Int>? = nil, after identities: [InputIdentity] = [],
    report: @escaping (DumpError) throws(DumpError) -> Void
  ) throws(DumpError) {
    self.input = input
    self.sections = sections
    self.report = report
    self.identities = identities
    chosenSection = section
    counts = place.map { ElementCounts(sections, at: $0) } ?? ElementCounts(sections)
    endFile = files?.upperBound ?? input.fileCount
    file = files?.lowerBound ?? place?.file ?? 0
    switch input.content {
    case .lines(let text, let hasEnd):
      self.text = text
      form = .lines(hasEnd: hasEnd)
    case .document(let text):
      self.text = text
      form = .values
      spansLines = true
      state = .members
    case .directory, .files:
      text = InputText.empty(input.path)
      form = .directory
    }
    switch input.content {
    case .directory(let manifest):
      if !manifest.isUnchanged { try report(DumpManifest.wrongCheck(input.path)) }
      if place != nil && self.file < endFile { try openFile(manifest) }
    case .files(let first): try begin(self.file == 0 ? first : input.open(self.file))
    case .lines, .document: break
    }
    guard let place else { return }
    try skip(to: place)
    switch form {
    case .values:
      if case .document = input.content {
        let isRelation = place.section == "relations"
        self.section = isRelation ? sections.relation(place.name) : sections.entity(place.name)
      }
      state = .afterElement
    default: break
    }
  }

  private func skip(to place: InputPlace) throws(DumpError) {
    try text.skip(to: place.offset)
    if text.checksumToStart() != place.checksum {
      throw DumpError(
        "is not the input of the interrupted import: it differs before line \(place.line), where it is to "
          + "continue", kind: .impossible, path: text.name)
    }
  }

  // MARK: - Walking

  /// Consumes the last element, and reads the next.
  ///
  /// - Throws: ``DumpError`` for everything that the grammar does not have.
  @inline(__always)
  func next() throws(DumpError) -> Step {
    do throws(DumpError) {
      consume()
      let step = try nextStep()
      if case .element(let section) = step { counts.count(section) }
      return step
    } catch {
      throw input.header == nil ? error : error.inDump()
    }
  }

  @inline(__always)
  private func nextStep() throws(DumpError) -> Step {
    while true {
      let step = try stepOfFile()
      // Another file may follow.
      if case .end = step, try openNextFile() { continue }
      return step
    }
  }

  @inline(__always)
  private func stepOfFile() throws(DumpError) -> Step {
    switch form {
    case .lines(let hasEnd): return try nextLine(hasEnd: hasEnd)
    case .objects:
      guard let section, let step = try nextObject(section) else { return .end }
      return step
    case .values: return try nextValue()
    case .sequence: return try nextOfSequence()
    case .records: return try nextRecord()
    case .directory: return try nextOfDirectory()
    }
  }

  /// Consumes the last element, so that the text begins after it.
  @inline(__always)
  func consume() {
    if let lineEnd {
      text.consumeLine(to: lineEnd)
      self.lineEnd = nil
    } else if let valueEnd {
      text.consume(to: valueEnd)
      self.valueEnd = nil
    }
  }

  /// The place after the elements that were consumed.
  func place() -> InputPlace {
    var place = InputPlace()
    place.file = file
    (place.offset, place.line) = (text.offset, text.line)
    place.checksum = text.checksumToStart()
    if case .document = input.content, let section {
      (place.section, place.name) = (section.isRelation ? "relations" : "entities", section.name)
    }
    (place.counts, place.targets) = counts.byName
    return place
  }

  /// The JSON of the element.
  ///
  /// - Throws: ``DumpError`` if a line does not end with the object's brace.
  func json() throws(DumpError) -> [UInt8] {
    var range = range
    if isLine {
      while range.count > 0, text.base[range.upperBound - 1].isWhiteSpace {
        range = range.lowerBound..<range.upperBound - 1
      }
      guard range.count > 0, text.base[range.upperBound - 1] == .rightBrace else {
        throw error("expected the end of the line's object")
      }
      range = range.lowerBound..<range.upperBound - 1
    }
    return text.bytes(range)
  }

  /// The place of an index in the element.
  func position(at index: Int) -> JSONPosition {
    columns == nil ? text.position(at: index) : text.positionInRecord(at: index)
  }

  /// An error at the element.
  func error(_ message: String) -> DumpError { text.error(message, at: range.lowerBound) }

  /// The range of the whole element: the line if the object is a part of one.
  var elementRange: Range<Int> { isLine ? text.start..<range.upperBound : range }

  // MARK: - Parts of the grammar

  /// Takes an object that is a line, or is in one.
  @inline(__always)
  func line(_ section: DumpSection, from start: Int, to end: Int, isLine: Bool) -> Step {
    range = start..<end
    self.isLine = isLine
    lineEnd = end
    return .element(section)
  }

  func value(_ section: DumpSection, _ range: Range<Int>) -> Step {
    self.range = range
    valueEnd = range.upperBound
    return .element(section)
  }

  func invalid(
    _ message: String, _ remedy: DumpRemedy? = nil, at index: Int, lineEnd: Int
  ) -> Step {
    range = text.start..<lineEnd
    isLine = true
    self.lineEnd = lineEnd
    return .invalid(message, remedy, at: index)
  }

  func invalidValue(
    _ message: String, _ remedy: DumpRemedy?, _ range: Range<Int>
  ) -> Step {
    self.range = range
    isLine = true
    valueEnd = range.upperBound
    return .invalid(message, remedy, at: range.lowerBound)
  }

  /// Takes a record, so that it is consumed with the next call.
  @inline(__always)
  func endRecord(_ record: DelimitedRecord) {
    range = text.start..<record.end
    isLine = false
    // Only a record with quotes can have several lines.
    if record.hasQuotes { valueEnd = record.next } else { lineEnd = record.next - 1 }
  }

  func problem(_ error: DumpError) throws(DumpError) { try report(error) }

  /// Checks the totals of the dump.
  func check(_ totals: DumpTotals, at place: JSONPosition?) throws(DumpError) {
    self.totals = totals
    for difference in counts.differences(from: totals) {
      try report(DumpError(difference, path: text.name, position: place))
    }
  }

  /// Checks the end of a dump that is one file.
  ///
  /// - Parameters:
  ///   - end: The end in the dump.
  ///   - checksum: The checksum of all that is before; nil if it cannot be compared.
  ///   - line: The line of the end.
  /// - Throws: ``DumpError`` of the report.
  func check(_ end: DumpEnd, checksum: UInt32?, line: Int) throws(DumpError) {
    if let checksum, checksum != end.checksum {
      try report(
        DumpError("the checksum of the dump is wrong: it was changed or damaged", path: text.name))
    }
    if !end.isRight(after: input.headerChecksum) {
      try report(DumpError(DumpEnd.wrongCheck, path: text.name))
    }
    try check(end.totals, at: JSONPosition(line: line, column: 1))
  }
}
