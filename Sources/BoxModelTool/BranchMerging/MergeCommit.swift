internal import BoxMerge
internal import BoxReport

/// Makes the commit of a merge that left nothing open.
struct MergeCommit: Sendable {
  var result: BranchMergeResult

  /// Writes the commit, to which no branch refers yet.
  ///
  /// Author and committer come from git's configuration and environment. If git knows none, as in a
  /// job of CI, they are the program.
  ///
  /// - Returns: The hash.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git fails, `impossible` if something is
  ///   open.
  func write(_ git: GitClient) async throws(CommandFailure) -> String {
    guard let tree = result.tree else {
      throw CommandFailure(.impossible, "something is open in this merge")
    }
    var git = git
    if try await git.run(["var", "GIT_COMMITTER_IDENT"]).status != 0 {
      git = git.adding([
        "GIT_AUTHOR_NAME": "boxjoint", "GIT_AUTHOR_EMAIL": "boxjoint@localhost",
        "GIT_COMMITTER_NAME": "boxjoint", "GIT_COMMITTER_EMAIL": "boxjoint@localhost",
      ])
    }
    return try await git.require(
      ["commit-tree", tree, "-p", result.ours.commit, "-p", result.theirs.commit, "-F", "-"],
      input: Array(message.utf8), writes: true
    ).text
  }

  /// The message: what was merged, and the decisions that people should know.
  var message: String {
    var lines = ["Merge \(result.theirs.name) into \(result.ours.name)", ""]
    for model in result.models {
      guard let record = model.record else { continue }
      lines.append("\(model.path): \(record.counts)")
      for decision in record.relevantDecisions.prefix(50) {
        lines.append("- [\(decision.rule.id)] \(decision.label): \(decision.message)")
      }
    }
    return lines.map { $0.escapedForDisplay + "\n" }.joined()
  }
}
