import BoxJSON

/// The place of an element in a model, as positions in the arrays of the model.
package enum ElementPlace: Hashable, Sendable {
  case entity(Int)
  case property(entity: Int, Int)
  case index(entity: Int, property: Int)
  case relation(entity: Int, Int)

  /// The kind of the element.
  package var kind: ElementKind {
    switch self {
    case .entity: .entity
    case .property: .property
    case .index: .index
    case .relation: .relation
    }
  }

  /// The position of the entity that the element is, or belongs to.
  package var entity: Int {
    switch self {
    case .entity(let entity), .property(let entity, _), .index(let entity, _),
      .relation(let entity, _):
      entity
    }
  }
}

extension Model {
  /// Calls `body` for every element: each entity, then its properties with their indexes, then its
  /// relations.
  ///
  /// - Complexity: O(*n*) in the number of elements.
  package func forEachElement(_ body: (ElementPlace, IDPair) -> Void) {
    // By positions, as a copy of a property counts the references to all that it holds.
    for e in entities.indices {
      body(.entity(e), entities[e].pair)
      for p in entities[e].properties.indices {
        body(.property(entity: e, p), entities[e].properties[p].pair)
        if let index = entities[e].properties[p].indexID {
          body(.index(entity: e, property: p), index)
        }
      }
      guard let count = entities[e].relations?.count else { continue }
      for r in 0..<count {
        if let pair = entities[e].relations?[r].pair { body(.relation(entity: e, r), pair) }
      }
    }
  }

  /// The name of the element for people: `Note`, `Note.title`, `index of Note.title`.
  package func label(_ place: ElementPlace) -> String {
    let owner = entities[place.entity].name
    switch place {
    case .entity: return owner
    case .property(let e, let p): return "\(owner).\(entities[e].properties[p].name)"
    case .index(let e, let p): return "index of \(owner).\(entities[e].properties[p].name)"
    case .relation(let e, let r): return "\(owner).\(entities[e].relations?[r].name ?? "")"
    }
  }

  /// The pair of the element; nil if there is no such element.
  package func pair(at place: ElementPlace) -> IDPair? {
    switch place {
    case .entity(let e): entities[e].pair
    case .property(let e, let p): entities[e].properties[p].pair
    case .index(let e, let p): entities[e].properties[p].indexID
    case .relation(let e, let r): entities[e].relations?[r].pair
    }
  }

  /// The counter that numbers the element.
  package func counter(of place: ElementPlace) -> Counter {
    switch place.kind {
    case .entity: .entity
    case .index: .index
    case .relation: .relation
    case .property: .property(entity: entities[place.entity].pair.uid)
    }
  }
}

/// The elements of a model by UID.
package struct ModelLookup: Sendable {
  private var places: [ElementKey: ElementPlace] = [:]
  private let retired: [ElementKind: Set<UID>]
  private let entitiesByName: [ExactText: Int]

  /// Indexes a model.
  ///
  /// If several elements have the same UID, it finds the first one.
  ///
  /// - Complexity: O(*n*) in the number of elements and retired UIDs.
  package init(_ model: Model) {
    var places: [ElementKey: ElementPlace] = [:]
    places.reserveCapacity(model.entities.reduce(0) { $0 + $1.properties.count + 1 })
    model.forEachElement { place, pair in
      let key = ElementKey(place.kind, pair.uid)
      if places[key] == nil { places[key] = place }
    }
    self.places = places
    retired = Dictionary(
      uniqueKeysWithValues: ElementKind.allCases.map { ($0, Set(model[retired: $0] ?? [])) })
    var names: [ExactText: Int] = [:]
    for (position, entity) in model.entities.enumerated() {
      let name = foldedName(entity.name)
      if names[name] == nil { names[name] = position }
    }
    entitiesByName = names
  }

  /// The place of an element, or nil if it is not in the model.
  package subscript(_ kind: ElementKind, _ uid: UID) -> ElementPlace? {
    places[ElementKey(kind, uid)]
  }

  /// The position of an entity, or nil if it is not in the model.
  package func entity(_ uid: UID) -> Int? { places[ElementKey(.entity, uid)]?.entity }

  /// The position of the entity with a name, whatever its case.
  package func entity(named name: String) -> Int? { entitiesByName[foldedName(name)] }

  /// The last pair of a counter of the model that was indexed.
  package func last(_ counter: Counter, in model: Model) -> IDPair? {
    guard case .property(let owner) = counter else { return model[last: counter] }
    return entity(owner).flatMap { model.entities[$0].lastPropertyID }
  }

  /// Whether the UID is in use in the model, as whatever kind.
  package func isLive(_ uid: UID) -> Bool {
    ElementKind.allCases.contains { places[ElementKey($0, uid)] != nil }
  }

  /// Whether the UID is in the retired list of its kind.
  package func isRetired(_ kind: ElementKind, _ uid: UID) -> Bool {
    retired[kind]?.contains(uid) ?? false
  }

  /// Whether the UID is in any retired list.
  package func isRetired(_ uid: UID) -> Bool {
    ElementKind.allCases.contains { isRetired($0, uid) }
  }
}
