package import BoxModel

/// The revision that a change is held against, from which approvals and settings are read.
///
/// They are never read from the change under review: its author could approve it, or relax the settings.
package struct ReviewBase: Sendable {
  /// The name of the revision, as the user wrote it.
  package let revision: String
  /// The commit; before the first commit HEAD is a tree without files.
  let commit: String
  /// The place whose repository has the revision.
  let workspace: Workspace
  /// A client for the repository that has the revision.
  package var git: GitClient { workspace.git }

  /// Finds the revision.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` that names the `git fetch` that helps
  ///   if it does not exist, and `usage` if its name is ambiguous in CI, or as
  ///   ``requireOwnPlace()``.
  package init(_ revision: String, in workspace: Workspace) async throws(CommandFailure) {
    self.revision = revision
    self.workspace = workspace
    commit = try await Self.commit(revision, git: workspace.git)
    if let warning = try await git.ambiguity(of: revision, decides: true) {
      workspace.observer.receive(warning)
    }
    try await requireOwnPlace()
  }

  /// The same base at another commit.
  private init(_ base: ReviewBase, at commit: String) {
    (revision, workspace, self.commit) = (base.revision, base.workspace, commit)
  }

  /// The revision where the change began, if that is an earlier one; nil also if it is not known, as in
  /// a shallow clone.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  func beginning() async throws(CommandFailure) -> ReviewBase? {
    guard let begin = try await git.mergeBase(of: commit), begin != commit else { return nil }
    return ReviewBase(self, at: begin)
  }

  /// The approvals, from the file at the top of the repository.
  ///
  /// - Throws: ``CommandFailure`` of the kind `badInput` and the place of what is wrong in the
  ///   file.
  package func approvals() async throws(CommandFailure) -> [Approval] {
    guard let bytes = try await file(ApprovalList.fileName) else { return [] }
    return try ApprovalFile.list(bytes, path: "\(revision):\(ApprovalList.fileName)").approvals
  }

  /// The content of a file, by its path from the top of the repository; nil if it does not exist.
  ///
  /// - Throws: ``CommandFailure`` as ``GitClient/content(at:in:called:)``.
  package func file(_ path: String) async throws(CommandFailure) -> [UInt8]? {
    try await git.content(at: path, in: commit, called: revision)
  }

  /// The nearest configuration file at or above the working directory, as it is in the revision.
  ///
  /// - Throws: ``CommandFailure`` of the kind `badConfiguration` and the place of what is wrong in
  ///   it.
  func configurationFile() async throws(CommandFailure) -> ConfigurationFile? {
    try await nearestConfiguration()?.file
  }

  /// The nearest configuration file, and its path from the top of the repository.
  ///
  /// - Throws: ``CommandFailure`` as ``configurationFile()``.
  func nearestConfiguration() async throws(CommandFailure) -> (
    path: String, file: ConfigurationFile
  )? {
    var directories = git.location.prefix.split(separator: "/")
    while true {
      let path = (directories + [Substring(ConfigurationFile.name)]).joined(separator: "/")
      if let bytes = try await file(path) {
        return (path, try ConfigurationFile.parse(bytes, path: "\(revision):\(path)"))
      }
      if directories.popLast() == nil { return nil }
    }
  }

  /// The commit of a revision; before the first commit HEAD is a tree without files.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` that names the `git fetch` that helps.
  static func commit(
    _ revision: String, git: GitClient
  ) async throws(CommandFailure) -> String {
    if let commit = try await git.resolve(revision) { return commit }
    if revision == "HEAD", let tree = try await git.emptyTree() { return tree }
    throw try await git.missingRevision(revision)
  }

  /// The commit where HEAD left the revision, from which on the change is its own.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` without a merge base, which `git fetch` fixes in
  ///   a shallow clone.
  package func mergeBase() async throws(CommandFailure) -> String {
    if let base = try await git.mergeBase(of: commit) { return base }
    throw try await git.noCommonCommit(with: revision)
  }

  /// The revision that an argument such as `v1.0:model.json` names; nil for a file and for a store.
  package static func revision(of argument: String) -> String? {
    guard case .revision(let name, _) = SourceReference(argument), !name.isEmpty else { return nil }
    return name
  }

  /// A client for the repository whose base decides about a named version; without a name, for the repository
  /// of the working directory.
  static func client(for argument: String?, _ git: GitClient) -> GitClient {
    guard let argument, case .file(let path) = SourceReference(argument) else { return git }
    return FileInRevisions.underReview(path, git).git
  }
}
