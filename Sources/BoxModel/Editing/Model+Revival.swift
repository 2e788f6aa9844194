extension Model {
  /// Brings an element back that an earlier model has: with its UID, its index and, for an entity, its members.
  ///
  /// It gets its earlier number, or the next one where another element has that.
  ///
  /// - Parameters:
  ///   - key: The element.
  ///   - earlier: The model that has it.
  /// - Returns: Whether it came back; not if it is there, if the earlier model lacks it, if its entity or its
  ///   target is not there, or if no numbers are left.
  /// - Complexity: O(*n*) in the number of elements of both.
  package mutating func revive(_ key: ElementKey, from earlier: Model) -> Bool {
    let (lookup, earlierLookup) = (ModelLookup(self), ModelLookup(earlier))
    guard lookup[key.kind, key.uid] == nil, let place = earlierLookup[key.kind, key.uid] else {
      return false
    }
    var revival = Revival(model: self)
    let owner = earlier.entities[place.entity]
    switch place {
    case .entity:
      guard revival.add(owner) else { return false }
    case .property(_, let p):
      guard let e = lookup.entity(owner.pair.uid), revival.add(owner.properties[p], to: e) else {
        return false
      }
    case .relation(_, let r):
      guard let e = lookup.entity(owner.pair.uid), let relation = owner.relations?[r],
        let target = lookup.entity(relation.target.uid),
        revival.add(relation, to: e, target: entities[target].pair)
      else { return false }
    case .index: return false
    }
    self = revival.finished()
    return true
  }
}

/// The return of elements to a model.
private struct Revival {
  private(set) var model: Model
  private var numbers: [Counter: Set<UInt32>] = [:]
  private var revived: Set<ElementKey> = []

  init(model: Model) {
    self.model = model
    model.forEachElement { place, pair in
      numbers[model.counter(of: place), default: []].insert(pair.id)
    }
  }

  /// The pair of an element that comes back; nil if no number is left.
  private mutating func pair(_ old: IDPair, _ counter: Counter) -> IDPair? {
    var pair = old
    if numbers[counter, default: []].contains(old.id) {
      let last = max(model[last: counter]?.id ?? 0, numbers[counter]?.max() ?? 0)
      guard let id = IDPair.nextID(after: last) else { return nil }
      pair.id = id
    }
    numbers[counter, default: []].insert(pair.id)
    revived.insert(ElementKey(counter.kind, pair.uid))
    if pair.id > model[last: counter]?.id ?? 0 { model[last: counter] = pair }
    return pair
  }

  mutating func add(_ property: Property, to e: Int) -> Bool {
    var property = property
    guard
      let own = pair(property.pair, .property(entity: model.entities[e].pair.uid))
    else { return false }
    property.pair = own
    if let index = property.indexID {
      guard let own = pair(index, .index) else { return false }
      property.indexID = own
    }
    model.entities[e].properties.append(property)
    return true
  }

  mutating func add(_ relation: Relation, to e: Int, target: IDPair) -> Bool {
    var relation = relation
    guard let own = pair(relation.pair, .relation) else { return false }
    relation.pair = own
    relation.target = target
    model.entities[e].relations = (model.entities[e].relations ?? []) + [relation]
    return true
  }

  mutating func add(_ entity: Entity) -> Bool {
    guard let own = pair(entity.pair, .entity) else { return false }
    var shell = entity
    shell.pair = own
    shell.properties = []
    if shell.relations != nil { shell.relations = [] }
    model.entities.append(shell)
    let e = model.entities.count - 1
    for property in entity.properties where !add(property, to: e) { return false }
    for relation in entity.relations ?? [] {
      let target = model.entities.first { $0.pair.uid == relation.target.uid }?.pair
      guard let target else { continue }
      if !add(relation, to: e, target: target) { return false }
    }
    return true
  }

  /// The model, whose retired lists no longer have what came back.
  func finished() -> Model {
    var model = model
    for kind in ElementKind.allCases {
      model[retired: kind]?.removeAll { revived.contains(ElementKey(kind, $0)) }
    }
    return model
  }
}
