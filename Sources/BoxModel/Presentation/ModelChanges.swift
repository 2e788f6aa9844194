/// The difference between two models in words, by entity, in the order of the models.
package struct ModelChanges: Hashable, Sendable {
  /// A change of one element.
  package struct Change: Hashable, Sendable {
    /// The kind and the identity of the element.
    package var key: ElementKey
    /// Its name; an index has the name of its property.
    package var name: String
    /// The change.
    package var change: ElementChange
    /// The differences, a few words for each part.
    package var details: [String]
    /// The consequences for stored data, a few words for each.
    package var consequences: [String]

    /// Whether both models have the element.
    fileprivate var isEdit: Bool {
      if case .changed = change { true } else { false }
    }
  }

  /// The changes of one entity and of what belongs to it.
  package struct Group: Hashable, Sendable {
    /// The name of the entity, in the new model if that has it.
    package var name: String
    /// The pair of the entity, in the new model if that has it.
    package var pair: IDPair
    /// The changes: the entity itself, then its properties, indexes and relations.
    package var changes: [Change]
  }

  /// A change of the model as a whole.
  package struct RootEntry: Hashable, Sendable {
    /// The key in the file, such as `version` or `lastPropertyId`.
    package var key: String
    /// The entity that the key is of, by its name in the new model; nil for a key of the model.
    package var entity: String?
    /// The value before as text; nil if there was none.
    package var before: String?
    /// The value after the change as text; nil if it was removed.
    package var after: String?
    /// The UIDs that are retired now, and were neither retired nor in use; empty for other keys.
    package var retired: [UID] = []
    /// The UIDs that were retired, and are neither retired nor in use now; empty for other keys.
    package var released: [UID] = []
  }

  /// The changes of the model as a whole, but for what comes with a change of an element: the last pair
  /// of what was added, and the retired UID of what was removed.
  package private(set) var root: [RootEntry] = []

  /// The entities that differ: first in the order of the new model, then the removed ones.
  package private(set) var groups: [Group] = []

  /// Whether nothing differs.
  package var isEmpty: Bool { groups.isEmpty && root.isEmpty }

  /// Compares two models.
  ///
  /// - Complexity: O(*n*) in the number of elements of both.
  package init(from old: Model, to new: Model) {
    let difference = ModelDifference(from: old, to: new)
    let words = ChangeWords(old: old, new: new)
    var removed: [UID: [Change]] = [:]
    old.forEachElement { place, pair in
      let key = ElementKey(place.kind, pair.uid)
      guard case .removed? = difference[key.kind, key.uid] else { return }
      let owner = old.entities[place.entity].pair.uid
      removed[owner, default: []].append(
        words.change(key, difference.changes[key], name: old.name(of: place)))
    }
    var present: [[Change]] = new.entities.map { _ in [] }
    new.forEachElement { place, pair in
      let key = ElementKey(place.kind, pair.uid)
      guard let change = difference.changes[key] else { return }
      present[place.entity].append(words.change(key, change, name: new.name(of: place)))
    }
    for (entity, changes) in zip(new.entities, present) {
      let all = changes + (removed.removeValue(forKey: entity.pair.uid) ?? [])
      append(entity, all)
    }
    for entity in old.entities {
      if let changes = removed.removeValue(forKey: entity.pair.uid) { append(entity, changes) }
    }
    let lookups = (old: ModelLookup(old), new: ModelLookup(new))
    root = RootChange.all(from: old, to: new).compactMap { change -> RootEntry? in
      switch change {
      case .key(let key, let before, let after):
        return RootEntry(key: key, before: before, after: after)
      case .lastPair(let counter, let before, let after):
        if let after, after.id > before?.id ?? 0,
          case .added? = difference[counter.kind, after.uid]
        {
          return nil
        }
        var owner: String?
        if case .property(let uid) = counter {
          owner = lookups.new.entity(uid).map { new.entities[$0].name }
        }
        return RootEntry(
          key: counter.kind.lastPairKey, entity: owner, before: before?.description,
          after: after?.description)
      case .retired(let kind, let gone, let added):
        let entry = RootEntry(
          key: kind.retiredListKey, retired: added.filter { !lookups.old.isLive($0) },
          released: gone.filter { !lookups.new.isLive($0) })
        return entry.retired.isEmpty && entry.released.isEmpty ? nil : entry
      }
    }
  }

  private mutating func append(_ entity: Entity, _ changes: [Change]) {
    if changes.isEmpty { return }
    let ofEntity = changes.first { $0.key == ElementKey(.entity, entity.pair.uid) }
    let isWhole = ofEntity.map { !$0.isEdit } ?? false
    groups.append(
      Group(
        name: entity.name, pair: entity.pair,
        changes: changes.map { change in
          // A part that is added or removed with its entity has no further consequences.
          guard isWhole, change.key.kind != .entity, !change.isEdit else { return change }
          var change = change
          change.consequences = []
          return change
        }.enumerated().sorted { a, b in
          (a.element.key.kind, a.offset) < (b.element.key.kind, b.offset)
        }.map(\.element)))
  }
}

extension Model {
  /// The name of an element without the name of its entity; an index has the name of its property.
  func name(of place: ElementPlace) -> String {
    switch place {
    case .entity(let e): entities[e].name
    case .property(let e, let p), .index(let e, let p): entities[e].properties[p].name
    case .relation(let e, let r): entities[e].relations?[r].name ?? ""
    }
  }
}
