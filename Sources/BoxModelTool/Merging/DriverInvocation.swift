internal import BoxMerge

/// The arguments that git gives to a merge driver.
package struct DriverInvocation: Hashable, Sendable {
  /// The files of the three versions; the result replaces ours.
  package var base: String
  package var ours: String
  package var theirs: String
  package var markerSize: Int
  /// The merged file, from the top of the repository.
  package var path: String
  var labels: ConflictLabels
  /// Git's name for ours; nil from a version of git that does not pass it.
  var labelOfOurs: String?

  /// The option of `merge-driver` that keeps the versions of a file in a directory.
  package static let keepOption = "--keep"

  /// Parses `%O %A %B %L %P`, and `%S %X %Y` from the versions of git that know them.
  ///
  /// - Throws: ``CommandFailure`` of the kind `usage` if there are fewer.
  package init(arguments: [String]) throws(CommandFailure) {
    guard arguments.count >= 5, !arguments[0..<3].contains("") else {
      throw CommandFailure(
        .usage, "git calls merge-driver with %O %A %B %L %P; see `boxjoint merge-driver --help`")
    }
    base = arguments[0]
    ours = arguments[1]
    theirs = arguments[2]
    markerSize = conflictMarkerSize(arguments[3])
    path = arguments[4]
    // An older git hands a placeholder on that it does not know.
    func label(_ index: Int, _ placeholder: String) -> String? {
      guard arguments.count > index, !arguments[index].isEmpty, arguments[index] != placeholder
      else { return nil }
      return arguments[index]
    }
    labelOfOurs = label(6, "%X")
    labels = ConflictLabels(
      ours: labelOfOurs ?? "ours", base: label(5, "%S") ?? "base",
      theirs: label(7, "%Y") ?? "theirs")
  }
}
