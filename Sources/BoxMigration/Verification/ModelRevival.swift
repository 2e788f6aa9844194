internal import BoxModel

/// A new model with everything of the old one that it lacks, under the old UIDs.
///
/// Opening a store with it shows what was hidden.
struct ModelRevival {
  /// The new model, and what was brought back.
  private(set) var model: Model
  /// What was brought back: entities with all that they hold, and members of entities that stayed.
  private(set) var elements: [ElementKey] = []
  private var taken: Set<UID>

  init(of old: Model, in new: Model) {
    model = new
    taken = []
    new.forEachElement { _, pair in taken.insert(pair.uid) }
    let lookup = ModelLookup(new)
    for entity in old.entities where lookup.entity(entity.pair.uid) == nil {
      if !taken.insert(entity.pair.uid).inserted { continue }
      let id = (model.lastEntityID?.id ?? 0) + 1
      var revived = Entity(
        pair: IDPair(id: id, uid: entity.pair.uid), name: "Revived\(entity.pair.uid)")
      revived.flags = entity.flags
      model.entities.append(revived)
      model.lastEntityID = revived.pair
      elements.append(ElementKey(.entity, entity.pair.uid))
    }
    for entity in old.entities {
      guard let position = model.entities.firstIndex(where: { $0.pair.uid == entity.pair.uid })
      else { continue }
      let isNew = lookup.entity(entity.pair.uid) == nil
      for property in entity.properties {
        revive(property, from: old, in: position, isNew)
      }
      for relation in entity.relations ?? [] { revive(relation, in: position, isNew) }
    }
    model.retiredEntityUIDs?.removeAll { taken.contains($0) }
    model.retiredPropertyUIDs?.removeAll { taken.contains($0) }
    model.retiredRelationUIDs?.removeAll { taken.contains($0) }
  }

  private mutating func revive(
    _ property: Property, from old: Model, in position: Int, _ isNew: Bool
  ) {
    // A second id is none of the entity that stayed.
    if property.flags.contains(.id) && !isNew || taken.contains(property.pair.uid) { return }
    var revived = property
    revived.pair = IDPair(
      id: (model.entities[position].lastPropertyID?.id ?? 0) + 1, uid: property.pair.uid)
    revived.name = "revived\(property.pair.uid)"
    revived.indexID = nil
    // What is looked for is the values, and no index over them.
    revived.flags.subtract(
      [.indexed, .unique, .indexHash, .indexHash64, .uniqueOnConflictReplace])
    if property.type == .relation {
      guard let target = old.target(of: property),
        let there = model.entities.first(where: { $0.pair.uid == target })
      else { return }
      revived.relationTarget = there.name
      let index = IDPair(
        id: (model.lastIndexID?.id ?? 0) + 1, uid: property.indexID?.uid ?? 0)
      guard index.uid != 0, taken.insert(index.uid).inserted else { return }
      model.retiredIndexUIDs?.removeAll { $0 == index.uid }
      model.lastIndexID = index
      revived.indexID = index
      revived.flags.formUnion([.indexed, .indexPartialSkipZero])
    }
    taken.insert(property.pair.uid)
    model.entities[position].properties.append(revived)
    model.entities[position].lastPropertyID = revived.pair
    if !isNew { elements.append(ElementKey(.property, property.pair.uid)) }
  }

  private mutating func revive(_ relation: Relation, in position: Int, _ isNew: Bool) {
    guard let target = model.entities.first(where: { $0.pair.uid == relation.target.uid }),
      taken.insert(relation.pair.uid).inserted
    else { return }
    let pair = IDPair(id: (model.lastRelationID?.id ?? 0) + 1, uid: relation.pair.uid)
    model.lastRelationID = pair
    model.entities[position].relations =
      (model.entities[position].relations ?? []) + [
        Relation(pair: pair, name: "revived\(pair.uid)", target: target.pair)
      ]
    if !isNew { elements.append(ElementKey(.relation, pair.uid)) }
  }
}
