extension GitClient {
  /// The files of a commit that another commit lacks or has with other content, by their paths from the top
  /// of the repository.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  /// - Complexity: O(*n*) in the number of files in directories that differ.
  package func changedFiles(
    from base: String, to tip: String
  ) async throws(CommandFailure) -> [String] {
    let output = try await require(
      ["diff-tree", "-r", "-z", "--no-renames", "--name-only", "--diff-filter=AMT", base, tip])
    return output.standardOutput.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The files among some that have changes which are not committed, by their paths from the top of the
  /// repository.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git or a filter fails.
  package func uncommittedFiles(among paths: [String]) async throws(CommandFailure) -> Set<String> {
    if paths.isEmpty { return [] }
    let output = try await require(
      ["status", "--porcelain", "-z", "--no-renames", "--ignore-submodules=all", "--"]
        + paths.map { HardenedCommand.pathspec($0) })
    // Two letters and a space precede each path.
    return Set(
      output.standardOutput.split(separator: 0).map {
        String(decoding: $0.dropFirst(3), as: UTF8.self)
      })
  }
}
