package import BoxJSON
internal import BoxModel
internal import BoxReport

/// The plans between a model and every released version, in both directions.
package struct PlanMatrix: Sendable {
  /// A released version.
  package struct Row: Sendable {
    /// The name of the version, such as a tag.
    package var version: String
    /// The plan from it to the new model.
    package var forward: MigrationPlan
    /// The plan from the new model back to it.
    package var back: MigrationPlan
  }

  /// The name of the new model.
  package var path: String
  /// The versions, in the order in which they were given.
  package var rows: [Row]

  /// Plans the ways from versions to a model and back.
  ///
  /// - Parameters:
  ///   - versions: The released versions and their models.
  ///   - new: The new model.
  ///   - targets: The databases.
  /// - Complexity: O(*n*) in the sizes of all models; equal neighbours are planned once.
  package init(
    _ versions: [(name: String, side: PlanSide)], to new: PlanSide,
    for targets: Set<PlanTarget> = Set(PlanTarget.allCases)
  ) {
    path = new.path
    rows = []
    var lastBytes: [UInt8]?
    for (name, side) in versions {
      if let last = rows.last, let bytes = side.document?.bytes, bytes == lastBytes,
        last.forward.old.declarations == side.declarations
      {
        var row = last
        row.version = name
        row.forward.old.path = side.path
        row.back.new.path = side.path
        rows.append(row)
        continue
      }
      lastBytes = side.document?.bytes
      rows.append(
        Row(
          version: name,
          forward: MigrationPlan(from: side, to: new, for: targets, checksNewModel: rows.isEmpty),
          back: MigrationPlan(
            from: new.after(side.model), to: side, for: targets, checksNewModel: false)))
      // An error in the new model is one for every version.
      if rows.count > 1 {
        let unsound = rows[0].forward.steps.filter { $0.rule.id == ChangeRule.unsound.rule.id }
        rows[rows.count - 1].forward.steps = MigrationPlan.sorted(
          unsound + rows[rows.count - 1].forward.steps)
      }
    }
  }

  /// Whether a way to the new model has a step of one of the classes.
  package func isBlocked(by classes: Set<ChangeClass>) -> Bool {
    rows.contains { row in row.forward.steps.contains { classes.contains($0.changeClass) } }
  }

  /// The matrix as a table for people.
  ///
  /// - Complexity: O(*n*) in the number of steps.
  package func text() -> String {
    let titles = ["VERSION", "TO \(path)", "AND BACK"]
    let cells = rows.map { row in
      [row.version, Self.words(row.forward), Self.words(row.back)].map(\.escapedForDisplay)
    }
    return TextTable([titles.map(\.escapedForDisplay)] + cells).lines().map { $0 + "\n" }.joined()
  }

  /// The matrix as a table in Markdown.
  ///
  /// - Complexity: O(*n*) in the number of steps.
  package func markdown() -> String {
    "| Version | To \(path.escapedForMarkdown) | And back |\n| --- | --- | --- |\n"
      + rows.map { row in
        "| \(row.version.escapedForMarkdown) | \(Self.words(row.forward)) | \(Self.words(row.back)) |\n"
      }.joined()
  }

  /// The most severe class, the number of its steps and the number of all steps.
  private static func words(_ plan: MigrationPlan) -> String {
    guard let gravest = plan.gravestClass else { return "the same" }
    let rest = plan.steps.count { $0.changeClass == gravest }
    return "\(gravest.rawValue) (\(rest) of \(counted(plan.steps.count, "step")))"
  }

  /// The matrix as `Schemas/plan-matrix.schema.json` describes it.
  ///
  /// - Complexity: O(*n*) in the number of steps.
  package var json: JSONValue {
    [
      "schemaVersion": 1,
      "new": .string(path),
      "versions": .array(
        rows.map { row in
          [
            "version": .string(row.version),
            "forward": Self.json(row.forward),
            "back": Self.json(row.back),
          ]
        }),
    ]
  }

  private static func json(_ plan: MigrationPlan) -> JSONValue {
    [
      "class": plan.gravestClass.map { .string($0.rawValue) } ?? .null,
      "steps": .array(plan.steps.map(\.summaryJSON)),
    ]
  }
}
