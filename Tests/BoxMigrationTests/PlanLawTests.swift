import BoxMigration
import BoxModel
import BoxReport
import TestSupport
import Testing

/// The laws of the plan of any two models.
struct PlanLawTests {
  private static let rounds = TestSeed.count("BOXJOINT_SOAK_PLANS", default: 3_000)

  /// Every change of the difference belongs to exactly one step, and none is left without a rule.
  @Test(.promise(9)) func everyChangeIsCoveredByExactlyOneStep() throws {
    var random = TestSeed.next()
    var seen: [String: Int] = [:]
    var kinds = Set<Int>()
    for round in 0..<Self.rounds {
      var old = PlanModels.base()
      // From time to time the first model is no longer as it was made.
      for _ in 0..<random.below(3) { Mutation.apply(random.below(Mutation.count), &old, &random) }
      var new = old
      var applied: [Int] = []
      for _ in 0..<(1 + random.below(4)) {
        let kind = random.below(Mutation.count)
        Mutation.apply(kind, &new, &random)
        applied.append(kind)
      }
      kinds.formUnion(applied)
      let plan = MigrationPlan(from: PlanSide(old, path: "a"), to: PlanSide(new, path: "b"))
      try Self.expectCovered(plan, "round \(round), changes \(applied)")
      // What a plan knows, a comparison shows; and of two models that are alike neither says anything.
      let changes = ModelChanges(from: old, to: new)
      #expect(plan.steps.isEmpty || !changes.isEmpty, "round \(round), changes \(applied)")
      #expect(ModelChanges(from: new, to: new).isEmpty)
      for step in plan.steps {
        seen[step.rule.id, default: 0] += 1
        #expect(step.rule.id != "BOX389", "\(applied): \(step.message)")
      }
    }
    #expect(kinds.count == Mutation.count)
    print("rules seen: \(seen.count): \(seen.sorted { $0.key < $1.key })")
  }

  static func expectCovered(_ plan: MigrationPlan, _ comment: String) throws {
    let difference = ModelDifference(from: plan.old.model, to: plan.new.model)
    var expected: Set<PlanCoverage> = []
    for (key, change) in difference.changes {
      switch change {
      case .added, .removed: expected.insert(.element(key))
      case .changed(let fields): expected.formUnion(fields.map { .field(key, $0.field) })
      }
    }
    var covered: [PlanCoverage: Int] = [:]
    for step in plan.steps {
      for coverage in step.covers {
        if case .root = coverage { continue }
        covered[coverage, default: 0] += 1
      }
    }
    #expect(Set(covered.keys) == expected, "\(comment)")
    #expect(covered.values.allSatisfy { $0 == 1 }, "\(comment)")
  }

  @Test func aModelHasNoStepsToItself() throws {
    let plan = try PlanModels.plan { _ in }
    #expect(plan.steps.isEmpty)
    #expect(plan.gravestClass == nil)
  }

  /// The gravest come first.
  @Test func stepsAreInTheOrderOfTheirGravity() throws {
    var random = TestSeed.next()
    for _ in 0..<200 {
      var new = PlanModels.base()
      for _ in 0..<6 { Mutation.apply(random.below(Mutation.count), &new, &random) }
      let plan = MigrationPlan(
        from: PlanSide(PlanModels.base(), path: "a"), to: PlanSide(new, path: "b"))
      let classes = plan.steps.map(\.changeClass)
      #expect(classes == classes.sorted(by: >))
    }
  }

  /// An approval is for one change: no two steps of a plan have one fingerprint, and it does not
  /// depend on what else changed.
  @Test func fingerprintsTellChangesApart() throws {
    var random = TestSeed.next()
    for _ in 0..<300 {
      var new = PlanModels.base()
      for _ in 0..<5 { Mutation.apply(random.below(Mutation.count), &new, &random) }
      let plan = MigrationPlan(
        from: PlanSide(PlanModels.base(), path: "a"), to: PlanSide(new, path: "b"))
      let prints = plan.steps.map(\.fingerprint)
      #expect(Set(prints).count == prints.count, "\(plan.steps.map(\.message))")
      #expect(prints.allSatisfy { Approval.fingerprint(of: $0) == $0 })
    }
  }
}
