internal import BoxSystem

extension ReviewBase {
  /// Refuses a file of a change that is reached by a link out of the work tree: the report of a review
  /// would show other files of the machine.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput`.
  static func requireInside(_ path: String) throws(CommandFailure) {
    // A path that cannot be followed is refused when it is read.
    guard let stray = try? ResolvedPath(path).escapingLink(root: nil) else { return }
    throw CommandFailure(
      .inputOutput,
      "the symbolic link '\(pathFromHere(stray.link))' leads out of the work tree "
        + "'\(stray.workTree)', which is not followed in a review; put the file into the repository",
      path: path)
  }

  /// Refuses a place in which the paths and the base of a command are other ones than its caller meant,
  /// as the change under review has made them so.
  ///
  /// A job that runs in a directory gets there through whatever the change has put in its place.
  ///
  /// - Throws: ``CommandFailure`` of the kind `usage` that says where to run the command,
  ///   `inputOutput` if git cannot be run.
  func requireOwnPlace() async throws(CommandFailure) {
    // A change that is compared with HEAD is not under review.
    if revision == "HEAD" { return }
    try await requireOutsideOfSubmodule()
    try await requireOutsideOfNewLink()
  }

  /// Refuses a submodule in CI, and one that replaces something that the superproject has in the base.
  private func requireOutsideOfSubmodule() async throws(CommandFailure) {
    guard let (above, path) = try await git.superproject() else { return }
    if !workspace.isUnattended {
      guard let base = try await above.resolve(revision),
        let entry = try await above.deepestEntry(on: path, in: base),
        entry.path == path, entry.kind != .submodule
      else { return }
    }
    throw CommandFailure(
      .usage,
      "this is a submodule of \(above.location.directory), whose base decides; run the command there "
        + "and name files from there", path: path)
  }

  /// Refuses a working directory that is reached by a link of the change.
  private func requireOutsideOfNewLink() async throws(CommandFailure) {
    let top = git.location.directory
    if git.location.prefix.isEmpty { return }
    let here = joinPath(top, String(git.location.prefix.dropLast()))
    for link in try await git.changedLinks(since: commit) {
      guard let target = canonicalPath(joinPath(top, link)),
        RepositoryLocation.path(here, from: target) != nil,
        try await git.deepestEntry(on: link, in: commit)?.path == link
      else { continue }
      throw CommandFailure(
        .usage,
        "the change makes this a symbolic link to the working directory; run the command in \(top) "
          + "and name files from there", path: link)
    }
  }
}

extension GitClient {
  /// The repository that has this one as a submodule, and the path in it; nil if this is not a submodule.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  /// - Complexity: O(*n*) in the depth of the path; a run of git where there is a repository above.
  func superproject() async throws(CommandFailure) -> (git: GitClient, path: String)? {
    let top = location.directory
    if !location.isRepository || top == "/" { return nil }
    let above = client(in: parentDirectory(of: top))
    guard above.location.isRepository,
      let path = RepositoryLocation.path(top, from: above.location.directory),
      try await above.hasSubmodule(at: path)
    else { return nil }
    return (above, path)
  }

  /// The symbolic links of the work tree that are not in a commit as they are.
  ///
  /// - Returns: The paths from the top of the repository.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  /// - Complexity: O(*n*) in the number of files that differ.
  fileprivate func changedLinks(since commit: String) async throws(CommandFailure) -> [String] {
    let output = try await require(
      ["diff-index", "--no-renames", "--ignore-submodules=all", "--raw", "-z", commit])
    // Each file is a record such as ":100644 120000 0123… 4567… T", and then its path.
    let fields = output.standardOutput.split(separator: 0)
      .map { String(decoding: $0, as: UTF8.self) }
    return stride(from: 0, to: fields.count - 1, by: 2).compactMap {
      fields[$0].split(separator: " ").dropFirst().first == "120000" ? fields[$0 + 1] : nil
    }
  }
}
