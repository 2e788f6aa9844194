package import BoxModel
internal import BoxRecovery
internal import BoxSystem

/// A model file that history has, and that no file of the work tree replaces.
package struct RemovedModel: Sendable {
  /// The path from the top of the repository.
  package let path: String
  /// The place where it is, as part of a sentence: `HEAD has it`.
  package let place: String
  /// The object of git that has the file, as a command of git takes it.
  package let blob: String
  /// The entities of its last version.
  package let entities: [Entity]

  /// The command that finds it.
  package static let advice =
    "run `boxjoint recover`, which finds the earlier file and writes it where you ask for it, "
    + "before anything is built"

  /// The latest of the removed files that are models and match a pattern.
  private static let maximumCandidates = 20

  /// The model that commits up to HEAD removed last.
  ///
  /// One of which a tracked JSON file, or a new file in its place, has an entity was moved, and is not
  /// one that is lost.
  ///
  /// - Parameters:
  ///   - patterns: The patterns of model files.
  ///   - top: The directory of the repository's work tree.
  ///   - git: A client for the repository.
  /// - Returns: The model; nil if history has none, or before the first commit.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git fails.
  /// - Complexity: O(*n*) in the number of commits and the size of the JSON files.
  package static func last(
    _ patterns: [FilePattern], top: String, _ git: GitClient
  ) async throws(CommandFailure) -> RemovedModel? {
    guard try await git.resolve("HEAD") != nil else { return nil }
    let removed = try await git.removedFiles()
    let matching = Set(patterns.matching(removed.map(\.path)))
    return try await first(of: removed.filter { matching.contains($0.path) }, top: top, git)
  }

  /// A model file that is missing, and that HEAD or an earlier commit has.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - git: A client for the repository of the working directory.
  /// - Returns: The model; nil outside of a repository, and if the file was never there as a model.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git fails.
  /// - Complexity: O(*n*) in the number of commits and the size of the JSON files.
  package static func at(
    _ path: String, _ git: GitClient
  ) async throws(CommandFailure) -> RemovedModel? {
    guard git.isInstalled() else { return nil }
    let file = FileInRevisions.underReview(path, git)
    guard let top = try await file.git.repository()?.topLevel,
      try await file.git.resolve("HEAD") != nil
    else { return nil }
    let contents = try await file.git.blobs(file.names.map { "HEAD:\($0)" })
    for case (let name, let bytes?) in zip(file.names, contents) {
      if let model = model(bytes) {
        return RemovedModel(
          path: name, place: "HEAD has it", blob: "HEAD:\(name)", entities: model.entities)
      }
    }
    let removed = try await file.git.removedFiles().filter { file.names.contains($0.path) }
    return try await first(of: removed, top: top, file.git)
  }

  /// The first of some files that is a model whose entities are in no other model.
  private static func first(
    of removed: [RemovedFile], top: String, _ git: GitClient
  ) async throws(CommandFailure) -> RemovedModel? {
    if removed.isEmpty { return nil }
    let candidates = removed.prefix(maximumCandidates)
    let contents = try await git.blobs(candidates.map(\.blob))
    let present = try await git.trackedFiles().filter { $0.hasSuffix(".json") }
    var known: Set<UID> = []
    for path in Set(present + candidates.map(\.path)) {
      guard let source = try? SourceFile.read(joinPath(top, path)) else { continue }
      known.formUnion(model(source.bytes)?.entities.map(\.pair.uid) ?? [])
    }
    for (file, bytes) in zip(candidates, contents) {
      guard let bytes, let model = model(bytes),
        known.isDisjoint(with: model.entities.map(\.pair.uid))
      else { continue }
      // The merge that brought the removal may be later than the commit that made it.
      let cause =
        removed.first { $0.path == file.path && $0.blob == file.blob && !$0.isMerge } ?? file
      return RemovedModel(
        path: file.path,
        place: GitClient.removal(by: cause.commit, on: cause.date),
        blob: file.blob, entities: model.entities)
    }
    return nil
  }

  /// The model in a text; nil if the text is not a model, or has no entities.
  private static func model(_ bytes: [UInt8]) -> Model? {
    ModelText.model(bytes).flatMap { $0.entities.isEmpty ? nil : $0 }
  }
}
