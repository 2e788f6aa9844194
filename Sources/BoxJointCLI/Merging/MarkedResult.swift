internal import BoxMerge

extension MergeResult {
  /// The result with git's markers around what is open.
  ///
  /// - Complexity: O(*n* log *n*) in the number of lines.
  func marked(style: ConflictStyle, markerSize: Int, labels: ConflictLabels) -> [UInt8] {
    guard let ours = resolved[.ours], let theirs = resolved[.theirs] else { return bytes }
    return conflictText(
      ours: ours, base: resolved[.base], theirs: theirs, style: style, markerSize: markerSize,
      labels: labels)
  }
}

extension StandardError {
  /// Writes a text that ends with a line feed.
  static func writeText(_ text: String) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      writeLine(String(line))
    }
  }

  /// Writes each line of a text, indented by two spaces.
  static func writeIndented(_ text: String) {
    for line in text.split(separator: "\n") { writeLine("  " + line) }
  }
}
