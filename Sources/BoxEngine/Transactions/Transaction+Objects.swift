public import BoxStorage

extension Transaction {
  // MARK: - Reading

  /// Reads an object; returns nil if no object has the id.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - id: The id.
  ///   - body: Reads the values. It must not use the store.
  /// - Returns: The value that `body` returned; nil if no object has the id.
  /// - Throws: ``StoreError/damagedRecord(entity:id:_:)``, ``StoreError/transactionEnded``,
  ///   ``StoreError/storage(_:)``, and the error of `body`.
  /// - Complexity: O(log *n*).
  public func get<R>(
    _ entity: EntitySchema, _ id: UInt64, _ body: (borrowing RecordView) throws -> R
  ) throws -> R? {
    try require(entity)
    let storage = try reading()
    guard let record = try unsafe storage.value(entity.space, id) else { return nil }
    let view = try unsafe view(entity, id, record)
    if isWritable { verified.record(entity.position, id, id) }
    return try coding { try body(view) }
  }

  /// Whether there is an object with an id.
  ///
  /// - Throws: ``StoreError/transactionEnded`` or ``StoreError/storage(_:)``.
  /// - Complexity: O(log *n*).
  public func contains(_ entity: EntitySchema, _ id: UInt64) throws(StoreError) -> Bool {
    try require(entity)
    let storage = try reading()
    return try storage.hasValue(entity.space, id)
  }

  /// The number of objects, or the limit if there are more.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - limit: The number at which counting stops; 0 for no limit.
  /// - Returns: The number.
  /// - Throws: ``StoreError/transactionEnded`` or ``StoreError/storage(_:)``.
  /// - Complexity: O(1).
  public func count(_ entity: EntitySchema, limit: Int = 0) throws(StoreError) -> Int {
    try require(entity)
    let storage = try reading()
    let count = try storage.statistics(entity.space).entries
    return limit > 0 ? min(count, limit) : count
  }

  /// Whether there is no object.
  ///
  /// - Throws: As ``count(_:limit:)``.
  /// - Complexity: O(1).
  public func isEmpty(_ entity: EntitySchema) throws(StoreError) -> Bool {
    try count(entity, limit: 1) == 0
  }

  /// Visits objects in the order of their ids.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - from: The id to start at, or the nearest one after it in the direction of the visit.
  ///   - direction: The direction of the visit.
  ///   - body: Reads the values, and returns whether the visit continues. It must not use the
  ///     store.
  /// - Throws: ``StoreError/damagedRecord(entity:id:_:)``, ``StoreError/transactionEnded``,
  ///   ``StoreError/storage(_:)``, and the error of `body`.
  /// - Complexity: O(*n*) in the objects that are visited.
  public func visit(
    _ entity: EntitySchema, from: UInt64? = nil, _ direction: VisitDirection = .forward,
    _ body: (UInt64, borrowing RecordView) throws -> VisitStep
  ) throws {
    try require(entity)
    let storage = try reading()
    let verifier = verifier(entity)
    // No object has the id 0.
    var (first, last): (UInt64, UInt64) = (0, 0)
    defer { if isWritable && first != 0 { verified.record(entity.position, first, last) } }
    var visited = 0
    try coding {
      try unsafe storage.visitRecords(entity.space, from: from, direction) { id, record in
        visited &+= 1
        if visited % Self.visitsBetweenLooks == 0 { try checkInterruption() }
        let view: RecordView
        do throws(RecordDamage) {
          view = try unsafe verifier.view(id, record)
        } catch let damage {
          throw StoreError.damagedRecord(entity: entity.name, id: id, damage)
        }
        if first == 0 { first = id }
        last = id
        return try body(id, view)
      }
    }
  }

  /// Visits objects for a function of the engine, as ``visit(_:from:_:_:)`` does.
  func visitRecords(
    _ entity: EntitySchema, _ body: (UInt64, borrowing RecordView) -> VisitStep
  ) throws(StoreError) {
    try StoreError.only { try visit(entity, from: nil, .forward, body) }
  }

  // MARK: - Writing

  /// Puts an object.
  ///
  /// Everything is checked before anything is written, so a put that throws leaves the transaction
  /// as it was (except for an error of the storage).
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - id: 0 for a new object, which gets the next id; the id of an object that exists; or, for an
  ///     entity whose ids the caller assigns, any id.
  ///   - mode: The treatment of existing and missing objects.
  ///   - writing: Sets the values; values that it does not set are null. It must not use the store.
  /// - Returns: The id.
  /// - Throws: ``StoreError/uniqueViolation(entity:property:value:existing:)``,
  ///   ``StoreError/idNotGiven(entity:id:last:)``, ``StoreError/alreadyExists(entity:id:)``,
  ///   ``StoreError/notFound(entity:id:)``, ``StoreError/idsExhausted(entity:)``,
  ///   ``StoreError/idTooLarge(entity:id:)``, ``StoreError/objectTooLarge(entity:)``,
  ///   ``StoreError/notUTF8(entity:property:)``, ``StoreError/damagedRecord(entity:id:_:)`` if an
  ///   index needs the old values, ``StoreError/readTransaction``, ``StoreError/transactionEnded``,
  ///   ``StoreError/transactionFailed(reason:)``, ``StoreError/storage(_:)``, and the error of
  ///   `writing`.
  /// - Complexity: O(log *n*) for the object and for each index whose value changes.
  @discardableResult
  public func put(
    _ entity: EntitySchema, id: UInt64 = 0, mode: PutMode = .put,
    _ writing: (inout RecordWriter) throws -> Void
  ) throws -> UInt64 {
    try require(entity)
    let storage = try self.writing()
    let place = try place(entity, id, mode, storage)
    writer.begin(entity.layout)
    do {
      try coding { try writing(&writer) }
    } catch let error as InvalidUTF8 {
      throw named(error, entity)
    }
    try writeBuilt(entity, place, &writer, storage)
    return place.id
  }

  /// Visits objects in ascending order of their ids, and rewrites those that a function chooses.
  ///
  /// This is the fast way to change many objects: each is looked up and verified once. If this
  /// throws, the objects before keep the changes made so far.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - from: The id to start at, or the nearest one above it.
  ///   - body: Called with the id of an object, its values, and a writer for the new ones; values
  ///     that it does not set are null. Returns whether the new values replace the old ones. It
  ///     must not use the store.
  /// - Throws: As ``put(_:id:mode:_:)``.
  /// - Complexity: O(*n*) in the objects that are visited, and O(log *n*) for each index entry that
  ///   changes.
  public func rewrite(
    _ entity: EntitySchema, from: UInt64 = 0,
    _ body: (UInt64, borrowing RecordView, inout RecordWriter) throws -> RewriteStep
  ) throws {
    try require(entity)
    let storage = try writing()
    let verifier = verifier(entity)
    var last = from == 0 ? nil : from - 1
    var visited = 0
    while let (id, record) = try unsafe storage.nextRecord(entity.space, after: last) {
      last = id
      visited &+= 1
      if visited % Self.visitsBetweenLooks == 0 { try checkInterruption() }
      let old = try unsafe view(entity, id, record, verifier)
      unsafe writer.begin(entity.layout, over: record)
      let step: RewriteStep
      do {
        step = try coding { try body(id, old, &writer) }
      } catch let error as InvalidUTF8 {
        throw named(error, entity)
      }
      switch step {
      case .replace:
        if writer.isTooLarge { throw StoreError.objectTooLarge(entity: entity.name) }
        if try replaceByBuilt(entity, id, old, &writer, storage) != nil {
          try unsafe writeBuilt(entity, Place(id: id, old: record), &writer, storage)
        } else if displaced != nil {
          displaced?.recordPut(.init(entity: entity.position, id: id))
        }
      case .keep: break
      case .stop: return
      }
    }
  }

  /// Writes the record in a writer with its index entries, after removing the objects in
  /// conflict.
  @inline(__always)
  func writeBuilt(
    _ entity: EntitySchema, _ place: Place, _ writer: inout RecordWriter, _ storage: StorageAccess
  ) throws(StoreError) {
    if writer.isTooLarge { throw StoreError.objectTooLarge(entity: entity.name) }
    var place = place
    while let others = try tryBuilt(entity, place, &writer, storage) {
      if mustUndo(entity) {
        // What the delete rules say of the others depends on the new values.
        try StoreError.only {
          try savepoint { try displacing { try writeBuiltAgain(entity, place.id, &writer) } }
        }
        return
      }
      try remove(others, for: &place, entity, storage)
    }
    noteWritten(entity, place)
  }

  /// Writes the record in a writer in a part of the transaction that can be undone.
  private func writeBuiltAgain(
    _ entity: EntitySchema, _ id: UInt64, _ writer: inout RecordWriter
  ) throws(StoreError) {
    let storage = try writing()
    let place = unsafe Place(id: id, old: try storage.value(entity.space, id))
    try writeBuilt(entity, place, &writer, storage)
  }

  /// Whether a put that takes values of other objects may be refused after it has changed them.
  func mustUndo(_ entity: EntitySchema) -> Bool { entity.rules != nil && displaced == nil }

  /// Notes that an object was written.
  @inline(__always)
  func noteWritten(_ entity: EntitySchema, _ place: Place) {
    if unsafe place.old == nil { noteStored(entity, place.id) }
    if displaced != nil { displaced?.recordPut(.init(entity: entity.position, id: place.id)) }
  }

  /// Writes the record in a writer with its index entries, unless other objects have to be removed first.
  ///
  /// - Returns: Those objects; nil if the record is written.
  @inline(__always)
  private func tryBuilt(
    _ entity: EntitySchema, _ place: Place, _ writer: inout RecordWriter, _ storage: StorageAccess
  ) throws(StoreError) -> [ValueHolder]? {
    guard let old = unsafe place.old else {
      if pending.capture != nil { try stampClock(entity, &writer, storage) }
      let record = unsafe writer.finish(place.id)
      return try unsafe insertRecord(entity, place.id, record, writer.view, storage)
    }
    if entity.hasIndexes || entity.hasHiddenSlots {
      return try unsafe replaceByBuilt(
        entity, place.id, try view(entity, place.id, old), &writer, storage)
    }
    if pending.capture != nil { try unsafe stampClock(entity, place.id, old, &writer, storage) }
    try unsafe overwrite(entity, place.id, writer.finish(place.id), storage)
    return nil
  }

  /// Removes the objects whose unique values one takes over, or takes these values from them, and looks again at what
  /// is in its place.
  func remove(
    _ others: [ValueHolder], for place: inout Place, _ entity: EntitySchema,
    _ storage: StorageAccess
  ) throws(StoreError) {
    // All are read before the first is removed: a damaged one must not stop it half way.
    for other in others { try requireReadable(entity, other.id, storage) }
    if displaced != nil { try requireRemovable(others.map(\.id), entity, place.id) }
    for other in others {
      if displaced == nil {
        if pending.capture != nil {
          try captureDisplacing(entity, other.id, isKept: false, storage)
        }
        try removeAlone(entity, other.id)
        displacement.addNamed(1, of: entity.name)
      } else {
        try displace(other, of: entity)
      }
    }
    if unsafe place.old != nil {
      unsafe place.old = try unsafe storage.value(entity.space, place.id)
    }
  }

  private func requireReadable(
    _ entity: EntitySchema, _ id: UInt64, _ storage: StorageAccess
  ) throws(StoreError) {
    if let record = try unsafe storage.value(entity.space, id) {
      _ = try unsafe view(entity, id, record)
    }
  }

  /// The error with the name of the property.
  func named(_ error: InvalidUTF8, _ entity: EntitySchema) -> StoreError {
    let property = entity.properties.first { $0.slot == error.slot }?.name
    return .notUTF8(entity: entity.name, property: property ?? "\(error.slot)")
  }

  /// The id under which an object is written, and the record that is there.
  ///
  /// The bytes are those of the storage until the transaction writes: what uses them says so.
  @safe struct Place {
    var id: UInt64
    var old: UnsafeRawBufferPointer?
  }

  @inline(__always)
  func place(
    _ entity: EntitySchema, _ id: UInt64, _ mode: PutMode, _ storage: StorageAccess
  ) throws(StoreError) -> Place {
    if id == 0 {
      if mode == .update { throw StoreError.notFound(entity: entity.name, id: 0) }
      return unsafe Place(id: try issueID(entity, storage))
    }
    if id > ObjectStore.maximumID { throw StoreError.idTooLarge(entity: entity.name, id: id) }
    // An id above all others need not be looked for.
    let isAbove = id > (try pending.highestKey(entity, storage))
    let old = unsafe isAbove ? nil : try storage.value(entity.space, id)
    if unsafe old == nil {
      if mode == .update { throw StoreError.notFound(entity: entity.name, id: id) }
      if !entity.hasAssignableIDs {
        let last = try pending.lastID(entity, storage)
        if id > last { throw StoreError.idNotGiven(entity: entity.name, id: id, last: last) }
      }
    } else if mode == .insert {
      throw StoreError.alreadyExists(entity: entity.name, id: id)
    }
    return unsafe Place(id: id, old: old)
  }

  /// Writes a new record with its index entries, unless other objects have to be removed first.
  ///
  /// - Returns: Those objects; nil if the record is written.
  @inline(__always)
  func insertRecord(
    _ entity: EntitySchema, _ id: UInt64, _ record: UnsafeRawBufferPointer,
    _ new: borrowing RecordView, _ storage: StorageAccess
  ) throws(StoreError) -> [ValueHolder]? {
    if entity.hasIndexes {
      if entity.hasDeferredIndexesOnly {
        for position in entity.extractors.indices {
          let index = entity.extractors[position]
          if let key = index.key(new) { pending.add(key, id, to: index.position) }
          try pending.flushIfMany(index.position, to: storage)
        }
        for index in entity.textIndexes {
          if !new.isNull(index.slot) {
            unsafe pending.add(new.elements(index.slot), id, to: index.position)
          }
          try pending.flushIfMany(index.position, to: storage)
        }
      } else {
        let changes = try indexInsertions(entity, id, new: new, storage)
        if !changes.replaced.isEmpty { return changes.replaced }
        try apply(changes.changes, id, entity, storage)
      }
    }
    if entity.hasTrackedSlots { unsafe noteLacking(entity, record) }
    if pending.capture != nil { try unsafe captureInsert(entity, id, record, storage) }
    let isHighest = try pending.recordPut(id, entity, storage)
    try unsafe storage.put(entity.space, id, record, isHighest ? .append : .replace)
    pending.changes.record(.inserted, entity.position, id)
    return nil
  }

  /// Replaces a record by that in a writer, as ``replaceRecord(_:_:_:_:_:_:)``.
  @inline(__always)
  private func replaceByBuilt(
    _ entity: EntitySchema, _ id: UInt64, _ old: borrowing RecordView,
    _ writer: inout RecordWriter, _ storage: StorageAccess
  ) throws(StoreError) -> [ValueHolder]? {
    if entity.hasHiddenSlots {
      for slot in entity.hiddenSlots { writer.copy(slot, from: old) }
    }
    if pending.capture != nil { try stampClock(entity, old, &writer, storage) }
    // The checksum comes last: it reads words of what was written in smaller parts, and waits until the
    // cache has them.
    writer.close()
    if let replaced = try updateEntries(entity, id, old: old, new: writer.view, storage) {
      return replaced
    }
    try unsafe overwrite(entity, id, writer.finish(id), storage)
    return nil
  }

  /// Replaces a record with its index entries, unless other objects have to be removed first.
  ///
  /// - Returns: Those objects; nil if the record is written.
  @inline(__always)
  func replaceRecord(
    _ entity: EntitySchema, _ id: UInt64, _ record: UnsafeRawBufferPointer,
    _ old: borrowing RecordView, _ new: borrowing RecordView, _ storage: StorageAccess
  ) throws(StoreError) -> [ValueHolder]? {
    if let replaced = try updateEntries(entity, id, old: old, new: new, storage) {
      return replaced
    }
    try unsafe overwrite(entity, id, record, storage)
    return nil
  }

  /// Brings the indexes up to date for an object that is replaced, unless other objects have to be removed
  /// first.
  ///
  /// - Returns: Those objects; nil if there are none.
  @inline(__always)
  private func updateEntries(
    _ entity: EntitySchema, _ id: UInt64, old: borrowing RecordView, new: borrowing RecordView,
    _ storage: StorageAccess
  ) throws(StoreError) -> [ValueHolder]? {
    if keepsEntries(entity, old: old, new: new) { return nil }
    return try changeEntries(entity, id, old: old, new: new, storage)
  }

  /// Whether all values of an object that are in indexes stay as they are; false where there are indexes
  /// of text.
  @inline(__always)
  private func keepsEntries(
    _ entity: EntitySchema, old: borrowing RecordView, new: borrowing RecordView
  ) -> Bool {
    guard entity.hasDeferredIndexesOnly, entity.textIndexes.isEmpty else { return false }
    for position in entity.extractors.indices {
      if !entity.extractors[position].isSame(old, new) { return false }
    }
    return true
  }

  /// Writes the changes of the indexes, or holds them back; as ``updateEntries(_:_:old:new:_:)``.
  @inline(never)
  private func changeEntries(
    _ entity: EntitySchema, _ id: UInt64, old: borrowing RecordView, new: borrowing RecordView,
    _ storage: StorageAccess
  ) throws(StoreError) -> [ValueHolder]? {
    if entity.hasDeferredIndexesOnly {
      try moveEntries(entity, id, old: old, new: new, storage)
      return nil
    }
    let changes = try indexChanges(entity, id, old: old, new: new, storage)
    if !changes.replaced.isEmpty { return changes.replaced }
    try apply(changes.changes, id, entity, storage)
    return nil
  }

  /// Holds back the changes of indexes that can be written without a lookup.
  private func moveEntries(
    _ entity: EntitySchema, _ id: UInt64, old: borrowing RecordView, new: borrowing RecordView,
    _ storage: StorageAccess
  ) throws(StoreError) {
    for position in entity.extractors.indices {
      let index = entity.extractors[position]
      if index.isSame(old, new) { continue }
      let (before, after) = (index.key(old), index.key(new))
      if before == after { continue }
      if let before { pending.remove(before, id, from: index.position) }
      if let after { pending.add(after, id, to: index.position) }
    }
    for index in entity.textIndexes {
      let (before, after) = unsafe (old.elements(index.slot), new.elements(index.slot))
      let (hadEntry, hasEntry) = (!old.isNull(index.slot), !new.isNull(index.slot))
      if unsafe hadEntry == hasEntry
        && IndexSchema.keyText(before).elementsEqual(IndexSchema.keyText(after))
      {
        continue
      }
      if hadEntry { unsafe pending.remove(before, id, from: index.position) }
      if hasEntry { unsafe pending.add(after, id, to: index.position) }
    }
    // The old record is read no more: these writes may move it.
    try flushIfMany(entity, storage)
  }

  /// Writes a record in the place of another.
  @inline(__always)
  private func overwrite(
    _ entity: EntitySchema, _ id: UInt64, _ record: UnsafeRawBufferPointer,
    _ storage: StorageAccess
  ) throws(StoreError) {
    if entity.hasTrackedSlots { unsafe noteLacking(entity, record) }
    if pending.capture != nil { try unsafe captureUpdate(entity, id, record, storage) }
    try unsafe storage.put(entity.space, id, record, .replace)
    pending.changes.record(.updated, entity.position, id)
  }
}
