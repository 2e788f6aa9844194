internal import BoxDump
internal import BoxReport
internal import BoxStorage

/// Rows as one page of HTML, which loads nothing and runs no script.
final class HTMLRows: RowWriter {
  /// The words above the rows.
  struct Head {
    /// The entity of the rows.
    var entity: String
    /// The parts of the question, such as its condition.
    var parts: [(name: String, text: String)] = []
  }

  /// The maximum number of rows of a page without a limit of its own: Chromium takes seconds to show more.
  static let defaultMaximum = 10_000

  let form = CellForm.text
  private let output: PageOutput
  private let head: Head
  /// The maximum number of rows; nil for all.
  private let maximumRows: Int?
  private var count = 0

  init(_ output: ResultOutput, _ head: Head, maximumRows: Int? = nil) {
    self.output = PageOutput(output)
    self.head = head
    self.maximumRows = maximumRows
  }

  func begin(_ columns: [String]) throws {
    try output.writeLine(
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8"/>
      <meta name="viewport" content="width=device-width, initial-scale=1"/>
      <meta name="color-scheme" content="light dark"/>
      <meta name="referrer" content="no-referrer"/>
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/>
      <title>\(head.entity)</title>
      <style>
      \(PageStyle.text)
      </style>
      </head>
      <body>
      <header>
      <h1>\(value: head.entity)</h1>
      """)
    for part in head.parts {
      try output.writeLine("<p><span>\(part.name)</span> <code>\(value: part.text)</code></p>")
    }
    try output.writeLine(
      """
      </header>
      <main class="scroll" tabindex="0" aria-label="Rows">
      <table>
      <thead><tr>
      """)
    for name in columns { try output.writeLine("<th scope=\"col\">\(value: name)</th>") }
    try output.writeLine("</tr></thead>\n<tbody>")
  }

  func append(_ row: borrowing RowCells) throws -> VisitStep {
    var line: HTMLText = "<tr>"
    for position in 0..<row.count {
      let cell = row.cell(position)
      if position == 0 {
        line.append("<th scope=\"row\">\(cell)</th>")
      } else if cell.isNumber {
        line.append("<td class=\"num\">\(cell)</td>")
      } else {
        line.append("<td>\(cell)</td>")
      }
    }
    line.append("</tr>")
    try output.writeLine(line)
    count += 1
    return count == maximumRows ? .stop : .next
  }

  func end(remaining: Int) throws {
    let shown = count == 0 ? "no rows" : counted(count, "row")
    let others = remaining > 0 ? "; \(grouped(remaining)) more are not on this page" : ""
    try output.writeLine(
      """
      </tbody>
      </table>
      </main>
      <footer>\(shown + others)</footer>
      </body>
      </html>
      """)
  }
}

/// An output of a page, which takes nothing but ``HTMLText``.
private struct PageOutput {
  private let output: ResultOutput

  init(_ output: ResultOutput) { self.output = output }

  /// Writes a part of the page and a line feed.
  ///
  /// - Throws: The error of the output.
  func writeLine(_ text: HTMLText) throws {
    output.append(text.utf8)
    try output.endLine()
  }
}
