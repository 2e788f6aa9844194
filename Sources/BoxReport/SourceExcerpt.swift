package import BoxJSON

/// A line of source and, under it, a marker of a stretch of it, both ready to print.
///
/// Control characters are written out, tabs of the indentation become blanks, and a line that is too
/// long is cut to a window around the start of the stretch. The marker stays under the stretch in
/// all of these cases, also after wide characters.
package struct SourceExcerpt: Hashable {
  /// The line.
  package let line: String
  /// Blanks, a caret, and a tilde for each further column of the stretch.
  package let marker: String

  /// Creates the excerpt of a line.
  ///
  /// - Parameters:
  ///   - source: The line, or the part of it around the stretch.
  ///   - columns: The stretch in Unicode scalars, counted from 1 at the start of the line. The part
  ///     outside of the source is ignored; at least one caret is shown.
  ///   - width: The number of terminal columns that the excerpt may take; values below 20 count as
  ///     20.
  /// - Complexity: O(*n*) in the length of the source.
  package init(_ source: SourceLine, columns: Range<Int>, width: Int) {
    let width = max(width, 20)
    let length = source.text.unicodeScalars.count
    let start = min(max(columns.lowerBound - source.column, 0), length)
    // Of a line that was built and not read from a file, only what may be shown is looked at closely.
    let near = max(0, start - width)..<min(length, start + width)
    let cells = Self.cells(of: source, in: near)
    let first = start - near.lowerBound
    let last =
      min(max(columns.upperBound - source.column, start), near.upperBound) - near.lowerBound

    let isWhole =
      near == 0..<length && source.column == 1 && !source.isCutAtEnd
      && cells.reduce(0) { $0 + $1.width } <= width
    let window = isWhole ? 0..<length : Self.window(of: cells, around: first, width: width)
    let cutAtStart = near.lowerBound + window.lowerBound > 0 || source.column > 1
    let cutAtEnd = near.lowerBound + window.upperBound < length || source.isCutAtEnd
    line = (cutAtStart ? "…" : "") + cells[window].map(\.text).joined() + (cutAtEnd ? "…" : "")

    let indent = cells[window.lowerBound..<first].reduce(cutAtStart ? 1 : 0) { $0 + $1.width }
    let marked = cells[first..<max(first, min(last, window.upperBound))]
    marker =
      String(repeating: " ", count: indent) + "^"
      + String(repeating: "~", count: max(0, marked.reduce(0) { $0 + $1.width } - 1))
  }

  /// The printed form of one scalar of the source.
  private struct Cell {
    var text: String
    var width: Int
  }

  private static let tabStop = 4

  /// The printed forms of the scalars at some places.
  private static func cells(of source: SourceLine, in places: Range<Int>) -> [Cell] {
    var result: [Cell] = []
    result.reserveCapacity(places.count)
    var indentation = source.column == 1 ? 0 : nil
    for (place, scalar) in source.text.unicodeScalars.enumerated() {
      if place >= places.upperBound { break }
      var cell = Cell(text: "", width: 0)
      if let column = indentation, scalar == "\t" || scalar == " " {
        cell.width = scalar == "\t" ? tabStop - column % tabStop : 1
        indentation = column + cell.width
      } else {
        indentation = nil
      }
      guard place >= places.lowerBound else { continue }
      if indentation != nil {
        cell.text = String(repeating: " ", count: cell.width)
      } else if scalar.isHazardousForDisplay {
        cell.text = scalar.displayEscape
        cell.width = cell.text.utf8.count
      } else {
        cell.text = String(scalar)
        cell.width = scalar.displayWidth
      }
      result.append(cell)
    }
    return result
  }

  /// The longest run of cells around a place that fits, with room for an ellipsis at both ends.
  ///
  /// It grows to both sides in turn, so that the place is in its middle unless an end is near.
  private static func window(of cells: [Cell], around place: Int, width: Int) -> Range<Int> {
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
