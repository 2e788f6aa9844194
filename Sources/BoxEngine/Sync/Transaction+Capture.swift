internal import BoxModel
internal import BoxStorage

/// The notes of a write transaction for its capture; each function is called only in a store that is switched on.
extension Transaction {
  private func key(_ entity: EntitySchema, _ id: UInt64) -> Capture.Key {
    Capture.Key(entity: entity.position, id: id)
  }

  private func isCapturing(_ entity: EntitySchema) -> Bool {
    pending.capture?.isCapturing(entity.position) ?? false
  }

  /// Captures a new object, before it is written.
  @inline(never)
  func captureInsert(
    _ entity: EntitySchema, _ id: UInt64, _ record: UnsafeRawBufferPointer,
    _ storage: StorageAccess
  ) throws(StoreError) {
    guard isCapturing(entity) else { return }
    if pending.capture?.knowsLastID(entity.position) == false {
      // Not the last one in the storage: an object that the transaction has removed can have been that.
      let last = try pending.lastID(entity, storage)
      pending.capture?.noteLastID(entity.position, last)
    }
    try unsafe pending.capture?.noteInsert(key(entity, id), record, storage)
    try flushLargeCapture(storage)
  }

  /// Captures what a new record changes, before it is written; nothing if it changes nothing.
  @inline(never)
  func captureUpdate(
    _ entity: EntitySchema, _ id: UInt64, _ record: UnsafeRawBufferPointer,
    _ storage: StorageAccess
  ) throws(StoreError) {
    let key = key(entity, id)
    guard isCapturing(entity), !(pending.capture?.isDisplacing(key) ?? true),
      let old = try unsafe storage.value(entity.space, id)
    else { return }
    if let original = pending.capture?.takeDisplaced(key) {
      try unsafe original.withBytes { (original) throws(StoreError) in
        try unsafe captureUpdate(entity, id, from: original, to: record, storage)
      }
    } else {
      try unsafe captureUpdate(entity, id, from: old, to: record, storage)
    }
    try flushLargeCapture(storage)
  }

  private func captureUpdate(
    _ entity: EntitySchema, _ id: UInt64, from old: UnsafeRawBufferPointer,
    to record: UnsafeRawBufferPointer, _ storage: StorageAccess
  ) throws(StoreError) {
    guard let captured = pending.capture?.schema.entities[entity.position] else { return }
    let differences = try unsafe differences(captured, entity, id, old, record)
    if differences.isEmpty { return }
    try unsafe pending.capture?.noteUpdate(
      key(entity, id), from: old, to: record, differences: differences, storage)
  }

  /// The slots that differ; all of them if the old record is damaged.
  private func differences(
    _ captured: CaptureSchema.Entity, _ entity: EntitySchema, _ id: UInt64,
    _ old: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer
  ) throws(StoreError) -> [UInt64] {
    if unsafe old.elementsEqual(record) { return [] }
    do throws(StoreError) {
      let before = try unsafe view(entity, id, old)
      return captured.differences(before, try unsafe structure(entity, id, record))
    } catch .damagedRecord {
      return captured.allSlots
    }
  }

  /// Captures the removal of an object and the pairs that go with it, before they are removed.
  @inline(never)
  func captureRemoval(
    _ entity: EntitySchema, _ id: UInt64, _ old: UnsafeRawBufferPointer, _ storage: StorageAccess
  ) throws(StoreError) {
    guard isCapturing(entity) else { return }
    try captureLostPairs(entity, id, storage)
    try unsafe pending.capture?.noteRemoval(key(entity, id), old, storage)
  }

  /// Captures the removals of all objects of an entity, before they are removed.
  @inline(never)
  func captureRemovals(
    _ entity: EntitySchema, _ storage: StorageAccess
  ) throws(StoreError) {
    guard isCapturing(entity) else { return }
    var last: UInt64?
    while let (id, record) = try unsafe storage.nextRecord(entity.space, after: last) {
      last = id
      try unsafe captureRemoval(entity, id, record, storage)
      try flushLargeCapture(storage)
    }
  }

  /// Remembers an object whose unique value another one takes over, before it loses that or is removed.
  @inline(never)
  func captureDisplacing(
    _ entity: EntitySchema, _ id: UInt64, isKept: Bool, _ storage: StorageAccess
  ) throws(StoreError) {
    guard isCapturing(entity), let record = try unsafe storage.value(entity.space, id) else {
      return
    }
    try unsafe pending.capture?.beginDisplacing(
      key(entity, id), record, isKept: isKept, storage)
  }

  /// Captures what objects have lost to others and neither got again nor were removed for.
  func captureDisplaced(_ storage: StorageAccess) throws(StoreError) {
    guard let displaced = pending.capture?.displaced, !displaced.isEmpty else { return }
    let keys = displaced.keys.sorted { ($0.entity, $0.id) < ($1.entity, $1.id) }
    for key in keys {
      guard let original = pending.capture?.takeDisplaced(key) else { continue }
      let entity = store.schema.entities[key.entity]
      guard let record = try storage.bytes(entity.space, key.id) else { continue }
      try unsafe original.withBytes { (original) throws(StoreError) in
        try unsafe record.withBytes { (record) throws(StoreError) in
          try unsafe captureUpdate(entity, key.id, from: original, to: record, storage)
        }
      }
    }
  }

  // MARK: - Pairs

  /// Captures a pair that was added or taken out.
  @inline(never)
  func capturePair(
    _ relation: RelationSchema, _ source: UInt64, _ target: UInt64, isAdded: Bool,
    _ storage: StorageAccess
  ) throws(StoreError) {
    guard pending.capture?.isCapturing(relation.uid) ?? false else { return }
    try seedEnds(of: relation, source, target, storage)
    let pair = StoredPair(relation: relation.uid, source: source, target: target)
    if !isAdded { try pending.capture?.seedPair(pair, storage) }
    try pending.capture?.notePair(pair, isAdded: isAdded, storage)
    try flushLargeCapture(storage)
  }

  /// Saves the pairs that go with an object.
  private func captureLostPairs(
    _ entity: EntitySchema, _ id: UInt64, _ storage: StorageAccess
  ) throws(StoreError) {
    for relation in entity.outgoing {
      for target in try members(relation.forward, id) {
        try captureLostPair(relation, id, target, storage)
      }
    }
    for relation in entity.incoming {
      for source in try members(relation.backward, id) {
        try captureLostPair(relation, source, id, storage)
      }
    }
  }

  private func captureLostPair(
    _ relation: RelationSchema, _ source: UInt64, _ target: UInt64, _ storage: StorageAccess
  ) throws(StoreError) {
    let pair = StoredPair(relation: relation.uid, source: source, target: target)
    if pending.capture?.isCapturing(relation.uid) ?? false {
      try seedEnds(of: relation, source, target, storage)
      try pending.capture?.seedPair(pair, storage)
    }
    pending.capture?.noteLostPair(pair)
  }

  /// Captures the objects of a pair that were there before capture was switched on: a pair has an effect after them.
  private func seedEnds(
    of relation: RelationSchema, _ source: UInt64, _ target: UInt64, _ storage: StorageAccess
  ) throws(StoreError) {
    try pending.capture?.prepare(storage)
    if pending.capture?.seed == nil { return }
    for (uid, id) in [(relation.source, source), (relation.target, target)] {
      guard let end = store.entity(uid), let record = try unsafe storage.value(end.space, id) else {
        continue
      }
      try unsafe pending.capture?.seedObject(key(end, id), record, storage)
    }
  }

  // MARK: - Clocks

  /// Whether the engine writes a clock into the objects of an entity.
  func hasClock(_ entity: EntitySchema) -> Bool { clockSlot(entity) != nil }

  private func clockSlot(_ entity: EntitySchema) -> Int? {
    guard let capture = pending.capture, capture.isCapturing(entity.position) else { return nil }
    return capture.schema.entities[entity.position]?.clock
  }

  /// Writes the clock into a new record that is not finished.
  @inline(never)
  func stampClock(
    _ entity: EntitySchema, _ writer: inout RecordWriter, _ storage: StorageAccess
  ) throws(StoreError) {
    guard let slot = clockSlot(entity) else { return }
    writer.overwrite(slot, try nextClock(after: 0, storage), in: entity.layout)
  }

  /// Writes the clock into a record that replaces another one: the same clock if nothing else differs.
  @inline(never)
  func stampClock(
    _ entity: EntitySchema, _ old: borrowing RecordView, _ writer: inout RecordWriter,
    _ storage: StorageAccess
  ) throws(StoreError) {
    guard let slot = clockSlot(entity),
      let captured = pending.capture?.schema.entities[entity.position]
    else { return }
    let before = old.isStored(slot) ? old.integerBits(slot) ?? 0 : 0
    writer.overwrite(slot, before, in: entity.layout)
    if captured.differences(old, writer.view).isEmpty { return }
    writer.overwrite(slot, try nextClock(after: before, storage), in: entity.layout)
  }

  /// The same for a record that replaces one whose values no index needs, and which may be damaged.
  @inline(never)
  func stampClock(
    _ entity: EntitySchema, _ id: UInt64, _ old: UnsafeRawBufferPointer,
    _ writer: inout RecordWriter, _ storage: StorageAccess
  ) throws(StoreError) {
    guard hasClock(entity) else { return }
    do throws(StoreError) {
      try stampClock(entity, try unsafe view(entity, id, old), &writer, storage)
    } catch .damagedRecord {
      try stampClock(entity, &writer, storage)
    }
  }

  private func nextClock(
    after object: UInt64, _ storage: StorageAccess
  ) throws(StoreError) -> UInt64 {
    try pending.capture?.prepare(storage)
    return pending.capture?.nextClock(after: object) ?? 0
  }

  // MARK: - Writing

  /// Writes the captured changes if they are many, after which pointers to records are invalid.
  @inline(never)
  func flushLargeCapture(_ storage: StorageAccess) throws(StoreError) {
    if pending.capture?.isLarge ?? false { try pending.capture?.flush(to: storage) }
  }

  /// Ends a transaction of the outbox, as what follows in this transaction is independent of it.
  func endCapturedTransaction() throws(StoreError) {
    if pending.capture == nil { return }
    let storage = try writing()
    try captureDisplaced(storage)
    try pending.capture?.endTransaction(to: storage)
  }
}

extension RecordWriter {
  /// Sets a slot of eight bytes, also where it is set already, and ends the record.
  mutating func overwrite(_ slot: Int, _ bits: UInt64, in layout: RecordLayout) {
    if unsafe offsets[slot] == 0 {
      if recordSize == 0 { setScalar(slot, bits.littleEndian) } else { rebuild(with: slot, layout) }
    }
    close()
    let offset = unsafe Int(UInt16(littleEndian: offsets[slot]))
    unsafe table.storeBytes(of: bits.littleEndian, toByteOffset: offset, as: UInt64.self)
  }

  /// Makes room for a slot of eight bytes in a record that has ended without it.
  private mutating func rebuild(with slot: Int, _ layout: RecordLayout) {
    var other = RecordWriter()
    other.begin(layout)
    other.setScalar(slot, UInt64(0))
    for kept in 0..<slotCount where kept != slot { other.copy(kept, from: view) }
    swap(&self, &other)
  }
}
