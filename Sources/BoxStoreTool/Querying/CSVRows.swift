internal import BoxDump
internal import BoxEngine
internal import BoxReport
internal import BoxStorage
internal import BoxWorkspace

/// Rows as comma-separated values, as RFC 4180 has them.
///
/// Null is an empty field, and an empty string is `""`. Vectors and objects are JSON.
final class CSVRows: RowWriter {
  private let output: ResultOutput
  private let text = DelimitedText()
  let form = CellForm.text
  /// Whether the rows are for a terminal: with line feeds alone, and control characters written out.
  private let isForDisplay: Bool
  /// Whether the rows are objects, of which none may be an empty line, as readers skip it.
  private let isOfObjects: Bool
  private var row: [UInt8] = []

  init(_ output: ResultOutput, isForDisplay: Bool, isOfObjects: Bool) {
    self.output = output
    self.isForDisplay = isForDisplay
    self.isOfObjects = isOfObjects
  }

  func begin(_ columns: [String]) throws {
    for (position, name) in columns.enumerated() {
      if position > 0 { row.append(text.delimiter) }
      text.append(column: isForDisplay ? name.escapedForDisplay : name, to: &row)
    }
    try endRow()
  }

  func append(_ cells: borrowing RowCells) throws -> VisitStep {
    for position in 0..<cells.count {
      if position > 0 { row.append(text.delimiter) }
      let cell = cells.cell(position)
      if isForDisplay, !cell.isNull, !cell.isNumber {
        append(string: cell.text)
      } else {
        text.append(cell, to: &row)
      }
    }
    if isOfObjects, !isForDisplay, row.isEmpty {
      throw CommandFailure(
        .impossible,
        "null in a table of one column is an empty line, which readers of CSV skip; add a column to "
          + "--select, as id, or pass --format ndjson")
    }
    try endRow()
    return .next
  }

  func end(remaining: Int) throws {}

  private func append(string: String) {
    let shown = Array((isForDisplay ? string.escapedForDisplay : string).utf8)
    shown.withUnsafeBytes { text.append(string: $0, to: &row) }
  }

  private func endRow() throws {
    output.append(row)
    row.removeAll(keepingCapacity: true)
    try output.endLine(isForDisplay ? "\n" : "\r\n")
  }
}
