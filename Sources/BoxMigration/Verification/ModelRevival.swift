internal import BoxModel

/// A new model with everything of the old one that it lacks, under the old UIDs.
///
/// Opening a store with it shows what was hidden.
struct ModelRevival {
  /// The new model, and what was brought back.
  private(set) var model: Model
  /// The restored elements with their entities: entities with all their members, and members of entities
  /// that stayed.
  private(set) var elements: [(key: ElementKey, entity: UID)] = []
  private var claimedUIDs: Set<UID>
  /// The positions of the entities of the model.
  private var positions: [UID: Int] = [:]
  private var gaps: [Counter: Gaps] = [:]

  init(of old: Model, in new: Model) {
    model = new
    claimedUIDs = []
    new.forEachElement { _, pair in claimedUIDs.insert(pair.uid) }
    let lookup = ModelLookup(new)
    for entity in old.entities where lookup.entity(entity.pair.uid) == nil {
      if !claimedUIDs.insert(entity.pair.uid).inserted { continue }
      var revived = Entity(
        pair: number(entity.pair.uid, by: .entity), name: "Revived\(entity.pair.uid)")
      revived.flags = entity.flags
      model.entities.append(revived)
      elements.append((ElementKey(.entity, entity.pair.uid), entity.pair.uid))
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
    model.retiredEntityUIDs?.removeAll { claimedUIDs.contains($0) }
    model.retiredPropertyUIDs?.removeAll { claimedUIDs.contains($0) }
    model.retiredIndexUIDs?.removeAll { claimedUIDs.contains($0) }
    model.retiredRelationUIDs?.removeAll { claimedUIDs.contains($0) }
  }

  private mutating func revive(
    _ property: Property, _ target: FieldValue?, in position: Int, _ isNew: Bool
  ) {
    // An entity cannot have a second id property.
    if property.flags.contains(.id) && !isNew || claimedUIDs.contains(property.pair.uid) { return }
    var revived = property
    revived.name = "revived\(property.pair.uid)"
    revived.indexID = nil
    // The values are needed, not an index over them.
    revived.flags.subtract(
      [.indexed, .unique, .indexHash, .indexHash64, .uniqueOnConflictReplace])
    if property.type == .relation {
      guard case .entity(let uid)? = target, let position = positions[uid] else { return }
      revived.relationTarget = model.entities[position].name
      guard let index = property.indexID?.uid, index != 0, claimedUIDs.insert(index).inserted else {
        return
      }
      revived.indexID = number(index, by: .index)
      revived.flags.formUnion([.indexed, .indexPartialSkipZero])
    }
    claimedUIDs.insert(property.pair.uid)
    let owner = model.entities[position].pair.uid
    revived.pair = number(property.pair.uid, by: .property(entity: owner), at: position)
    model.entities[position].properties.append(revived)
    if !isNew { elements.append((ElementKey(.property, property.pair.uid), owner)) }
  }

  private mutating func revive(_ relation: Relation, in position: Int, _ isNew: Bool) {
    guard let target = positions[relation.target.uid],
      claimedUIDs.insert(relation.pair.uid).inserted
    else { return }
    let pair = number(relation.pair.uid, by: .relation)
    model.entities[position].relations =
      (model.entities[position].relations ?? []) + [
        Relation(pair: pair, name: "revived\(pair.uid)", target: model.entities[target].pair)
      ]
    let owner = model.entities[position].pair.uid
    if !isNew { elements.append((ElementKey(.relation, pair.uid), owner)) }
  }

  /// A pair with an unused number: the next one, or else a gap.
  ///
  /// Nobody keeps the model, so a gap does no harm.
  ///
  /// - Parameters:
  ///   - uid: The UID.
  ///   - counter: The counter.
  ///   - position: The position of the entity whose properties are counted.
  /// - Returns: The pair.
  private mutating func number(
    _ uid: UID, by counter: Counter, at position: Int? = nil
  ) -> IDPair {
    let pair = position.map { model.entities[$0].lastPropertyID } ?? model[last: counter]
    let last = pair?.id ?? 0
    guard let next = IDPair.nextID(after: last) else {
      return IDPair(id: gap(counter, position) ?? last, uid: uid)
    }
    let numbered = IDPair(id: next, uid: uid)
    if let position {
      model.entities[position].lastPropertyID = numbered
    } else {
      model[last: counter] = numbered
    }
    return numbered
  }

  private mutating func gap(_ counter: Counter, _ position: Int?) -> UInt32? {
    if gaps[counter] == nil {
      var used: Set<UInt32> = []
      if let position {
        used = Set(model.entities[position].properties.map(\.pair.id))
      } else {
        model.forEachElement { place, pair in
          if model.counter(of: place) == counter { used.insert(pair.id) }
        }
      }
      gaps[counter] = Gaps(used: used)
    }
    return gaps[counter]?.claimNext()
  }
}

/// The numbers that a counter has left out.
private struct Gaps {
  let used: Set<UInt32>
  private var next: UInt32 = 1

  init(used: Set<UInt32>) { self.used = used }

  /// The lowest number that was neither used nor taken.
  mutating func claimNext() -> UInt32 {
    while used.contains(next) { next += 1 }
    defer { next += 1 }
    return next
  }
}
