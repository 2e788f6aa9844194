/// A commit, as far as the history of a file needs it.
package struct GitCommit: Hashable, Sendable {
  package var hash: String
  /// The parent, for a merge the one on the branch that it was made on; nil for a root commit.
  package var parent: String?
  /// The commit date, as ISO 8601.
  package var date: String
  /// The tags and branches at the commit.
  package var names: [String]
}

extension GitClient {
  /// The paths of a file over time, from the top of the repository: the current path first.
  ///
  /// - Parameter name: The path from the top of the repository.
  /// - Returns: The paths; the given one if git knows no commit of it.
  /// - Throws: ``CommandFailure`` of the kind `impossible` outside of a repository, `inputOutput`
  ///   if git cannot be run.
  package func pathsOverTime(of name: String) async throws(CommandFailure) -> [String] {
    let log = try await requireInside(
      [
        "log", "--follow", "-M", "-z", "--name-status", "--format=", "--",
        HardenedCommand.pathspec(name),
      ])
    var fields = log.standardOutput.split(separator: 0)
      .map { String(decoding: $0, as: UTF8.self) }[...]
    var paths: [String] = []
    func appendPath(_ path: String?) {
      if let path, !paths.contains(path) { paths.append(path) }
    }
    while let status = fields.popFirst() {
      if status.hasPrefix("R") || status.hasPrefix("C") {
        let old = fields.popFirst()
        appendPath(fields.popFirst())
        appendPath(old)
      } else {
        appendPath(fields.popFirst())
      }
    }
    return paths.isEmpty ? [name] : paths
  }

  /// The commits that changed one of some files as compared with the commit before, the latest first.
  ///
  /// A merge is one of them if it changed the branch that it was made on.
  ///
  /// - Throws: ``CommandFailure`` of the kind `impossible` outside of a repository, `inputOutput`
  ///   if git cannot be run.
  package func commits(
    changing paths: [String], limit: Int? = nil
  ) async throws(CommandFailure) -> [GitCommit] {
    let count = limit.map { ["--max-count=\($0)"] } ?? []
    let places = paths.map { HardenedCommand.pathspec($0) }
    func log(_ pulls: [String]) async throws(CommandFailure) -> GitOutput {
      try await requireInside(
        ["log", "--full-history"] + pulls + count
          + ["-z", "--format=%H%x01%P%x01%cI%x01%D", "--"] + places)
    }
    let output: GitOutput
    if let version = try await version(), version < GitVersion(major: 2, minor: 27) {
      // Without the option, git leaves out merges whose result equals one side.
      output = try await log([])
    } else {
      output = try await log(["--show-pulls"])
    }
    return output.standardOutput.split(separator: 0).compactMap { record in
      let fields = record.split(separator: 0x01, omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
      guard fields.count == 4 else { return nil }
      return GitCommit(
        hash: fields[0], parent: fields[1].split(separator: " ").first.map(String.init),
        date: fields[2], names: Self.names(fields[3]))
    }
  }

  /// The names in git's decoration of a commit, as `HEAD -> main, tag: v1.0`.
  private static func names(_ decoration: String) -> [String] {
    decoration.split(separator: ",").compactMap { name in
      let name = name.drop { $0 == " " }
      if name.hasPrefix("tag: ") { return String(name.dropFirst(5)) }
      if name.hasPrefix("HEAD -> ") { return String(name.dropFirst(8)) }
      // The name that git gives to the first commit of a shallow clone.
      return name == "grafted" ? nil : String(name)
    }
  }

  /// The hashes of many files by one run of git, in order; nil for a file that does not exist.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  package func blobHashes(_ names: [String]) async throws(CommandFailure) -> [String?] {
    // The protocol has one name on a line.
    let askable = names.map { $0.utf8.contains(0x0A) ? nil : $0 }
    switch try await hashes(of: askable, as: "blob") {
    case .found(let hashes): return hashes
    case .refused(let output): throw failure(of: "cat-file", output)
    }
  }

  /// The commits of a list that are one of a few tips, or an ancestor of one.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  package func ancestors(
    among commits: [String], of tips: [String]
  ) async throws(CommandFailure) -> Set<String> {
    if commits.isEmpty || tips.isEmpty { return [] }
    // Git lists what the tips do not have.
    let output = try await run(
      ["rev-list", "--no-walk=unsorted"] + commits + ["--not"] + tips)
    guard output.status == 0 else { return [] }
    let missing = Set(output.text.split(separator: "\n").map(String.init))
    return Set(commits).subtracting(missing)
  }

  /// Whether a commit is another one or came before it.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  package func isAncestor(_ commit: String, of other: String) async throws(CommandFailure) -> Bool {
    try await run(["merge-base", "--is-ancestor", commit, other]).status == 0
  }
}
