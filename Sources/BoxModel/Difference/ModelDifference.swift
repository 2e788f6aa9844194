import BoxJSON

/// The change of an element between two models.
package enum ElementChange: Hashable, Sendable {
  case added
  case removed(Removal)
  case changed([FieldChange])
}

/// The reason why an element is missing.
package enum Removal: Hashable, Sendable {
  /// Its UID is in the retired list of its kind.
  case retired
  /// The element was removed without being retired: its id is not above the last one given.
  case forgotten
  /// The history of this model never had the element: its id is above the last one given, or the
  /// common ancestor of both models lacks it.
  case neverHad
}

/// The difference between two models, element by element, by UID.
///
/// Merges and plans both compare models by it. Only elements that differ have an entry; the order
/// of elements and their layout do not count.
package struct ModelDifference: Hashable, Sendable {
  /// The change of each element that differs.
  package private(set) var changes: [ElementKey: ElementChange] = [:]

  /// The keys of the changes: entities first, then properties, indexes and relations, by UID.
  ///
  /// - Complexity: O(*n* log *n*) in the number of changes.
  package var sortedKeys: [ElementKey] { changes.keys.sorted() }

  /// The change of an element; nil if the element is the same in both models or is in neither.
  package subscript(_ kind: ElementKind, _ uid: UID) -> ElementChange? {
    changes[ElementKey(kind, uid)]
  }

  /// Compares two models.
  ///
  /// - Complexity: O(*n*) in the number of elements of both.
  package init(from old: Model, to new: Model) {
    self.init(from: old, ModelLookup(old), to: new, ModelLookup(new))
  }

  /// Compares two models for which the caller has lookups.
  ///
  /// - Parameters:
  ///   - old: The old model.
  ///   - oldLookup: Its elements.
  ///   - new: The new model.
  ///   - newLookup: Its elements.
  ///   - ancestor: The elements of the version that both come from; nil if the new one comes from the
  ///     old one.
  /// - Complexity: O(*n*) in the number of elements of both.
  package init(
    from old: Model, _ oldLookup: ModelLookup, to new: Model, _ newLookup: ModelLookup,
    ancestor: ModelLookup? = nil
  ) {
    let pairs = ModelPair(
      old: old, oldLookup: oldLookup, new: new, newLookup: newLookup, ancestor: ancestor)
    old.forEachElement { place, pair in
      let key = ElementKey(place.kind, pair.uid)
      guard oldLookup[key.kind, key.uid] == place else { return }
      if let newPlace = newLookup[key.kind, key.uid] {
        let found = pairs.changes(from: place, to: newPlace)
        if !found.isEmpty { changes[key] = .changed(found) }
      } else {
        changes[key] = .removed(pairs.removal(of: place, pair))
      }
    }
    new.forEachElement { place, pair in
      if oldLookup[place.kind, pair.uid] == nil {
        changes[ElementKey(place.kind, pair.uid)] = .added
      }
    }
  }
}

/// Two models that are compared.
private struct ModelPair {
  let old: Model
  let oldLookup: ModelLookup
  let new: Model
  let newLookup: ModelLookup
  let ancestor: ModelLookup?

  func changes(from oldPlace: ElementPlace, to newPlace: ElementPlace) -> [FieldChange] {
    let oldEntity = old.entities[oldPlace.entity]
    let newEntity = new.entities[newPlace.entity]
    var found = FieldChanges()
    switch (oldPlace, newPlace) {
    case (.entity, .entity):
      return oldEntity.changes(to: newEntity)
    case (.property(_, let a), .property(_, let b)):
      let before = oldEntity.properties[a]
      let after = newEntity.properties[b]
      if before != after { found = before.ownChanges(to: after) }
      found.compare(
        .target, old.target(of: before, oldLookup), new.target(of: after, newLookup))
    case (.index(_, let a), .index(_, let b)):
      let before = oldEntity.properties[a].indexID
      let after = newEntity.properties[b].indexID
      found.compare(.id, before.map { .number(Int($0.id)) }, after.map { .number(Int($0.id)) })
      return found.changes
    case (.relation(_, let a), .relation(_, let b)):
      if let before = oldEntity.relations?[a], let after = newEntity.relations?[b] {
        found = before.ownChanges(to: after)
      }
    default: break
    }
    found.compare(.owner, .entity(oldEntity.pair.uid), .entity(newEntity.pair.uid))
    return found.changes
  }

  func removal(of place: ElementPlace, _ pair: IDPair) -> Removal {
    if newLookup.isRetired(place.kind, pair.uid) { return .retired }
    if let ancestor, ancestor[place.kind, pair.uid] == nil { return .neverHad }
    let owner = old.entities[place.entity].pair
    switch place.kind {
    case .entity: return removal(pair, new.lastEntityID)
    case .relation: return removal(pair, new.lastRelationID, owner)
    case .index: return removal(pair, new.lastIndexID, owner)
    case .property:
      let last = newLookup.entity(owner.uid).map { new.entities[$0].lastPropertyID } ?? nil
      return removal(pair, last, owner)
    }
  }

  /// The reason why a member of an entity is missing, unless its UID is retired.
  ///
  /// If the entity was never there, neither was the member; a member of an entity that was removed
  /// is forgotten.
  private func removal(_ pair: IDPair, _ last: IDPair?, _ owner: IDPair) -> Removal {
    if newLookup.entity(owner.uid) == nil {
      let ofOwner =
        newLookup.isRetired(.entity, owner.uid) ? .retired : removal(owner, new.lastEntityID)
      return ofOwner == .neverHad ? .neverHad : .forgotten
    }
    return removal(pair, last)
  }

  private func removal(_ pair: IDPair, _ last: IDPair?) -> Removal {
    pair.id <= (last?.id ?? 0) ? .forgotten : .neverHad
  }
}

extension Model {
  /// The target of a to-one relation by identity; its name if there is no such entity.
  package func target(of property: Property, _ lookup: ModelLookup) -> FieldValue? {
    guard let name = property.relationTarget else { return nil }
    if let position = lookup.entity(named: name) { return .entity(entities[position].pair.uid) }
    return .text(ExactText(name))
  }
}
