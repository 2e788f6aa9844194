import BoxMigration
import BoxModel
import TestSupport

/// Small models for plans, and changes of every kind.
enum PlanModels {
  /// Notes with an author and tags; `Draft` has objects of its own.
  static func base() -> Model {
    var model = Model()
    var user = Entity(pair: IDPair(id: 1, uid: 1000), name: "User")
    user.properties = [
      property(1, 1001, "id", .long, [.id]),
      property(2, 1002, "email", .string, [.indexed, .unique], index: IDPair(id: 1, uid: 1102)),
      property(3, 1003, "age", .int),
      property(4, 1004, "score", .long, [.unsigned]),
    ]
    user.lastPropertyID = IDPair(id: 4, uid: 1004)
    var note = Entity(pair: IDPair(id: 2, uid: 2000), name: "Note")
    note.properties = [
      property(1, 2001, "id", .long, [.id]),
      property(2, 2002, "title", .string),
      property(3, 2003, "created", .date, [.indexed], index: IDPair(id: 2, uid: 2103)),
      property(
        4, 2004, "authorId", .relation, [.indexed, .indexPartialSkipZero],
        index: IDPair(id: 3, uid: 2104)),
      property(5, 2005, "ratio", .double),
      property(6, 2006, "flagged", .bool),
    ]
    note.properties[3].relationTarget = "User"
    note.lastPropertyID = IDPair(id: 6, uid: 2006)
    note.relations = [
      Relation(
        pair: IDPair(id: 1, uid: 2901), name: "tags", target: IDPair(id: 3, uid: 3000))
    ]
    var tag = Entity(pair: IDPair(id: 3, uid: 3000), name: "Tag")
    tag.properties = [
      property(1, 3001, "id", .long, [.id]), property(2, 3002, "name", .string),
    ]
    tag.lastPropertyID = IDPair(id: 2, uid: 3002)
    model.entities = [user, note, tag]
    model.lastEntityID = tag.pair
    model.lastIndexID = IDPair(id: 3, uid: 2104)
    model.lastRelationID = IDPair(id: 1, uid: 2901)
    model.retiredPropertyUIDs = [900]
    return model
  }

  static func property(
    _ id: UInt32, _ uid: UID, _ name: String, _ type: PropertyType, _ flags: PropertyFlags = [],
    index: IDPair? = nil
  ) -> Property {
    var result = Property(pair: IDPair(id: id, uid: uid), name: name, type: type, flags: flags)
    result.indexID = index
    return result
  }

  /// The model as a file.
  static func document(_ model: Model) throws -> ModelDocument { try TestModel.document(model) }

  /// The plan of a change of the base.
  static func plan(_ change: (inout Model) -> Void) throws -> MigrationPlan {
    var model = base()
    change(&model)
    return MigrationPlan(
      from: PlanSide(try document(base()), path: "old.json"),
      to: PlanSide(try document(model), path: "new.json"))
  }

  /// Removes a property, and retires it with its index.
  static func remove(_ name: String, of entity: Int, in model: inout Model, retiring: Bool = true) {
    guard let position = model.entities[entity].properties.firstIndex(where: { $0.name == name })
    else { return }
    let gone = model.entities[entity].properties.remove(at: position)
    guard retiring else { return }
    model.retiredPropertyUIDs?.append(gone.pair.uid)
    if let index = gone.indexID { model.retiredIndexUIDs?.append(index.uid) }
  }

  /// Adds a property with the next id.
  static func add(_ property: Property, to entity: Int, in model: inout Model) {
    var property = property
    let next = (model.entities[entity].lastPropertyID?.id ?? 0) + 1
    property.pair = IDPair(id: next, uid: property.pair.uid)
    model.entities[entity].lastPropertyID = property.pair
    if property.flags.isIndexed {
      let index = IDPair(id: (model.lastIndexID?.id ?? 0) + 1, uid: property.pair.uid + 100)
      property.indexID = index
      model.lastIndexID = index
    }
    model.entities[entity].properties.append(property)
  }
}

/// A change of one thing of a model, whatever it is, for laws over all of them.
enum Mutation {
  /// The number of kinds that ``apply(_:_:_:)`` knows.
  static let count = 44

  /// Applies the change of a number to a random place of a model.
  static func apply(_ kind: Int, _ model: inout Model, _ random: inout SplitMix64) {
    let uid = random.next() >> 1 | 1 << 20
    guard !model.entities.isEmpty else { return }
    let e = random.below(model.entities.count)
    let p = random.below(max(1, model.entities[e].properties.count))
    let hasProperty = p < model.entities[e].properties.count
    let relations = model.entities[e].relations?.count ?? 0
    switch kind {
    case 0:
      let id = (model.lastEntityID?.id ?? 0) + 1
      var entity = Entity(pair: IDPair(id: id, uid: uid), name: "E\(uid)")
      entity.properties = [PlanModels.property(1, uid + 1, "id", .long, [.id])]
      entity.lastPropertyID = IDPair(id: 1, uid: uid + 1)
      model.lastEntityID = entity.pair
      model.entities.append(entity)
    case 1: retire(model.entities.remove(at: e), in: &model)
    case 2: model.entities.remove(at: e)
    case 3: model.entities[e].name += "X"
    case 4: model.entities[e].pair.id += 100
    case 5: model.entities[e].pair.uid = uid
    case 6:
      model.entities[e].flags.formSymmetricDifference(.init(rawValue: 1 << UInt32(random.below(5))))
    case 7: model.entities[e].externalName = "x\(uid)"
    case 8: model.entities[e].otherMembers.append(OtherMember(key: "k\(uid)", text: "1"))
    case 9:
      PlanModels.add(
        PlanModels.property(0, uid, "p\(uid)", PropertyType(rawValue: Int32(1 + random.below(12)))),
        to: e, in: &model)
    case 10:
      PlanModels.add(PlanModels.property(0, uid, "p\(uid)", .string, [.indexed]), to: e, in: &model)
    case 11 where hasProperty:
      PlanModels.remove(model.entities[e].properties[p].name, of: e, in: &model)
    case 12 where hasProperty: model.entities[e].properties.remove(at: p)
    case 13 where hasProperty: model.entities[e].properties[p].name += "Y"
    case 14 where hasProperty: model.entities[e].properties[p].pair.id += 50
    case 15 where hasProperty: model.entities[e].properties[p].pair.uid = uid
    case 16 where hasProperty:
      model.entities[e].properties[p].type = PropertyType(rawValue: Int32(random.below(34)))
    case 17 where hasProperty: model.entities[e].properties[p].type = nil
    case 18...35 where hasProperty:
      let bit = UInt32(1) << UInt32(kind == 35 ? 25 : kind - 18)
      model.entities[e].properties[p].flags.formSymmetricDifference(.init(rawValue: bit))
    case 36 where hasProperty:
      let isIndexed = model.entities[e].properties[p].indexID != nil
      model.entities[e].properties[p].indexID = isIndexed ? nil : IDPair(id: 77, uid: uid)
    case 37 where hasProperty:
      model.entities[e].properties[p].externalName = "y\(uid)"
      model.entities[e].properties[p].externalType = Int(uid % 100)
      model.entities[e].properties[p].hnswParams = #"{"dimensions": \#(uid % 7)}"#
      model.entities[e].properties[p].otherMembers = [OtherMember(key: "z", text: "[]")]
    case 38 where hasProperty:
      let target = random.pick(model.entities).name
      model.entities[e].properties[p].relationTarget = target
    case 39:
      let id = (model.lastRelationID?.id ?? 0) + 1
      let target = random.pick(model.entities).pair
      let relation = Relation(pair: IDPair(id: id, uid: uid), name: "r\(uid)", target: target)
      model.entities[e].relations = (model.entities[e].relations ?? []) + [relation]
      model.lastRelationID = relation.pair
    case 40 where relations > 0: model.entities[e].relations?.removeFirst()
    case 41 where relations > 0:
      model.entities[e].relations?[0].name += "Z"
      model.entities[e].relations?[0].pair.id += 9
      let target = random.pick(model.entities).pair
      model.entities[e].relations?[0].target = target
      model.entities[e].relations?[0].externalName = "q"
      model.entities[e].relations?[0].externalType = 5
      model.entities[e].relations?[0].otherMembers = [OtherMember(key: "z", text: "2")]
    case 42 where hasProperty:
      let other = random.below(model.entities.count)
      let moved = model.entities[e].properties.remove(at: p)
      model.entities[other].properties.append(moved)
    case 43:
      model.version = (model.version ?? 0) + 1
      model.lastEntityID = IDPair(id: 1, uid: 1000)
      model.retiredPropertyUIDs = []
      model.modelVersionParserMinimum = 4
      model.otherMembers = [OtherMember(key: "later", text: "{}")]
    default: break
    }
  }

  static func retire(_ entity: Entity, in model: inout Model) {
    model.retiredEntityUIDs?.append(entity.pair.uid)
    model.retiredPropertyUIDs?.append(contentsOf: entity.properties.map(\.pair.uid))
    model.retiredIndexUIDs?.append(contentsOf: entity.properties.compactMap(\.indexID?.uid))
    model.retiredRelationUIDs?.append(contentsOf: (entity.relations ?? []).map(\.pair.uid))
  }
}
