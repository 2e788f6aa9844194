package import BoxJSON
package import BoxMigration
internal import BoxReport

/// The result of a migration, or what it would be.
package struct MigrationReport: Sendable {
  /// The steps, and what they did.
  package let summary: MigrationSummary
  /// Whether the migration was carried out.
  package let isDone: Bool
  /// The effects on data; nil if there is nothing to do.
  package let plan: MigrationPlan?
  /// Whether another program has the store open; nil if that was not the question.
  package var isInUse: Bool?
  /// The result of trying the migration out; nil if that was not done.
  package var trial: MigrationTrial?
  /// The data that the migration frees for good; nil for none, and where that was not the question.
  package var loss: Loss?

  /// The result for people; empty for a migration that was neither carried out nor tried out.
  package var text: String {
    if !isDone { return trial?.text ?? "" }
    var text = "done: \(counted(summary.steps.count, "step"))"
    if summary.objects > 0 { text += ", \(counted(summary.objects, "object")) written" }
    if summary.droppedLinks > 0 {
      text += ", \(counted(summary.droppedLinks, "link")) dropped with their ends"
    }
    if summary.isPurged { text += ", hidden data removed" }
    return text + "\n"
  }

  /// The same for programs.
  package var json: JSONValue {
    .compact([
      ("schemaVersion", .int(1)),
      ("done", .bool(isDone)),
      ("inUse", isInUse.map { .bool($0) }),
      ("trial", trial?.json),
      ("loss", loss?.json),
      ("plan", plan.map { PlanReview($0, Self.policy).json }),
      (
        "steps",
        .array(
          summary.steps.map { step in
            [
              "from": .string(step.from), "to": .string(step.to),
              "kind": .string(step.kind.rawValue), "mapped": .bool(step.isMapped),
            ]
          })
      ),
      ("objects", .int(summary.objects)),
      ("droppedLinks", .int(summary.droppedLinks)),
      ("purged", .bool(summary.isPurged)),
    ])
  }

  /// A policy that blocks nothing: a migration is shown to its user, who confirms it.
  private static var policy: PlanPolicy {
    var policy = PlanPolicy(today: PlanSettings.today)
    policy.failOn = []
    return policy
  }
}
