internal import BoxDump
internal import BoxEngine
internal import BoxReport
internal import BoxStorage

/// Rows as a table of GitHub's Markdown.
final class MarkdownRows: RowWriter {
  let form = CellForm.text
  private let output: ResultOutput

  init(_ output: ResultOutput) { self.output = output }

  func begin(_ columns: [String]) throws {
    try write(columns.map(\.escapedForMarkdown))
    try write(columns.map { _ in "---" })
  }

  func append(_ row: borrowing RowCells) throws -> VisitStep {
    try write((0..<row.count).map { row.cell($0).text.escapedForMarkdown })
    return .next
  }

  func end(remaining: Int) throws {}

  private func write(_ cells: [String]) throws {
    output.append("| \(cells.joined(separator: " | ")) |")
    try output.endLine()
  }
}
