internal import BoxMigration

/// The revision that a change is held against, from which approvals are read.
///
/// They are never read from the change under review: whoever makes a change could approve it.
enum ReviewBase {
  /// The approvals of a revision, whose file stands at the top of the repository.
  ///
  /// - Throws: ``CommandFailure`` with status 74 if the revision does not exist, 65 with the place
  ///   of what is wrong in the file.
  static func approvals(
    in revision: String, git: GitClient = GitClient()
  ) async throws(CommandFailure) -> [Approval] {
    let commit = try await commit(revision, git: git)
    let name = "\(commit):\(ApprovalList.fileName)"
    guard let bytes = try await git.blobs([name])[0] else { return [] }
    return try parse(bytes, path: "\(revision):\(ApprovalList.fileName)").approvals
  }

  /// Reads a file of approvals.
  ///
  /// - Throws: ``CommandFailure`` with status 65 and the place of what is wrong.
  static func parse(_ bytes: [UInt8], path: String) throws(CommandFailure) -> ApprovalList {
    do {
      return try ApprovalList(parsing: bytes)
    } catch {
      throw CommandFailure(.badInput, error.message, path: path, position: error.position)
    }
  }

  /// The commit of a revision; before the first commit HEAD is a tree without files.
  ///
  /// - Throws: ``CommandFailure`` with status 74 that names the `git fetch` that helps.
  static func commit(
    _ revision: String, git: GitClient = GitClient()
  ) async throws(CommandFailure) -> String {
    if let commit = try await git.resolve(revision) { return commit }
    if revision == "HEAD", let tree = try await git.treeBeforeTheFirstCommit() { return tree }
    throw try await git.missingRevision(revision)
  }

  /// The commit where a branch left another revision, from which on the change is its own.
  ///
  /// - Throws: ``CommandFailure`` with status 74 if there is none, which in a shallow clone a
  ///   `git fetch` mends.
  static func mergeBase(
    of revision: String, git: GitClient = GitClient()
  ) async throws(CommandFailure) -> String {
    let commit = try await commit(revision, git: git)
    if let base = try await git.mergeBase(of: commit) { return base }
    let help = try await git.isShallow() ? "; try 'git fetch --unshallow'" : ""
    throw CommandFailure(
      .inputOutput, "HEAD and '\(revision)' have no common commit in this repository\(help)")
  }

  /// The revision that an argument such as `v1.0:model.json` names; nil for a file.
  static func revision(of argument: String) -> String? {
    guard case .revision(let name, _) = SourceReference(argument), !name.isEmpty else { return nil }
    return name
  }
}
