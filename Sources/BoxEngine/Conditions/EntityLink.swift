internal import BoxJSON
internal import BoxModel

/// A relation of an entity, to one or to many, as conditions and queries follow it.
struct EntityLink {
  /// The relation in the two kinds that are stored.
  enum Kind {
    /// The position of a property that holds the id of a target.
    case toOne(Int)
    case toMany(RelationSchema)
  }

  let kind: Kind
  let entity: EntitySchema
  /// The UID of the target entity.
  let target: UID

  /// The relation followed forwards.
  var forward: FollowedLink {
    switch kind {
    case .toOne(let position): .toOne(position)
    case .toMany(let relation): .toMany(relation)
    }
  }

  /// The relation followed backwards.
  var backward: FollowedLink {
    switch kind {
    case .toOne(let position): .toOneBackward(entity, position)
    case .toMany(let relation): .toManyBackward(relation)
    }
  }
}

/// A relation in one of its directions.
enum FollowedLink: Sendable {
  /// The position of a property of this entity.
  case toOne(Int)
  case toMany(RelationSchema)
  /// The position of a property of the other entity.
  case toOneBackward(EntitySchema, Int)
  case toManyBackward(RelationSchema)
}

extension EntitySchema {
  /// The relation with a name.
  ///
  /// Some generators name the property of a to-one relation after the relation and `Id`, so
  /// `customer` is `customerId` too, unless another relation has that name.
  func link(named name: String) -> EntityLink? {
    for suffix in ["", "Id", "ID", "_id"] {
      if let position = properties.firstIndex(where: { $0.name.hasSameBytes(as: name + suffix) }),
        let target = properties[position].target
      {
        return EntityLink(kind: .toOne(position), entity: self, target: target)
      }
      if suffix.isEmpty, let relation = relation(named: name) {
        return EntityLink(kind: .toMany(relation), entity: self, target: relation.target)
      }
    }
    return nil
  }

  /// Whether the entity has a relation of a name, as conditions name relations.
  package func hasLink(named name: String) -> Bool { link(named: name) != nil }

  /// The names of all relations of the entity.
  var linkNames: [String] {
    properties.filter { $0.target != nil }.map(\.name) + relations.map(\.name)
  }
}
