import BoxConvert
import BoxJSON
import BoxMigration
import BoxModel
import BoxReport
import TestSupport
import Testing

/// The rules and texts of single changes.
struct PlanStepTests {
  typealias Change = @Sendable (inout Model) -> Void

  /// A change, and the rules of the steps that it makes.
  static let cases: [(rules: [String], change: Change)] = [
    (["BOX301"], { Mutation.add("Log", to: &$0) }),
    (
      ["BOX362", "BOX302"],
      { model in
        model.entities[1].relations = []
        model.retiredRelationUIDs = [2901]
        Mutation.retire(model.entities.remove(at: 2), in: &model)
      }
    ),
    (
      ["BOX303", "BOX313"],
      {
        $0.entities.remove(at: 0); $0.entities[0].properties.remove(at: 3)
      }
    ),
    (["BOX305"], { $0.entities[2].name = "Label" }),
    (
      ["BOX306"],
      {
        $0.entities[2].pair.id = 4; $0.lastEntityID = $0.entities[2].pair
      }
    ),
    (["BOX307"], { $0.entities[0].flags = .useNoArgConstructor }),
    (["BOX308"], { $0.entities[0].flags = .syncEnabled }),
    (["BOX309"], { $0.entities[0].externalName = "people" }),
    (
      ["BOX311"],
      {
        PlanModels.add(PlanModels.property(0, 5001, "color", .string), to: 2, in: &$0)
      }
    ),
    (["BOX312"], { PlanModels.remove("flagged", of: 1, in: &$0) }),
    (["BOX313"], { PlanModels.remove("flagged", of: 1, in: &$0, retiring: false) }),
    (
      ["BOX314", "BOX381"],
      { model in
        PlanModels.remove("flagged", of: 1, in: &model, retiring: false)
        model.entities[1].lastPropertyID = IDPair(id: 5, uid: 2005)
      }
    ),
    (["BOX315"], { $0.entities[1].properties[1].name = "headline" }),
    (
      ["BOX316"],
      { model in
        model.entities[1].properties[5].pair.id = 7
        model.entities[1].lastPropertyID = model.entities[1].properties[5].pair
      }
    ),
    (["BOX317"], { $0.entities[0].properties[2].type = .long }),
    (["BOX321"], { $0.entities[0].properties[2].externalName = "years" }),
    (["BOX322"], { $0.entities[0].properties[2].externalType = 100 }),
    (["BOX323"], { $0.entities[0].properties[2].hnswParams = #"{"neighbors-per-node": 12}"# }),
    (["BOX325"], { $0.entities[0].properties[2].hnswParams = #"{"dimensions": 2}"# }),
    (["BOX325"], { $0.entities[0].properties[2].hnswParams = #"{"distance-type": "Cosine"}"# }),
    (["BOX326"], { $0.entities[0].properties[2].hnswParams = #"{"dimensions": 0}"# }),
    (["BOX326"], { $0.entities[0].properties[2].hnswParams = #"{"dimensions": "2"}"# }),
    (["BOX326"], { $0.entities[0].properties[2].hnswParams = #"{"distance-type": "Lisp"}"# }),
    (
      ["BOX324"], { $0.entities[0].properties[2].otherMembers = [OtherMember(key: "k", text: "1")] }
    ),
    (["BOX331"], { $0.entities[0].properties[3].flags = [] }),
    (["BOX332"], { $0.entities[0].properties[2].flags = .notNull }),
    (["BOX334"], { $0.entities[0].properties[1].flags.remove(.unique) }),
    (["BOX335"], { $0.entities[0].properties[1].flags.insert(.uniqueOnConflictReplace) }),
    (["BOX336"], { $0.entities[1].properties[3].flags.remove(.indexPartialSkipZero) }),
    (["BOX338"], { $0.entities[0].properties[0].flags.insert(.idSelfAssignable) }),
    (["BOX339"], { $0.entities[1].properties[2].flags.insert(.expirationTime) }),
    (["BOX341"], { $0.entities[0].properties[2].flags.insert(.nonPrimitiveType) }),
    (
      ["BOX351"],
      { model in
        model.entities[2].properties[1].flags = [.indexed]
        model.entities[2].properties[1].indexID = IDPair(id: 4, uid: 3102)
        model.lastIndexID = IDPair(id: 4, uid: 3102)
      }
    ),
    (
      ["BOX352"],
      { model in
        model.entities[1].properties[2].flags = []
        model.entities[1].properties[2].indexID = nil
        model.retiredIndexUIDs = [2103]
      }
    ),
    (
      ["BOX353"],
      { model in
        model.entities[1].properties[2].flags = []
        model.entities[1].properties[2].indexID = nil
      }
    ),
    (["BOX354"], { $0.entities[0].properties[1].flags.insert(.indexHash) }),
    (
      ["BOX361"],
      { model in
        let relation = Relation(
          pair: IDPair(id: 2, uid: 5002), name: "readers", target: IDPair(id: 1, uid: 1000))
        model.entities[1].relations?.append(relation)
        model.lastRelationID = relation.pair
      }
    ),
    (
      ["BOX362"],
      {
        $0.entities[1].relations = []; $0.retiredRelationUIDs = [2901]
      }
    ),
    (["BOX363"], { $0.entities[1].relations = [] }),
    (["BOX365"], { $0.entities[1].relations?[0].name = "labels" }),
    (["BOX367"], { $0.entities[1].relations?[0].target = IDPair(id: 1, uid: 1000) }),
    (["BOX367"], { $0.entities[1].properties[3].relationTarget = "Tag" }),
    (
      ["BOX371"],
      { model in
        PlanModels.remove("created", of: 1, in: &model)
        PlanModels.add(
          PlanModels.property(0, 5003, "createdAt", .date, [.indexed]), to: 1, in: &model)
      }
    ),
    (
      ["BOX372"],
      { model in
        PlanModels.remove("title", of: 1, in: &model)
        PlanModels.add(PlanModels.property(0, 5004, "note", .string), to: 1, in: &model)
      }
    ),
    (
      ["BOX374"],
      { model in
        PlanModels.remove("title", of: 1, in: &model)
        PlanModels.add(PlanModels.property(0, 5005, "title", .string), to: 1, in: &model)
      }
    ),
    (
      ["BOX375"],
      { model in
        PlanModels.remove("title", of: 1, in: &model)
        PlanModels.add(PlanModels.property(0, 5006, "title", .long), to: 1, in: &model)
      }
    ),
    (
      ["BOX376"],
      { model in
        model.entities[1].relations = []
        model.retiredRelationUIDs = [2901]
        PlanModels.add(PlanModels.property(0, 5007, "tags", .string), to: 1, in: &model)
      }
    ),
    (
      ["BOX379"],
      {
        PlanModels.add(PlanModels.property(0, 900, "old", .string), to: 2, in: &$0)
        $0.retiredPropertyUIDs = []
      }
    ),
    (["BOX383"], { $0.retiredPropertyUIDs = [] }),
    (["BOX384"], { $0.modelVersion = 6 }),
    (["BOX385"], { $0.version = 2 }),
  ]

  @Test(arguments: cases.indices)
  func aChangeHasItsRule(_ index: Int) throws {
    let plan = try PlanModels.plan(Self.cases[index].change)
    // A few of the changes are not sound, which is a step of its own.
    let rules = plan.steps.map(\.rule.id).filter { $0 != "BOX391" }
    #expect(Set(rules) == Set(Self.cases[index].rules), "\(plan.steps.map(\.message))")
    #expect(rules.count == Self.cases[index].rules.count)
    for step in plan.steps where step.rule.id != "BOX391" {
      #expect(step.newPlace != nil || step.oldPlace != nil, "\(step.message)")
      #expect(!step.message.isEmpty)
      #expect(!step.message.hasSuffix("."))
    }
  }

  @Test func aNewlyGeneratedModelIsOneStep() throws {
    let plan = try PlanModels.plan { model in
      for e in model.entities.indices {
        model.entities[e].pair.uid += 100_000
        for p in model.entities[e].properties.indices {
          model.entities[e].properties[p].pair.uid += 100_000
        }
      }
      model.entities[1].relations?[0].pair.uid += 100_000
      model.entities[1].relations?[0].target.uid += 100_000
    }
    let steps = plan.steps.filter { $0.rule.id != "BOX391" }
    #expect(steps.first { $0.rule.id == "BOX392" }?.changeClass == .openFailure)
    #expect(
      steps.allSatisfy { ["BOX392", "BOX382"].contains($0.rule.id) }, "\(steps.map(\.rule.id))")
  }

  @Test(.promise(139)) func aChangeOfTypeSaysHowToDoItInTwoReleases() throws {
    let plan = try PlanModels.plan { $0.entities[0].properties[2].type = .long }
    let conversion = try #require(plan.steps[0].conversion)
    #expect(conversion.fidelity == .exact)
    #expect(conversion.converter == "{ Int64($0) }")
    #expect(conversion.releases.count == 2)
    #expect(conversion.releases[0].contains("User.age"))
  }

  @Test func positionsMatchTheValues() throws {
    let plan = try PlanModels.plan { $0.entities[0].properties[2].type = .long }
    let step = plan.steps[0]
    #expect(step.oldPlace?.sourceLine.text.contains("\"type\": 5") == true)
    #expect(step.newPlace?.sourceLine.text.contains("\"type\": 6") == true)
    #expect(step.newPlace?.path == "new.json")
  }

  /// After the fix nothing is lost, and the model is as sound as it was.
  @Test func theFixOfARenameKeepsTheData() throws {
    let changes: [Change] = [
      { model in
        PlanModels.remove("created", of: 1, in: &model)
        PlanModels.add(
          PlanModels.property(0, 5003, "createdAt", .date, [.indexed]), to: 1, in: &model)
      },
      { model in
        PlanModels.remove("title", of: 1, in: &model)
        PlanModels.add(PlanModels.property(0, 5005, "title", .string), to: 1, in: &model)
        PlanModels.add(PlanModels.property(0, 5009, "later", .int), to: 1, in: &model)
      },
      { model in
        var entity = model.entities.remove(at: 2)
        Mutation.retire(entity, in: &model)
        entity.pair = IDPair(id: 4, uid: 6000)
        entity.name = "Tags"
        entity.properties[0].pair.uid = 6001
        entity.properties[1].pair.uid = 6002
        entity.lastPropertyID = entity.properties[1].pair
        model.entities.append(entity)
        model.lastEntityID = entity.pair
        model.entities[1].relations?[0].target = entity.pair
      },
    ]
    for change in changes {
      let plan = try PlanModels.plan(change)
      let fixes = plan.steps.compactMap(\.fix)
      #expect(!fixes.isEmpty)
      let fixed = try PlanModels.document(plan.new.model.restoring(fixes, from: plan.old.model))
      #expect(
        fixed.check().filter { $0.severity == .error }.isEmpty, "\(fixed.check().map(\.message))")
      let again = MigrationPlan(from: plan.old, to: PlanSide(fixed, path: "new.json"))
      let bad = again.steps.filter { $0.changeClass >= .dataHidden }
      #expect(bad.isEmpty, "\(bad.map(\.message))")
    }
  }
}

extension Mutation {
  /// Adds an entity with the next id.
  static func add(_ name: String, to model: inout Model) {
    let id = (model.lastEntityID?.id ?? 0) + 1
    var entity = Entity(pair: IDPair(id: id, uid: 5000), name: name)
    entity.properties = [PlanModels.property(1, 5901, "id", .long, [.id])]
    entity.lastPropertyID = IDPair(id: 1, uid: 5901)
    model.lastEntityID = entity.pair
    model.entities.append(entity)
  }
}
