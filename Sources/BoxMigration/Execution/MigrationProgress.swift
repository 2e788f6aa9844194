/// The progress of a migration.
public struct MigrationProgress: Hashable, Sendable {
  /// The number of the current step, from 1.
  public var step: Int
  /// The number of steps.
  public var steps: Int
  /// The version before the step.
  public var from: String
  /// The version after it.
  public var to: String
  /// The number of objects of the step that are done.
  public var done: Int
  /// The number of objects of the step; 0 while that is not known, and 1 at the end of a step without objects, such
  /// as a light one.
  public var total: Int

  /// The share of the whole that is done, from 0 to 1, all steps counted alike.
  public var fraction: Double {
    let part = total == 0 ? 0 : Double(done) / Double(total)
    return steps == 0 ? 1 : (Double(step - 1) + part) / Double(steps)
  }
}

/// The summary of a finished migration.
public struct MigrationSummary: Hashable, Sendable {
  /// The steps, in order.
  public var steps: [PendingMigration]
  /// The number of objects that heavy steps put.
  public var objects = 0
  /// The number of links of to-many relations that were dropped because one of their objects was dropped.
  public var droppedLinks = 0
  /// The data that heavy steps dropped or replaced as their mappings say.
  package var dropped = DroppedData()
  /// Whether hidden data was freed at the end, by a compaction.
  public var isPurged = false

  /// Creates the summary of steps that put nothing yet.
  public init(steps: [PendingMigration]) { self.steps = steps }
}
