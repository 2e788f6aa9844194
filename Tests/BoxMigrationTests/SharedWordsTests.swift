import BoxMigration
import BoxModel
import BoxReport
import TestSupport
import Testing

/// A difference and a plan say the same of one change.
struct SharedWordsTests {
  /// The rules of changes under the same UID that a store may refuse.
  private static let rules: Set<String> = [
    "BOX306", "BOX316", "BOX317", "BOX320", "BOX356", "BOX366", "BOX367", "BOX369",
  ]

  @Test func aDifferenceSaysWhatThePlanSays() throws {
    var met: Set<String> = []
    for seed in UInt64(0)..<300 {
      var random = SplitMix64(seed: seed)
      var model = PlanModels.base()
      for _ in 0...random.below(2) { Self.change(&model, &random) }
      let plan = try PlanModels.plan { $0 = model }
      let changes = ModelChanges(from: PlanModels.base(), to: model)
      for step in plan.steps where Self.rules.contains(step.rule.id) {
        met.insert(step.rule.id)
        let change = changes.groups.flatMap(\.changes).first { change in
          step.covers.contains {
            if case .field(change.key, _) = $0 { true } else { false }
          }
        }
        let consequences = try #require(change?.consequences, "seed \(seed): \(step)")
        #expect(
          consequences.contains("BoxJoint: \(step.engine.outcome)"),
          "seed \(seed), \(step.rule.id): \(consequences)")
        #expect(
          consequences.contains("ObjectBox: \(step.objectBox.outcome)"),
          "seed \(seed), \(step.rule.id): \(consequences)")
      }
    }
    #expect(met == Self.rules)
  }

  /// Changes one thing under its UID.
  private static func change(_ model: inout Model, _ random: inout SplitMix64) {
    let hasRelation = model.entities[1].relations?.isEmpty == false
    switch random.below(8) {
    case 0: model.entities[random.below(3)].pair.id = UInt32(10 + random.below(20))
    case 1:
      model.entities[1].properties[1 + random.below(4)].pair.id = UInt32(20 + random.below(20))
    case 2: model.entities[1].properties[2].indexID?.id = UInt32(10 + random.below(20))
    case 3 where hasRelation:
      model.entities[1].relations?[0].pair.id = UInt32(10 + random.below(20))
    case 4: model.entities[0].properties[2].type = .string
    case 5 where hasRelation:
      let user = model.entities[0].pair
      model.entities[1].relations?[0].target = user
    case 6:
      let property = model.entities[1].properties[4]
      if property.pair.uid != 2005 { return }
      model.entities[1].properties.remove(at: 4)
      model.entities[2].properties.append(property)
    default:
      guard let relation = model.entities[1].relations?.popLast() else { return }
      model.entities[2].relations = (model.entities[2].relations ?? []) + [relation]
    }
  }
}
