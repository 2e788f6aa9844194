package import BoxMigration

/// The versions of a model file in git, as a user asks for them.
package struct HistoryRequest: Sendable {
  /// The model file; nil for the only model of the repository.
  package var file: String?
  /// The maximum number of versions; nil for all.
  package var limit: Int?
  /// The kinds of databases to classify the changes for.
  package var targets = Set(PlanTarget.allCases)
  /// The settings that override all others.
  package var configuration = EffectiveConfiguration.Options()

  /// Creates a request for a file, or for the only model of the repository.
  package init(_ file: String? = nil) { self.file = file }

  /// Reads the versions.
  ///
  /// A history that was cut off when it was fetched is a notice.
  ///
  /// - Returns: The versions; nil if neither the repository nor its last commit has a model.
  /// - Throws: ``CommandFailure`` of the kind `impossible` outside of a repository, `usage` if the
  ///   file has no history or has to be named, `inputOutput` if git cannot be run,
  ///   `badConfiguration` if the settings are wrong.
  package func run(in place: Workspace) async throws(CommandFailure) -> FileHistory? {
    let settings = try await EffectiveConfiguration.load(configuration, in: place)
    guard let path = try await path(settings, in: place) else { return nil }
    let history = try await FileHistory.read(path, limit: limit, targets: targets, git: place.git)
    if history.isCutOff {
      place.observer.receive(
        Notice(
          .note,
          "\(path): note: the clone is shallow, and earlier versions are missing; "
            + "'git fetch --unshallow' brings them"))
    }
    return history
  }

  /// The file that is named, which needs not be in the work tree, or the one model of the repository.
  private func path(
    _ settings: EffectiveConfiguration, in place: Workspace
  ) async throws(CommandFailure) -> String? {
    if let file { return file }
    return try await NewVersion.find([], settings, takesRevisions: false, in: place)?.path
  }
}
