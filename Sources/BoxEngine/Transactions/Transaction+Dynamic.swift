public import BoxStorage

extension Transaction {
  /// Puts a dynamic object.
  ///
  /// - Returns: Its id.
  /// - Throws: As ``put(_:id:mode:_:)``, and ``StoreError/wrongValue(entity:property:value:expected:)``
  ///   if a value has another kind than its property, or is out of its range.
  /// - Complexity: As ``put(_:id:mode:_:)``.
  @discardableResult
  public func put(_ object: DynamicObject, mode: PutMode = .put) throws -> UInt64 {
    let entity = object.entity
    return try put(entity, id: object.id, mode: mode) { writer in
      for position in entity.writeOrder {
        let value = object.values[position]
        if case .null = value { continue }
        let property = entity.properties[position]
        do throws(ValueMismatch) {
          try writer.set(property.slot, property.type, value)
        } catch let mismatch {
          throw mismatch.error(entity, property, value)
        }
      }
    }
  }

  /// Puts dynamic objects, all or none.
  ///
  /// - Returns: Their ids, in order.
  /// - Throws: As ``put(_:mode:)``; nothing of the call is kept then, and the transaction goes on.
  @discardableResult
  public func put(_ objects: some Sequence<DynamicObject>, mode: PutMode = .put) throws -> [UInt64]
  {
    try savepoint { try objects.map { try put($0, mode: mode) } }
  }

  /// Reads an object; nil if there is none with the id.
  ///
  /// - Throws: As ``get(_:_:_:)``.
  /// - Complexity: O(log *n*).
  public func get(_ entity: EntitySchema, _ id: UInt64) throws -> DynamicObject? {
    try get(entity, id) { DynamicObject(entity, id: id, reading: $0) }
  }

  /// Reads objects in the order of the ids; nil for each that does not exist.
  ///
  /// - Throws: As ``get(_:_:_:)``.
  /// - Complexity: O(log *n*) for each.
  public func get(
    _ entity: EntitySchema, _ ids: some Sequence<UInt64>
  ) throws -> [DynamicObject?] {
    try ids.map { try get(entity, $0) }
  }

  /// Visits dynamic objects in the order of their ids.
  ///
  /// - Throws: As ``visit(_:from:_:_:)``.
  public func visitObjects(
    _ entity: EntitySchema, from: UInt64? = nil, _ direction: VisitDirection = .forward,
    _ body: (DynamicObject) throws -> VisitStep
  ) throws {
    try visit(entity, from: from, direction) { id, record in
      try body(DynamicObject(entity, id: id, reading: record))
    }
  }
}

extension DynamicObject {
  init(_ entity: EntitySchema, id: UInt64, reading record: borrowing RecordView) {
    let properties = entity.properties
    let idPosition = entity.idPosition
    let values = [Value](unsafeUninitializedCapacity: properties.count) { buffer, count in
      for position in properties.indices {
        let value: Value =
          position == idPosition
          ? .unsigned(id)
          : record.value(properties[position].slot, properties[position].type)
        (buffer.baseAddress.unsafelyUnwrapped + position).initialize(to: value)
      }
      count = properties.count
    }
    self.init(entity, id: id, values: values)
  }
}
