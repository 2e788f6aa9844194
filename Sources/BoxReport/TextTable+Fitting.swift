extension TextTable {
  /// The narrowest column that others are not made narrower for.
  private static let minimumWidth = 6

  /// The widths of the columns with which a line fits into `total` columns of a terminal, as far as each
  /// keeps a few: the widest columns become narrower first.
  ///
  /// - Parameter total: The columns of the terminal; nil for as many as the cells take.
  /// - Returns: A width for each column.
  /// - Complexity: O(*n*) in the length of the text.
  package func columnWidths(fitting total: Int?) -> [Int] {
    let widths = measuredWidths
    guard let total else { return widths }
    var room = total - indent - 2 * (widths.count - 1)
    var maximum = Int.max
    for (number, width) in widths.sorted().enumerated() {
      let share = room / (widths.count - number)
      if width > share {
        maximum = max(share, Self.minimumWidth)
        break
      }
      room -= width
    }
    return widths.map { min($0, maximum) }
  }

  /// Cuts the cells that are wider than ``widths``.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  package mutating func cutCells() {
    guard let widths else { return }
    for row in rows.indices {
      for column in rows[row].indices where column < widths.count {
        rows[row][column] = rows[row][column].cut(toDisplayWidth: widths[column])
      }
    }
  }
}

extension String {
  /// The text, or its beginning and an ellipsis, in at most `width` columns of a terminal.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  package func cut(toDisplayWidth width: Int) -> String {
    if displayWidth <= width { return self }
    var (result, room) = ("", width - 1)
    for scalar in unicodeScalars {
      room -= scalar.displayWidth
      if room < 0 { break }
      result.unicodeScalars.append(scalar)
    }
    return result + "…"
  }
}
