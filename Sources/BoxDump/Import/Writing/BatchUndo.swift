internal import BoxEngine

/// The additions of a batch, so that it can be removed from a transaction that contains earlier
/// batches.
///
/// A commit writes each page that it changed, and a batch changes most pages of an index whose
/// values are in random order. So batches in quick succession share a commit. An error in one of
/// them must not undo the others.
struct BatchUndo {
  private var objects: [(entity: EntitySchema, id: UInt64)] = []
  private var links: [(relation: RelationSchema, source: UInt64, target: UInt64)] = []

  mutating func note(_ entity: EntitySchema, _ id: UInt64) { objects.append((entity, id)) }

  mutating func note(_ relation: RelationSchema, _ source: UInt64, _ target: UInt64) {
    links.append((relation, source, target))
  }

  mutating func removeAll() {
    objects.removeAll(keepingCapacity: true)
    links.removeAll(keepingCapacity: true)
  }

  /// Takes everything back out.
  mutating func undo(_ transaction: Transaction) throws {
    for link in links.reversed() {
      try transaction.unlink(link.relation, link.source, link.target)
    }
    for object in objects.reversed() { try transaction.remove(object.entity, object.id) }
    removeAll()
  }

  /// Whether nothing but additions can come of options, so that they can be taken back.
  static func isPossible(_ options: ImportOptions, _ store: ObjectStore) -> Bool {
    (options.batch ?? .max) <= 100_000 && options.mode == .insert && options.ids == .keep
      && options.match == nil && options.dangling == .keep && !options.isDryRun
      && store.entities.allSatisfy { entity in
        entity.properties.allSatisfy { $0.index?.replacesOnConflict != true }
      }
  }
}
