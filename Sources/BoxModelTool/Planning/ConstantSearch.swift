internal import BoxMigration
internal import BoxModel
internal import BoxRecovery
internal import BoxSources

/// Finds what the bindings of a version of a model state of its properties.
enum ConstantSearch {
  /// Says in the steps of new properties which value stored objects have, as the bindings of both versions tell.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - old: The old version, as an argument.
  ///   - new: The new one.
  ///   - place: The place of both.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  /// - Complexity: O(*n*) in the size of the Swift files of both versions; constant in a plan without new
  ///   properties.
  static func complete(
    _ plan: inout MigrationPlan, from old: String, to new: String, in place: Workspace
  ) async throws(CommandFailure) {
    guard plan.hasNewProperties, let stated = try await models(of: new, in: place),
      let constants = constants(in: stated)
    else { return }
    let earlier = try await models(of: old, in: place) ?? []
    plan.state(constants, wereKnown: earlier.isEmpty ? nil : self.constants(in: earlier) != nil)
  }

  /// The models in bindings that name a version of a model file; nil for a version without bindings.
  private static func models(
    of argument: String, in place: Workspace
  ) async throws(CommandFailure) -> [EmbeddedModel]? {
    let (git, revision, names): (GitClient, String?, [String])
    switch SourceReference(argument) {
    case .standardInput, .store: return nil
    case .revision(let ref, let path):
      // The work tree is close to the index.
      (git, revision) = (place.git, ref.isEmpty ? nil : ref)
      names = [(try? git.pathFromTop(path)) ?? path]
    case .file(let path):
      let file = FileInRevisions.underReview(path, place.git)
      (git, revision, names) = (file.git, nil, file.names)
    }
    guard git.location.isRepository else { return nil }
    let bindings = try await git.bindings(in: revision)
    let owners = BindingOwners(bindings)
    let paths = Set(names.flatMap { owners.owners(of: $0) }.map(\.bindings))
    return bindings.filter { paths.contains($0.path) }.flatMap { EmbeddedModel.files(in: $0.bytes) }
  }

  /// The statements of models in bindings; nil if none states anything.
  private static func constants(in models: [EmbeddedModel]) -> StatedConstants? {
    var (result, isStated) = (StatedConstants(expressions: [:], zeros: []), false)
    for model in models {
      guard let constants = model.constants else { continue }
      isStated = true
      result.expressions.merge(constants) { first, _ in first }
      result.zeros.formUnion(model.zeros)
    }
    return isStated ? result : nil
  }
}
