/// A table for people: each column takes as many columns of the terminal as its widest cell.
///
/// The cells are ready to be shown (``Swift/StringProtocol/escapedForDisplay``).
package struct TextTable: Hashable, Sendable {
  /// The rows, the one with the titles among them.
  package var rows: [[String]]
  /// The columns whose cells are aligned to the right.
  package var rightAligned: Set<Int> = []
  /// The widths of the columns; nil to use their widest cells.
  ///
  /// A cell that is wider moves the rest of its line.
  package var widths: [Int]?
  /// The maximum width of a column.
  package var maximumWidth = Int.max
  /// The spaces before the first column.
  package var indent = 0

  /// Creates a table.
  package init(_ rows: [[String]]) { self.rows = rows }

  /// The lines, without spaces at their ends.
  ///
  /// - Parameter paint: Called with the number of a row; returns the paint of its first cell.
  /// - Returns: A line for each row.
  /// - Complexity: O(*n*) in the length of the text.
  package func lines(paint: (Int) -> Paint? = { _ in nil }) -> [String] {
    let widths = widths ?? measuredWidths
    return rows.enumerated().map { number, row in
      var line = String(repeating: " ", count: indent)
      for (column, cell) in row.enumerated() {
        let width = column < widths.count ? widths[column] : 0
        let padding = String(repeating: " ", count: max(0, width - cell.displayWidth))
        var text = rightAligned.contains(column) ? padding + cell : cell + padding
        if column + 1 < row.count { text += "  " }
        line += column == 0 ? paint(number)?.applied(to: text) ?? text : text
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  /// The widths of the widest cells.
  var measuredWidths: [Int] {
    (0..<(rows.map(\.count).max() ?? 0)).map { column in
      let cells = rows.lazy.filter { column < $0.count }
      return min(cells.map { $0[column].displayWidth }.max() ?? 0, maximumWidth)
    }
  }
}
