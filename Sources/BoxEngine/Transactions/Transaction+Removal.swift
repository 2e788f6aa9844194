internal import BoxStorage

extension Transaction {
  /// Removes an object, its index entries and its entries in relations, and what the delete rules say.
  ///
  /// A relation to one without a rule keeps the id and finds nothing. A damaged object can be removed too: its entries
  /// are then looked for in all entries of the indexes, and its own relations to one are not followed.
  ///
  /// - Returns: Whether the object existed.
  /// - Throws: ``StoreError/removalRefused(entity:id:relation:count:first:)``, and as ``put(_:id:mode:_:)``, but
  ///   ``StoreError/damagedRecord(entity:id:_:)`` only for another object that would be removed or changed. Nothing is
  ///   removed then.
  /// - Complexity: O(log *n*) for each object, index entry and entry of a relation; O(*n*) in the entries of the indexes
  ///   if the object is damaged.
  @discardableResult
  public func remove(_ entity: EntitySchema, _ id: UInt64) throws(StoreError) -> Bool {
    try require(entity)
    if entity.rules == nil { return try removeAlone(entity, id) }
    return try remove([(entity, [id])]) > 0
  }

  /// Removes an object, its index entries and its entries in relations, without looking at delete rules.
  ///
  /// - Returns: Whether the object existed.
  /// - Throws: As ``put(_:id:mode:_:)``, except ``StoreError/damagedRecord(entity:id:_:)``.
  /// - Complexity: As ``remove(_:_:)``.
  @discardableResult
  package func removeAlone(_ entity: EntitySchema, _ id: UInt64) throws(StoreError) -> Bool {
    guard try removeUnrecorded(entity, id) else { return false }
    pending.changes.record(.removed, entity.position, id)
    return true
  }

  /// Removes an object as ``removeAlone(_:_:)``, without a change that observers hear of.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - id: The id of the object.
  ///   - removed: Entries of indexes that are removed already.
  /// - Returns: Whether the object existed.
  /// - Throws: As ``removeAlone(_:_:)``.
  func removeUnrecorded(
    _ entity: EntitySchema, _ id: UInt64, except removed: [RemovedReferences] = []
  ) throws(StoreError) -> Bool {
    try require(entity)
    let storage = try writing()
    guard let old = try unsafe storage.value(entity.space, id) else { return false }
    if pending.capture != nil { try unsafe captureRemoval(entity, id, old, storage) }
    if entity.hasIndexes {
      do throws(StoreError) {
        try unsafe removeEntries(
          entity, id, old: view(entity, id, old), except: removed, storage)
      } catch .damagedRecord {
        try apply(try storedEntries(entity, id, storage), id, entity, storage)
      }
    }
    try removeLinks(entity, id, storage)
    try pending.noteRemoval(id, entity, storage)
    _ = try storage.remove(entity.space, id)
    if pending.capture != nil { try flushLargeCapture(storage) }
    return true
  }

  /// Removes objects with their index entries and their entries in relations, and what the delete rules say, all of
  /// them or none.
  ///
  /// Ids that do not exist are skipped. Rules that forbid a removal allow it together with the objects that they
  /// protect.
  ///
  /// - Returns: The number of removed objects among those of the ids.
  /// - Throws: As for one object; then no object is removed, and the transaction continues.
  /// - Complexity: As for one object, for each.
  @discardableResult
  public func remove(_ entity: EntitySchema, _ ids: some Sequence<UInt64>) throws(StoreError) -> Int
  {
    try require(entity)
    if entity.rules != nil { return try remove([(entity, Array(ids))]) }
    return try StoreError.only {
      try savepoint { try ids.reduce(0) { try removeAlone(entity, $1) ? $0 + 1 : $0 } }
    }
  }

  /// Removes objects of several entities at once, and what the delete rules say.
  ///
  /// - Parameter objects: The objects; those that do not exist are skipped.
  /// - Returns: The number of removed objects among them.
  /// - Throws: As ``remove(_:_:)``. An error that is not one of the storage comes before anything is removed.
  /// - Complexity: As ``remove(_:_:)``, for each.
  @discardableResult
  package func remove(
    _ objects: [(entity: EntitySchema, ids: [UInt64])]
  ) throws(StoreError) -> Int {
    for (entity, _) in objects { try require(entity) }
    _ = try writing()
    if objects.contains(where: { $0.entity.rules != nil }) {
      let closure = try removal(of: objects)
      try closure.write()
      return closure.namedCount
    }
    var count = 0
    for (entity, ids) in objects {
      for id in ids where try removeAlone(entity, id) { count += 1 }
    }
    return count
  }

  /// The removal of objects with all that the delete rules say, before anything is written.
  ///
  /// It is valid until the transaction writes.
  ///
  /// - Parameter objects: The objects; those that do not exist are skipped.
  /// - Returns: The removal.
  /// - Throws: As ``remove(_:_:)``.
  /// - Complexity: O(log *n*) for each object and each of its entries in relations that have a rule.
  package func removal(
    of objects: [(entity: EntitySchema, ids: [UInt64])]
  ) throws(StoreError) -> RemovalClosure {
    for (entity, _) in objects { try require(entity) }
    return try RemovalClosure(objects, self)
  }

  private func allIDs(_ entity: EntitySchema) throws(StoreError) -> [UInt64] {
    var ids: [UInt64] = []
    try reading().keys(entity.space) { id in
      ids.append(id)
      return .next
    }
    return ids
  }

  /// Removes all objects of an entity and their entries in relations, and what the delete rules say; their ids are not
  /// given again.
  ///
  /// - Returns: The number of removed objects of the entity.
  /// - Throws: As ``remove(_:_:)``.
  /// - Complexity: O(*n*) in the pages of the entity, its indexes and its relations; with rules, as ``remove(_:_:)`` for
  ///   the objects of other entities.
  @discardableResult
  public func removeAll(_ entity: EntitySchema) throws(StoreError) -> Int {
    var effects: RemovalEffects?
    return try removeAll(entity, effects: &effects)
  }

  /// Removes all objects of an entity as ``removeAll(_:)``, and says what that concerned.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - effects: Set to the numbers of the objects that the removal concerned; left as it is without rules.
  /// - Returns: The number of removed objects of the entity.
  /// - Throws: As ``removeAll(_:)``.
  /// - Complexity: As ``removeAll(_:)``.
  package func removeAll(
    _ entity: EntitySchema, effects: inout RemovalEffects?
  ) throws(StoreError) -> Int {
    try require(entity)
    let storage = try writing()
    let count = try storage.statistics(entity.space).entries
    if entity.rules == nil {
      if count > 0 { try clear(entity, storage) }
      return count
    }
    let closure = try RemovalClosure([(entity, try allIDs(entity))], self)
    effects = closure.effects
    if count == 0 { return 0 }
    try closure.write(except: entity)
    do throws(StoreError) {
      try clear(entity, storage)
    } catch {
      markFailed("\(error)")
      throw error
    }
    return count
  }

  private func clear(_ entity: EntitySchema, _ storage: StorageAccess) throws(StoreError) {
    // The ids that were given are not in the records alone.
    _ = try pending.lastID(entity, storage)
    pending.changes.markTouched(entity.position)
    if pending.changes.isObserved(entity.position) {
      try storage.keys(entity.space) { id in
        pending.changes.record(.removed, entity.position, id)
        return .next
      }
    }
    if pending.capture != nil { try captureRemovals(entity, storage) }
    try storage.clear(entity.space)
    for index in entity.indexes { try storage.clear(index.space) }
    for relation in entity.outgoing + entity.incoming {
      try storage.clear(relation.forward)
      try storage.clear(relation.backward)
    }
    pending.forgetRecords(entity)
  }
}
