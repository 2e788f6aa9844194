/// A file with conflict markers, read back into the versions that it shows.
///
/// Markers of any of git's styles are understood, seven characters long or longer. A version is the file with
/// its own section for each conflict: text that git merged without a conflict is in all of them.
package struct ConflictedText: Hashable, Sendable {
  /// The file with ours in every conflict.
  package let ours: [UInt8]
  /// The file with theirs in every conflict.
  package let theirs: [UInt8]
  /// The file with the base in every conflict; nil unless each conflict has a base section, and
  /// none of those holds conflict markers itself, as after a merge with several bases.
  package let base: [UInt8]?
  /// Whether ``base`` is known to hold nothing that both sides added.
  ///
  /// In the style `zdiff3` git moves common lines at an end of a conflict out of it, and does not
  /// show which of them the base lacks. These lines are in ``base`` then, and no line of the base
  /// is missing. Only a conflict whose sides start or end alike shows that the style is another
  /// one. So the value is often false although the base is exact.
  package let isBaseExact: Bool
  /// The labels after the markers of the first conflict.
  package let labels: ConflictLabels
  /// The length of the markers.
  package let markerSize: Int
  /// The number of conflicts.
  package let conflictCount: Int
  /// Whether the file ends in a conflict: then git ended the last line of each section with a
  /// newline, whether it had one or not, and ``ours`` and ``theirs`` have it too.
  package let endsInConflict: Bool

  /// Reads a file; nil if it has no conflict markers.
  ///
  /// - Throws: ``ConflictedTextError`` if a marker is misplaced, or a conflict has no end.
  /// - Complexity: O(*n*) in the size of the file.
  package init?(parsing bytes: [UInt8]) throws(ConflictedTextError) {
    guard let size = ConflictMarker.size(in: bytes) else { return nil }
    var parser = ConflictParser(markerSize: size)
    try parser.parse(bytes)
    ours = parser.ours
    theirs = parser.theirs
    base = parser.hasBase ? parser.base : nil
    isBaseExact = parser.hasBase && parser.showsCommonEnds
    labels = parser.labels
    markerSize = size
    conflictCount = parser.count
    endsInConflict = parser.endsInConflict
  }
}

/// An error in the conflict markers of a file.
package struct ConflictedTextError: Error, Hashable, Sendable {
  /// The line of the marker, from 1.
  package var line: Int
  /// The problem, in one sentence without a trailing period.
  package var message: String

  /// Creates an error at a line.
  package init(line: Int, message: String) {
    self.line = line
    self.message = message
  }
}
