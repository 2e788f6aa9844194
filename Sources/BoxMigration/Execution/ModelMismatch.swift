public import BoxEngine
public import BoxModel
internal import BoxStorage

/// What opening a store does where its model is another one.
public enum ModelMismatch: Hashable, Sendable {
  /// How far a migration may go.
  public enum Extent: Hashable, Sendable {
    /// One light step.
    case lightOnly
    /// One step, light or heavy.
    case singleStep
    /// As many steps as it takes.
    case progressive
  }

  /// It is an error.
  case fail
  /// The store is migrated.
  case migrate(Extent)
  /// The store is removed and made anew where no migration leads to the model.
  ///
  /// Only the models decide that: an error of the disk or damaged data is an error.
  case recreate
}

extension MigrationRun {
  /// Opens a store with the current version, and does what a policy says where it has another model.
  ///
  /// A folder without a store gets a new one.
  ///
  /// - Parameters:
  ///   - document: The model of the current version.
  ///   - policy: What is done where the store has another model.
  ///   - progress: Is told how far a migration is.
  /// - Returns: The store.
  /// - Throws: ``MigrationError`` where the policy forbids what it takes, and what
  ///   ``carryOut(progress:)`` and opening throw.
  public func open(
    _ document: ModelDocument, onMismatch policy: ModelMismatch,
    progress: (MigrationProgress) throws -> Void = { _ in }
  ) throws -> ObjectStore {
    let location = StorageLocation.directory(directory)
    if location.exists {
      do {
        try apply(policy, progress)
      } catch let error where policy == .recreate && Self.isAboutModels(error) {
        try ObjectStore.rebuild(directory, model: document, options: options) { _, _ in }
      }
    }
    return try ObjectStore.open(location, model: document, options: options)
  }

  private func apply(
    _ policy: ModelMismatch, _ progress: (MigrationProgress) throws -> Void
  ) throws {
    let steps = try pending()
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
    try carryOut(progress: progress)
  }

  /// Whether an error says that the models do not lead to each other, and nothing else.
  static func isAboutModels(_ error: any Error) -> Bool {
    switch error {
    case MigrationError.noMapping, MigrationError.history: true
    case StoreError.incompatibleModel: true
    case MigrationError.step(_, let error): isAboutModels(error)
    default: false
    }
  }
}
