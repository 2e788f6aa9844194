/// A version of a file in a line of commits.
package struct LineVersion: Hashable, Sendable {
  /// The hash of the commit that has it.
  package var commit: String
  /// The content; nil where the commit has no such file.
  package var bytes: [UInt8]?
}

/// Lines of commits: what git has between a merge base and the tip of a side.
extension GitClient {
  /// All best common ancestors of two commits.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  package func mergeBases(of commit: String, and other: String) async throws(CommandFailure)
    -> [String]
  {
    let output = try await run(["merge-base", "--all", commit, other])
    return output.status == 0 ? output.text.split(separator: "\n").map(String.init) : []
  }

  /// The paths that a file had in a line of commits, from the top of the repository: the latest first.
  ///
  /// - Parameters:
  ///   - path: The path at the tip, from the top of the repository.
  ///   - bases: The commits after which the line begins.
  ///   - tip: The last commit of the line.
  /// - Returns: The paths; the given one if the file was not renamed.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  package func paths(
    of path: String, from bases: [String], to tip: String
  ) async throws(CommandFailure) -> [String] {
    let log = try await require(
      ["log", "--follow", "-M", "-z", "--name-status", "--format=", tip, "--not"] + bases
        + ["--", ":(top,literal)\(path)"])
    var fields = log.standardOutput.split(separator: 0)
      .map { String(decoding: $0, as: UTF8.self) }[...]
    var paths = [path]
    while let status = fields.popFirst() {
      // A rename has the old path, then the new one.
      let count = status.hasPrefix("R") || status.hasPrefix("C") ? 2 : 1
      for found in fields.prefix(count) where !paths.contains(found) { paths.append(found) }
      fields = fields.dropFirst(count)
    }
    return paths
  }

  /// The versions of a file in the commits that changed it in a line, the latest first.
  ///
  /// - Parameters:
  ///   - paths: The paths that the file had there, from the top of the repository.
  ///   - bases: The commits after which the line begins.
  ///   - tip: The last commit of the line.
  ///   - limit: The maximum number of versions.
  ///   - alongFirstParents: Whether the commits of merged branches are left out.
  /// - Returns: The versions, one for each commit.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  /// - Complexity: O(*n*) in the size of all versions; two runs of git.
  package func versions(
    of paths: [String], from bases: [String], to tip: String, limit: Int,
    alongFirstParents: Bool = false
  ) async throws(CommandFailure) -> [LineVersion] {
    var versions: [LineVersion] = []
    try await visitVersions(
      of: paths, from: bases, to: tip, limit: limit, alongFirstParents: alongFirstParents,
      atOnce: limit
    ) { version throws(CommandFailure) in
      versions.append(version)
      return true
    }
    return versions
  }

  /// Calls a function with the versions of a file in the commits that changed it in a line, the latest first, until it
  /// returns false.
  ///
  /// - Parameters:
  ///   - paths: The paths that the file had there, from the top of the repository.
  ///   - bases: The commits after which the line begins.
  ///   - tip: The last commit of the line.
  ///   - limit: The maximum number of versions.
  ///   - alongFirstParents: Whether the commits of merged branches are left out.
  ///   - count: The number of versions that one run of git reads.
  ///   - visit: Called with each version.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run; the error of `visit`.
  /// - Complexity: O(*n*) in the size of the versions that are visited.
  package func visitVersions(
    of paths: [String], from bases: [String], to tip: String, limit: Int,
    alongFirstParents: Bool = false, atOnce count: Int = 25,
    _ visit: (LineVersion) async throws(CommandFailure) -> Bool
  ) async throws(CommandFailure) {
    let line = alongFirstParents ? ["--first-parent", "-m"] : ["--full-history"]
    let log = try await require(
      ["log"] + line + ["--max-count=\(limit)", "--format=%H", tip, "--not"] + bases
        + ["--"] + paths.map { HardenedCommand.pathspec($0) })
    let commits = log.text.split(separator: "\n").map(String.init)
    for start in stride(from: 0, to: commits.count, by: max(1, count)) {
      let part = Array(commits[start..<min(start + count, commits.count)])
      let contents = try await blobs(part.flatMap { commit in paths.map { "\(commit):\($0)" } })
      for (index, commit) in part.enumerated() {
        let found = contents[index * paths.count..<(index + 1) * paths.count]
        let version = LineVersion(commit: commit, bytes: found.lazy.compactMap { $0 }.first)
        if try await !visit(version) { return }
      }
    }
  }

  /// The names of the versions of a file up to some commits, each once, the newest first.
  ///
  /// - Parameters:
  ///   - path: The path at the commits, from the top of the repository.
  ///   - tips: The commits.
  ///   - limit: The maximum number of commits that are looked at.
  /// - Returns: The blobs that the lines of first parents had, and those that only others had.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  package func versions(
    of path: String, upTo tips: [String], limit: Int
  ) async throws(CommandFailure) -> (first: [String], others: [String]) {
    var paths: [String] = []
    for name in try await self.paths(of: path, from: [], to: tips[0]) { paths.append(name) }
    func blobs(_ options: [String]) async throws(CommandFailure) -> [String] {
      let log = try await require(
        ["log", "--full-history", "-m", "--raw", "--no-abbrev", "--no-renames", "--format="]
          + ["--max-count=\(limit)"] + options + tips + ["--"]
          + paths.map { ":(top,literal)\($0)" })
      // :MODE MODE OLD NEW STATUS, a tab and the path
      return log.text.split(separator: "\n").compactMap { line in
        let words = line.split(separator: " ")
        return words.count >= 5 ? String(words[3]) : nil
      }
    }
    var seen: Set<String> = []
    func new(_ names: [String]) -> [String] {
      names.filter { name in name.contains { $0 != "0" } && seen.insert(name).inserted }
    }
    let first = new(try await blobs(["--first-parent"]))
    return (first, new(try await blobs([])))
  }
}
