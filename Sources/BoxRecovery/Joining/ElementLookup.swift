import BoxJSON
import BoxModel

/// The places of the elements of a model by UID, id and name, while elements are added.
///
/// A model of a stranger may have 20,000 elements, each of which is looked up several times. Where two
/// elements have the same key, the first one is found.
struct ElementLookup {
  /// The members of one owner: the entities of the model, or the properties of an entity.
  struct Members {
    private var byUID: [UID: Int] = [:]
    private var byID: [UInt32: Int] = [:]
    private var byName: [ExactText: Int] = [:]

    /// The position of the element with a UID.
    func position(ofUID uid: UID) -> Int? { byUID[uid] }

    /// The position of the element with an id.
    func position(ofID id: UInt32) -> Int? { byID[id] }

    /// The position of the element with a name, without regard to case.
    func position(ofName name: String) -> Int? { byName[foldedName(name)] }

    fileprivate mutating func add(_ pair: IDPair, _ name: String, at position: Int) {
      byUID.addFirst(position, for: pair.uid)
      byID.addFirst(position, for: pair.id)
      byName.addFirst(position, for: foldedName(name))
    }

    fileprivate mutating func rename(_ old: String, to new: String, at position: Int) {
      if byName[foldedName(old)] == position { byName[foldedName(old)] = nil }
      byName.addFirst(position, for: foldedName(new))
    }
  }

  /// The places of elements that have one counter for all entities.
  struct Places {
    private var byUID: [UID: ElementPlace] = [:]
    private var byID: [UInt32: ElementPlace] = [:]

    /// The place of the element with a UID.
    func place(ofUID uid: UID) -> ElementPlace? { byUID[uid] }

    /// The place of the element with an id.
    func place(ofID id: UInt32) -> ElementPlace? { byID[id] }

    fileprivate mutating func add(_ pair: IDPair, at place: ElementPlace) {
      byUID.addFirst(place, for: pair.uid)
      byID.addFirst(place, for: pair.id)
    }

    fileprivate mutating func remove(_ pair: IDPair, at place: ElementPlace) {
      if byUID[pair.uid] == place { byUID[pair.uid] = nil }
      if byID[pair.id] == place { byID[pair.id] = nil }
    }
  }

  private(set) var entities = Members()
  /// The properties of each entity, at its position.
  private(set) var properties: [Members] = []
  private(set) var indexes = Places()
  private(set) var relations = Places()
  private var retired: [ElementKind: Set<UID>] = [:]

  /// Finds the elements of a model.
  ///
  /// - Complexity: O(*n*) in the number of elements.
  init(_ model: Model) {
    self.init(retiredOf: model)
    for entity in model.entities { add(entity) }
  }

  /// Finds the retired UIDs of a model, and none of its elements.
  ///
  /// - Complexity: O(*n*) in their number.
  init(retiredOf model: Model) {
    for kind in ElementKind.allCases { retired[kind] = Set(model[retired: kind] ?? []) }
  }

  /// Appends an entity and its elements.
  mutating func add(_ entity: Entity) {
    let e = properties.count
    entities.add(entity.pair, entity.name, at: e)
    properties.append(Members())
    for (p, property) in entity.properties.enumerated() { add(property, to: e, at: p) }
    for (r, relation) in (entity.relations ?? []).enumerated() {
      relations.add(relation.pair, at: .relation(entity: e, r))
    }
  }

  /// Adds a property of the entity at a position, with its index.
  mutating func add(_ property: Property, to e: Int, at p: Int) {
    properties[e].add(property.pair, property.name, at: p)
    if let index = property.indexID { indexes.add(index, at: .index(entity: e, property: p)) }
  }

  /// Adds a relation of the entity at a position.
  mutating func add(_ relation: Relation, to e: Int, at r: Int) {
    relations.add(relation.pair, at: .relation(entity: e, r))
  }

  /// Replaces the name of an entity.
  mutating func renameEntity(at e: Int, from old: String, to new: String) {
    entities.rename(old, to: new, at: e)
  }

  /// Replaces the name and the index of a property.
  mutating func change(_ old: Property, to new: Property, of e: Int, at p: Int) {
    properties[e].rename(old.name, to: new.name, at: p)
    let place = ElementPlace.index(entity: e, property: p)
    if let index = old.indexID { indexes.remove(index, at: place) }
    if let index = new.indexID { indexes.add(index, at: place) }
  }

  /// Whether an id of a counter belongs to an element in use.
  func isInUse(_ id: UInt32, by counter: Counter) -> Bool {
    switch counter {
    case .entity: entities.position(ofID: id) != nil
    case .index: indexes.place(ofID: id) != nil
    case .relation: relations.place(ofID: id) != nil
    case .property(let owner):
      entities.position(ofUID: owner).map { properties[$0].position(ofID: id) != nil } ?? false
    }
  }

  // MARK: Retired UIDs

  /// Whether a UID is retired.
  func isRetired(_ key: ElementKey) -> Bool { retired[key.kind]?.contains(key.uid) ?? false }

  /// Notes a retired UID; returns whether it is a new one.
  mutating func retire(_ key: ElementKey) -> Bool {
    retired[key.kind, default: []].insert(key.uid).inserted
  }
}

extension Dictionary {
  /// Adds a value, unless the key has one.
  fileprivate mutating func addFirst(_ value: Value, for key: Key) {
    if self[key] == nil { self[key] = value }
  }
}

extension Model {
  /// The last pair of each counter that has one.
  var lastPairs: [Counter: IDPair] {
    var result: [Counter: IDPair] = [:]
    for counter in [Counter.entity, .index, .relation] { result[counter] = self[last: counter] }
    for entity in entities { result[.property(entity: entity.pair.uid)] = entity.lastPropertyID }
    return result
  }

  /// The keys of all elements in use.
  var elementKeys: Set<ElementKey> {
    var result: Set<ElementKey> = []
    forEachElement { place, pair in result.insert(ElementKey(place.kind, pair.uid)) }
    return result
  }
}
