import BoxModel

/// What people commit themselves, for one run of `git fast-import`: nothing is to be learned there.
struct FastImport {
  /// The commands.
  private(set) var stream: [UInt8] = []

  /// The name of a commit of the simulation in the stream.
  static func mark(_ commit: Int) -> String { ":\(commit + 1)" }

  /// Adds a commit to a branch.
  ///
  /// - Parameters:
  ///   - commit: Its number in the simulation.
  ///   - branch: The branch, which it becomes the tip of.
  ///   - files: All files of the commit.
  ///   - parents: Hashes or marks.
  ///   - time: Seconds: two commits of one second with the same content would be one.
  mutating func commit(
    _ commit: Int, on branch: String, _ files: [(name: String, bytes: [UInt8])],
    parents: [String], time: Int
  ) {
    append(
      "commit refs/heads/\(branch)\nmark \(Self.mark(commit))\n"
        + "committer Ann <ann@example.com> \(time) +0000\ndata 6\nchange\n")
    for (position, parent) in parents.enumerated() {
      append("\(position == 0 ? "from" : "merge") \(parent)\n")
    }
    append("deleteall\n")
    for file in files {
      append("M 100644 inline \(file.name)\ndata \(file.bytes.count)\n")
      stream += file.bytes
      append("\n")
    }
  }

  /// Makes or moves a branch.
  mutating func move(_ branch: String, to commit: String) {
    append("reset refs/heads/\(branch)\nfrom \(commit)\n\n")
  }

  /// The hashes in the list of marks that git writes, by the numbers of the commits.
  static func hashes(marks: String) -> [(commit: Int, hash: String)] {
    marks.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard words.count == 2, let mark = Int(words[0].dropFirst()) else { return nil }
      return (mark - 1, String(words[1]))
    }
  }

  private mutating func append(_ text: String) { stream += Array(text.utf8) }
}
