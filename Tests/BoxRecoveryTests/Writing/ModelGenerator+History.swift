import BoxModel
import TestSupport

extension ModelGenerator {
  /// Versions of one model, each of which follows from the one before it by a few changes.
  ///
  /// Retired UIDs are those of elements that a version had.
  mutating func history(length: Int) -> [Model] {
    var current = model()
    for kind in ElementKind.allCases { current[retired: kind] = [] }
    current.lastEntityID = current.entities.last?.pair
    for e in current.entities.indices {
      current.entities[e].lastPropertyID = current.entities[e].properties.last?.pair
    }
    current.lastIndexID = current.lastIndexID ?? .unset
    current.lastRelationID = current.lastRelationID ?? .unset
    current.version = 1
    var versions = [current]
    while versions.count < length {
      for _ in 0...random.below(3) { change(&current) }
      versions.append(current)
    }
    return versions
  }

  private mutating func change(_ model: inout Model) {
    let e = random.below(model.entities.count)
    let p = random.below(model.entities[e].properties.count)
    switch random.below(7) {
    case 0: addEntity(&model)
    case 1 where model.entities.count > 1: removeEntity(e, &model)
    case 2 where p > 0: removeProperty(p, of: e, &model)
    case 3 where p > 0: changeIndex(p, of: e, &model)
    case 4 where model.entities[e].relations?.isEmpty == false:
      if let removed = model.entities[e].relations?.removeLast() {
        model.retiredRelationUIDs?.append(removed.pair.uid)
      }
    case 5:
      addRelation(e, "links\(model.lastRelationID?.id ?? 0)x", &model)
    default: addProperty(to: e, &model)
    }
  }

  private mutating func addEntity(_ model: inout Model) {
    let pair = IDPair(id: (model.lastEntityID?.id ?? 0) + 1, uid: uid())
    var entity = Entity(pair: pair, name: "Added\(pair.id)")
    let key = Property(pair: IDPair(id: 1, uid: uid()), name: "id", type: .long, flags: .id)
    entity.properties = [key]
    entity.lastPropertyID = key.pair
    entity.relations = []
    model.entities.append(entity)
    model.lastEntityID = pair
  }

  private func removeEntity(_ e: Int, _ model: inout Model) {
    let removed = model.entities.remove(at: e)
    model.retiredEntityUIDs?.append(removed.pair.uid)
    for property in removed.properties { retire(property, &model) }
    model.retiredRelationUIDs? += (removed.relations ?? []).map(\.pair.uid)
    for other in model.entities.indices {
      for property in model.entities[other].properties
      where property.relationTarget == removed.name { retire(property, &model) }
      model.entities[other].properties.removeAll { $0.relationTarget == removed.name }
      for relation in model.entities[other].relations ?? [] where relation.target == removed.pair {
        model.retiredRelationUIDs?.append(relation.pair.uid)
      }
      model.entities[other].relations?.removeAll { $0.target == removed.pair }
    }
  }

  private func removeProperty(_ p: Int, of e: Int, _ model: inout Model) {
    retire(model.entities[e].properties.remove(at: p), &model)
  }

  private func retire(_ property: Property, _ model: inout Model) {
    model.retiredPropertyUIDs?.append(property.pair.uid)
    if let index = property.indexID { model.retiredIndexUIDs?.append(index.uid) }
  }

  /// Removes the index of a property, or gives one to a number.
  private mutating func changeIndex(_ p: Int, of e: Int, _ model: inout Model) {
    let property = model.entities[e].properties[p]
    guard property.type != .relation else { return }
    if let index = property.indexID {
      model.retiredIndexUIDs?.append(index.uid)
      model.entities[e].properties[p].indexID = nil
      model.entities[e].properties[p].flags.subtract([.indexed, .unique, .indexHash])
    } else if property.type == .long || property.type == .date {
      let pair = IDPair(id: (model.lastIndexID?.id ?? 0) + 1, uid: uid())
      model.lastIndexID = pair
      model.entities[e].properties[p].indexID = pair
      model.entities[e].properties[p].flags.insert(.indexed)
    }
  }

  private mutating func addProperty(to e: Int, _ model: inout Model) {
    let id = (model.entities[e].lastPropertyID?.id ?? 0) + 1
    let pair = IDPair(id: id, uid: uid())
    model.entities[e].properties.append(
      Property(pair: pair, name: "added\(id)", type: random.pick([.long, .date, .string])))
    model.entities[e].lastPropertyID = pair
  }

  private mutating func addRelation(_ e: Int, _ name: String, _ model: inout Model) {
    let pair = IDPair(id: (model.lastRelationID?.id ?? 0) + 1, uid: uid())
    model.lastRelationID = pair
    let relation = Relation(pair: pair, name: name, target: random.pick(model.entities).pair)
    model.entities[e].relations = (model.entities[e].relations ?? []) + [relation]
  }
}
