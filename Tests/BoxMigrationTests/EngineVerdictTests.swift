import BoxEngine
import BoxMigration
import BoxModel
import BoxReport
import BoxStorage
import TestSupport
import Testing

/// The engine does what the plan says of it.
struct EngineVerdictTests {
  private static let rounds = TestSeed.count("BOXJOINT_SOAK_PLAN_STORES", default: 150)

  @Test func theEngineDoesWhatThePlanSays() throws {
    var random = TestSeed.next()
    var refused = 0
    var opened = 0
    for round in 0..<Self.rounds {
      let old = try PlanModels.document(PlanModels.base())
      var model = PlanModels.base()
      var kinds: [Int] = []
      for _ in 0..<(1 + random.below(3)) {
        let kind = random.below(Mutation.count)
        Mutation.apply(kind, &model, &random)
        kinds.append(kind)
      }
      // What has one right way to be mended is, so that more than a few models are sound.
      let new = try PlanModels.document(model).fixed().document
      let plan = MigrationPlan(
        from: PlanSide(old, path: "old.json"), to: PlanSide(new, path: "new.json"))
      let store = try PlanStore(old)
      let opening = try store.open(new)
      let comment: Comment = "round \(round), changes \(kinds): \(plan.steps.map(\.message))"
      let said = Set(
        plan.steps.filter { $0.engine.changeClass == .openFailure }
          .compactMap { $0.engine.openingRule?.id })
      if opening.isInvalid {
        #expect(plan.steps.contains { $0.rule.id == "BOX391" }, comment)
        continue
      }
      #expect(opening.refusals.isEmpty == plan.engineOpens, comment)
      #expect(opening.refusals.isSubset(of: said), comment)
      if !opening.refusals.isEmpty {
        refused += 1
        // A store that is refused is as it was.
        #expect(try store.open(old).refusals.isEmpty, comment)
        continue
      }
      opened += 1
      let warned = Set(plan.steps.compactMap { $0.engine.openingRule?.id })
      #expect(opening.warnings.isSubset(of: warned), comment)
      if plan.steps.allSatisfy({ $0.engine.rollback == .opens }) {
        #expect(try store.open(old).refusals.isEmpty, comment)
      }
    }
    print("opened \(opened), refused \(refused)")
    #expect(opened > Self.rounds / 10)
    #expect(refused > Self.rounds / 20)
  }

  @Test func withoutObjectsNoTypeIsInTheWay() throws {
    let plan = try PlanModels.plan { $0.entities[1].properties[4].type = .string }
    #expect(!plan.engineOpens)
    let empty = try PlanStore(try PlanModels.document(PlanModels.base()), objects: 0)
    #expect(try empty.open(try #require(plan.new.document)).refusals.isEmpty)
    var counted = plan
    let other = try PlanStore(try PlanModels.document(PlanModels.base()), objects: 0)
    try counted.count(in: ObjectStore.open(.directory(other.path)))
    #expect(counted.engineOpens)
  }

  @Test func aStoreSaysHowMuchIsConcerned() throws {
    let old = try PlanModels.document(PlanModels.base())
    let store = try PlanStore(old, objects: 4)
    var model = PlanModels.base()
    PlanModels.remove("title", of: 1, in: &model)
    model.entities[1].properties[3].type = .bool  // ratio: 0.5, 1.5, 2.5, 3.5
    // The flags: false, true, false, true.
    model.entities[1].properties[4].flags = [.indexed, .unique]
    model.entities[1].properties[4].indexID = IDPair(id: 4, uid: 777_777)
    model.lastIndexID = IDPair(id: 4, uid: 777_777)
    var plan = MigrationPlan(
      from: PlanSide(old, path: store.path),
      to: PlanSide(try PlanModels.document(model), path: "new.json"))
    try plan.count(in: ObjectStore.open(.directory(store.path)))
    func counts(_ rule: String) throws -> DataCounts {
      let step = try #require(plan.steps.first { $0.rule.id == rule })
      return try #require(step.counts)
    }
    #expect(try counts("BOX312") == DataCounts(affected: 4, unit: .values))
    #expect(try counts("BOX317") == DataCounts(affected: 4, unit: .values, unfit: 4))
    #expect(try counts("BOX333") == DataCounts(affected: 4, unit: .values, duplicates: 2))
    #expect(plan.steps.first { $0.rule.id == "BOX333" }?.engine.openingRule?.id == "BOX606")
  }

  /// A model that has nothing of it shows no refusal; the store does, which keeps what it hides.
  @Test(arguments: [true, false])
  func hiddenElementsCanConflict(isWithItsEntity: Bool) throws {
    let first = PlanModels.base()
    var second = first
    if isWithItsEntity {
      let gone = second.entities.remove(at: 1)
      Mutation.retire(gone, in: &second)
    } else {
      PlanModels.remove("ratio", of: 1, in: &second)
    }
    // As it was, but for the type of what was hidden.
    var third = first
    third.entities[1].properties[4].type = .string
    let store = try PlanStore(try PlanModels.document(first))
    let hiding = try PlanModels.document(second)
    #expect(try store.open(hiding).refusals.isEmpty)
    let back = try PlanModels.document(third)
    var plan = MigrationPlan(
      from: PlanSide(hiding, path: "old.json"), to: PlanSide(back, path: "new.json"),
      for: [.boxjoint])
    #expect(plan.engineOpens)
    let opened = try ObjectStore.open(.directory(store.path))
    try plan.count(in: opened)
    opened.close()
    #expect(!plan.engineOpens)
    #expect(try store.open(back).refusals == ["BOX601"])
    #expect(
      plan.steps.filter { $0.engine.changeClass == .openFailure }
        .compactMap(\.engine.openingRule?.id) == ["BOX601"])
  }

  /// Values of a property that becomes unique.
  struct UniqueCase: Sendable {
    var type: PropertyType
    var before: PropertyFlags = []
    var flags: PropertyFlags = [.indexed, .unique]
    var rule = "BOX333"
    var values: [Value]
    /// The number of values that the engine treats as duplicates of an earlier one.
    var duplicates: Int
  }

  @Test(arguments: [
    // One text in two forms: the bytes differ.
    UniqueCase(type: .string, values: ["\u{E9}", "e\u{301}"], duplicates: 0),
    UniqueCase(type: .string, values: ["a", "b", "a", nil, nil], duplicates: 1),
    UniqueCase(type: .double, values: [.double(.nan), .double(.nan)], duplicates: 1),
    UniqueCase(type: .double, values: [.double(0), .double(-0.0)], duplicates: 1),
    UniqueCase(type: .long, values: [0, 0, 1], duplicates: 1),
    UniqueCase(
      type: .long, flags: [.indexed, .unique, .indexPartialSkipZero], values: [0, 0, 1],
      duplicates: 0),
    // An index that leaves zero out lets it come twice.
    UniqueCase(
      type: .long, before: [.indexed, .unique, .indexPartialSkipZero], rule: "BOX336",
      values: [0, 0, 1], duplicates: 1),
    UniqueCase(
      type: .long, before: [.indexed, .unique, .indexPartialSkipZero], rule: "BOX336",
      values: [0, 1], duplicates: 0),
  ])
  func planAndEngineAgreeOnWhatIsUnique(_ test: UniqueCase) throws {
    func document(_ flags: PropertyFlags) throws -> ModelDocument {
      try TestModel(
        .init(name: "Item", uid: 100, fields: [.init("code", 110, test.type, flags)])
      ).document()
    }
    let (old, new) = (try document(test.before), try document(test.flags))
    let store = try MigrationStore(old) { (store, transaction) throws in
      for value in test.values {
        var object = DynamicObject(try store.entity(named: "Item"))
        object["code"] = value
        try transaction.put(object)
      }
    }
    var plan = MigrationPlan(
      from: PlanSide(old, path: "old.json"), to: PlanSide(new, path: "new.json"),
      for: [.boxjoint])
    try plan.count(in: ObjectStore.open(.directory(store.path)))
    let step = try #require(plan.steps.first { $0.rule.id == test.rule })
    #expect(step.counts?.duplicates == test.duplicates)
    #expect(plan.engineOpens == (test.duplicates == 0))
    var refusals: [String] = []
    do throws(any Error) {
      _ = try ObjectStore.open(.directory(store.path), model: new)
    } catch StoreError.incompatibleModel(let findings) {
      refusals = findings.map(\.rule.id)
    }
    #expect(refusals == (test.duplicates == 0 ? [] : ["BOX606"]))
  }
}
