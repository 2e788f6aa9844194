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
