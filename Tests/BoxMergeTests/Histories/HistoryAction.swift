/// An operation in a repository, as git is told it.
///
/// Commits have the numbers of the simulation.
enum HistoryAction: Sendable {
  case commit(branch: Int, commit: Int)
  /// The last commit of a branch is replaced by one after a build.
  case amend(branch: Int, commit: Int)
  case branch(name: String, commit: Int)
  /// A commit that somebody else pushed, on no branch of this repository.
  case remoteCommit(commit: Int)
  /// The remote refs from now on; no others are there.
  case publish([Reference], PublishedLines.Arrangement)
  /// A merge of a commit into a branch; as one commit with one parent if it is squashed.
  case merge(branch: Int, other: Int, commit: Int?, squash: Bool, outcome: TreeMerge.Outcome)
  /// A merge with several merge bases, whose order is up to git.
  case crissCross
  /// A merge that only moves the branch.
  case move(branch: Int, commit: Int)
  /// Commits that are picked or reverted one after the other; a nil commit was empty and is skipped.
  case replay(branch: Int, steps: [Replayed], isRevert: Bool)
  /// Commits of a branch that are moved onto another commit.
  case rebase(branch: Int, onto: Int, steps: [Replayed])
  /// A change that is taken from one version to another uncommitted, and committed there.
  case stash(branch: Int, from: Int, change: Tree, commit: Int?, outcome: TreeMerge.Outcome)

  /// A ref, as git names it.
  struct Reference: Hashable, Sendable {
    var name: String
    var commit: Int
  }

  struct Replayed: Sendable {
    enum Command: String, Sendable { case pick, squash, fixup }

    var command = Command.pick
    /// The commit that is taken.
    var original: Int
    /// The commit that it became; nil if it was empty.
    var commit: Int?
    /// The result of the merge; nil for a fast-forward of git.
    var outcome: TreeMerge.Outcome?
  }
}
