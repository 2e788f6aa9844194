/// The UID of an entity, property or relation in a model file.
package typealias UID = UInt64

/// The identity of an object among all stores of a space.
///
/// Objects of entities with shared ids have the number 0.
package struct GlobalID: Hashable, Comparable, Sendable {
  /// The number of the branch of a store that inserted the object.
  package var number: UInt64
  /// The id that the object has in that store.
  package var id: UInt64

  /// Creates an identity.
  package init(number: UInt64, id: UInt64) {
    self.number = number
    self.id = id
  }

  /// Whether an identity comes before another one: by the number, then by the id.
  package static func < (a: GlobalID, b: GlobalID) -> Bool { (a.number, a.id) < (b.number, b.id) }
}

/// An object of an entity; its id is global on a server and local in a store.
package struct ObjectKey<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The UID of the entity.
  package var entity: UID
  /// The id of the object.
  package var id: ID

  /// Creates a key.
  package init(entity: UID, id: ID) {
    self.entity = entity
    self.id = id
  }
}

/// A pair of a relation to many.
package struct Pair<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The UID of the relation.
  package var relation: UID
  /// The object that has the relation.
  package var source: ID
  /// The object that the relation targets.
  package var target: ID

  /// Creates a pair.
  package init(relation: UID, source: ID, target: ID) {
    self.relation = relation
    self.source = source
    self.target = target
  }
}

/// A key of an object on a server.
package typealias GlobalKey = ObjectKey<GlobalID>
/// A key of an object in a store.
package typealias LocalKey = ObjectKey<UInt64>
/// A pair on a server.
package typealias GlobalPair = Pair<GlobalID>
/// A pair in a store.
package typealias LocalPair = Pair<UInt64>
