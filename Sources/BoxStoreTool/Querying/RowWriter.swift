internal import BoxDump
internal import BoxEngine
internal import BoxJSON
internal import BoxReport
internal import BoxStorage

/// A writer of the rows of a result in one format.
///
/// Rows are the values of dumps, so that all formats say the same.
protocol RowWriter: AnyObject {
  /// The form of the values that it takes.
  var form: CellForm { get }

  /// Begins a result.
  ///
  /// - Throws: The error of the output.
  func begin(_ columns: [String]) throws

  /// Writes a row, and returns whether it takes another one.
  ///
  /// - Throws: The error of the output.
  func append(_ row: borrowing RowCells) throws -> VisitStep

  /// Ends a result.
  ///
  /// - Parameter remaining: The number of rows that it did not take; 0 unless it has stopped.
  /// - Throws: The error of the output.
  func end(remaining: Int) throws
}

extension TableCell {
  /// The text on one line, without anything that a terminal obeys.
  var displayText: String { text.escapedForDisplay }

  /// The value for a report.
  ///
  /// - Throws: `JSONError` never, as the value was written as JSON unless it is a string.
  func json() throws(JSONError) -> JSONValue {
    if isString { return .string(text) }
    let document = try JSONDocument(parsing: Array(bytes))
    return document.exactValue(of: document.root)
  }
}
