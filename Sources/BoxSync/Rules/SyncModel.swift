/// The treatment of a unique value that another object has.
package enum UniqueRule: UInt8, Hashable, Sendable {
  case none
  /// The transaction is rejected.
  case plain
  /// The other object is removed.
  case replace
}

/// A property, as the rules of sync see it.
package struct SyncProperty: Hashable, Sendable {
  /// The UID.
  package var uid: UID
  /// Whether and how its values are unique.
  package var unique: UniqueRule
  /// The entity that a relation to one targets; nil for other properties.
  package var target: UID?

  /// Creates a property.
  package init(_ uid: UID, unique: UniqueRule = .none, target: UID? = nil) {
    (self.uid, self.unique, self.target) = (uid, unique, target)
  }
}

/// An entity, as the rules of sync see it.
package struct SyncEntity: Hashable, Sendable {
  /// The UID.
  package var uid: UID
  /// The properties without the id, in the order of their UIDs.
  package var properties: [SyncProperty]
  /// Whether an update sets the whole object; always so with a clock or a precedence.
  package var mergesObjects: Bool
  /// The property with the clock.
  package var clock: UID?
  /// The property with the precedence.
  package var precedence: UID?
  /// Whether the ids are the same in all stores.
  package var sharesIDs: Bool

  /// Creates an entity.
  package init(
    _ uid: UID, _ properties: [SyncProperty], mergesObjects: Bool = false, clock: UID? = nil,
    precedence: UID? = nil, sharesIDs: Bool = false
  ) {
    self.uid = uid
    self.properties = properties.sorted { $0.uid < $1.uid }
    self.mergesObjects = mergesObjects || clock != nil || precedence != nil
    (self.clock, self.precedence, self.sharesIDs) = (clock, precedence, sharesIDs)
  }

  /// A property by its UID; nil if the entity does not have it.
  ///
  /// - Complexity: O(*n*) in the number of properties.
  package func property(_ uid: UID) -> SyncProperty? { properties.first { $0.uid == uid } }
}

/// A relation to many.
package struct SyncRelation: Hashable, Sendable {
  /// The UID.
  package var uid: UID
  /// The entity that has the relation.
  package var source: UID
  /// The entity that the relation targets.
  package var target: UID

  /// Creates a relation.
  package init(_ uid: UID, from source: UID, to target: UID) {
    (self.uid, self.source, self.target) = (uid, source, target)
  }
}

/// The entities and relations of a model that are synchronized.
package struct SyncModel: Hashable, Sendable {
  /// The entities by their UIDs.
  package var entities: [UID: SyncEntity]
  /// The relations to many by their UIDs.
  package var relations: [UID: SyncRelation]

  /// Creates a model.
  package init(_ entities: [SyncEntity], _ relations: [SyncRelation] = []) {
    self.entities = Dictionary(entities.map { ($0.uid, $0) }) { $1 }
    self.relations = Dictionary(relations.map { ($0.uid, $0) }) { $1 }
  }

  /// The UIDs of all entities, properties and relations.
  ///
  /// - Complexity: O(*n*) in their number.
  package var elements: Set<UID> {
    var result = Set(entities.keys).union(relations.keys)
    for entity in entities.values { result.formUnion(entity.properties.map(\.uid)) }
    return result
  }

  /// The entities that have the elements: the sources of relations, and the owners of properties.
  func owners(of elements: Set<UID>) -> Set<UID> {
    var result: Set<UID> = []
    for entity in entities.values
    where elements.contains(entity.uid)
      || entity.properties.contains(where: { elements.contains($0.uid) })
    {
      result.insert(entity.uid)
    }
    for relation in relations.values where elements.contains(relation.uid) {
      result.insert(relation.source)
    }
    return result
  }
}
