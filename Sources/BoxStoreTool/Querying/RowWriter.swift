internal import BoxDump
internal import BoxEngine
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

extension JSONCell {
  /// The text on one line, without anything that a terminal obeys.
  var displayText: String { String(decoding: text, as: UTF8.self).escapedForDisplay }
}
