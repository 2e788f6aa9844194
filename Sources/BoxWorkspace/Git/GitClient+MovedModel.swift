package import BoxModel
internal import BoxReport

extension GitClient {
  /// Reads a model file of a commit, under its path or under the path that it was moved from.
  ///
  /// A path that it was moved from is a note to the observer.
  ///
  /// - Parameters:
  ///   - names: The possible paths from the top of the repository; the first existing one counts.
  ///   - commit: The commit.
  ///   - revision: The name of the commit, as the user gave it.
  ///   - model: The model as it is now.
  ///   - shown: The file as the user named it.
  ///   - later: The revision that has the model; nil for the work tree.
  ///   - observer: The receiver of the note.
  /// - Returns: The content, and the path if it is another one; nil if there is no such file.
  /// - Throws: ``CommandFailure`` as ``content(at:in:called:)``.
  package func earlierModel(
    _ names: [String], in commit: String, called revision: String, _ model: Model,
    shownAs shown: String, since later: String?, _ observer: any WorkObserver
  ) async throws(CommandFailure) -> (bytes: [UInt8], movedFrom: String?)? {
    let found = try await earlierContent(
      names, in: commit, called: revision, model, since: later)
    if let path = found?.movedFrom {
      observer.receive(Notice(.note, "\(shown): note: in \(revision) it is \(path)"))
    }
    return found
  }

  /// Reads a model file of a commit, under its path or under the path that it was moved from.
  ///
  /// - Parameters:
  ///   - names: The possible paths from the top of the repository; the first existing one counts.
  ///   - commit: The commit.
  ///   - revision: The name of the commit, as the user gave it.
  ///   - model: The model as it is now.
  ///   - later: The revision that has the model; nil for the work tree.
  /// - Returns: The content, and the path if it is another one; nil if there is no such file.
  /// - Throws: ``CommandFailure`` as ``content(at:in:called:)``.
  package func earlierContent(
    _ names: [String], in commit: String, called revision: String, _ model: Model,
    since later: String?
  ) async throws(CommandFailure) -> (bytes: [UInt8], movedFrom: String?)? {
    for name in names {
      if let bytes = try await content(at: name, in: commit, called: revision) {
        return (bytes, nil)
      }
    }
    return try await movedModel(model, in: commit, since: later).map { ($0.bytes, $0.path) }
  }

  /// A model file of a revision that was moved since.
  ///
  /// Of the files that were removed since, it is the one with the most UIDs in common with the model:
  /// these are drawn at random, so another model has none of them.
  ///
  /// - Parameters:
  ///   - model: The model as it is where it was moved to.
  ///   - commit: The revision in which there is no such file.
  ///   - revision: The revision that has the moved one; nil for the work tree.
  /// - Returns: The path from the top of the repository, and the content; nil if no file was moved.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  package func movedModel(
    _ model: Model, in commit: String, since revision: String? = nil
  ) async throws(CommandFailure) -> (path: String, bytes: [UInt8])? {
    try await best(of: try await removedFiles(of: commit, since: revision), in: commit, like: model)
  }

  /// The JSON files of a commit that were removed since.
  ///
  /// - Parameters:
  ///   - commit: The commit.
  ///   - revision: The revision that lacks them; nil for the work tree.
  /// - Returns: The paths from the top of the repository; none if git cannot compare the two.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  package func removedFiles(
    of commit: String, since revision: String?
  ) async throws(CommandFailure) -> [String] {
    // The plumbing neither refreshes the index nor looks into submodules or at contents.
    let command = revision.map { ["diff-tree", "-r", commit, $0] } ?? ["diff-index", commit]
    let gone = try await run(
      command.prefix(1) + [
        "--no-renames", "--ignore-submodules=all", "--diff-filter=D", "--name-only", "-z",
      ] + command.dropFirst() + ["--", ":(top)*.json"])
    guard gone.status == 0 else { return [] }
    return gone.standardOutput.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The file with the most UIDs in common with a model; nil if none has one.
  fileprivate func best(
    of paths: [String], in commit: String, like model: Model
  ) async throws(CommandFailure) -> (path: String, bytes: [UInt8])? {
    let known = model.uidsInUse
    var best: (path: String, bytes: [UInt8], count: Int)?
    for (path, bytes) in zip(paths, try await blobs(paths.map { "\(commit):\($0)" })) {
      guard let bytes, let document = try? ModelDocument(parsing: bytes) else { continue }
      let count = document.model.uidsInUse.intersection(known).count
      if count > best?.count ?? 0 { best = (path, bytes, count) }
    }
    return best.map { ($0.path, $0.bytes) }
  }
}

extension GitClient {
  /// The model file of a commit that has the most UIDs in common with a model, whatever its path.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - patterns: The patterns that the file matches.
  ///   - commit: The commit.
  /// - Returns: The path from the top of the repository, and the content; nil if no file has one.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  /// - Complexity: O(*n*) in the number of files of the commit, and in the size of those that match.
  package func model(
    like model: Model, matching patterns: [FilePattern], in commit: String
  ) async throws(CommandFailure) -> (path: String, bytes: [UInt8])? {
    let tree = try await run(["ls-tree", "-r", "--full-tree", "-z", "--name-only", commit])
    guard tree.status == 0 else { return nil }
    let paths = patterns.matching(
      tree.standardOutput.split(separator: 0).map { String(decoding: $0, as: UTF8.self) })
    return try await best(of: paths, in: commit, like: model)
  }
}
