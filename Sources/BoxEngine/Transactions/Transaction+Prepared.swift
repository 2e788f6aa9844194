internal import BoxStorage

extension Transaction {
  /// Puts an object that was made ready, with its id, whatever the model says of assigning ids.
  ///
  /// The ids that are given next are above it.
  ///
  /// - Parameters:
  ///   - prepared: The objects.
  ///   - index: Which of them, from 0.
  ///   - mode: What to do where the object exists, and where it does not.
  /// - Returns: Whether it is a new one.
  /// - Throws: As ``put(_:id:mode:_:)``; nothing is written then.
  /// - Complexity: O(log *n*) for the object and for each index whose value changes.
  @discardableResult
  public func put(
    _ prepared: PreparedObjects, at index: Int, mode: PutMode = .put
  ) throws -> Bool {
    let entity = prepared.entity
    try require(entity)
    let storage = try self.writing()
    return try Self.mapped {
      let id = prepared.id(at: index)
      let highest = try pending.highestKey(entity, storage)
      var old = id > highest ? nil : try storage.value(entity.space, id)
      if old == nil && mode == .update { throw StoreError.notFound(entity: entity.name, id: id) }
      if old != nil && mode == .insert {
        throw StoreError.alreadyExists(entity: entity.name, id: id)
      }
      let isNew = old == nil
      var record = prepared.record(at: index)
      if let old, entity.hasHiddenSlots {
        record = try withHiddenValues(of: old, record, entity, id)
      }
      while true {
        let changes = try indexChanges(entity, id, old: old, record, storage)
        if changes.replaced.isEmpty {
          try apply(changes.changes, id, entity, storage)
          break
        }
        // All of them are read before the first is removed, lest a damaged one stop it half way.
        for id in changes.replaced { _ = try get(entity, id) { _ in } }
        for id in changes.replaced { try remove(entity, id) }
        old = isNew ? nil : try storage.value(entity.space, id)
      }
      let isHighest = isNew ? try pending.take(id, entity, storage) : false
      try storage.put(entity.space, id, record, isHighest ? .append : .replace)
      pending.note(isNew ? .inserted : .updated, entity, id)
      return isNew
    }
  }

  /// The record with the values that the model in force does not show.
  private func withHiddenValues(
    of old: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer, _ entity: EntitySchema,
    _ id: UInt64
  ) throws -> UnsafeRawBufferPointer {
    writer.begin(entity.layout)
    try own(entity, record) { new in
      for position in entity.writeOrder { writer.copy(entity.accesses[position].slot, from: new) }
    }
    try view(entity, id, old) { old in
      for slot in entity.hiddenSlots { writer.copy(slot, from: old) }
    }
    return writer.finish(id)
  }

  /// The changes of the indexes, those aside that need no look and are noted at once.
  @inline(__always)
  private func indexChanges(
    _ entity: EntitySchema, _ id: UInt64, old: UnsafeRawBufferPointer?,
    _ record: UnsafeRawBufferPointer, _ storage: any StorageTransaction
  ) throws -> IndexChanges {
    if !entity.hasIndexes { return IndexChanges() }
    return try own(entity, record) { new in
      guard let old else {
        if !entity.hasDeferredIndexesOnly {
          return try indexInsertions(entity, id, new: new, storage)
        }
        for index in entity.extractors {
          if let key = index.key(new) { pending.add(key, id, to: index.position) }
          try pending.flushIfMany(index.position, to: storage)
        }
        return IndexChanges()
      }
      return try view(entity, id, old) { old in
        try indexChanges(entity, id, old: old, new: new, storage)
      }
    }
  }

  // MARK: - Ids

  /// Has the next ids be above one, as a store that is restored must not give ids of removed objects.
  ///
  /// - Throws: ``StoreError/idTooLarge(entity:id:)`` and as ``put(_:at:mode:)``.
  /// - Complexity: O(log *n*).
  public func raiseLastID(_ entity: EntitySchema, to id: UInt64) throws {
    try require(entity)
    if id > ObjectStore.maximumID { throw StoreError.idTooLarge(entity: entity.name, id: id) }
    let storage = try self.writing()
    try Self.mapped { try pending.raiseLastID(entity, to: id, storage) }
  }
}
