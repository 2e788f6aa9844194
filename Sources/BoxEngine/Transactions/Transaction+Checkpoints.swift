internal import BoxStorage

extension Transaction {
  /// The checkpoint that work over several transactions has stored under a key; nil if there is
  /// none.
  ///
  /// Checkpoints are part of the store and of its transactions, so interrupted work finds them as
  /// they were at the last commit. The store has to be opened with ``StoreOptions/storesCheckpoints``; a
  /// store without a place for checkpoints has none.
  ///
  /// - Throws: ``StoreError/damagedCheckpoint``, ``StoreError/transactionEnded`` or
  ///   ``StoreError/storage(_:)``.
  /// - Complexity: O(log *n*).
  package func checkpoint(_ key: [UInt8]) throws(StoreError) -> [UInt8]? {
    guard let space = store.schema.checkpointSpace else { return nil }
    let storage = try reading()
    guard let stored = try storage.bytes(space, key) else { return nil }
    guard let content = StoredCheckpoint.content(of: stored, under: key) else {
      throw StoreError.damagedCheckpoint
    }
    return content
  }

  /// Whether the store has a place for checkpoints.
  package var hasCheckpointSpace: Bool { store.schema.checkpointSpace != nil }

  /// Stores a checkpoint under a key of 1 to 511 bytes, replacing the one that is there.
  ///
  /// - Throws: ``StoreError/noCheckpointSpace``, ``StoreError/readTransaction``,
  ///   ``StoreError/transactionEnded``, ``StoreError/transactionFailed(reason:)`` or
  ///   ``StoreError/storage(_:)``.
  /// - Complexity: O(log *n*).
  package func setCheckpoint(_ key: [UInt8], _ bytes: [UInt8]) throws(StoreError) {
    let (space, storage) = (try checkpointSpace(), try self.writing())
    try StoredCheckpoint.put(bytes, under: key, space, storage)
  }

  /// Removes a checkpoint and returns whether there was one.
  ///
  /// - Throws: As ``setCheckpoint(_:_:)``.
  @discardableResult
  package func removeCheckpoint(_ key: [UInt8]) throws(StoreError) -> Bool {
    let (space, storage) = (try checkpointSpace(), try self.writing())
    return try storage.remove(space, key)
  }

  /// Replaces all checkpoints by those of a table.
  ///
  /// - Throws: As ``setCheckpoint(_:_:)``.
  /// - Complexity: O(*n*) in the pages of the checkpoints.
  package func replaceCheckpoints(_ checkpoints: [[UInt8]: [UInt8]]) throws(StoreError) {
    let (space, storage) = (try checkpointSpace(), try self.writing())
    try StoredCheckpoint.replace(space, with: checkpoints, storage)
  }

  private func checkpointSpace() throws(StoreError) -> Space {
    guard let space = store.schema.checkpointSpace else { throw StoreError.noCheckpointSpace }
    return space
  }

  /// The bytes of an object's record, checked; nil if there is none.
  ///
  /// - Throws: As ``get(_:_:_:)``.
  /// - Complexity: O(log *n*).
  package func snapshot(_ entity: EntitySchema, _ id: UInt64) throws(StoreError) -> [UInt8]? {
    try require(entity)
    let storage = try reading()
    guard let record = try unsafe storage.value(entity.space, id) else { return nil }
    _ = try unsafe view(entity, id, record)
    return unsafe [UInt8](record)
  }

  /// The values that an object had when its bytes were taken.
  ///
  /// - Throws: ``StoreError/damagedRecord(entity:id:_:)`` if the bytes are not whole.
  package func object(
    _ entity: EntitySchema, _ id: UInt64, in snapshot: [UInt8]
  ) throws(StoreError) -> DynamicObject {
    try require(entity)
    return try unsafe snapshot.withBytes { (bytes) throws(StoreError) in
      // These are not the bytes in the store, of which some are known to be whole.
      do throws(RecordDamage) {
        return unsafe DynamicObject(
          entity, id: id, reading: try verifier(entity).view(id, bytes, isChecked: false))
      } catch let damage {
        throw StoreError.damagedRecord(entity: entity.name, id: id, damage)
      }
    }
  }
}
