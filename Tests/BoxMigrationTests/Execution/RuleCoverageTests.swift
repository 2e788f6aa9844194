import BoxEngine
import BoxModel
import BoxReport
import TestSupport
import Testing

@testable import BoxMigration

/// Every kind of change is carried out on a store, and does what its plan says.
struct RuleCoverageTests {
  /// A change that a rule is about: the model before, which is ``PlanModels/base()`` unless the
  /// example changes that too, and the model after.
  struct Example: Sendable, CustomStringConvertible {
    var rule: String
    var change: @Sendable (_ old: inout Model, _ new: inout Model) -> Void

    init(_ rule: String, _ change: @escaping @Sendable (inout Model, inout Model) -> Void) {
      self.rule = rule
      self.change = change
    }

    var description: String { rule }
  }

  /// Rules whose change no store can be taken through.
  ///
  /// No store can have one of the two files as its model, whatever its data. That is verified instead.
  static let unsound: [Example] = [
    // As very early generators wrote them.
    .init("BOX318") { old, _ in old.entities[user].properties[2].type = nil },
    .init("BOX368") { old, _ in
      old.entities[note].relations?[0].target = IDPair(id: 0, uid: 0)
    },
    .init("BOX391") { _, new in new.entities[tag].pair.id = 2 },
  ]

  /// Rules that no pair of files makes, and why.
  static let impossible: [String: String] = [
    "BOX389": "it names what no other rule does, and every change has one",
    "BOX393": "the plan of a migration has it, and not that of two files",
    "BOX394": "files of rules have it, and not the models", "BOX395": "likewise",
    "BOX396": "likewise", "BOX397": "likewise",
    "BOX398": "the plan of a migration has it, and not that of two files",
  ]

  static let verified = entities + properties + flags + indexes + relations + identity + model

  @Test func everyRuleHasAnExample() {
    let all = Set(ChangeRule.all.map(\.rule.id))
    let groups = [
      Self.verified.map(\.rule), Self.unsound.map(\.rule), Array(Self.impossible.keys),
    ]
    #expect(all.subtracting(groups.joined()).sorted() == [])
    #expect(groups.joined().filter { !all.contains($0) } == [])
    #expect(Set(groups.joined()).count == groups.joined().count, "a rule occurs twice")
  }

  @Test(arguments: verified)
  func doesWhatThePlanSays(_ example: Example) throws {
    let (old, new) = try Self.documents(example)
    let directory = try TemporaryDirectory()
    let outcome = try PlanVerification(from: old, to: new, objects: 10).run(
      in: directory.path(of: "store"))
    #expect(outcome.disagreements == [])
    #expect(outcome.values > 0)
  }

  @Test(arguments: unsound)
  func isRefusedAsUnsound(_ example: Example) throws {
    let (old, new) = try Self.documents(example)
    let directory = try TemporaryDirectory()
    #expect {
      try PlanVerification(from: old, to: new).run(in: directory.path(of: "store"))
    } throws: { error in
      switch error {
      case StoreError.invalidModel, StoreError.incompatibleModel: true
      default: false
      }
    }
  }

  /// The two files of an example, whose plan has a step of the rule.
  private static func documents(
    _ example: Example
  ) throws -> (old: ModelDocument, new: ModelDocument) {
    var (before, after) = (PlanModels.base(), PlanModels.base())
    example.change(&before, &after)
    let (old, new) = (try PlanModels.document(before), try PlanModels.document(after))
    let plan = MigrationPlan(from: PlanSide(old, path: "old"), to: PlanSide(new, path: "new"))
    let rules = Set(plan.steps.map(\.rule.id))
    #expect(rules.contains(example.rule), "the plan has \(rules.sorted())")
    return (old, new)
  }
}

// MARK: - The examples

extension RuleCoverageTests {
  private static let (user, note, tag) = (0, 1, 2)
  private static let (title, created, author, ratio, flagged) = (1, 2, 3, 4, 5)

  /// Takes the entity Tag out, and the relation to it.
  @discardableResult
  private static func removeTag(_ model: inout Model, retiring: Bool) -> Entity {
    let relation = model.entities[note].relations?.removeFirst()
    model.retiredRelationUIDs? += relation.map { [$0.pair.uid] } ?? []
    let gone = model.entities.remove(at: tag)
    if retiring { Mutation.retire(gone, in: &model) }
    return gone
  }

  private static func index(_ model: inout Model, _ entity: Int, _ property: Int, uid: UID) {
    let pair = IDPair(id: (model.lastIndexID?.id ?? 0) + 1, uid: uid)
    model.entities[entity].properties[property].indexID = pair
    model.entities[entity].properties[property].flags.insert(.indexed)
    model.lastIndexID = pair
  }

  private static func flag(_ entity: Int, _ property: Int, _ flags: PropertyFlags)
    -> @Sendable (
      inout Model, inout Model
    ) -> Void
  {
    { _, new in new.entities[entity].properties[property].flags.formSymmetricDifference(flags) }
  }

  private static let entities: [Example] = [
    .init("BOX301") { _, new in
      var entity = Entity(pair: IDPair(id: 4, uid: 4000), name: "Later")
      entity.properties = [PlanModels.property(1, 4001, "id", .long, [.id])]
      entity.lastPropertyID = IDPair(id: 1, uid: 4001)
      new.lastEntityID = entity.pair
      new.entities.append(entity)
    },
    .init("BOX302") { _, new in removeTag(&new, retiring: true) },
    .init("BOX303") { _, new in removeTag(&new, retiring: false) },
    .init("BOX304") { _, new in
      removeTag(&new, retiring: false)
      new.lastEntityID = new.entities[note].pair
    },
    .init("BOX305") { _, new in new.entities[tag].name = "Label" },
    .init("BOX306") { _, new in
      new.entities[note].pair.id = 4
      new.lastEntityID = new.entities[note].pair
    },
    .init("BOX307") { _, new in
      new.entities[tag].flags.formSymmetricDifference(.init(rawValue: 1))
    },
    .init("BOX308") { _, new in
      new.entities[tag].flags.formSymmetricDifference(.init(rawValue: 2))
    },
    .init("BOX309") { _, new in new.entities[tag].externalName = "labels" },
  ]

  private static let properties: [Example] = [
    .init("BOX311") { _, new in
      PlanModels.add(PlanModels.property(0, 3009, "color", .int), to: tag, in: &new)
    },
    .init("BOX312") { _, new in PlanModels.remove("title", of: note, in: &new) },
    .init("BOX313") { _, new in PlanModels.remove("title", of: note, in: &new, retiring: false) },
    .init("BOX314") { _, new in
      PlanModels.remove("name", of: tag, in: &new, retiring: false)
      new.entities[tag].lastPropertyID = IDPair(id: 1, uid: 3001)
    },
    .init("BOX315") { _, new in new.entities[note].properties[title].name = "heading" },
    .init("BOX316") { _, new in
      new.entities[note].properties[title].pair.id = 7
      new.entities[note].lastPropertyID = new.entities[note].properties[title].pair
    },
    .init("BOX317") { _, new in new.entities[user].properties[2].type = .long },
    .init("BOX319") { _, new in
      new.entities[user].properties[2].type = PropertyType(rawValue: 20)
    },
    .init("BOX320") { _, new in
      var moved = new.entities[note].properties.remove(at: title)
      moved.pair.id = 3
      new.entities[tag].properties.append(moved)
      new.entities[tag].lastPropertyID = moved.pair
    },
    .init("BOX321") { _, new in new.entities[note].properties[title].externalName = "heading" },
    .init("BOX322") { _, new in new.entities[note].properties[title].externalType = 109 },
    .init("BOX323") { _, new in
      new.entities[note].properties[title].hnswParams = #"{"neighbors-per-node": 12}"#
    },
    .init("BOX325") { _, new in
      new.entities[note].properties[title].hnswParams = #"{"dimensions": 3}"#
    },
    .init("BOX326") { _, new in
      new.entities[note].properties[title].hnswParams = #"{"dimensions": 0}"#
    },
    .init("BOX324") { _, new in
      new.entities[note].properties[title].otherMembers = [OtherMember(key: "later", text: "1")]
    },
  ]

  private static let flags: [Example] = [
    .init("BOX331", flag(user, 2, .unsigned)),
    .init("BOX332", flag(note, title, .notNull)),
    .init("BOX333") { _, new in
      index(&new, tag, 1, uid: 3102)
      new.entities[tag].properties[1].flags.insert(.unique)
    },
    .init("BOX334", flag(user, 1, .unique)),
    .init("BOX335", flag(user, 1, .uniqueOnConflictReplace)),
    .init("BOX336", flag(note, author, .indexPartialSkipZero)),
    .init("BOX337") { _, new in
      new.entities[user].properties[0].flags.remove(.id)
      new.entities[user].properties[3].flags = .id
    },
    .init("BOX338", flag(user, 0, .idSelfAssignable)),
    .init("BOX339", flag(note, created, .expirationTime)),
    .init("BOX340") { old, new in
      old.entities[user].flags.formUnion(.init(rawValue: 2))
      new.entities[user].flags.formUnion(.init(rawValue: 2))
      new.entities[user].properties[3].flags.insert(.syncClock)
    },
    .init("BOX341", flag(user, 2, .nonPrimitiveType)),
    .init("BOX342", flag(user, 2, .init(rawValue: 1 << 25))),
  ]

  private static let indexes: [Example] = [
    .init("BOX351") { _, new in index(&new, tag, 1, uid: 3102) },
    .init("BOX352") { _, new in
      new.entities[note].properties[created].indexID = nil
      new.entities[note].properties[created].flags.remove(.indexed)
      new.retiredIndexUIDs?.append(2103)
    },
    .init("BOX353") { _, new in
      new.entities[note].properties[created].indexID = nil
      new.entities[note].properties[created].flags.remove(.indexed)
    },
    .init("BOX354") { _, new in
      new.entities[user].properties[1].flags = [.indexHash, .unique]
    },
    .init("BOX355") { _, new in
      index(&new, note, created, uid: 2199)
      new.retiredIndexUIDs?.append(2103)
    },
    .init("BOX356") { _, new in
      new.entities[note].properties[created].indexID?.id = 4
      new.lastIndexID = IDPair(id: 4, uid: 2103)
    },
    .init("BOX357") { _, new in
      let moved = new.entities[note].properties[created].indexID
      new.entities[note].properties[created].indexID = nil
      new.entities[note].properties[created].flags.remove(.indexed)
      new.entities[note].properties[flagged].indexID = moved
      new.entities[note].properties[flagged].flags.insert(.indexed)
    },
  ]

  private static let relations: [Example] = [
    .init("BOX361") { _, new in
      let relation = Relation(
        pair: IDPair(id: 2, uid: 1901), name: "notes", target: new.entities[note].pair)
      new.entities[user].relations = [relation]
      new.lastRelationID = relation.pair
    },
    .init("BOX362") { _, new in
      new.entities[note].relations = []
      new.retiredRelationUIDs?.append(2901)
    },
    .init("BOX363") { _, new in new.entities[note].relations = [] },
    .init("BOX364") { _, new in
      new.entities[note].relations = []
      new.lastRelationID = IDPair(id: 0, uid: 0)
    },
    .init("BOX365") { _, new in new.entities[note].relations?[0].name = "labels" },
    .init("BOX366") { _, new in
      new.entities[note].relations?[0].pair.id = 2
      new.lastRelationID = IDPair(id: 2, uid: 2901)
    },
    .init("BOX367") { _, new in
      let target = new.entities[user].pair
      new.entities[note].relations?[0].target = target
    },
    .init("BOX369") { _, new in
      let relations = new.entities[note].relations
      new.entities[note].relations = []
      new.entities[tag].relations = relations
    },
  ]

  private static let identity: [Example] = [
    .init("BOX371") { _, new in
      PlanModels.remove("created", of: note, in: &new)
      PlanModels.add(PlanModels.property(0, 2909, "createdAt", .date), to: note, in: &new)
    },
    .init("BOX372") { _, new in
      PlanModels.remove("flagged", of: note, in: &new)
      PlanModels.add(PlanModels.property(0, 2909, "open", .bool), to: note, in: &new)
    },
    .init("BOX373") { _, new in
      var entity = new.entities.remove(at: user)
      Mutation.retire(entity, in: &new)
      entity.pair = IDPair(id: 4, uid: 4000)
      entity.name = "Person"
      for position in entity.properties.indices { entity.properties[position].pair.uid += 3000 }
      entity.properties[1].indexID = IDPair(id: 4, uid: 4102)
      entity.lastPropertyID = entity.properties[3].pair
      new.lastIndexID = entity.properties[1].indexID
      new.lastEntityID = entity.pair
      new.entities.append(entity)
      new.entities[note - 1].properties[author].relationTarget = "Person"
    },
    .init("BOX374") { _, new in
      PlanModels.remove("title", of: note, in: &new)
      PlanModels.add(PlanModels.property(0, 2909, "title", .string), to: note, in: &new)
    },
    .init("BOX375") { _, new in
      PlanModels.remove("title", of: note, in: &new)
      PlanModels.add(PlanModels.property(0, 2909, "title", .long), to: note, in: &new)
    },
    .init("BOX376") { _, new in
      new.entities[note].relations = []
      new.retiredRelationUIDs?.append(2901)
      PlanModels.add(PlanModels.property(0, 2909, "tags", .byteVector), to: note, in: &new)
    },
    .init("BOX377") { _, new in
      PlanModels.remove("title", of: note, in: &new, retiring: false)
      let titles = Relation(
        pair: IDPair(id: 2, uid: 2002), name: "titles", target: new.entities[tag].pair)
      new.entities[note].relations?.append(titles)
      new.lastRelationID = IDPair(id: 2, uid: 2002)
    },
    .init("BOX378") { _, new in
      PlanModels.remove("flagged", of: note, in: &new)
      new.entities[note].properties.append(PlanModels.property(6, 2909, "open", .long))
      new.entities[note].lastPropertyID = IDPair(id: 6, uid: 2909)
    },
    .init("BOX379") { _, new in
      new.retiredPropertyUIDs = []
      PlanModels.add(PlanModels.property(0, 900, "again", .int), to: tag, in: &new)
    },
  ]

  private static let model: [Example] = [
    .init("BOX381") { old, new in
      old.lastEntityID = IDPair(id: 4, uid: 4000)
      old.retiredEntityUIDs = [4000]
      new.retiredEntityUIDs = [4000]
    },
    .init("BOX382") { old, new in
      old.lastEntityID = IDPair(id: 4, uid: 4000)
      old.retiredEntityUIDs = [4000, 5000]
      new.lastEntityID = IDPair(id: 4, uid: 5000)
      new.retiredEntityUIDs = [4000, 5000]
    },
    .init("BOX383") { _, new in new.retiredPropertyUIDs = [] },
    .init("BOX384") { _, new in new.modelVersionParserMinimum = 4 },
    .init("BOX385") { _, new in new.version = 2 },
    .init("BOX392") { _, new in
      for entity in new.entities.indices {
        new.entities[entity].pair.uid += 50_000
        for property in new.entities[entity].properties.indices {
          new.entities[entity].properties[property].pair.uid += 50_000
          if new.entities[entity].properties[property].indexID != nil {
            new.entities[entity].properties[property].indexID?.uid += 50_000
          }
        }
        new.entities[entity].lastPropertyID?.uid += 50_000
      }
      new.entities[note].relations?[0].pair.uid += 50_000
      new.entities[note].relations?[0].target.uid += 50_000
      new.lastEntityID?.uid += 50_000
      new.lastIndexID?.uid += 50_000
      new.lastRelationID?.uid += 50_000
    },
  ]
}
