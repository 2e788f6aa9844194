import BoxModel
import TestSupport

/// Makes random sound models, with removed elements whose UIDs are retired.
struct ModelGenerator {
  var random: SplitMix64
  private var usedUIDs: Set<UID> = []

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  private static let types: [PropertyType] = [
    .bool, .byte, .short, .char, .int, .long, .float, .double, .string, .date, .dateNano, .flex,
    .byteVector, .intVector, .floatVector, .stringVector,
  ]

  /// A model that ends with an entity in use, as every generator's file does after an addition.
  mutating func model() -> Model {
    var model = Model()
    let count = 1 + random.below(5)
    var id: UInt32 = 0
    for number in 0..<count {
      // Entities that were removed leave gaps.
      if random.below(4) == 0 {
        id += 1
        model.retiredEntityUIDs?.append(uid())
      }
      id += 1
      model.entities.append(
        Entity(pair: IDPair(id: id, uid: uid()), name: "Entity\(number)\(random.below(100))"))
    }
    model.lastEntityID = model.entities.last?.pair
    if random.below(4) == 0 {
      model.lastEntityID = IDPair(id: id + 1, uid: uid())
      model.retiredEntityUIDs?.append(model.lastEntityID?.uid ?? 0)
    }
    for position in model.entities.indices { fill(position, &model) }
    model.version = 1 + random.below(3)
    return model
  }

  mutating func uid() -> UID {
    while true {
      let uid = 256 + random.next() % (maximumUID - 256)
      if usedUIDs.insert(uid).inserted { return uid }
    }
  }

  private mutating func fill(_ e: Int, _ model: inout Model) {
    if random.below(4) == 0 {
      model.entities[e].flags =
        random.below(2) == 0 ? [.syncEnabled] : [.syncEnabled, .sharedGlobalIDs]
    }
    if random.below(5) == 0 { model.entities[e].externalName = "ext \"\(e)\"" }
    var id: UInt32 = 1
    var key = Property(pair: IDPair(id: id, uid: uid()), name: "id", type: .long, flags: .id)
    if random.below(3) == 0 { key.flags.insert(.idSelfAssignable) }
    model.entities[e].properties = [key]
    for number in 0..<random.below(8) {
      if random.below(5) == 0 {
        id += 1
        model.retiredPropertyUIDs?.append(uid())
      }
      id += 1
      model.entities[e].properties.append(property(IDPair(id: id, uid: uid()), number, &model))
    }
    model.entities[e].lastPropertyID = model.entities[e].properties.last?.pair
    if random.below(5) == 0 {
      let last = IDPair(id: id + 1, uid: uid())
      model.entities[e].lastPropertyID = last
      model.retiredPropertyUIDs?.append(last.uid)
    }
    for number in 0..<max(0, random.below(5) - 2) { addRelation(e, number, &model) }
  }

  private mutating func property(_ pair: IDPair, _ number: Int, _ model: inout Model) -> Property {
    let name = "field\(number)"
    if random.below(5) == 0 {
      var property = Property(
        pair: pair, name: name, type: .relation, flags: [.indexed, .indexPartialSkipZero])
      property.relationTarget = random.pick(model.entities).name
      property.indexID = index(&model)
      return property
    }
    var property = Property(pair: pair, name: name, type: random.pick(Self.types))
    if random.below(4) == 0 { property.flags.insert(.notNull) }
    if property.type == .string, random.below(3) == 0 {
      property.flags.insert(.indexHash)
    } else if property.type == .long || property.type == .int {
      if random.below(3) == 0 { property.flags.insert(.indexed) }
      if random.below(3) == 0 { property.flags.insert(.unsigned) }
    }
    if property.flags.isIndexed {
      if random.below(2) == 0 { property.flags.insert(.unique) }
      property.indexID = index(&model)
    }
    if random.below(6) == 0 { property.externalName = "outer\(number)" }
    if random.below(6) == 0 { property.externalType = 100 + random.below(28) }
    return property
  }

  private mutating func index(_ model: inout Model) -> IDPair {
    let pair = IDPair(id: (model.lastIndexID?.id ?? 0) + 1, uid: uid())
    model.lastIndexID = pair
    return pair
  }

  private mutating func addRelation(_ e: Int, _ number: Int, _ model: inout Model) {
    let pair = IDPair(id: (model.lastRelationID?.id ?? 0) + 1, uid: uid())
    model.lastRelationID = pair
    var relation = Relation(
      pair: pair, name: "links\(number)", target: random.pick(model.entities).pair)
    if random.below(5) == 0 { relation.externalName = "outer" }
    if random.below(5) == 0 { relation.externalType = 100 + random.below(28) }
    model.entities[e].relations?.append(relation)
  }
}
