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
  /// ``MigrationRun/freesHiddenData``. Data that the mappings leave behind is a step of its own where
  /// the models do not show it.
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
}

/// The steps of a migration, prepared for one state of a store.
struct Preparation: Sendable {
  var steps: [PreparedStep]
  /// The number of the last write transaction of the store.
  var state: UInt64
}
