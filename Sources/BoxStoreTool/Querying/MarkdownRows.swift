internal import BoxDump
internal import BoxEngine
internal import BoxReport
internal import BoxStorage

/// Rows as a table of GitHub's Markdown.
final class MarkdownRows: RowWriter {
  private let output: ResultOutput

  init(_ output: ResultOutput) { self.output = output }

  func begin(_ columns: [String]) throws {
    try write(columns.map(\.escapedForMarkdown))
    try write(columns.map { _ in "---" })
  }

  func append(_ row: JSONCells) throws -> VisitStep {
    try write(
      (0..<row.count).map {
        String(decoding: JSONCell(row[$0]).text, as: UTF8.self).escapedForMarkdown
      })
    return .next
  }

  func end(remaining: Int) throws {}

  private func write(_ cells: [String]) throws {
    output.append("| \(cells.joined(separator: " | ")) |")
    try output.endLine()
  }
}
