internal import BoxMigration
internal import BoxModel
internal import BoxReport

/// The version of a model in the base of a change, and the paths by which approvals know the model.
struct EarlierModel {
  var side: PlanSide
  /// The path of the new version from the top of the repository.
  var path: String
  /// The path where the model was, if that is another one.
  var movedFrom: String?

  var paths: Set<String> { Set([path] + (movedFrom.map { [$0] } ?? [])) }

  /// Finds the version, which may have had another path; an empty model if it does not exist.
  ///
  /// - Parameters:
  ///   - version: The new version.
  ///   - new: Its model.
  ///   - base: The base of the change.
  ///   - usesMergeBase: Whether the commit counts where HEAD left the base.
  ///   - patterns: The patterns of model files.
  /// - Returns: The version.
  /// - Throws: ``CommandFailure`` of the kind `usage` for standard input, `badInput` if the earlier
  ///   file is not a model, `inputOutput` if git cannot be run.
  static func find(
    _ version: NewVersion, _ new: PlanSide, in base: ReviewBase, usesMergeBase: Bool,
    _ patterns: [FilePattern]
  ) async throws(CommandFailure) -> EarlierModel {
    let names: [String]
    let shown: String
    var later: String?
    switch SourceReference(version.path) {
    case .standardInput:
      throw CommandFailure(.usage, "standard input has no path in a revision; name OLD and NEW")
    case .store(let directory):
      throw CommandFailure(
        .usage, "a store has no path in a revision; name OLD and NEW", path: directory)
    case .revision(let name, let path):
      (names, shown, later) = ([try base.git.pathFromTop(path)], path, name)
    case .file(let path):
      (names, shown) = (FileInRevisions.underReview(path, base.git).names, path)
    }
    let commit = usesMergeBase ? try await base.mergeBase() : base.commit
    let revision = usesMergeBase ? String(commit.prefix(12)) : base.revision
    if case .onlyInBase = version {
      say(
        base,
        "\(shown): note: it is a model in \(revision), but not here, so every element was removed")
    }
    let file = ComparedModel(names: names, model: new.model, revision: later, patterns: patterns)
    var found = try await base.git.earlierModel(
      file, in: commit, called: revision, shownAs: shown, base.workspace.observer)
    if case .found(_, let patterns) = version {
      // Bytes, since equal texts can be several paths.
      let known = (names + [found?.movedFrom].compactMap { $0 }).map { Array($0.utf8) }
      let gone = try await base.git.removedModels(of: commit, matching: patterns)
        .filter { !known.contains(Array($0.path.utf8)) }
      if found == nil {
        found = try replaced(by: shown, in: base, called: revision, gone)
      } else if !gone.isEmpty {
        throw severalRemoved(gone.map(\.path), of: revision, besides: shown)
      }
    }
    if let found {
      let path = "\(revision):\(found.movedFrom ?? shown)"
      var side = try PlanSource.side(SourceFile(path: path, bytes: found.bytes))
      side.ancestor = try await ancestor(of: commit, revision, base.git, file)
      return EarlierModel(
        side: side, path: names[names.count - 1], movedFrom: found.movedFrom)
    }
    say(base, "\(shown): note: there is no such file in \(revision), so every element is new")
    return EarlierModel(
      side: PlanSide(Model(), path: "\(revision):\(shown)"), path: names[names.count - 1])
  }

  /// The version of a file at which a revision and the current version diverged; nil if that is the
  /// one in the revision, or is unknown.
  private static func ancestor(
    of commit: String, _ revision: String, _ git: GitClient, _ file: ComparedModel
  ) async throws(CommandFailure) -> Model? {
    guard let base = try await git.mergeBase(of: commit, with: file.revision), base != commit else {
      return nil
    }
    var bytes = try await git.earlierContent(
      file.names, in: base, called: revision, file.model, since: file.revision)?.bytes
    if bytes == nil { bytes = try await git.origin(of: file, in: base)?.bytes }
    return bytes.flatMap { try? ModelDocument(parsing: $0) }?.model ?? Model()
  }

  /// The model that was replaced by another one under another path, which must not escape the
  /// review.
  private static func replaced(
    by shown: String, in base: ReviewBase, called revision: String,
    _ gone: [(path: String, bytes: [UInt8])]
  ) throws(CommandFailure) -> (bytes: [UInt8], movedFrom: String?)? {
    guard let model = gone.first else { return nil }
    if gone.count > 1 {
      throw CommandFailure(
        .usage,
        "\(gone.count) models of \(revision) were removed (\(gone.map(\.path).joined(separator: ", "))), "
          + "and which one became this is unknown; name OLD and NEW", path: shown)
    }
    say(base, "\(shown): note: it takes the place of \(model.path) in \(revision)")
    return (model.bytes, model.path)
  }

  /// The failure if models were removed and another one is left, which alone would pass.
  private static func severalRemoved(
    _ paths: [String], of revision: String, besides shown: String
  ) -> CommandFailure {
    CommandFailure(
      .usage,
      "\(revision) has \(counted(paths.count, "model")) more, now removed "
        + "(\(paths.joined(separator: ", "))); name the model that is meant", path: shown)
  }

  private static func say(_ base: ReviewBase, _ line: String) {
    base.workspace.observer.receive(Notice(.note, line))
  }
}
