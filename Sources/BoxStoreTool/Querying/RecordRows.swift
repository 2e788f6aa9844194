internal import BoxDump
internal import BoxReport
internal import BoxStorage

/// Rows for people, each value in a line of its own.
final class RecordRows: RowWriter {
  let form = CellForm.text
  private let output: ResultOutput
  private var names: [String] = []
  private var isFirst = true

  init(_ output: ResultOutput) { self.output = output }

  func begin(_ columns: [String]) throws { names = columns.map(\.escapedForDisplay) }

  func append(_ row: borrowing RowCells) throws -> VisitStep {
    if !isFirst { try output.endLine() }
    isFirst = false
    let table = TextTable(
      names.enumerated().map { position, name in
        let cell = row.cell(position)
        return [name, cell.isNull ? "null" : cell.displayText]
      })
    for line in table.lines() {
      output.append(line)
      try output.endLine()
    }
    return .next
  }

  func end(remaining: Int) throws {}
}
