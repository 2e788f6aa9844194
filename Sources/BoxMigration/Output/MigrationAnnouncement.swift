internal import BoxReport

/// The announcement of a migration, for a person who has to confirm it.
///
/// The changes come from the plan, the effects on data from the steps, because these do more than opening the
/// store. Steps convert data that opening refuses, and a heavy step drops data that opening only hides.
package struct MigrationAnnouncement: Sendable {
  private let plan: MigrationPlan
  private let steps: [PendingMigration]
  private let freesHiddenData: Bool

  /// Creates an announcement.
  ///
  /// - Parameters:
  ///   - plan: The plan of the migration, as ``MigrationRun/plan(old:new:)`` makes it.
  ///   - steps: The steps, at least one.
  ///   - freesHiddenData: Whether hidden data is freed at the end.
  package init(
    _ plan: MigrationPlan, _ steps: [PendingMigration], freesHiddenData: Bool
  ) {
    self.plan = plan
    self.steps = steps
    self.freesHiddenData = freesHiddenData
  }

  private var isHeavy: Bool { steps.contains { $0.kind == .heavy } }
  private var isMapped: Bool { steps.contains(where: \.isMapped) }

  /// The effect of a change on its data.
  private func effect(_ step: PlanStep) -> String {
    let verdict = step.engine
    switch verdict.changeClass {
    case .openFailure, .reinterpretation:
      if isMapped { return "carried over as the mapping says" }
      return isHeavy ? "converted, without loss" : verdict.outcome
    case .dataLoss: return "gone for good"
    default: return verdict.outcome
    }
  }

  /// Whether data can be lost for good.
  private var losesData: Bool {
    plan.steps.contains { $0.engine.changeClass == .dataLoss }
  }

  /// Whether the earlier model still opens the migrated store.
  private var goesBack: Bool {
    !isHeavy && plan.steps.allSatisfy { $0.engine.rollback == .opens }
  }

  /// The announcement, ending with a line feed.
  ///
  /// - Complexity: O(*n*) in the number of changes.
  package var text: String {
    var lines = ["effects on the data:"]
    for step in plan.steps {
      let counts = step.counts.map { " (\($0.words))" } ?? ""
      let change = [step.before, step.after].compactMap { $0 }.joined(separator: " -> ")
      let detail = change.isEmpty ? "" : ": \(change)"
      lines.append("  \(step.subject) \(step.rule.name)\(detail)\(counts)")
      lines.append("    \(effect(step))")
    }
    if plan.steps.isEmpty { lines.append("  it stays as it is") }
    if !steps.isEmpty { lines.append("") }
    for (number, step) in steps.enumerated() {
      lines.append("step \(number + 1) of \(steps.count): \(step)")
    }
    lines.append("")
    if let undoing { lines.append(undoing) }
    return lines.map { $0.escapedForDisplay + "\n" }.joined()
  }

  /// The way back, if there is one; nil if nothing is done.
  private var undoing: String? {
    if steps.isEmpty && !freesHiddenData { return nil }
    if isMapped || losesData {
      return "this cannot be undone: data that is not carried over is lost"
    }
    if isHeavy { return "this cannot be undone by opening the store with the earlier model" }
    if freesHiddenData { return "this cannot be undone: data that is already hidden is removed" }
    return goesBack
      ? "the earlier model opens the result, and shows the data that it knows"
      : "the earlier model may not open the result"
  }
}
