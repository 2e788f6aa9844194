internal import BoxSystem

/// The git operation in progress, which decides what ours and theirs mean to people.
///
/// The rules of merging do not depend on it, and a merge driver cannot know it. The lines of both
/// sides are only read in a merge.
enum OngoingOperation: Hashable, Sendable {
  case merge, rebase, cherryPick, revert
  /// A stash that was popped, a patch, or something else that leaves no trace.
  case other

  /// Detects the operation by its files in a repository's own directory.
  init(gitDirectory: String) {
    func exists(_ name: String) -> Bool {
      ((try? fileAttributes(at: joinPath(gitDirectory, name))) ?? nil) != nil
    }
    // A rebase picks commits, so its own traces count first.
    if exists("rebase-merge") || exists("rebase-apply/rebasing") {
      self = .rebase
    } else if exists("CHERRY_PICK_HEAD") {
      self = .cherryPick
    } else if exists("REVERT_HEAD") {
      self = .revert
    } else if exists("MERGE_HEAD") {
      self = .merge
    } else {
      self = .other
    }
  }

  /// The meaning of ours and theirs, in one sentence without a trailing period.
  var explanation: String {
    switch self {
    case .merge: "in this merge, ours is your branch and theirs the one that is merged into it"
    case .rebase:
      "in this rebase, ours is the branch you rebase onto, with what was moved there already, "
        + "and theirs is your own commit that is being moved"
    case .cherryPick: "in this cherry-pick, ours is your branch and theirs the picked commit"
    case .revert:
      "in this revert, ours is your branch and theirs the state before the reverted commit"
    case .other: "ours is what was in your branch, and theirs what is being applied to it"
    }
  }
}
