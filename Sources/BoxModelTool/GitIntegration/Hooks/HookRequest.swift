internal import BoxReport
internal import BoxSystem

/// A check of the model files that a merge, a revert or a push changed, as a hook of git asks for it.
///
/// It never commits, and writes only files without changes that are not committed.
package struct HookRequest: Sendable {
  /// The hook.
  package var hook: GitHook
  /// The arguments that git passes to the hook.
  package var arguments: [String]
  /// The lines that git writes to the standard input of `pre-push`; empty for other hooks.
  package var input: [UInt8]

  /// Creates a request.
  package init(_ hook: GitHook, arguments: [String] = [], input: [UInt8] = []) {
    self.hook = hook
    self.arguments = arguments
    self.input = input
  }

  /// Checks the model files, and fixes those in the work tree that can be fixed.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run, `badConfiguration` if
  ///   the settings are wrong.
  /// - Complexity: O(*n*) in the size of the changed models, and some runs of git.
  package func run(in place: Workspace) async throws(CommandFailure) -> HookReport {
    guard let repository = try await place.git.repository(), let top = repository.topLevel else {
      return HookReport()
    }
    let work = UnfinishedWork(gitDirectory: repository.gitDirectory)
    var run = HookRun(in: place, top: top, work)
    switch hook {
    case .postMerge:
      // A squash merge commits nothing.
      if arguments.first == "1" { break }
      if let (base, tip) = try await mergedCommits(place.git) {
        try await run.checkMerge(from: base, to: tip)
      }
    case .postCommit:
      if let (base, tip) = try await revertedCommits(place.git, work) {
        try await run.checkRevert(from: base, to: tip)
      }
    case .prePush:
      try await run.check(PushedReference.all(in: input))
    }
    return run.report
  }

  /// The commit before a merge, and the merge; nil if nothing was merged.
  private func mergedCommits(
    _ git: GitClient
  ) async throws(CommandFailure) -> (base: String, tip: String)? {
    let found = try await git.resolve(all: ["HEAD", "ORIG_HEAD", "HEAD^1", "HEAD^2"])
    guard let head = found[0] else { return nil }
    // Git sets it before each merge, and a fast-forward leaves no other trace.
    if let earlier = found[1], earlier != head, try await git.isAncestor(earlier, of: head) {
      return (earlier, head)
    }
    return found[3] == nil ? nil : found[2].map { ($0, head) }
  }

  /// The commit before a revert, or a sequence of reverts, and the last revert; nil for another commit.
  private func revertedCommits(
    _ git: GitClient, _ work: UnfinishedWork
  ) async throws(CommandFailure) -> (base: String, tip: String)? {
    // Git has removed REVERT_HEAD before it calls the hook.
    let commit = try await git.require(["cat-file", "commit", "HEAD"])
    let isRevert = commit.text.split(separator: "\n").contains {
      $0.hasPrefix("This reverts commit ")
    }
    guard isRevert else { return nil }
    let found = try await git.resolve(all: ["HEAD", work.startOfSequence ?? "HEAD^1", "HEAD^1"])
    guard let head = found[0], let base = found[1] else { return nil }
    if try await git.isAncestor(base, of: head) { return (base, head) }
    return found[2].map { ($0, head) }
  }
}
