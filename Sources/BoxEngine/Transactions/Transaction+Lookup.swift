public import BoxModel
public import BoxStorage

extension Transaction {
  /// Visits the ids of the objects with a value, in order, by the index of a property.
  ///
  /// Values are compared as the index does: -0.0 equals 0.0, and NaN equals NaN. Null has no entry,
  /// so it is never found. `body` may read but must not write.
  ///
  /// - Throws: ``StoreError/notIndexed(entity:property:)``,
  ///   ``StoreError/wrongValue(entity:property:value:expected:)`` if the value does not fit the
  ///   property, ``StoreError/damagedRecord(entity:id:_:)`` where strings have to be compared,
  ///   ``StoreError/transactionEnded``, ``StoreError/storage(_:)``, and the error of `body`.
  /// - Complexity: O(log *n*), and O(1) for each object found.
  public func visitIDs(
    _ entity: EntitySchema, where property: PropertySchema, equals value: Value,
    _ body: (UInt64) throws -> VisitStep
  ) throws {
    try require(entity)
    let storage = try reading()
    guard let index = index(of: property, entity) else {
      throw StoreError.notIndexed(entity: entity.name, property: property.name)
    }
    guard let key = try key(of: value, index, entity, property) else { return }
    if isWritable { try pending.flush(index, to: storage) }
    beginVisit()
    defer { endVisit() }
    try visitMembers(of: key, index, storage) { id in
      if index.isInexact, try !hasString(entity, id, index.slot, value, storage) {
        return .next
      }
      return try body(id)
    }
  }

  /// The first object with a value of an indexed property; nil if no object has it.
  ///
  /// - Throws: As ``visitIDs(_:where:equals:_:)``.
  /// - Complexity: O(log *n*), and O(1) for each object whose string has the same hash.
  package func firstID(
    _ entity: EntitySchema, where property: PropertySchema, equals value: Value
  ) throws(StoreError) -> UInt64? {
    try require(entity)
    let storage = try reading()
    guard let index = index(of: property, entity) else {
      throw StoreError.notIndexed(entity: entity.name, property: property.name)
    }
    guard let key = try key(of: value, index, entity, property) else { return nil }
    return try first(of: key, index, storage) { id throws(StoreError) in
      try hasString(entity, id, index.slot, value, storage)
    }
  }

  /// The first object with the value that a record which is being built has in an indexed property; nil for null, and if
  /// no object has it.
  ///
  /// It ends the record: nothing can be set before the next one is begun. A record that is too large to be put finds
  /// nothing.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - index: An index of the entity.
  ///   - writer: The writer of the record.
  /// - Returns: The id.
  /// - Throws: ``StoreError/damagedRecord(entity:id:_:)`` where strings have to be compared,
  ///   ``StoreError/transactionEnded`` or ``StoreError/storage(_:)``.
  /// - Complexity: O(*n*) in the size of the record, and as ``firstID(_:where:equals:)``.
  package func firstID(
    _ entity: EntitySchema, _ index: IndexSchema, withValueIn writer: inout RecordWriter
  ) throws(StoreError) -> UInt64? {
    let storage = try reading()
    if writer.isTooLarge { return nil }
    writer.close()
    let record = writer.view
    if !index.isInexact {
      // A put looks one up for each object, and a key that can be bytes is counted.
      guard let key = index.integerKey(record) else { return nil }
      if isWritable { try pending.flush(index, to: storage) }
      return try storage.firstMember(index.space, key)
    }
    guard let key = index.key(record) else { return nil }
    let text = unsafe record.elements(index.slot)
    return try first(of: key, index, storage) { id throws(StoreError) in
      try unsafe hasString(entity, id, index.slot, text, storage)
    }
  }

  /// The first object under a key of an index that has the value; only strings can share a key.
  private func first(
    of key: IndexKey, _ index: IndexSchema, _ storage: StorageAccess,
    where hasValue: (UInt64) throws(StoreError) -> Bool
  ) throws(StoreError) -> UInt64? {
    if isWritable { try pending.flush(index, to: storage) }
    // The first of the ids under a key is its value, which is read without a visit.
    let first =
      switch key {
      case .integer(let key): try storage.firstMember(index.space, key)
      case .bytes(let key): try storage.firstMember(index.space, key)
      }
    guard index.isInexact, let id = first, try !hasValue(id) else { return first }
    var found: UInt64?
    beginVisit()
    defer { endVisit() }
    try StoreError.only {
      try visitMembers(of: key, index, storage) { id in
        if try !hasValue(id) { return .next }
        found = id
        return .stop
      }
    }
    return found
  }

  /// The ids of the objects with a value, in order: ``visitIDs(_:where:equals:_:)`` as an array.
  ///
  /// - Throws: As ``visitIDs(_:where:equals:_:)``.
  /// - Complexity: O(log *n*), and O(1) for each object found.
  public func ids(
    _ entity: EntitySchema, where property: PropertySchema, equals value: Value
  ) throws(StoreError) -> [UInt64] {
    var ids: [UInt64] = []
    try StoreError.only {
      try visitIDs(entity, where: property, equals: value) { id in
        ids.append(id)
        return .next
      }
    }
    return ids
  }

  /// Visits the ids of the objects in the order of the values of an indexed property.
  ///
  /// The index must have an order: of numbers, or of strings by value. Objects without a value are
  /// skipped.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - property: The property that has the index.
  ///   - from: The value to start at; nil for the first one in the direction of the visit.
  ///   - direction: The direction of the visit.
  ///   - body: Called with each id; returns whether the visit continues. It may read but must not
  ///     write.
  /// - Throws: As ``visitIDs(_:where:equals:_:)``.
  /// - Complexity: O(log *n*), and O(1) for each object visited; strings that have their first 510 bytes
  ///   in common are sorted on the way.
  public func visitIDs(
    _ entity: EntitySchema, orderedBy property: PropertySchema, from: Value? = nil,
    _ direction: VisitDirection = .forward, _ body: (UInt64) throws -> VisitStep
  ) throws {
    try require(entity)
    let storage = try reading()
    guard let index = index(of: property, entity), index.kind == .value else {
      throw StoreError.notIndexed(entity: entity.name, property: property.name)
    }
    var walk = IndexWalk(direction)
    if let from, let key = try key(of: from, index, entity, property) {
      walk.begin(from: key, of: from)
    }
    if isWritable { try pending.flush(index, to: storage) }
    beginVisit()
    defer { endVisit() }
    try visitInOrder(entity, index, walk, storage, body)
  }

  /// The index of a property; nil if it has none, or is one of another entity or store.
  private func index(of property: PropertySchema, _ entity: EntitySchema) -> IndexSchema? {
    guard let index = property.index else { return nil }
    return entity.indexes.contains { $0 === index } ? index : nil
  }

  private func key(
    of value: Value, _ index: IndexSchema, _ entity: EntitySchema, _ property: PropertySchema
  ) throws(StoreError) -> IndexKey? {
    do throws(ValueMismatch) {
      return try index.key(value)
    } catch let mismatch {
      throw mismatch.error(entity, property, value)
    }
  }

  /// Whether the string of an object is the one that was looked up, and not only one with the same
  /// key.
  private func hasString(
    _ entity: EntitySchema, _ id: UInt64, _ slot: Int, _ value: Value,
    _ storage: StorageAccess
  ) throws(StoreError) -> Bool {
    guard case .string(let text) = value else { return false }
    return try hasString(entity, id, slot, text.utf8, storage)
  }

  private func hasString(
    _ entity: EntitySchema, _ id: UInt64, _ slot: Int, _ utf8: some Sequence<UInt8>,
    _ storage: StorageAccess
  ) throws(StoreError) -> Bool {
    guard let record = try unsafe storage.value(entity.space, id) else { return false }
    let view = try unsafe view(entity, id, record)
    return unsafe !view.isNull(slot) && view.elements(slot).elementsEqual(utf8)
  }
}

extension ValueMismatch {
  /// The error that names the property and the value.
  func error(_ entity: EntitySchema, _ property: PropertySchema, _ value: Value) -> StoreError {
    .wrongValue(entity: entity.name, property: property.name, value: value, expected: words)
  }
}
