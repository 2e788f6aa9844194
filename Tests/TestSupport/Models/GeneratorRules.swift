package import BoxModel

/// A small model of the rules by which generators assign and retire numbers, written without the code
/// that edits models: names lead to records, and every list is kept by hand.
package struct GeneratorRules: Sendable {
  /// A number and a UID.
  package struct Pair: Hashable, Sendable, CustomStringConvertible {
    package var id: Int
    package var uid: Int
    package var description: String { "\(id):\(uid)" }
  }

  /// A property.
  package struct Property: Hashable, Sendable {
    package var pair: Pair
    package var name: String
    package var type: Int32
    package var flags: UInt32
    package var index: Pair?
    package var target: String?
  }

  /// A relation to many objects; its target is the UID of an entity.
  package struct Relation: Hashable, Sendable {
    package var pair: Pair
    package var name: String
    package var target: Int
  }

  /// An entity.
  package struct Entity: Hashable, Sendable {
    package var pair: Pair
    package var name: String
    package var last: Pair
    package var properties: [Property]
    package var relations: [Relation]
  }

  package var entities: [Entity] = []
  package var lastEntity = Pair(id: 0, uid: 0)
  package var lastIndex = Pair(id: 0, uid: 0)
  package var lastRelation = Pair(id: 0, uid: 0)
  package var retired: [String: [Int]] = [:]
  private var drawn = 0

  /// Creates the rules of a model without entities.
  package init() {}

  /// The UIDs that ObjectBox's generator draws for its tests: from 13762 on in steps of 999, with the
  /// low byte cleared.
  private mutating func uid() -> Int {
    drawn += 1
    return (13762 + 999 * drawn) / 256 * 256
  }

  private mutating func index() -> Pair {
    lastIndex = Pair(id: lastIndex.id + 1, uid: uid())
    return lastIndex
  }

  /// The position of an entity, whatever its case.
  package func position(_ name: String) -> Int? {
    entities.firstIndex { $0.name.lowercased() == name.lowercased() }
  }

  /// Whether a member of an entity has a name.
  package func hasMember(_ name: String, _ e: Int) -> Bool {
    let names = entities[e].properties.map(\.name) + entities[e].relations.map(\.name)
    return names.contains { $0.lowercased() == name.lowercased() }
  }

  /// Adds an entity of an id.
  package mutating func addEntity(_ name: String) {
    let id = Property(
      pair: Pair(id: 1, uid: uid()), name: "id", type: 6, flags: 1, index: nil, target: nil)
    lastEntity = Pair(id: lastEntity.id + 1, uid: uid())
    entities.append(
      Entity(pair: lastEntity, name: name, last: id.pair, properties: [id], relations: []))
  }

  /// Adds a property; flags with a bit for an index give it one.
  package mutating func addProperty(
    _ e: Int, _ name: String, type: Int32, flags: UInt32, target: String? = nil
  ) {
    let index = flags & (8 | 2048) != 0 ? index() : nil
    let pair = Pair(id: entities[e].last.id + 1, uid: uid())
    entities[e].last = pair
    entities[e].properties.append(
      Property(pair: pair, name: name, type: type, flags: flags, index: index, target: target))
  }

  /// Adds a relation.
  package mutating func addRelation(_ e: Int, _ name: String, to target: Int) {
    lastRelation = Pair(id: lastRelation.id + 1, uid: uid())
    entities[e].relations.append(
      Relation(pair: lastRelation, name: name, target: entities[target].pair.uid))
  }

  /// Renames an entity, with the targets that name it.
  package mutating func renameEntity(_ e: Int, to name: String) {
    let old = entities[e].name
    entities[e].name = name
    for e in entities.indices {
      for p in entities[e].properties.indices where entities[e].properties[p].target == old {
        entities[e].properties[p].target = name
      }
    }
  }

  /// Whether another entity has a relation to one.
  package func isTarget(_ e: Int) -> Bool {
    let entity = entities[e]
    return entities.enumerated().contains { number, other in
      number != e
        && (other.properties.contains { $0.target == entity.name }
          || other.relations.contains { $0.target == entity.pair.uid })
    }
  }

  private mutating func retire(_ property: Property) {
    retired["property", default: []].append(property.pair.uid)
    if let index = property.index { retired["index", default: []].append(index.uid) }
  }

  /// Removes an entity and everything in it.
  package mutating func removeEntity(_ e: Int) {
    let entity = entities.remove(at: e)
    retired["entity", default: []].append(entity.pair.uid)
    for property in entity.properties { retire(property) }
    for relation in entity.relations { retired["relation", default: []].append(relation.pair.uid) }
  }

  /// Removes a property.
  package mutating func removeProperty(_ e: Int, _ p: Int) {
    retire(entities[e].properties.remove(at: p))
  }

  /// Removes a relation.
  package mutating func removeRelation(_ e: Int, _ r: Int) {
    retired["relation", default: []].append(entities[e].relations.remove(at: r).pair.uid)
  }

  /// Sets flags: an index appears with its bit and is retired with it.
  package mutating func setFlags(_ e: Int, _ p: Int, _ flags: UInt32) {
    entities[e].properties[p].flags = flags
    let isIndexed = flags & (8 | 2048) != 0
    if isIndexed, entities[e].properties[p].index == nil {
      let index = index()
      entities[e].properties[p].index = index
    } else if !isIndexed, let index = entities[e].properties[p].index {
      retired["index", default: []].append(index.uid)
      entities[e].properties[p].index = nil
    }
  }

  /// Makes a property one of another type: a new one at the end.
  package mutating func setType(_ e: Int, _ p: Int, _ type: Int32) {
    let old = entities[e].properties[p]
    if old.type == type { return }
    removeProperty(e, p)
    addProperty(e, old.name, type: type, flags: old.flags)
  }
}

extension GeneratorRules {
  /// Reads the parts of a model that the rules are about.
  package init(of model: Model) {
    func pair(_ pair: IDPair?) -> Pair { Pair(id: Int(pair?.id ?? 0), uid: Int(pair?.uid ?? 0)) }
    entities = model.entities.map { entity in
      Entity(
        pair: pair(entity.pair), name: entity.name, last: pair(entity.lastPropertyID),
        properties: entity.properties.map {
          Property(
            pair: pair($0.pair), name: $0.name, type: $0.type?.rawValue ?? 0,
            flags: $0.flags.rawValue, index: $0.indexID.map { pair($0) },
            target: $0.relationTarget)
        },
        relations: (entity.relations ?? []).map {
          Relation(pair: pair($0.pair), name: $0.name, target: Int($0.target.uid))
        })
    }
    lastEntity = pair(model.lastEntityID)
    lastIndex = pair(model.lastIndexID)
    lastRelation = pair(model.lastRelationID)
    for (kind, list) in [
      ("entity", model.retiredEntityUIDs), ("property", model.retiredPropertyUIDs),
      ("index", model.retiredIndexUIDs), ("relation", model.retiredRelationUIDs),
    ] {
      if let list, !list.isEmpty { retired[kind] = list.map { Int($0) } }
    }
  }

  /// Whether both have the same elements and lists.
  package func agrees(with other: GeneratorRules) -> Bool {
    entities == other.entities && lastEntity == other.lastEntity && lastIndex == other.lastIndex
      && lastRelation == other.lastRelation && retired == other.retired
  }
}
