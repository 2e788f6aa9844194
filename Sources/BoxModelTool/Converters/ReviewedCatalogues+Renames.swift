package import BoxConvert
package import BoxModel

extension ReviewedCatalogues {
  /// The lock of a base with the names that its properties have in the change.
  ///
  /// - Parameters:
  ///   - lock: The lock.
  ///   - base: The base, which has the model of the lock.
  ///   - model: The model that was named, as it is in the change; nil if none was, and the only model of
  ///     the repository is taken.
  ///   - argument: How it was named.
  /// - Returns: The lock; unchanged without a model, or if the base does not have it.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if a file cannot be read,
  ///   `badConfiguration` if the settings of the base are wrong.
  package static func renamed(
    _ lock: ConverterLock, in base: ReviewBase, to model: Model?, _ argument: String?
  ) async throws(CommandFailure) -> ConverterLock {
    if let model, let argument {
      guard let old = try await earlier(model, named: argument, in: base) else { return lock }
      return lock.renamed(from: old, to: model)
    }
    guard let path = try await onlyModel(base) else { return lock }
    try ReviewBase.requireInside(path)
    guard let model = parsed(try SourceFile.read(path).bytes),
      let old = try await earlier(model, named: path, in: base)
    else { return lock }
    return lock.renamed(from: old, to: model)
  }

  /// The path of the only model of the repository; nil without a model, or with more than one.
  private static func onlyModel(_ base: ReviewBase) async throws(CommandFailure) -> String? {
    let settings = try await EffectiveConfiguration.load(in: base.workspace, base: base)
    do throws(CommandFailure) {
      return try await RepositoryModels.onlyModel(
        settings.filePatterns, isRequired: false, in: base.workspace)
    } catch {
      if error.kind == .usage || error.kind == .impossible { return nil }
      throw error
    }
  }

  /// A model as it is in the base; nil if the base does not have it.
  private static func earlier(
    _ model: Model, named argument: String, in base: ReviewBase
  ) async throws(CommandFailure) -> Model? {
    let git = base.git
    let names: [String]
    var later: String?
    switch SourceReference(argument) {
    case .standardInput, .store: return nil
    case .file(let path): names = FileInRevisions.path(of: path, in: git.location)
    case .revision(let revision, let path):
      names = [try git.pathFromTop(path)]
      later = revision.isEmpty ? nil : revision
    }
    let found = try await git.earlierModel(
      names, in: base.commit, called: base.revision, model, shownAs: argument, since: later,
      base.workspace.observer)
    return found.flatMap { parsed($0.bytes) }
  }

  /// Parses a model; nil if it is not one, which other commands report.
  private static func parsed(_ bytes: [UInt8]) -> Model? {
    try? ModelDocument(parsing: bytes).model
  }
}
