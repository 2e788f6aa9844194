internal import BoxDump
internal import BoxEngine
internal import BoxReport
internal import BoxStorage

/// Rows as comma-separated values, as RFC 4180 has them.
///
/// Null is an empty field, and an empty string is `""`. Vectors and objects are JSON.
final class CSVRows: RowWriter {
  private let output: ResultOutput
  /// Whether the rows are for a terminal: with line feeds alone, and control characters written out.
  private let isForDisplay: Bool

  init(_ output: ResultOutput, isForDisplay: Bool) {
    self.output = output
    self.isForDisplay = isForDisplay
  }

  func begin(_ columns: [String]) throws {
    for (position, name) in columns.enumerated() {
      if position > 0 { output.append(",") }
      append(Array(name.utf8))
    }
    try endLine()
  }

  func append(_ row: JSONCells) throws -> VisitStep {
    for position in 0..<row.count {
      if position > 0 { output.append(",") }
      let cell = JSONCell(row[position])
      if cell.isNumber {
        output.append(cell.json)
      } else if !cell.isNull {
        append(cell.text)
      }
    }
    try endLine()
    return .next
  }

  func end(remaining: Int) throws {}

  private func endLine() throws { try output.endLine(isForDisplay ? "\n" : "\r\n") }

  private func append(_ text: [UInt8]) {
    let text =
      isForDisplay
      ? Array(String(decoding: text, as: UTF8.self).escapedForDisplay.utf8) : text
    let quote = UInt8(ascii: "\"")
    if !text.isEmpty, !text.contains(where: \.needsQuotes) { return output.append(text) }
    output.append([quote])
    for part in text.split(separator: quote, omittingEmptySubsequences: false).enumerated() {
      if part.offset > 0 { output.append([quote, quote]) }
      output.append(part.element)
    }
    output.append([quote])
  }
}

extension UInt8 {
  /// Whether a field with the byte has to be in quotes.
  fileprivate var needsQuotes: Bool {
    switch self {
    case UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\r"), UInt8(ascii: "\n"): true
    default: false
    }
  }
}
