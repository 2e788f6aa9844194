internal import BoxDump
internal import BoxEngine
internal import BoxReport
internal import BoxStorage

/// Rows as a table for people.
///
/// The first rows determine the widths of the columns; a wider cell after them moves the rest of its line, or
/// is cut on a terminal.
final class TextRows: RowWriter {
  let form = CellForm.text
  private let output: ResultOutput
  /// The width of the terminal; nil where nothing is cut.
  private let width: Int?
  /// The number of rows to show; nil for all.
  private let maximumRows: Int?
  /// Whether the result is one number, which is shown alone.
  private let isOneValue: Bool
  /// The titles and the rows that wait until the widths are known.
  private var table = TextTable([])
  private var canBeNumbers: [Bool] = []
  private var count = 0

  /// The number of rows of which columns get their widths.
  private static let measuredRows = 1000

  init(_ output: ResultOutput, width: Int?, maximumRows: Int?, isOneValue: Bool) {
    self.output = output
    self.width = width
    self.maximumRows = maximumRows
    self.isOneValue = isOneValue
  }

  func begin(_ columns: [String]) throws {
    canBeNumbers = columns.map { _ in true }
    if !isOneValue { table.rows = [columns.map(\.escapedForDisplay)] }
  }

  func append(_ row: borrowing RowCells) throws -> VisitStep {
    let cells = (0..<row.count).map { row.cell($0) }
    if table.widths == nil {
      for (position, cell) in cells.enumerated() where !cell.isNull && !cell.isNumber {
        canBeNumbers[position] = false
      }
    }
    table.rows.append(cells.map(\.displayText))
    count += 1
    if table.widths != nil || count == Self.measuredRows { try writeRows() }
    return count == maximumRows ? .stop : .next
  }

  func end(remaining: Int) throws {
    if count == 0 && !isOneValue {
      output.append("no rows")
      return try output.endLine()
    }
    try writeRows()
    if remaining > 0 {
      output.append("… \(grouped(remaining)) more")
      try output.endLine()
    }
  }

  /// Writes the rows that wait, and keeps the widths for those that follow.
  private func writeRows() throws {
    if table.widths == nil {
      let columns = canBeNumbers.indices
      table.rightAligned = isOneValue ? [] : Set(columns.filter { canBeNumbers[$0] })
      table.widths = table.columnWidths(fitting: width)
    }
    if width != nil { table.cutCells() }
    for line in table.lines() {
      output.append(line)
      try output.endLine()
    }
    table.rows.removeAll()
  }
}
