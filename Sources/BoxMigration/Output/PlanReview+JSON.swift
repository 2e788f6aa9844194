internal import BoxConvert
package import BoxJSON
internal import BoxModel
internal import BoxReport

extension PlanReview {
  /// The plan as `Schemas/plan.schema.json` describes it.
  ///
  /// - Complexity: O(*n*) in the number of steps.
  package var json: JSONValue {
    [
      "schemaVersion": 1,
      "old": .string(plan.old.path),
      "new": .string(plan.new.path),
      "targets": .array(
        PlanTarget.allCases.filter(plan.targets.contains).map { .string($0.rawValue) }),
      "class": plan.gravestClass.map { .string($0.rawValue) } ?? .null,
      "blocked": .bool(isBlocked),
      "ignored": .int(ignored),
      "counts": .object(
        ChangeClass.byGravity.reversed().compactMap { value in
          plan.counts[value].map { JSONValue.Member(value.rawValue, .int($0)) }
        }),
      "steps": .array(steps.map(\.json)),
      "findings": .array(findings.map(\.summaryJSON)),
    ]
  }
}

extension Finding {
  fileprivate var summaryJSON: JSONValue {
    .compact([
      ("rule", ["id": .string(rule.id), "name": .string(rule.name)]),
      ("severity", .string(severity.rawValue)),
      ("message", .string(message)),
      ("advice", advice.map { .string($0) }),
      ("path", .string(path)),
      ("line", region.map { .int($0.line) }),
      ("column", region.map { .int($0.column) }),
    ])
  }
}

extension PlanStep {
  fileprivate var ruleJSON: JSONValue { ["id": .string(rule.id), "name": .string(rule.name)] }

  /// The change itself, without the verdicts of the policy and the targets: the steps of
  /// `Schemas/plan-matrix.schema.json` and `Schemas/history.schema.json`.
  ///
  /// - Complexity: O(1).
  package var summaryJSON: JSONValue {
    .compact([
      ("rule", ruleJSON),
      ("class", .string(changeClass.rawValue)),
      ("kind", kind.map { .string($0.rawValue) }),
      ("uid", uid.map { .string(String($0)) }),
      ("entity", entity.map { .string($0) }),
      ("property", member.map { .string($0) }),
      ("before", before.map { .string($0) }),
      ("after", after.map { .string($0) }),
      ("message", .string(message)),
      ("remedy", remedy.map { .string($0) }),
      ("oldPlace", oldPlace.map(\.json)),
      ("newPlace", newPlace.map(\.json)),
      ("fingerprint", .string(fingerprint)),
    ])
  }
}

extension ReviewedStep {
  var json: JSONValue {
    let conversion = step.conversion.map(\.json)
    return .compact([
      ("rule", step.ruleJSON),
      ("class", .string(step.changeClass.rawValue)),
      ("severity", .string(severity.rawValue)),
      ("blocking", .bool(isBlocking)),
      ("kind", step.kind.map { .string($0.rawValue) }),
      ("uid", step.uid.map { .string(String($0)) }),
      ("entity", step.entity.map { .string($0) }),
      ("property", step.member.map { .string($0) }),
      ("before", step.before.map { .string($0) }),
      ("after", step.after.map { .string($0) }),
      ("message", .string(step.message)),
      ("constant", step.constant.map { .string($0) }),
      ("data", .string(step.data)),
      ("boxjoint", engineJSON),
      ("objectbox", objectBoxJSON),
      ("remedy", step.remedy.map { .string($0) }),
      ("conversion", conversion),
      ("fix", step.fix.map { .string($0.summary) }),
      ("counts", step.counts.map(\.json)),
      ("oldPlace", step.oldPlace.map(\.json)),
      ("newPlace", step.newPlace.map(\.json)),
      ("fingerprint", .string(fingerprint)),
      ("approval", approval.map(\.json)),
      ("expired", expired.map(\.json)),
    ])
  }

  private var engineJSON: JSONValue {
    .compact([
      ("class", .string(step.engine.changeClass.rawValue)),
      ("outcome", .string(step.engine.outcome)),
      ("rollback", .string(step.engine.rollback.rawValue)),
      ("rule", step.engine.openingRule.map { .string($0.id) }),
    ])
  }

  private var objectBoxJSON: JSONValue {
    [
      "class": .string(step.objectBox.changeClass.rawValue),
      "outcome": .string(step.objectBox.outcome),
      "rollback": .string(step.objectBox.rollback.rawValue),
      "grade": .string(step.objectBox.grade.rawValue),
      "source": .string(step.objectBox.source),
    ]
  }
}

extension TypeConversion {
  fileprivate var json: JSONValue {
    .compact([
      ("from", .string(from.description)), ("to", .string(to.description)),
      ("fidelity", .string(fidelity.rawValue)), ("converter", converter.map { .string($0) }),
      ("releases", .array(releases.map { .string($0) })),
    ])
  }
}

extension DataCounts {
  fileprivate var json: JSONValue {
    .compact([
      ("affected", .int(affected)), ("unit", .string(unit.rawValue)),
      ("duplicates", duplicates.map { .int($0) }), ("unfit", unfit.map { .int($0) }),
    ])
  }
}

extension PlanPlace {
  fileprivate var json: JSONValue {
    [
      "path": .string(path), "line": .int(region.line), "column": .int(region.column),
      "endLine": .int(region.endLine), "endColumn": .int(region.endColumn),
    ]
  }
}

extension Approval {
  fileprivate var json: JSONValue {
    .compact([
      ("reason", .string(reason)), ("author", .string(author)),
      ("until", until.map { .string($0) }),
    ])
  }
}
