import BoxMigration
import BoxModel
import BoxReport
import TestSupport
import Testing

/// Plans of what the editor of models did.
struct EditedModelPlanTests {
  private static let rounds = TestSeed.count("BOXJOINT_SOAK_EDITED_PLANS", default: 300)

  /// The rules for changes that no edit makes: lost, moved and renumbered elements, and counters or
  /// lists that lose something.
  private static let impossible: Set<String> = [
    "BOX303", "BOX304", "BOX306", "BOX313", "BOX314", "BOX316", "BOX320", "BOX353",
    "BOX356", "BOX357", "BOX363", "BOX364", "BOX366", "BOX367", "BOX369", "BOX377",
    "BOX378", "BOX379", "BOX381", "BOX382", "BOX383", "BOX389", "BOX391",
  ]

  @Test func thePlanSaysWhatWasDone() {
    var random = TestSeed.next()
    var steps = 0
    for round in 0..<Self.rounds {
      var sequence = EditSequence(SplitMix64(seed: random.next()))
      for _ in 0..<(5 + random.below(30)) { #expect(sequence.step() == nil) }
      let (old, before) = (sequence.editor.model, sequence.rules)
      for _ in 0..<(1 + random.below(12)) { #expect(sequence.step() == nil) }
      let (new, after) = (sequence.editor.model, sequence.rules)
      // A model of which nothing is left counts as one that was generated from scratch.
      guard before.entities.contains(where: { after.elements[$0.pair.uid] != nil }) else {
        continue
      }
      let plan = MigrationPlan(from: PlanSide(old, path: "old"), to: PlanSide(new, path: "new"))
      var (added, removed, renamed) = (Set<Int>(), Set<Int>(), Set<Int>())
      for coverage in plan.steps.flatMap(\.covers) {
        switch coverage {
        case .element(let key):
          if after.elements[Int(key.uid)] == nil {
            removed.insert(Int(key.uid))
          } else {
            added.insert(Int(key.uid))
          }
        case .field(let key, .name): renamed.insert(Int(key.uid))
        case .field, .root: break
        }
      }
      let (earlier, later) = (before.elements, after.elements)
      let comment = "round \(round): \(sequence.log)"
      #expect(added == Set(later.keys).subtracting(earlier.keys), "\(comment)")
      #expect(removed == Set(earlier.keys).subtracting(later.keys), "\(comment)")
      #expect(
        renamed
          == Set(earlier.keys.filter { uid in later[uid].map { $0 != earlier[uid] } ?? false }),
        "\(comment)")
      let converted = plan.steps.filter { $0.rule.id == "BOX317" }.compactMap {
        $0.uid.map { Int($0) }
      }
      #expect(Set(converted) == before.types(changedIn: after), "\(comment)")
      let wrong = plan.steps.filter { Self.impossible.contains($0.rule.id) }
      #expect(wrong.isEmpty, "\(wrong.map(\.message)) in \(comment)")
      steps += plan.steps.count
    }
    #expect(steps > Self.rounds)
  }
}

extension GeneratorRules {
  /// The properties whose type is another one in a later model, by UID.
  fileprivate func types(changedIn later: GeneratorRules) -> Set<Int> {
    func types(_ rules: GeneratorRules) -> [Int: Int32] {
      Dictionary(
        rules.entities.flatMap(\.properties).map { ($0.pair.uid, $0.type) },
        uniquingKeysWith: { $1 })
    }
    let new = types(later)
    return Set(types(self).filter { uid, type in new[uid].map { $0 != type } ?? false }.keys)
  }

  /// The name of every element by its UID; an index has the empty name.
  fileprivate var elements: [Int: String] {
    var names: [Int: String] = [:]
    for entity in entities {
      names[entity.pair.uid] = entity.name
      for property in entity.properties {
        names[property.pair.uid] = property.name
        if let index = property.index { names[index.uid] = "" }
      }
      for relation in entity.relations { names[relation.pair.uid] = relation.name }
    }
    return names
  }
}
