package import BoxJSON
package import BoxMigration
internal import BoxReport

/// The formats of a report on tests of migrations.
package enum MigrationTestFormat: String, CaseIterable, Sendable { case text, json, junit, github }

/// The results of tests of migrations.
package struct MigrationTestReport: Sendable {
  /// The result of one store.
  package struct Row: Sendable {
    /// The tag.
    package var version: String
    /// The name of the dump that the objects are from; nil for generated ones.
    package var fixture: String?
    /// The comparison.
    package var outcome: PlanVerification.Outcome
    /// The steps that lose data, or give it another meaning, without an approval.
    package var losses: [ReviewedStep]

    init(
      version: String, fixture: String?, _ outcome: PlanVerification.Outcome, _ review: PlanReview
    ) {
      (self.version, self.fixture, self.outcome) = (version, fixture, outcome)
      losses = review.steps.filter {
        $0.isBlocking && [.dataLoss, .reinterpretation].contains($0.step.changeClass)
      }
    }

    /// The name of the store: its version and its objects.
    var name: String { fixture.map { "\(version), \($0)" } ?? version }

    /// The sentences about what is wrong.
    var problems: [String] {
      let losses = losses.map {
        "\($0.step.subject): \($0.step.rule.name) is not approved [\($0.step.rule.id), fingerprint \($0.fingerprint)]"
      }
      return outcome.disagreements + losses
        + (outcome.refusal.map { ["the store is refused: \($0)"] } ?? [])
    }
  }

  /// The model that stores were migrated to.
  package let new: String
  /// The results.
  package var rows: [Row] = []

  init(new: String) { self.new = new }

  /// The outcome of the command: differences count more than losses.
  package var outcome: ReportOutcome {
    if rows.contains(where: { !$0.outcome.disagreements.isEmpty }) { return .findings }
    return rows.contains { !$0.problems.isEmpty } ? .failed(.impossible) : .success
  }

  /// The report in a format.
  ///
  /// - Complexity: O(*n*) in its size.
  package func text(as format: MigrationTestFormat) -> String {
    switch format {
    case .text: table
    case .json: json.displayText
    case .junit: junit
    case .github: github
    }
  }

  // MARK: - Formats

  private var table: String {
    let titles = ["VERSION", "OBJECTS OF", "STEP", "OBJECTS", "VALUES", "BACK", "RESULT"]
    let cells = rows.map { row in
      [
        row.version, row.fixture ?? "(generated)", row.outcome.kind?.rawValue ?? "refused",
        grouped(row.outcome.objects), grouped(row.outcome.values),
        row.outcome.wentBack.map { $0 ? "opens" : "refused" } ?? "",
        row.problems.isEmpty ? "ok" : counted(row.problems.count, "problem"),
      ].map(\.escapedForDisplay)
    }
    var text = TextTable([titles] + cells).lines().map { $0 + "\n" }.joined()
    for row in rows {
      for problem in row.problems { text += "\(row.name): \(problem)".escapedForDisplay + "\n" }
    }
    let failed = rows.count { !$0.problems.isEmpty }
    return text
      + "\(counted(rows.count, "store")), \(failed == 0 ? "all ok" : "\(failed) with problems")\n"
  }

  /// The report as `Schemas/migration-test.schema.json` describes it.
  private var json: JSONValue {
    [
      "schemaVersion": 1,
      "new": .string(new),
      "stores": .array(
        rows.map { row in
          [
            "version": .string(row.version),
            "fixture": row.fixture.map { .string($0) } ?? .null,
            "kind": row.outcome.kind.map { .string($0.rawValue) } ?? .null,
            "refusal": row.outcome.refusal.map { .string($0) } ?? .null,
            "objects": .int(row.outcome.objects),
            "values": .int(row.outcome.values),
            "wentBack": row.outcome.wentBack.map { .bool($0) } ?? .null,
            "broughtBack": .int(row.outcome.broughtBack),
            "disagreements": .array(row.outcome.disagreements.map { .string($0) }),
            "losses": .array(
              row.losses.map { loss in
                [
                  "rule": .string(loss.step.rule.id), "element": .string(loss.step.subject),
                  "fingerprint": .string(loss.fingerprint),
                ]
              }),
          ]
        }),
    ]
  }

  private var junit: String {
    let failed = rows.count { !$0.problems.isEmpty }
    let counts = #"tests="\#(rows.count)" failures="\#(failed)" errors="0" skipped="0""#
    let path = new.escapedForDisplay.escapedForXML
    var text = #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"
    text += #"<testsuites name="boxjoint" \#(counts)>"# + "\n"
    text += #"  <testsuite name="\#(path)" \#(counts)>"# + "\n"
    for row in rows {
      let name = row.name.escapedForDisplay.escapedForXML
      let open = #"    <testcase classname="\#(path)" name="\#(name)" file="\#(path)""#
      let problems = row.problems.map { $0.escapedForDisplay.escapedForXML }
      guard let first = problems.first else {
        text += open + "/>\n"
        continue
      }
      text += open + ">\n" + #"      <failure message="\#(first)">"#
      text += problems.joined(separator: "\n") + "</failure>\n    </testcase>\n"
    }
    return text + "  </testsuite>\n</testsuites>\n"
  }

  private var github: String {
    var text = ""
    for row in rows where !row.problems.isEmpty {
      text +=
        GitHubAnnotation.error(
          row.problems.joined(separator: "\n"), title: "migration from \(row.name)", file: new)
        + "\n"
    }
    return text + table.split(separator: "\n").map { String($0).escapedForRunner + "\n" }.joined()
  }
}
