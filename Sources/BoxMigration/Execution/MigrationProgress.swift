/// How far a migration is.
public struct MigrationProgress: Hashable, Sendable {
  /// The number of the step at work, from 1.
  public var step: Int
  /// How many steps there are.
  public var steps: Int
  /// The version before the step.
  public var from: String
  /// The version after it.
  public var to: String
  /// How many objects of the step are done.
  public var done: Int
  /// How many objects the step has; 0 for a light step.
  public var total: Int

  /// The share of the whole that is done, from 0 to 1, all steps counted alike.
  public var fraction: Double {
    let part = total == 0 ? 0 : Double(done) / Double(total)
    return steps == 0 ? 1 : (Double(step - 1) + part) / Double(steps)
  }
}

/// What a migration did.
public struct MigrationSummary: Hashable, Sendable {
  /// The steps, in order.
  public var steps: [PendingMigration]
  /// How many objects heavy steps put.
  public var objects = 0
  /// How many links of relations to many had an end that was left behind.
  public var droppedLinks = 0
  /// Whether hidden data was freed at the end, by a compaction.
  public var isPurged = false

  /// Creates the summary of steps that put nothing yet.
  public init(steps: [PendingMigration]) { self.steps = steps }
}
