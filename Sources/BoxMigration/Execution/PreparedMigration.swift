internal import BoxEngine
internal import BoxStorage

/// A migration that is decided: its steps, and its effects on the data of one state of a store.
///
///     let migration = try run.prepare()
///     print(migration.pending, migration.plan.steps.map(\.message))
///     try migration.carryOut()
///
/// It does not keep the store open. If a program writes to the store before the migration is carried
/// out, the plan no longer describes it, and ``carryOut(progress:)`` does nothing.
public struct PreparedMigration: Sendable {
  /// The effects on data, for stores of this engine.
  ///
  /// The plan compares the two models. It also covers the effects of this migration that opening does
  /// not have: a heavy step frees for good the data that it does not carry over, and so does
  /// ``MigrationRun/freesHiddenData``. Data that the mappings drop is a step of its own if the models do not
  /// show it.
  public let plan: MigrationPlan
  /// The steps; none if the store has the current version.
  public var pending: [PendingMigration] { preparation.steps.map(\.pending) }

  private let run: MigrationRun
  private let preparation: Preparation

  init(_ plan: MigrationPlan, _ run: MigrationRun, _ preparation: Preparation) {
    self.plan = plan
    self.run = run
    self.preparation = preparation
  }

  /// The number of the last transaction of the store that the migration was prepared for.
  package var state: UInt64 { preparation.state }

  /// Carries the migration out.
  ///
  /// - Parameter progress: Called with the progress; if it throws, the current step is given up.
  /// - Returns: The summary of the migration.
  /// - Throws: ``MigrationError/storeChanged`` if the store was written to since the migration was
  ///   prepared, and as ``MigrationRun/carryOut(progress:)``.
  /// - Complexity: O(*n*) in the size of the data, for each heavy step.
  @discardableResult
  public func carryOut(
    progress: (MigrationProgress) throws -> Void = { _ in }
  ) throws -> MigrationSummary {
    try run.carryOut(preparation, progress)
  }

  /// Whether the migration is tried out on a copy of the store; one light step is a transaction, which can be undone.
  package var isTriedOnCopy: Bool {
    preparation.steps.count > 1 || preparation.steps.contains { $0.mapping != nil }
  }

  /// Whether carrying objects over can drop data that the plan does not name.
  ///
  /// - Complexity: O(*n*) in the elements of the models.
  package var canDrop: Bool {
    preparation.steps.contains { $0.mapping?.canDrop(from: $0.hop.old) ?? false }
  }

  /// Tries the steps out, and leaves the store as it is.
  ///
  /// - Parameters:
  ///   - copy: The directory of a copy of the store, which gets the new model; nil to apply the only step, a light one,
  ///     to the store in a transaction that is undone.
  ///   - maximumFailures: The number of objects that are listed if a heavy step cannot carry them over.
  ///   - progress: As in ``carryOut(progress:)``.
  /// - Returns: The summary that the migration would have, apart from ``MigrationRun/freesHiddenData``.
  /// - Throws: ``MigrationError/step(_:_:)`` if a step fails, with ``MigrationError/objects(_:count:)`` if objects
  ///   cannot be carried over, and ``StoreError``.
  /// - Complexity: As ``carryOut(progress:)``.
  package func tryOut(
    onCopy copy: String?, maximumFailures: Int, progress: (MigrationProgress) throws -> Void
  ) throws -> MigrationSummary {
    if let copy {
      var run = run
      run.directory = copy
      run.freesHiddenData = false
      run.maximumFailures = maximumFailures
      return try run.carryOutAnywhere(preparation, progress)
    }
    for step in preparation.steps {
      var options = run.options
      options.constants = step.hop.to.constants
      options.declarations = step.hop.to.declarations
      // The transaction ends with the store.
      options.appliesModelOnFirstWrite = true
      do {
        try ObjectStore.open(
          .directory(run.directory), model: step.hop.to.document, options: options
        ).close()
      } catch {
        throw MigrationError.step(step.hop.name, error)
      }
    }
    return MigrationSummary(steps: pending)
  }
}

/// The steps of a migration, prepared for one state of a store.
struct Preparation: Sendable {
  var steps: [PreparedStep]
  /// The number of the last write transaction of the store.
  var state: UInt64
}
