internal import BoxJSON

/// The numbers of objects that a removal concerns by the delete rules.
package struct RemovalEffects: Hashable, Sendable {
  /// The objects of one entity that are removed.
  package struct Removed: Hashable, Sendable {
    /// The name of the entity.
    package var entity: String
    /// The number of objects that were named.
    package var named: Int
    /// The number of objects that a cascade has reached.
    package var reached: Int
    /// The relations by which it has, as `Entity.relation`.
    package var relations: [String]
  }

  /// A relation to one that becomes null.
  package struct Nullified: Hashable, Sendable {
    /// The relation, as `Entity.relation`.
    package var relation: String
    /// The number of its sources that stay.
    package var count: Int
  }

  /// The removed objects, in the order of the model.
  package var removed: [Removed] = []
  /// The relations that become null.
  package var nullified: [Nullified] = []

  /// Creates the effects of a removal of nothing.
  package init() {}

  init(removed: [Removed], nullified: [Nullified] = []) {
    (self.removed, self.nullified) = (removed, nullified)
  }

  /// Adds the numbers of another removal.
  package mutating func add(_ other: RemovalEffects) {
    for objects in other.removed {
      if let place = removed.firstIndex(where: { $0.entity.hasSameBytes(as: objects.entity) }) {
        removed[place].named += objects.named
        removed[place].reached += objects.reached
        for relation in objects.relations
        where !removed[place].relations.contains(where: { $0.hasSameBytes(as: relation) }) {
          removed[place].relations.append(relation)
        }
      } else {
        removed.append(objects)
      }
    }
    for link in other.nullified {
      if let place = nullified.firstIndex(where: { $0.relation.hasSameBytes(as: link.relation) }) {
        nullified[place].count += link.count
      } else {
        nullified.append(link)
      }
    }
  }

  /// Adds objects of an entity that were named.
  package mutating func addNamed(_ count: Int, of entity: String) {
    add(
      RemovalEffects(removed: [Removed(entity: entity, named: count, reached: 0, relations: [])]))
  }

  /// The number of objects of an entity that were named.
  package func namedCount(of entity: String) -> Int {
    removed.reduce(0) { $0 + ($1.entity.hasSameBytes(as: entity) ? $1.named : 0) }
  }
}
