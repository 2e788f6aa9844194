internal import Synchronization

/// The ids that transactions gave to new objects before they were undone.
///
/// The objects keep these ids, so that they can be put again; until then no object of the store has them.
final class UndoneIDs: Sendable {
  /// By the position of the entity; the ranges are in order.
  private let ranges = Mutex<[Int: [ClosedRange<UInt64>]]>([:])
  private let hasSome = Atomic<Bool>(false)

  /// Whether there are any.
  @inline(__always)
  var isEmpty: Bool { !hasSome.load(ordering: .relaxed) }

  /// Adds ids of an entity.
  func add(_ ids: ClosedRange<UInt64>, of entity: EntitySchema) {
    ranges.withLock { ranges in
      var known = ranges[entity.position] ?? []
      if let last = known.last, last.upperBound + 1 == ids.lowerBound {
        known[known.count - 1] = last.lowerBound...ids.upperBound
      } else {
        known.insert(ids, at: known.firstIndex { $0.lowerBound > ids.lowerBound } ?? known.count)
      }
      ranges[entity.position] = known
    }
    hasSome.store(true, ordering: .relaxed)
  }

  /// Whether an id is one of them.
  func contains(_ id: UInt64, of entity: EntitySchema) -> Bool {
    !isEmpty
      && ranges.withLock { $0[entity.position]?.contains { $0.contains(id) } ?? false }
  }

  /// Takes an id out, as its object is stored.
  ///
  /// - Returns: Whether it was one of them.
  func remove(_ id: UInt64, of entity: EntitySchema) -> Bool {
    ranges.withLock { ranges in
      guard var known = ranges[entity.position],
        let position = known.firstIndex(where: { $0.contains(id) })
      else { return false }
      let range = known.remove(at: position)
      if id < range.upperBound { known.insert(id + 1...range.upperBound, at: position) }
      if id > range.lowerBound { known.insert(range.lowerBound...id - 1, at: position) }
      ranges[entity.position] = known
      return true
    }
  }
}

extension ObjectStore {
  /// Whether some object has an id of a transaction that was undone.
  package var hasUndoneIDs: Bool { !(issuedIDs?.undone.isEmpty ?? true) }

  /// Whether a transaction that was undone gave an id, and its object is not stored yet.
  ///
  /// - Complexity: O(*m*) in the number of undone transactions whose objects were not put again.
  package func isUndone(_ entity: EntitySchema, _ id: UInt64) -> Bool {
    issuedIDs?.undone.contains(id, of: entity) ?? false
  }

  /// Notes ids whose objects were to be put in a transaction that did not begin.
  package func noteUndone(_ entity: EntitySchema, _ ids: ClosedRange<UInt64>) {
    issuedIDs?.undone.add(ids, of: entity)
  }

  /// Writes the last ids that a transaction gave before it was undone, so that no other process gives them to
  /// its objects, and neither does a later opening.
  ///
  /// Without room on the disk this opening remembers them all the same.
  func keepIDs(of transaction: Transaction, _ storage: StorageHandle) {
    let given = transaction.recordUndoneIDs()
    if given.isEmpty || deferredEntries.isInUse || hasUnappliedModel { return }
    do throws(StoreError) {
      let keeping = Transaction(self, try storage.beginWrite())
      defer { keeping.abort() }
      for (entity, last) in given {
        try keeping.pending.reserveIDs(entity, through: last, try keeping.writing())
      }
      try keeping.commit()
    } catch {}
  }
}
