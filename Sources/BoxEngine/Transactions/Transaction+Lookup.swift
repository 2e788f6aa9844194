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
    if isWritable { try pending.flush(index, to: storage) }
    // The first of the ids under a key is its value, which is read without a visit.
    let first =
      switch key {
      case .integer(let key): try storage.firstMember(index.space, key)
      case .bytes(let key): try storage.firstMember(index.space, key)
      }
    guard index.isInexact, let id = first else { return first }
    if try hasString(entity, id, index.slot, value, storage) { return id }
    return try ids(entity, where: property, equals: value).first
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
    let start: IndexKey? =
      if let from { try key(of: from, index, entity, property) } else { nil }
    if isWritable { try pending.flush(index, to: storage) }
    beginVisit()
    defer { endVisit() }
    if index.hasByteKeys {
      try visitStrings(entity, index, from: from, start, direction, storage, body)
    } else if case .integer(let key) = start {
      try storage.visitEntries(index.space, from: key, direction) { try body($1) }
    } else {
      try storage.visitEntries(index.space, from: nil as UInt64?, direction) { try body($1) }
    }
  }

  /// The index of a property; nil if it has none, or is one of another entity or store.
  private func index(of property: PropertySchema, _ entity: EntitySchema) -> IndexSchema? {
    guard let index = property.index else { return nil }
    return entity.indexes.contains { $0 === index } ? index : nil
  }

  /// Visits the ids of objects in the order of their strings.
  ///
  /// Strings that are longer than a key and begin alike share a key: their records decide the
  /// order.
  private func visitStrings(
    _ entity: EntitySchema, _ index: IndexSchema, from: Value?, _ start: IndexKey?,
    _ direction: VisitDirection, _ storage: StorageAccess,
    _ body: (UInt64) throws -> VisitStep
  ) throws {
    var (cutKey, cutIDs): ([UInt8], [UInt64]) = ([], [])
    func visitCut() throws -> VisitStep {
      defer { (cutKey, cutIDs) = ([], []) }
      let isFirst = start == .bytes(cutKey)
      for id in try ordered(cutIDs, entity, index, from: isFirst ? from : nil, direction, storage)
      where try body(id) == .stop {
        return .stop
      }
      return .next
    }
    func visit(_ key: UnsafeRawBufferPointer, _ id: UInt64) throws -> VisitStep {
      if unsafe !cutIDs.isEmpty && !key.elementsEqual(cutKey), try visitCut() == .stop {
        return .stop
      }
      if key.count <= IndexSchema.maximumKeyBytes { return try body(id) }
      if cutIDs.isEmpty { cutKey = unsafe [UInt8](key) }
      cutIDs.append(id)
      return .next
    }
    var isStopped = false
    func visitAndNote(_ key: UnsafeRawBufferPointer, _ id: UInt64) throws -> VisitStep {
      let step = try unsafe visit(key, id)
      isStopped = step == .stop
      return step
    }
    if case .bytes(let key) = start {
      try unsafe key.withUnsafeBytes {
        try unsafe storage.visitEntries(index.space, from: $0, direction, visitAndNote)
      }
    } else {
      try unsafe storage.visitEntries(
        index.space, from: nil as UnsafeRawBufferPointer?, direction, visitAndNote)
    }
    if !isStopped && !cutIDs.isEmpty { _ = try visitCut() }
  }

  /// Ids in the order of the strings of their records, from a string on.
  private func ordered(
    _ ids: [UInt64], _ entity: EntitySchema, _ index: IndexSchema, from: Value?,
    _ direction: VisitDirection, _ storage: StorageAccess
  ) throws(StoreError) -> [UInt64] {
    var strings: [(utf8: [UInt8], id: UInt64)] = []
    for id in ids {
      guard let record = try unsafe storage.value(entity.space, id) else { continue }
      unsafe strings.append((try view(entity, id, record).copiedElements(index.slot), id))
    }
    if case .string(let text) = from {
      let limit = [UInt8](text.utf8)
      strings.removeAll {
        direction == .forward
          ? $0.utf8.lexicographicallyPrecedes(limit) : limit.lexicographicallyPrecedes($0.utf8)
      }
    }
    strings.sort { a, b in
      a.utf8 == b.utf8 ? a.id < b.id : a.utf8.lexicographicallyPrecedes(b.utf8)
    }
    return direction == .forward ? strings.map(\.id) : strings.reversed().map(\.id)
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
    guard case .string(let text) = value,
      let record = try unsafe storage.value(entity.space, id)
    else { return false }
    let view = try unsafe view(entity, id, record)
    return unsafe !view.isNull(slot) && view.elements(slot).elementsEqual(text.utf8)
  }
}

extension ValueMismatch {
  /// The error that names the property and the value.
  func error(_ entity: EntitySchema, _ property: PropertySchema, _ value: Value) -> StoreError {
    .wrongValue(entity: entity.name, property: property.name, value: value, expected: words)
  }
}
