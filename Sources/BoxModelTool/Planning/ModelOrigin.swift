internal import BoxModel
internal import BoxReport
internal import BoxSources
internal import BoxSystem

/// The model of a base that a file came from which the base does not have.
///
/// A target that is renamed takes its model along under another name. Where the generator began a new model
/// instead, the two have no UID in common, and the names of entities tell.
struct ModelOrigin: Hashable, Sendable {
  /// The path from the top of the repository.
  let path: String
  let bytes: [UInt8]
  /// Whether the file is still there.
  let stillExists: Bool
  /// The number of UIDs in common.
  let uids: Int
  /// The names in common.
  let names: CommonEntities

  /// The note about a comparison.
  ///
  /// - Parameters:
  ///   - shown: The file as the user named it.
  ///   - revision: The name of the base, as the user gave it.
  /// - Returns: The line.
  func comparisonNote(about shown: String, in revision: String) -> String {
    let similarity =
      uids > 0
      ? "\(uids) of its UIDs"
      : "\(names.count) of its \(counted(names.total, "entity", "entities")) by name"
    return stillExists
      ? "\(shown): note: there is no such file in \(revision), so it is compared with \(path), which has "
        + similarity
      : "\(shown): note: it takes the place of \(path) in \(revision), which has \(similarity)"
  }
}

extension GitClient {
  /// Reads a model file of a commit, under its path, under the path that it was moved from, or of the model
  /// that it came from.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - commit: The commit.
  ///   - revision: The name of the commit, as the user gave it.
  ///   - shown: The file as the user named it.
  ///   - observer: The receiver of a note about another path.
  /// - Returns: The content, and the path if it is another one; nil if there is no such model.
  /// - Throws: ``CommandFailure`` as ``content(at:in:called:)``.
  func earlierModel(
    _ file: ComparedModel, in commit: String, called revision: String, shownAs shown: String,
    _ observer: any WorkObserver
  ) async throws(CommandFailure) -> (bytes: [UInt8], movedFrom: String?)? {
    let found = try await earlierModel(
      file.names, in: commit, called: revision, file.model, shownAs: shown, since: file.revision,
      observer)
    if let found { return found }
    guard let origin = try await origin(of: file, in: commit) else { return nil }
    observer.receive(Notice(.note, origin.comparisonNote(about: shown, in: revision)))
    return (origin.bytes, origin.path)
  }

  /// The model of a commit that a file came from, if the commit does not have the file.
  ///
  /// Its UIDs decide, then the names of its entities. A model that was removed since is taken before one that
  /// is still there. Of these, only one in the same directory is taken, without a target of its own: generators
  /// that name the model file after the target put all of them into one directory.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  /// - Complexity: O(*n*) in the number of files of the commit, and in the size of the model files.
  func origin(
    of file: ComparedModel, in commit: String
  ) async throws(CommandFailure) -> ModelOrigin? {
    if file.model.entities.isEmpty { return nil }
    // The index has no name; the work tree is close to it.
    let revision = file.revision.flatMap { $0.isEmpty ? nil : $0 }
    let gone = try await removedFiles(of: commit, since: revision)
    let directories = Set(file.names.map { parentDirectory(of: $0) })
    let all = file.patterns.matching(try await files(in: commit))
      .filter { directories.contains(parentDirectory(of: $0)) }
    let paths = gone + Set(all).subtracting(gone).sorted()
    let known = file.model.uidsInUse
    var origins: [ModelOrigin] = []
    for (path, bytes) in zip(paths, try await blobs(paths.map { "\(commit):\($0)" })) {
      guard let bytes, let model = (try? ModelDocument(parsing: bytes))?.model else { continue }
      origins.append(
        ModelOrigin(
          path: path, bytes: bytes, stillExists: !gone.contains(path),
          uids: model.uidsInUse.intersection(known).count,
          names: CommonEntities(file.model.entityNames, in: model.entityNames)))
    }
    // Those with a UID that were removed are known by now.
    let byUIDs = origins.filter { $0.uids > 0 }.sorted { $0.uids > $1.uids }
    let byNames = origins.filter { $0.stillExists ? $0.names.areHalfOfBoth : $0.names.areHalf }
      .sorted {
        ($0.stillExists ? 1 : 0, -$0.names.count) < ($1.stillExists ? 1 : 0, -$1.names.count)
      }
    var targets: ModelTargets?
    for origin in byUIDs + byNames {
      if !origin.stillExists { return origin }
      let known: ModelTargets
      if let targets { known = targets } else { known = try await modelTargets(in: revision) }
      targets = known
      if !known.hasTarget(origin.path, besides: file.names[file.names.count - 1]) { return origin }
    }
    return nil
  }
}

/// A model that is compared with a version of its base.
struct ComparedModel: Sendable {
  /// The possible paths from the top of the repository.
  var names: [String]
  var model: Model
  /// The revision that has the model; nil for the work tree.
  var revision: String?
  /// The patterns of model files.
  var patterns: [FilePattern]
}

/// The targets that the model files of a revision belong to.
struct ModelTargets: Sendable {
  /// The heads of generated bindings, with paths from the top of the repository.
  let owners: BindingOwners
  /// The files of the revision.
  let files: Set<String>

  /// Whether a model file has a target other than the target of another model file.
  func hasTarget(_ model: String, besides other: String) -> Bool {
    let roots = owners.owners(of: other).flatMap(\.roots)
    return owners.hasTarget(model, besides: roots) { root in
      files.contains { BindingOwners.overlap($0, root) }
    }
  }
}

extension GitClient {
  /// The targets of a revision; nil for the work tree.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  /// - Complexity: O(*n*) in the size of the Swift files.
  func modelTargets(in revision: String?) async throws(CommandFailure) -> ModelTargets {
    let bindings = try await bindings(in: revision)
    if let revision {
      return ModelTargets(
        owners: BindingOwners(bindings), files: Set(try await files(in: revision)))
    }
    let present = try await trackedFiles().filter {
      ((try? fileAttributes(at: joinPath(location.directory, $0))) ?? nil) != nil
    }
    return ModelTargets(owners: BindingOwners(bindings), files: Set(present + bindings.map(\.path)))
  }

  /// The generated bindings of a revision, or of the work tree for nil, with paths from the top of the
  /// repository.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  /// - Complexity: O(*n*) in the size of the Swift files.
  func bindings(in revision: String?) async throws(CommandFailure) -> [SwiftFile] {
    let paths = try await filesWithLine(SwiftFile.generatedMark, in: revision)
    guard let revision else {
      return paths.compactMap { path in
        (try? SourceFile.read(joinPath(location.directory, path)))
          .map { SwiftFile(path: path, bytes: $0.bytes) }
      }
    }
    return zip(paths, try await blobs(paths.map { "\(revision):\($0)" })).compactMap {
      path, bytes in
      bytes.map { SwiftFile(path: path, bytes: $0) }
    }
  }
}
