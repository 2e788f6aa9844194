internal import BoxReport
internal import BoxSystem

extension SourceReference {
  /// The directory of a store that is not named as one, as ``StoredModel/isUnnamedStore(_:)`` says.
  var unnamedStoreDirectory: String? {
    if case .file(let path) = self, StoredModel.isUnnamedStore(path) { path } else { nil }
  }

  /// Reads the content, under the name that the user gave it.
  ///
  /// - Parameters:
  ///   - place: The place whose repository has a revision.
  ///   - decides: Whether the content decides about a change, as settings do.
  /// - Returns: The content.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if it does not exist or cannot be read,
  ///   and `usage` if it decides and the revision is ambiguous in CI.
  /// - Complexity: O(*n*) in the size of the content.
  package func read(
    in place: Workspace, decides: Bool = false
  ) async throws(CommandFailure) -> SourceFile {
    switch self {
    case .standardInput: return try SourceFile.readStandardInput()
    case .store(let directory): return try StoredModel.read(directory, place.observer)
    case .file(let path):
      if StoredModel.isUnnamedStore(path) { return try StoredModel.read(path, place.observer) }
      do throws(CommandFailure) {
        return try SourceFile.read(path)
      } catch {
        throw await hint(path, place.git) ?? error
      }
    case .revision(let reference, let path):
      let bytes = try await place.git.show(reference, path: path)
      if let warning = try await place.git.ambiguity(of: reference, decides: decides) {
        place.observer.receive(warning)
      }
      return SourceFile(path: "\(reference):\(path)", bytes: bytes)
    }
  }

  /// The failure for a path where nothing is, if it names a revision or nearly a file.
  private func hint(_ path: String, _ git: GitClient) async -> CommandFailure? {
    guard let found = try? entryExists(at: path), !found, !path.isEmpty else { return nil }
    // Without git there is no better message.
    if git.location.isRepository, ((try? await git.resolve(path)) ?? nil) != nil {
      return CommandFailure(
        .inputOutput,
        "there is no such file, and it is a revision; write \(path):FILE for a file in it",
        path: path)
    }
    let directory = parentDirectory(of: path)
    let near = nearestFileName(to: lastComponent(of: path), among: namesInDirectory(directory))
    guard let near else { return nil }
    let shown = path.contains("/") ? joinPath(directory, near) : near
    return CommandFailure(
      .inputOutput, "there is no such file; did you mean '\(shown)'?", path: path)
  }
}
