internal import BoxJSON
internal import BoxModel

/// The earlier version that files are compared with: the value of `--against`.
struct EarlierVersion: Sendable {
  private enum Place {
    /// One file for the only file that is checked, exactly as it is.
    case file(SourceReference)
    /// The same path in the commit where the current version branched off from a revision. An
    /// element that was added to the revision later is not in this version, and does not count as
    /// removed.
    case revision(String)
  }

  private let place: Place
  private let workspace: Workspace
  /// The patterns of model files, among which one is found that had another name.
  private let patterns: [FilePattern]

  /// Whether it is a revision, so that what is checked is a change under review.
  var isInRevision: Bool {
    if case .revision = place { true } else { false }
  }

  /// Parses the value: a file by ``SourceReference/isNoRevision``, or a revision.
  ///
  /// - Parameters:
  ///   - argument: The value.
  ///   - references: The files that are checked.
  ///   - patterns: The patterns of model files.
  ///   - workspace: The place of the files.
  /// - Throws: ``CommandFailure`` of the kind `usage` if one file would be compared with several,
  ///   or with itself.
  package init(
    _ argument: String, of references: [SourceReference], among patterns: [FilePattern],
    in workspace: Workspace
  ) throws(CommandFailure) {
    self.workspace = workspace
    self.patterns = patterns
    let reference = SourceReference(argument)
    if reference.isNoRevision {
      guard references.count == 1 else {
        throw CommandFailure(
          .usage, "only one file can be compared with a file; name a revision for several")
      }
      if references == [.standardInput], reference == .standardInput {
        throw CommandFailure(.usage, "standard input can be read only once")
      }
      place = .file(reference)
    } else {
      if references.contains(.standardInput) {
        throw CommandFailure(
          .usage, "standard input has no path in a revision; name the earlier version as REF:PATH")
      }
      if let directory = references.lazy.compactMap(\.storeDirectory).first {
        throw CommandFailure(
          .usage, "a store has no path in a revision; name the earlier version as REF:PATH",
          path: directory)
      }
      place = .revision(argument)
    }
  }

  /// The revision that the value names, whose settings count; nil where it names a file.
  ///
  /// - Parameters:
  ///   - argument: The value, if there is one.
  ///   - file: The first file that is checked, whose repository has the revision.
  ///   - workspace: The place of the files.
  /// - Returns: The base.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if the revision does not exist.
  static func base(
    _ argument: String?, of file: String?, in workspace: Workspace
  ) async throws(CommandFailure) -> ReviewBase? {
    guard let argument else { return nil }
    if SourceReference(argument).isNoRevision {
      guard let revision = ReviewBase.revision(of: argument) else { return nil }
      return try await ReviewBase(revision, in: workspace)
    }
    // Standard input is refused later, with its own message.
    if file == "-" { return nil }
    return try await ReviewBase(
      argument, in: workspace.with(ReviewBase.client(for: file, workspace.git)))
  }

  /// The commit of the earlier version; nil if it is a file.
  ///
  /// - Parameters:
  ///   - later: The revision that is checked; nil for the work tree.
  ///   - git: A client in its repository.
  /// - Returns: The hash.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  func commit(since later: String?, _ git: GitClient) async throws(CommandFailure) -> String? {
    switch place {
    case .file(.revision(let name, _)): return try await git.resolve(name)
    case .file: return nil
    case .revision(let name):
      guard let commit = try await git.resolve(name) else { return nil }
      return try await git.mergeBase(of: commit, with: later)
    }
  }

  /// Whether a file that is not a model was one earlier.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if the revision does not exist or the
  ///   file cannot be read.
  func wasModel(_ reference: SourceReference) async throws(CommandFailure) -> Bool {
    switch place {
    case .file(let earlier): RepositoryModels.isModel(try await earlier.read(in: workspace).bytes)
    case .revision(let name):
      try await bytes(of: reference, Model(), in: name).map(RepositoryModels.isModel) ?? false
    }
  }

  /// The earlier version of a file, or a sentence that explains why it is missing.
  enum Found {
    case document(ModelDocument)
    case nothing(String)
  }

  /// Reads the earlier version of a file.
  ///
  /// In a revision a file may be missing, because it is new, or damaged, because it was fixed
  /// later. A file that was moved later is found by the UIDs of its model, or by the names of its entities.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if the revision does not exist or the
  ///   file cannot be read, `badInput` if a named file is not a model.
  func read(
    of reference: SourceReference, _ model: Model
  ) async throws(CommandFailure) -> Found {
    switch place {
    case .file(let earlier):
      let source = try await earlier.read(in: workspace)
      let document: ModelDocument
      do {
        document = try ModelDocument(parsing: source.bytes)
      } catch {
        throw CommandFailure(error, path: source.path, source.bytes)
      }
      // Other parts that could not be read are not compared.
      if let failure = document.incompleteness(path: source.path, rule: ModelRule.versionTooNew) {
        throw failure
      }
      return .document(document)
    case .revision(let name):
      guard let bytes = try await bytes(of: reference, model, in: name) else {
        return .nothing("there is no such file in \(name), so it is compared with nothing")
      }
      do {
        return .document(try ModelDocument(parsing: bytes))
      } catch {
        let place = "\(error.position.line):\(error.position.column)"
        return .nothing(
          "in \(name) the file is not a model (\(place): \(error.message)), "
            + "so it is compared with nothing")
      }
    }
  }

  /// The content of a file in the commit where the current version branched off from a revision;
  /// nil if that has no such file.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if they have no common commit.
  private func bytes(
    of reference: SourceReference, _ model: Model, in revision: String
  ) async throws(CommandFailure) -> [UInt8]? {
    var git = workspace.git
    var names: [String] = []
    var later: String?
    var shown = ""
    switch reference {
    case .standardInput, .store: return nil
    case .revision(let revision, let path):
      names = [try git.pathFromTop(path)]
      (later, shown) = (revision, "\(revision):\(path)")
    case .file(let path):
      let file = FileInRevisions.underReview(path, workspace.git)
      (git, names, shown) = (file.git, file.names, path)
    }
    let commit = try await ReviewBase.commit(revision, git: git)
    guard let base = try await git.mergeBase(of: commit, with: later) else {
      // Compared with nothing, every change would pass.
      throw try await git.noCommonCommit(with: revision)
    }
    return try await git.earlierModel(
      ComparedModel(names: names, model: model, revision: later, patterns: patterns), in: base,
      called: revision, shownAs: shown, workspace.observer)?.bytes
  }
}
