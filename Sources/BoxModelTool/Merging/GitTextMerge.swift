package import BoxMerge
internal import BoxSystem

/// Git's own merge of texts.
struct GitTextMerge: Sendable {
  var markerSize: Int
  var labels: ConflictLabels
  var git: GitClient

  /// The result of git's merge of three files.
  struct Outcome: Hashable, Sendable {
    var bytes: [UInt8]
    var hasConflicts: Bool
  }

  /// Merges three files as `git merge-file` does, in the style that git's configuration says.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot do it, as with binary
  ///   files.
  func merge(ours: String, base: String, theirs: String) async throws(CommandFailure) -> Outcome {
    let output = try await git.run(
      [
        "merge-file", "--stdout", "--quiet", "--marker-size=\(markerSize)",
        "-L", labels.ours ?? "ours", "-L", labels.base ?? "base", "-L", labels.theirs ?? "theirs",
        "--",
      ] + [ours, base, theirs].map { joinPath(workingDirectory(), $0) })
    // The status is the number of conflicts, at most 127.
    guard (0...127).contains(output.status) else {
      throw CommandFailure(.inputOutput, "git merge-file: \(output.complaint)")
    }
    return Outcome(bytes: output.standardOutput, hasConflicts: output.status != 0)
  }
}

extension GitClient {
  /// The style of conflict markers that git's configuration says.
  ///
  /// - Throws: ``CommandFailure`` of the kind `badConfiguration` if git's configuration is broken,
  ///   `inputOutput` if git cannot be run.
  package func markerStyle() async throws(CommandFailure) -> ConflictStyle {
    let value = try await configurationValue("merge.conflictStyle")
    return value.flatMap { ConflictStyle(rawValue: $0.value) } ?? .merge
  }
}
