extension GitClient {
  /// The Swift files with a text, as paths from the top of the repository.
  ///
  /// - Parameters:
  ///   - text: The text, as a part of a line.
  ///   - revision: The revision that has the files; nil for the work tree, with untracked files and without
  ///     ignored ones.
  /// - Returns: The paths; none if git cannot search.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  /// - Complexity: O(*n*) in the size of the Swift files.
  package func filesWithLine(
    _ text: String, in revision: String?
  ) async throws(CommandFailure) -> [String] {
    let place = revision.map { [$0] } ?? []
    let output = try await run(
      ["grep", "--files-with-matches", "-z", "--full-name", "--no-recurse-submodules", "-F"]
        + (revision == nil ? ["--untracked"] : []) + ["-e", text] + place
        + ["--", ":(top)*.swift"])
    guard output.status == 0 else { return [] }
    // Paths of a revision follow its name.
    let length = revision.map { $0.utf8.count + 1 } ?? 0
    return output.standardOutput.split(separator: 0)
      .map { String(decoding: $0.dropFirst(length), as: UTF8.self) }
  }
}
