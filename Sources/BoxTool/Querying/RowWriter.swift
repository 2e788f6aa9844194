internal import BoxDump
internal import BoxEngine
internal import BoxJSON
internal import BoxReport
internal import BoxStorage

/// A writer of the rows of a result in one format.
///
/// Rows are values as JSON, so that all formats say the same.
protocol RowWriter: AnyObject {
  /// Begins a result.
  ///
  /// - Throws: The error of the output.
  func begin(_ columns: [String]) throws

  /// Writes a row, and returns whether it takes another one.
  ///
  /// - Throws: The error of the output.
  func append(_ row: JSONCells) throws -> VisitStep

  /// Ends a result.
  ///
  /// - Parameter remaining: The number of rows that it did not take; 0 unless it has stopped.
  /// - Throws: The error of the output.
  func end(remaining: Int) throws
}

/// One value of a row.
struct JSONCell {
  let json: UnsafeRawBufferPointer

  init(_ json: UnsafeRawBufferPointer) { self.json = json }

  var isNull: Bool { json.first == UInt8(ascii: "n") }

  var isString: Bool { json.first == UInt8(ascii: "\"") }

  /// Whether it is a number without quotes.
  var isNumber: Bool {
    json.first.map { $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) } ?? false
  }

  /// The text of a string, nothing for null, and JSON for everything else.
  var text: [UInt8] {
    if isNull { return [] }
    if !isString { return Array(json) }
    return json.dropFirst().dropLast().withContiguousStorageIfAvailable {
      JSONUnescaping.resolve($0)
    } ?? []
  }

  /// The text on one line, without anything that a terminal obeys.
  var displayText: String { String(decoding: text, as: UTF8.self).escapedForDisplay }
}
