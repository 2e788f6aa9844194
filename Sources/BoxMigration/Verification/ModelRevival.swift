internal import BoxModel

/// A new model with everything of the old one that it lacks, under the old UIDs.
///
/// Opening a store with it shows what was hidden.
struct ModelRevival {
  /// The new model, and what was brought back.
  private(set) var model: Model
  /// The restored elements: entities with all their members, and members of entities that stayed.
  private(set) var elements: [ElementKey] = []
  private var taken: Set<UID>
  /// The positions of the entities of the model.
  private var positions: [UID: Int] = [:]

  init(of old: Model, in new: Model) {
    model = new
    taken = []
    new.forEachElement { _, pair in taken.insert(pair.uid) }
    let lookup = ModelLookup(new)
    for entity in old.entities where lookup.entity(entity.pair.uid) == nil {
      if !taken.insert(entity.pair.uid).inserted { continue }
      var revived = Entity(
        pair: number(entity.pair.uid, by: .entity), name: "Revived\(entity.pair.uid)")
      revived.flags = entity.flags
      model.entities.append(revived)
      elements.append(ElementKey(.entity, entity.pair.uid))
    }
    positions = Dictionary(model.entities.enumerated().map { ($1.pair.uid, $0) }) { first, _ in
      first
    }
    let oldLookup = ModelLookup(old)
    for entity in old.entities {
      guard let position = positions[entity.pair.uid] else { continue }
      let isNew = lookup.entity(entity.pair.uid) == nil
      for property in entity.properties {
        revive(property, old.target(of: property, oldLookup), in: position, isNew)
      }
      for relation in entity.relations ?? [] { revive(relation, in: position, isNew) }
    }
    model.retiredEntityUIDs?.removeAll { taken.contains($0) }
    model.retiredPropertyUIDs?.removeAll { taken.contains($0) }
    model.retiredIndexUIDs?.removeAll { taken.contains($0) }
    model.retiredRelationUIDs?.removeAll { taken.contains($0) }
  }

  private mutating func revive(
    _ property: Property, _ target: FieldValue?, in position: Int, _ isNew: Bool
  ) {
    // A second id is none of the entity that stayed.
    if property.flags.contains(.id) && !isNew || taken.contains(property.pair.uid) { return }
    var revived = property
    revived.name = "revived\(property.pair.uid)"
    revived.indexID = nil
    // The values are needed, not an index over them.
    revived.flags.subtract(
      [.indexed, .unique, .indexHash, .indexHash64, .uniqueOnConflictReplace])
    if property.type == .relation {
      guard case .entity(let uid)? = target, let position = positions[uid] else { return }
      revived.relationTarget = model.entities[position].name
      guard let index = property.indexID?.uid, index != 0, taken.insert(index).inserted else {
        return
      }
      revived.indexID = number(index, by: .index)
      revived.flags.formUnion([.indexed, .indexPartialSkipZero])
    }
    taken.insert(property.pair.uid)
    let owner = model.entities[position].pair.uid
    revived.pair = number(property.pair.uid, by: .property(entity: owner))
    model.entities[position].properties.append(revived)
    if !isNew { elements.append(ElementKey(.property, property.pair.uid)) }
  }

  private mutating func revive(_ relation: Relation, in position: Int, _ isNew: Bool) {
    guard let target = model.entities.first(where: { $0.pair.uid == relation.target.uid }),
      taken.insert(relation.pair.uid).inserted
    else { return }
    let pair = number(relation.pair.uid, by: .relation)
    model.entities[position].relations =
      (model.entities[position].relations ?? []) + [
        Relation(pair: pair, name: "revived\(pair.uid)", target: target.pair)
      ]
    if !isNew { elements.append(ElementKey(.relation, pair.uid)) }
  }

  /// A pair with a number that nothing in the model has: the next one, or where there is none a gap.
  ///
  /// Nobody keeps the model, so a gap does no harm.
  private mutating func number(_ uid: UID, by counter: Counter) -> IDPair {
    let last = model[last: counter]?.id ?? 0
    if let next = IDPair.nextID(after: last) {
      let pair = IDPair(id: next, uid: uid)
      model[last: counter] = pair
      return pair
    }
    var numbers: Set<UInt32> = []
    model.forEachElement { place, pair in
      if model.counter(of: place) == counter { numbers.insert(pair.id) }
    }
    return IDPair(id: (1...last).first { !numbers.contains($0) } ?? last, uid: uid)
  }
}
