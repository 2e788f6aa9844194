internal import BoxStorage

extension Transaction {
  /// Puts a prepared object with its id, even if the model does not let the caller assign ids.
  ///
  /// Ids assigned later are above it.
  ///
  /// - Parameters:
  ///   - prepared: The objects.
  ///   - index: The position of the object among them, from 0.
  ///   - mode: The treatment of existing and missing objects.
  /// - Returns: Whether the object is new.
  /// - Throws: As ``put(_:id:mode:_:)``; nothing is written then.
  /// - Complexity: O(log *n*) for the object and for each index whose value changes.
  @discardableResult
  package func putPrepared(
    _ prepared: PreparedObjects, at index: Int, mode: PutMode = .put
  ) throws(StoreError) -> Bool {
    let entity = prepared.entity
    try require(entity)
    let storage = try self.writing()
    let id = prepared.id(at: index)
    let highest = try pending.highestKey(entity, storage)
    let old = unsafe id > highest ? nil : try storage.value(entity.space, id)
    if unsafe old == nil && mode == .update {
      throw StoreError.notFound(entity: entity.name, id: id)
    }
    if unsafe old != nil && mode == .insert {
      throw StoreError.alreadyExists(entity: entity.name, id: id)
    }
    let isNew = unsafe old == nil
    var place = unsafe Place(id: id, old: old)
    while let others = try unsafe tryPrepared(entity, place, prepared.record(at: index), storage) {
      if mustUndo(entity) {
        // As for an object that is built.
        return try StoreError.only {
          try savepoint { try displacing { try putPrepared(prepared, at: index, mode: mode) } }
        }
      }
      try remove(others, for: &place, entity, storage)
    }
    noteWritten(entity, place)
    return isNew
  }

  /// Writes a prepared record, unless other objects have to be removed first.
  ///
  /// - Returns: Those objects; nil if the record is written.
  private func tryPrepared(
    _ entity: EntitySchema, _ place: Place, _ record: UnsafeRawBufferPointer,
    _ storage: StorageAccess
  ) throws(StoreError) -> [ValueHolder]? {
    let new = try unsafe structure(entity, place.id, record)
    guard let old = unsafe place.old else {
      if !hasClock(entity) {
        return try unsafe insertRecord(entity, place.id, record, new, storage)
      }
      begin(with: new, entity)
      try stampClock(entity, &writer, storage)
      let stamped = unsafe writer.finish(place.id)
      return try unsafe insertRecord(
        entity, place.id, stamped, structure(entity, place.id, stamped), storage)
    }
    let before = try unsafe view(entity, place.id, old)
    if !entity.hasHiddenSlots && !hasClock(entity) {
      return try unsafe replaceRecord(entity, place.id, record, before, new, storage)
    }
    begin(with: new, entity)
    for slot in entity.hiddenSlots { writer.copy(slot, from: before) }
    if hasClock(entity) { try stampClock(entity, before, &writer, storage) }
    let whole = unsafe writer.finish(place.id)
    let after = try unsafe structure(entity, place.id, whole)
    return try unsafe replaceRecord(entity, place.id, whole, before, after, storage)
  }

  /// A view of a record that this process has just made: its structure is verified, its checksum is
  /// not.
  func structure(
    _ entity: EntitySchema, _ id: UInt64, _ record: UnsafeRawBufferPointer
  ) throws(StoreError) -> RecordView {
    do throws(RecordDamage) {
      return try unsafe verifier(entity).structure(
        of: UnsafeRawBufferPointer(rebasing: record[RecordWriter.prefix...]))
    } catch let damage {
      throw StoreError.damagedRecord(entity: entity.name, id: id, damage)
    }
  }

  /// Begins a record with the values of another one, to which values that the caller does not know are added.
  private func begin(with new: borrowing RecordView, _ entity: EntitySchema) {
    writer.begin(entity.layout)
    for position in entity.writeOrder { writer.copy(entity.accesses[position].slot, from: new) }
  }

  // MARK: - Ids

  /// Reserves the ids up to and including `id`, so that a restored store never reuses the id of a
  /// removed object.
  ///
  /// - Throws: ``StoreError/idTooLarge(entity:id:)`` and as ``putPrepared(_:at:mode:)``.
  /// - Complexity: O(log *n*).
  package func reserveIDs(_ entity: EntitySchema, through id: UInt64) throws(StoreError) {
    try require(entity)
    if id > ObjectStore.maximumID { throw StoreError.idTooLarge(entity: entity.name, id: id) }
    let storage = try self.writing()
    try pending.reserveIDs(entity, through: id, storage)
  }
}
