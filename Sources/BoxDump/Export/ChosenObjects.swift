package import BoxEngine
internal import BoxModel

/// Single objects and entries of relations, of which a dump is made.
package struct ChosenObjects: Sendable {
  /// The ids of the objects, in ascending order.
  private(set) var ids: [UID: [UInt64]] = [:]
  /// The targets of each source.
  private var entries: [UID: [UInt64: Set<UInt64>]] = [:]
  /// The entities that have a part in them.
  private(set) var entities: Set<UID> = []

  /// Chooses nothing.
  package init() {}

  /// Adds objects, once for each entity.
  ///
  /// - Parameters:
  ///   - ids: The ids, in ascending order and each once.
  ///   - entity: The entity.
  package mutating func add(_ ids: [UInt64], of entity: EntitySchema) {
    if ids.isEmpty { return }
    self.ids[entity.uid] = ids
    entities.insert(entity.uid)
  }

  /// Adds entries of a relation.
  package mutating func add(
    _ targets: [(source: UInt64, targets: [UInt64])], of relation: RelationSchema
  ) {
    for (source, targets) in targets where !targets.isEmpty {
      entries[relation.uid, default: [:]][source, default: []].formUnion(targets)
      entities.formUnion([relation.source, relation.target])
    }
  }

  /// The entries of a relation, in their order.
  func entries(of relation: RelationSchema) -> [(source: UInt64, target: UInt64)] {
    (entries[relation.uid] ?? [:]).sorted { $0.key < $1.key }.flatMap { source, targets in
      targets.sorted().map { (source, $0) }
    }
  }
}
