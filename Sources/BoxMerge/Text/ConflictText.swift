/// The style of git's conflict markers: its setting `merge.conflictStyle`.
package enum ConflictStyle: String, Hashable, Sendable, CaseIterable {
  /// Ours and theirs.
  case merge
  /// Ours, base and theirs.
  case diff3
  /// Ours, base and theirs, without what ours and theirs share at the ends.
  case zdiff3
}

/// The labels after conflict markers; nil for none.
package struct ConflictLabels: Hashable, Sendable {
  /// The name of ours, such as `HEAD`.
  package var ours: String?
  /// The name of the base.
  package var base: String?
  /// The name of theirs, such as the name of a branch.
  package var theirs: String?

  /// Creates labels.
  package init(ours: String? = nil, base: String? = nil, theirs: String? = nil) {
    self.ours = ours
    self.base = base
    self.theirs = theirs
  }
}

/// Formats two texts as one file: their common lines once, their differences between git's markers.
///
/// ``ConflictedText`` reads both back. Where the file ends in a conflict, this function ends the
/// last line of each section with a newline, as git does. Whether a text ended with a newline is
/// lost then.
///
/// The hunks are the differences of ours and theirs, joined where only brackets separate them. With
/// `diff3` and `zdiff3`, each hunk shows its part of the base.
///
/// - Parameters:
///   - ours: The text above `=======`.
///   - base: The common ancestor; nil leaves the base sections empty.
///   - theirs: The text below `=======`.
///   - style: Whether base sections are written.
///   - markerSize: The length of the markers.
///   - labels: The labels after the markers.
/// - Returns: The text; where both sides are equal it is theirs, without markers.
/// - Complexity: O(*n* log *n*) in the number of lines where differences are few.
package func conflictText(
  ours: [UInt8], base: [UInt8]?, theirs: [UInt8], style: ConflictStyle, markerSize: Int = 7,
  labels: ConflictLabels
) -> [UInt8] {
  var numbering = LineNumbering()
  let ourLines = numbering.lines(of: ours)
  let theirLines = numbering.lines(of: theirs)
  let baseLines = numbering.lines(of: base ?? [])
  let count = numbering.symbolCount
  let hunks = ConflictHunks(ours: ourLines, theirs: theirLines, symbolCount: count)
  let sections =
    style == .merge
    ? [] : ConflictBase(baseLines, hunks, symbolCount: count).sections()
  var writer = ConflictWriter(markerSize: markerSize)
  var common = 0
  for (position, hunk) in hunks.hunks.enumerated() {
    writer.output += ourLines[common..<hunk.ours.lowerBound]
    writer.newline = newline(before: hunk, ourLines, theirLines, baseLines)
    writer.mark("<", labels.ours)
    writer.section(ourLines[hunk.ours])
    if style != .merge {
      writer.mark("|", labels.base)
      writer.section(baseLines[sections[position]])
    }
    writer.mark("=", nil)
    writer.section(theirLines[hunk.theirs])
    writer.mark(">", labels.theirs)
    common = hunk.ours.upperBound
  }
  writer.output += ourLines[common..<ourLines.count]
  return writer.output
}

private struct ConflictWriter {
  let markerSize: Int
  var newline: [UInt8] = []
  var output: [UInt8] = []

  init(markerSize: Int) { self.markerSize = markerSize }

  mutating func mark(_ mark: Character, _ label: String?) {
    output += String(repeating: mark, count: markerSize).utf8
    if let label, !label.isEmpty {
      output.append(UInt8(ascii: " "))
      output += label.utf8
    }
    output += newline
  }

  /// The last line of a section has to end before the next marker.
  mutating func section(_ lines: ArraySlice<UInt8>) {
    output += lines
    if let last = lines.last, last != UInt8(ascii: "\n") { output += newline }
  }
}

/// The line ending of the markers of a hunk: CRLF if the lines before it, and the base, end in
/// CRLF.
private func newline(
  before hunk: ConflictHunk, _ ours: TextLines, _ theirs: TextLines, _ base: TextLines
) -> [UInt8] {
  let votes = [
    endsInCRLF(ours, max(0, hunk.ours.lowerBound - 1)),
    endsInCRLF(theirs, max(0, hunk.theirs.lowerBound - 1)), endsInCRLF(base, 0),
  ]
  return votes.contains(false) || !votes.contains(true)
    ? [UInt8(ascii: "\n")] : [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
}

/// Whether a line ends in CRLF, or the line before it if it has no end; nil without a line end.
private func endsInCRLF(_ lines: TextLines, _ line: Int) -> Bool? {
  guard line < lines.count else { return nil }
  let text = lines[line]
  if text.last == UInt8(ascii: "\n") { return text.dropLast().last == UInt8(ascii: "\r") }
  return line > 0 ? endsInCRLF(lines, line - 1) : nil
}
