/// A line of source and, under it, a marker of a stretch of it, both ready to be shown.
///
/// Control characters are written out, tabs of the indentation become blanks, and a line that is too
/// long is cut to a window around the start of the stretch. The marker stays under the stretch in
/// all of these cases, also after wide characters.
struct SourceExcerpt: Hashable {
  /// The line.
  let line: String
  /// Blanks, a caret, and a tilde for each further column of the stretch.
  let marker: String

  /// Takes the excerpt of a line.
  ///
  /// - Parameters:
  ///   - source: The line, without its line ending.
  ///   - columns: The stretch in Unicode scalars, counted from 1; what lies outside of the line is
  ///     ignored, and a caret is shown at least.
  ///   - width: How many columns of a terminal the excerpt may take; at least 20.
  /// - Complexity: O(*n*) in the length of the line.
  init(_ source: String, columns: Range<Int>, width: Int) {
    let cells = Self.cells(of: source)
    let first = min(max(columns.lowerBound - 1, 0), cells.count)
    let last = min(max(columns.upperBound - 1, first), cells.count)
    let window = Self.window(of: cells, around: first, width: max(width, 20))

    let cutAtStart = window.lowerBound > 0
    let cutAtEnd = window.upperBound < cells.count
    line =
      (cutAtStart ? "…" : "") + cells[window].map(\.text).joined() + (cutAtEnd ? "…" : "")
    let indent = cells[window.lowerBound..<first].reduce(cutAtStart ? 1 : 0) { $0 + $1.width }
    let length = cells[first..<max(first, min(last, window.upperBound))].reduce(0) { $0 + $1.width }
    marker =
      String(repeating: " ", count: indent) + "^"
      + String(repeating: "~", count: max(0, length - 1))
  }

  /// What one scalar of the source looks like.
  private struct Cell {
    var text: String
    var width: Int
  }

  private static let tabStop = 4

  private static func cells(of source: String) -> [Cell] {
    var result: [Cell] = []
    var indentation: Int? = 0
    for scalar in source.unicodeScalars {
      if let column = indentation, scalar == "\t" || scalar == " " {
        let width = scalar == "\t" ? tabStop - column % tabStop : 1
        result.append(Cell(text: String(repeating: " ", count: width), width: width))
        indentation = column + width
      } else if scalar.isHazardousForDisplay {
        indentation = nil
        let text = scalar.displayEscape
        result.append(Cell(text: text, width: text.utf8.count))
      } else {
        indentation = nil
        result.append(Cell(text: String(scalar), width: scalar.displayWidth))
      }
    }
    return result
  }

  /// The longest run of cells around a place that fits, with room for an ellipsis at both ends.
  ///
  /// It grows to both sides in turn, so that the place is in its middle unless an end is near.
  private static func window(of cells: [Cell], around place: Int, width: Int) -> Range<Int> {
    if cells.reduce(0, { $0 + $1.width }) <= width { return 0..<cells.count }
    var lower = place
    var upper = place
    var room = width - 2
    var grows = true
    while grows {
      grows = false
      if upper < cells.count, cells[upper].width <= room {
        room -= cells[upper].width
        upper += 1
        grows = true
      }
      if lower > 0, cells[lower - 1].width <= room {
        room -= cells[lower - 1].width
        lower -= 1
        grows = true
      }
    }
    return lower..<upper
  }
}
