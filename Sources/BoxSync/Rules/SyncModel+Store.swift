package import BoxEngine
internal import BoxModel

extension SyncModel {
  /// The part of a store's model that is synchronized: the entities with the flag `SYNC_ENABLED`, and the relations
  /// between them.
  ///
  /// Relations whose targets are other entities are not sent, as nobody else knows their targets.
  ///
  /// - Complexity: O(*n*) in the size of the model.
  package init(flaggedIn store: ObjectStore) {
    let flags = Dictionary(store.model.entities.map { ($0.pair.uid, $0.flags) }) { $1 }
    let synchronized = store.entities.filter { flags[$0.uid]?.contains(.syncEnabled) ?? false }
    let uids = Set(synchronized.map(\.uid))
    let entities = synchronized.map { entity in
      let flagged = { (flag: PropertyFlags) in
        entity.properties.first { $0.flags.contains(flag) && $0.type.width == 8 }?.uid
      }
      return SyncEntity(
        entity.uid, entity.properties.compactMap { SyncProperty($0, among: uids) },
        clock: flagged(.syncClock), precedence: flagged(.syncPrecedence),
        sharesIDs: flags[entity.uid]?.contains(.sharedGlobalIDs) ?? false)
    }
    let relations = synchronized.flatMap(\.relations).filter { uids.contains($0.target) }
    self.init(entities, relations.map { SyncRelation($0.uid, from: $0.source, to: $0.target) })
  }
}

extension SyncProperty {
  /// The property of an entity; nil for the id, and for a relation to an entity that is not synchronized.
  init?(_ property: PropertySchema, among entities: Set<UID>) {
    if property.flags.contains(.id) { return nil }
    if let target = property.target, !entities.contains(target) { return nil }
    var unique = UniqueRule.none
    if let index = property.index, index.isUnique {
      unique = index.replacesOnConflict ? .replace : .plain
    }
    self.init(property.uid, unique: unique, target: property.target)
  }
}
