public import BoxEngine
public import BoxModel
internal import BoxStorage

/// A policy for opening a store that has another model.
@nonexhaustive public enum ModelMismatch: Hashable, Sendable {
  /// The limit on the steps of a migration.
  @nonexhaustive public enum Extent: Hashable, Sendable {
    /// One light step.
    case lightOnly
    /// One step, light or heavy.
    case singleStep
    /// Any number of steps.
    case progressive
  }

  /// Opening throws.
  case fail
  /// Opening migrates the store.
  case migrate(Extent)
  /// Opening removes the store and creates a new one where no migration to the model exists.
  ///
  /// Only an error about the models counts: after a disk error or with damaged data, opening
  /// throws.
  case recreate
}

extension MigrationRun {
  /// Opens a store with the current version, and applies a policy if the store has another model.
  ///
  /// A directory without a store gets a new one.
  ///
  /// - Parameters:
  ///   - document: The model of the current version.
  ///   - policy: The policy for a store that has another model.
  ///   - progress: Called with the progress of the migration; if it throws, the current step is
  ///     given up.
  /// - Returns: The store.
  /// - Throws: ``MigrationError`` if the policy forbids the migration, and the errors of
  ///   ``carryOut(progress:)`` and of opening.
  public func open(
    _ document: ModelDocument, onMismatch policy: ModelMismatch,
    progress: (MigrationProgress) throws -> Void = { _ in }
  ) throws -> ObjectStore {
    let location = StorageLocation.directory(directory)
    if location.exists && !location.hasNoTransaction {
      try apply(policy, to: document, progress: progress)
    }
    return try ObjectStore.open(location, model: document, options: options)
  }

  /// Applies a policy to a store, so that it can be opened with a model.
  ///
  /// - Throws: As ``open(_:onMismatch:progress:)``.
  package func apply(
    _ policy: ModelMismatch, to document: ModelDocument,
    progress: (MigrationProgress) throws -> Void
  ) throws {
    do {
      try apply(policy, progress)
    } catch let error where policy == .recreate && Self.isAboutModels(error) {
      try ObjectStore.rebuild(directory, model: document, options: options) { _, _ in }
    }
  }

  private func apply(
    _ policy: ModelMismatch, _ progress: (MigrationProgress) throws -> Void
  ) throws {
    let migration = try prepare()
    let steps = migration.pending
    if steps.isEmpty { return }
    switch policy {
    case .fail: throw MigrationError.modelDiffers(steps)
    case .migrate(let extent):
      if extent != .progressive, steps.count > 1 { throw MigrationError.severalSteps(steps) }
      if extent == .lightOnly, let heavy = steps.first(where: { $0.kind == .heavy }) {
        throw MigrationError.heavyStep(heavy)
      }
    case .recreate: break
    }
    try migration.carryOut(progress: progress)
  }

  /// Whether an error only says that no migration leads from one model to the other.
  static func isAboutModels(_ error: any Error) -> Bool {
    switch error {
    case MigrationError.noMapping, MigrationError.history, MigrationError.newerStore: true
    case StoreError.incompatibleModel: true
    case MigrationError.step(_, let error): isAboutModels(error)
    default: false
    }
  }
}
