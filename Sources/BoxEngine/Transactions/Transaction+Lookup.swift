public import BoxStorage

extension Transaction {
  /// Visits the ids of the objects with a value, in order, by the index of a property.
  ///
  /// Values are compared as the index does: -0.0 equals 0.0, and NaN equals NaN. Null has no entry,
  /// so it is never found.
  ///
  /// - Throws: ``StoreError/notIndexed(entity:property:)``,
  ///   ``StoreError/wrongValue(entity:property:value:expected:)`` if the value does not fit the
  ///   property, ``StoreError/damagedRecord(entity:id:_:)`` where strings have to be compared,
  ///   ``StoreError/transactionEnded``, ``StoreError/storage(_:)``, and what `body` throws.
  /// - Complexity: O(log *n*), and O(1) for each object found.
  public func visitIDs(
    _ entity: EntitySchema, where property: PropertySchema, equals value: Value,
    _ body: (UInt64) throws -> VisitStep
  ) throws {
    try require(entity)
    let storage = try reading()
    guard let index = property.index else {
      throw StoreError.notIndexed(entity: entity.name, property: property.name)
    }
    guard let key = try key(of: value, index, entity, property) else { return }
    if index.skipsZero && key == .integer(0) { return }
    try Self.mapped {
      if isWritable { try pending.flush(index, to: storage) }
      try members(of: key, index, storage) { id in
        if index.isInexact, try !hasString(entity, id, index.slot, value, storage) {
          return .next
        }
        return try body(id)
      }
    }
  }

  /// The ids of the objects with a value, in order: ``visitIDs(_:where:equals:_:)`` as an array.
  public func ids(
    _ entity: EntitySchema, where property: PropertySchema, equals value: Value
  ) throws -> [UInt64] {
    var ids: [UInt64] = []
    try visitIDs(entity, where: property, equals: value) { id in
      ids.append(id)
      return .next
    }
    return ids
  }

  /// Visits the ids of the objects in the order of the values of an indexed property.
  ///
  /// Only for an index that has an order: of numbers, or of strings by value. Objects without a
  /// value are left out.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - property: The property that has the index.
  ///   - from: The value to start at; nil for the end that the direction starts from.
  ///   - direction: Whether to go up or down.
  ///   - body: Is given each id, and says whether the visit goes on.
  /// - Throws: As ``visitIDs(_:where:equals:_:)``.
  /// - Complexity: O(log *n*), and O(1) for each object visited.
  public func visitIDs(
    _ entity: EntitySchema, orderedBy property: PropertySchema, from: Value? = nil,
    _ direction: VisitDirection = .forward, _ body: (UInt64) throws -> VisitStep
  ) throws {
    try require(entity)
    let storage = try reading()
    guard let index = property.index, index.kind == .value else {
      throw StoreError.notIndexed(entity: entity.name, property: property.name)
    }
    let start = try from.flatMap { try key(of: $0, index, entity, property) }
    try Self.mapped {
      if isWritable { try pending.flush(index, to: storage) }
      switch start {
      case .bytes(let key):
        try key.withUnsafeBytes { key in
          try storage.entries(index.space, from: key, direction) { try body($1) }
        }
      case .integer(let key):
        try storage.entries(index.space, from: key, direction) { try body($0.member) }
      case nil where index.hasByteKeys:
        try storage.entries(index.space, from: nil as UnsafeRawBufferPointer?, direction) {
          try body($1)
        }
      case nil:
        try storage.entries(index.space, from: nil as UInt64?, direction) { try body($0.member) }
      }
    }
  }

  private func key(
    of value: Value, _ index: IndexSchema, _ entity: EntitySchema, _ property: PropertySchema
  ) throws -> IndexKey? {
    do {
      return try index.key(value)
    } catch let mismatch as ValueMismatch {
      throw mismatch.error(entity, property, value)
    }
  }

  /// Whether a string of an object is the wanted one, not just one with the same key.
  private func hasString(
    _ entity: EntitySchema, _ id: UInt64, _ slot: Int, _ value: Value,
    _ storage: any StorageTransaction
  ) throws -> Bool {
    guard case .string(let text) = value,
      let record = try storage.value(entity.space, id)
    else { return false }
    return try view(entity, id, record) {
      !$0.isNull(slot) && $0.elements(slot).elementsEqual(text.utf8)
    }
  }
}

extension ValueMismatch {
  /// The error that names the property and the value.
  func error(_ entity: EntitySchema, _ property: PropertySchema, _ value: Value) -> StoreError {
    let expected: String =
      switch self {
      case .type(let expected): expected
      case .range(let expected): "a number from \(expected)"
      }
    return .wrongValue(
      entity: entity.name, property: property.name, value: value, expected: expected)
  }
}
