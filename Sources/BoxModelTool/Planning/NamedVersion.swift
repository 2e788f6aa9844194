internal import BoxModel
internal import BoxReport
internal import BoxSystem

/// A version of a model as an argument names it: a file, or a revision that has a version of the
/// model.
package enum NamedVersion: Hashable, Sendable {
  /// A source that names the model itself, such as a file or `REF:PATH`.
  case source(SourceReference)
  /// A revision, such as `HEAD~1`.
  case revision(String)

  /// Parses an argument.
  ///
  /// A file has precedence over a revision only if ``SourceReference/isNoRevision`` says so: a
  /// change may add a file with the name of a branch.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  package init(_ argument: String, in place: Workspace) async throws(CommandFailure) {
    let git = place.git
    let source = SourceReference(argument)
    if source.isNoRevision || !git.location.isRepository || argument.isEmpty {
      self = .source(source)
      return
    }
    let isThere = ((try? fileAttributes(at: argument)) ?? nil) != nil
    if isThere, !git.isInstalled() {
      self = .source(source)
      return
    }
    guard try await git.resolve(argument) != nil else {
      self = .source(source)
      return
    }
    if isThere {
      place.observer.receive(
        Notice(
          .note,
          "\(argument): note: this is taken for a revision; write ./\(argument) for the file"))
    }
    self = .revision(argument)
  }

  /// Reads versions of one model, in the order of the arguments.
  ///
  /// A revision means a version of the file among the arguments, or of the only model file of the
  /// repository.
  ///
  /// - Throws: ``CommandFailure`` of the kind `usage` if a revision is named and the repository has
  ///   several models, `inputOutput` if a version cannot be read.
  package static func read(
    _ versions: [NamedVersion], in place: Workspace
  ) async throws(CommandFailure) -> [SourceFile] {
    guard versions.contains(where: \.isRevision) else {
      var sources: [SourceFile] = []
      for case .source(let source) in versions { sources.append(try await source.read(in: place)) }
      return sources
    }
    let path = try await modelPath(versions, in: place)
    var sources: [SourceFile] = []
    for version in versions {
      switch version {
      case .source(let source): sources.append(try await source.read(in: place))
      case .revision(let revision): sources.append(try await read(path, in: revision, place))
      }
    }
    return sources
  }

  /// The model that revisions are versions of.
  static func modelPath(
    _ versions: [NamedVersion], in place: Workspace
  ) async throws(CommandFailure) -> String {
    for case .source(.file(let path)) in versions { return path }
    let patterns = try await EffectiveConfiguration.load(in: place).filePatterns
    guard let path = try await RepositoryModels.onlyModel(patterns, in: place) else {
      throw CommandFailure(.usage, "the repository has no model file; name one")
    }
    return path
  }

  /// The source that was read for the version.
  func reference(of file: SourceFile) -> SourceReference {
    if case .source(let source) = self { source } else { SourceReference(file.path) }
  }

  var isRevision: Bool { if case .revision = self { true } else { false } }

  /// A model in a revision, where it may have had another path.
  private static func read(
    _ path: String, in revision: String, _ place: Workspace
  ) async throws(CommandFailure) -> SourceFile {
    let file = try await FileInRevisions.find(path, place.git)
    let commit = try await ReviewBase.commit(revision, git: file.git)
    if let warning = try await file.git.ambiguity(of: revision, decides: false) {
      place.observer.receive(warning)
    }
    let now = (try? SourceFile.read(path).bytes).flatMap { try? ModelDocument(parsing: $0) }
    let found = try await file.git.earlierModel(
      file.names, in: commit, called: revision, now?.model ?? Model(), shownAs: path, since: nil,
      place.observer)
    guard let found else {
      throw CommandFailure(
        .inputOutput, "there is no such file in \(revision); name it as REF:PATH", path: path)
    }
    return SourceFile(path: "\(revision):\(found.movedFrom ?? path)", bytes: found.bytes)
  }
}
