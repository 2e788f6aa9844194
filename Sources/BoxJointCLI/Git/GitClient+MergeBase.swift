extension GitClient {
  /// The best common ancestor of a commit and of what is at hand.
  ///
  /// - Parameters:
  ///   - commit: The hash of a commit.
  ///   - later: The revision at hand; nil for the work tree. That comes from HEAD, and while a merge
  ///     is under way also from what is merged.
  /// - Returns: The hash, which before the first commit is that of the commit; nil if they have no
  ///   common commit.
  /// - Throws: ``CommandFailure`` with status 74 if git cannot be run.
  func mergeBase(
    of commit: String, with later: String? = nil
  ) async throws(CommandFailure) -> String? {
    let tips = try await resolve(all: later.map { [$0] } ?? ["HEAD", "MERGE_HEAD"])
      .compactMap { $0 }
    if tips.isEmpty || tips == [commit] { return commit }
    let output = try await run(["merge-base", commit] + tips)
    return output.status == 0 ? output.text : nil
  }

  /// The failure where a version and a revision have nothing to be compared by.
  ///
  /// - Throws: ``CommandFailure`` with status 74 if git cannot be run.
  func noCommonCommit(with revision: String) async throws(CommandFailure) -> CommandFailure {
    let help = try await isShallow() ? "; try 'git fetch --unshallow'" : ""
    return CommandFailure(
      .inputOutput, "HEAD and '\(revision)' have no common commit in this repository\(help)")
  }
}
