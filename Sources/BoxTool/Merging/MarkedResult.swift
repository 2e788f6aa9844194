internal import BoxMerge

/// The length of conflict markers where nothing says another one.
package let standardMarkerSize = 7

/// The length of conflict markers for a value of git's attribute `conflict-marker-size`; the
/// default for a value that is not a valid length.
func conflictMarkerSize(_ value: String) -> Int {
  Int(value).flatMap { (1...1000).contains($0) ? $0 : nil } ?? standardMarkerSize
}

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
