internal import BoxModel
internal import BoxSystem

/// The new version of a model where only that is planned.
package enum NewVersion: Hashable, Sendable {
  /// One that the user named.
  case named(String)
  /// The only model of the repository among the files that some patterns match.
  case found(String, among: [FilePattern])
  /// A model of the base, at a path where the change has none.
  case onlyInBase(String)

  package var path: String {
    switch self {
    case .named(let path), .found(let path, _), .onlyInBase(let path): path
    }
  }

  /// Finds the version: the file that is named, or the one model of the repository.
  ///
  /// - Parameters:
  ///   - files: The argument, if there is one.
  ///   - settings: The settings in force.
  ///   - isRequired: Whether a missing version is an error.
  ///   - takesRevisions: Whether the command takes a revision in place of a file.
  ///   - base: The revision that a change is held against; nil for HEAD.
  ///   - place: The place of the file.
  /// - Returns: The version; nil if there is no model, that is not an error, and the base has none.
  /// - Throws: ``CommandFailure`` of the kind `usage` if it is not the only one, and `inputOutput` if a
  ///   file that is required was lost.
  package static func find(
    _ files: [String], _ settings: EffectiveConfiguration, isRequired: Bool = true,
    takesRevisions: Bool = true, base: ReviewBase? = nil, in place: Workspace
  ) async throws(CommandFailure) -> NewVersion? {
    guard let file = files.first else {
      let patterns = settings.filePatterns
      if let path = try await RepositoryModels.onlyModel(
        patterns, isRequired: false, takesRevisions: takesRevisions, in: place)
      {
        return .found(path, among: patterns)
      }
      if !isRequired { return try await modelOnlyInBase(among: patterns, base, place) }
      if case .onlyInBase(let path)? = try? await modelOnlyInBase(among: patterns, base, place) {
        throw lost(path, "\(base?.revision ?? "HEAD") has it")
      }
      if let top = try await place.git.repository()?.topLevel,
        let removed = try await RemovedModel.last(patterns, top: top, place.git)
      {
        throw lost(
          RepositoryModels.path(of: removed.path, in: top, from: workingDirectory()),
          removed.place)
      }
      // Throws, as no version exists.
      return try await RepositoryModels.onlyModel(patterns, in: place)
        .map { .found($0, among: patterns) }
    }
    if !isRequired, case .file(let path) = SourceReference(file),
      !RepositoryModels.isModel(try SourceFile.read(path).bytes)
    {
      return try await modelOnlyInBase(at: path, base, place)
    }
    try await requirePresent(file, base, in: place)
    return .named(file)
  }

  /// Refuses a file that is missing while the base has it as a model.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput`, which names the command to run.
  static func requirePresent(
    _ argument: String, _ base: ReviewBase?, in place: Workspace
  ) async throws(CommandFailure) {
    guard case .file(let path) = SourceReference(argument),
      ((try? fileAttributes(at: path)) ?? nil) == nil,
      case .onlyInBase? = try? await modelOnlyInBase(at: path, base, place)
    else { return }
    throw lost(path, "\(base?.revision ?? "HEAD") has it")
  }

  private static func lost(_ path: String, _ place: String) -> CommandFailure {
    CommandFailure(
      .inputOutput,
      "the model file is missing, and \(place); run `boxjoint recover`, which finds it", path: path)
  }

  /// A file that is a model in the base, and something else now.
  private static func modelOnlyInBase(
    at path: String, _ base: ReviewBase?, _ place: Workspace
  ) async throws(CommandFailure) -> NewVersion? {
    let file = FileInRevisions.underReview(path, place.git)
    guard let base = try await baseOrHead(base, place.with(file.git)) else { return nil }
    for name in file.names {
      if let bytes = try await base.file(name), RepositoryModels.isModel(bytes) {
        return .onlyInBase(path)
      }
    }
    return nil
  }

  /// The model of the base where the work tree has none.
  private static func modelOnlyInBase(
    among patterns: [FilePattern], _ base: ReviewBase?, _ place: Workspace
  ) async throws(CommandFailure) -> NewVersion? {
    guard let base = try await baseOrHead(base, place) else { return nil }
    let models = try await base.git.removedModels(of: base.commit, matching: patterns).map(\.path)
    guard let first = models.first else { return nil }
    if models.count > 1 {
      throw CommandFailure(
        .usage,
        "\(models.count) models of \(base.revision) were removed (\(models.joined(separator: ", "))); "
          + "name the one that is meant")
    }
    return .onlyInBase(
      RepositoryModels.path(of: first, in: base.git.location.directory, from: workingDirectory()))
  }

  private static func baseOrHead(
    _ base: ReviewBase?, _ place: Workspace
  ) async throws(CommandFailure) -> ReviewBase? {
    if let base { return base }
    return place.git.location.isRepository ? try await ReviewBase("HEAD", in: place) : nil
  }
}

extension GitClient {
  /// The models of a commit that the work tree has changed or lacks.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  /// - Complexity: O(*n*) in the size of the files that match a pattern.
  func removedModels(
    of commit: String, matching patterns: [FilePattern]
  ) async throws(CommandFailure) -> [(path: String, bytes: [UInt8])] {
    if patterns.isEmpty { return [] }
    let changed = try await require(
      [
        "diff-index", "--no-renames", "--ignore-submodules=all", "--diff-filter=DMT",
        "--name-only", "-z", commit, "--",
      ])
    let paths = patterns.matching(
      changed.standardOutput.split(separator: 0).map { String(decoding: $0, as: UTF8.self) })
    let contents = try await blobs(paths.map { "\(commit):\($0)" })
    return zip(paths, contents).compactMap { path, bytes in
      guard let bytes, RepositoryModels.isModel(bytes) else { return nil }
      return (path, bytes)
    }
  }
}
