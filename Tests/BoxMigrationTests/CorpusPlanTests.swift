import BoxMigration
import BoxModel
import BoxReport
import TestSupport
import Testing

/// Plans of real steps of real histories.
@Suite(.enabled(if: Corpus.isAvailable))
struct CorpusPlanTests {
  /// Every pair, or each so-manieth of them.
  private static let stride = TestSeed.count("BOXJOINT_SOAK_PLAN_STRIDE", default: 5)

  @Test func everyRealStepHasACompletePlanThatAgreesWithAnotherProgram() throws {
    let corpus = try #require(Corpus.shared)
    var compared = 0
    var planned = 0
    var scrambled = 0
    for (offset, entry) in corpus.evolutionKinds.enumerated() where offset % Self.stride == 0 {
      let (step, counts) = entry
      guard let old = step.old.document, let new = step.new.document else { continue }
      let plan = MigrationPlan(
        from: PlanSide(old, path: step.old.path), to: PlanSide(new, path: step.new.path))
      try PlanLawTests.expectCovered(plan, "\(step.old) \(step.new)")
      planned += 1
      #expect(!plan.steps.contains { $0.rule.id == "BOX389" }, "\(step.old) \(step.new)")
      guard old.isComplete, new.isComplete, counts["regenerated"] == 0 else { continue }
      let counted = PlannedKinds(plan)
      // Generators' own samples have steps between unrelated files of the same UIDs: what is in
      // another place, or of another kind, the table counts by names.
      let isScrambled = plan.steps.contains { ["BOX320", "BOX369", "BOX377"].contains($0.rule.id) }
      let differing = counted.counts.filter {
        counts[$0.key] != $0.value && !(isScrambled && $0.key.hasPrefix("prop"))
      }
      scrambled += isScrambled ? 1 : 0
      #expect(
        differing.isEmpty,
        "\(step.old) \(step.new): \(differing) expected \(differing.keys.map { counts[$0] ?? -1 })")
      compared += 1
    }
    print("steps planned: \(planned), compared: \(compared), scrambled: \(scrambled)")
    #expect(compared * Self.stride > 1_000)
  }
}

/// The kinds of change that the table counts, out of the steps of a plan.
private struct PlannedKinds {
  var counts: [String: Int] = [:]

  init(_ plan: MigrationPlan) {
    let (old, new) = (ModelLookup(plan.old.model), ModelLookup(plan.new.model))
    for name in [
      "ent_add", "ent_del", "ent_rename", "prop_add", "prop_del", "prop_rename", "prop_retype",
    ] { counts[name] = 0 }
    // A type that an early file does not state is none that changed.
    counts["prop_retype"] = plan.steps.count { ["BOX317", "BOX319"].contains($0.rule.id) }
    for coverage in plan.steps.flatMap(\.covers) {
      switch coverage {
      case .element(let key): count(key, plan, old, new)
      case .field(let key, .name) where key.kind == .entity: counts["ent_rename", default: 0] += 1
      case .field(let key, .name) where key.kind == .property:
        counts["prop_rename", default: 0] += 1
      default: break
      }
    }
  }

  private mutating func count(
    _ key: ElementKey, _ plan: MigrationPlan, _ old: ModelLookup, _ new: ModelLookup
  ) {
    let isAdded = old[key.kind, key.uid] == nil
    let suffix = isAdded ? "add" : "del"
    switch key.kind {
    case .entity: counts["ent_\(suffix)", default: 0] += 1
    case .property:
      // What came or went with its entity is not counted.
      guard let place = isAdded ? new[.property, key.uid] : old[.property, key.uid] else { return }
      let owner =
        isAdded
        ? plan.new.model.entities[place.entity].pair.uid
        : plan.old.model.entities[place.entity].pair.uid
      if old.entity(owner) != nil, new.entity(owner) != nil {
        counts["prop_\(suffix)", default: 0] += 1
      }
    case .index, .relation: break
    }
  }
}
