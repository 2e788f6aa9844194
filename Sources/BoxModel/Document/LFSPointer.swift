internal import BoxReport

/// The small texts that Git LFS commits in place of files, which it keeps elsewhere.
package enum LFSPointer {
  /// Whether a text is a pointer, or several of them between conflict markers.
  ///
  /// All pointers begin with the same line, so that a merge leaves it in front of the markers.
  package static func isPointer(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: "version https://git-lfs.github.com/spec/".utf8)
  }

  /// The advice for a file whose versions in a merge are pointers, an imperative without a trailing period.
  ///
  /// - Parameter path: The file, from the working directory.
  /// - Returns: The advice.
  package static func advice(forConflictIn path: String) -> String {
    let file = shellQuoted(path)
    let commands = ["ours", "theirs"].map { "`git checkout --\($0) -- \(file)`" }
    return "take a side with \(commands.joined(separator: " or ")), and end the conflict with "
      + "`git add -- \(file)`; docs/git.md says how to merge the models"
  }
}
