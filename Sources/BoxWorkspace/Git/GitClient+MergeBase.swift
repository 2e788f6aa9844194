extension GitClient {
  /// The best common ancestor of a commit and of the current version.
  ///
  /// - Parameters:
  ///   - commit: The hash of a commit.
  ///   - later: The current revision; nil for the work tree. The work tree is based on HEAD, and
  ///     during a merge also from the merged commits.
  /// After a criss-cross merge there are several, each of which may lack what the others have. What
  /// is missing would be taken for new, so the commit itself is the base then.
  ///
  /// - Returns: The hash, which before the first commit is the commit itself; nil if they have no common
  ///   commit.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  package func mergeBase(
    of commit: String, with later: String? = nil
  ) async throws(CommandFailure) -> String? {
    // The index, which has no name, becomes the commit after HEAD.
    let named = later.flatMap { $0.isEmpty ? nil : [$0] }
    let tips = try await resolve(all: named ?? ["HEAD", "MERGE_HEAD"])
      .compactMap { $0 }
    if tips.isEmpty || tips == [commit] { return commit }
    let output = try await run(["merge-base", "--all", commit] + tips)
    if output.status != 0 { return nil }
    let bases = output.text.split(separator: "\n")
    return bases.count == 1 ? String(bases[0]) : commit
  }

  /// The failure where a version and a revision have nothing to be compared by.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  package func noCommonCommit(with revision: String) async throws(CommandFailure) -> CommandFailure
  {
    let help = try await isShallow() ? "; try 'git fetch --unshallow'" : ""
    return CommandFailure(
      .inputOutput, "HEAD and '\(revision)' have no common commit in this repository\(help)")
  }
}
