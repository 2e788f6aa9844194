internal import BoxModel
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
        let access = entity.accesses[position]
        do throws(ValueMismatch) {
          try writer.set(access.slot, access.type, value)
        } catch let mismatch {
          throw mismatch.error(entity, entity.properties[position], value)
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
    // One object is filled again and again, unless the function keeps it.
    var object = DynamicObject(entity)
    try visit(entity, from: from, direction) { id, record in
      object.read(id, record)
      return try body(object)
    }
  }
}

extension DynamicObject {
  init(_ entity: EntitySchema, id: UInt64, reading record: borrowing RecordView) {
    self.init(entity)
    read(id, record)
  }

  /// Takes the values of a record.
  @inline(__always)
  fileprivate mutating func read(_ id: UInt64, _ record: borrowing RecordView) {
    self.id = id
    let count = values.count
    entity.accesses.withUnsafeBufferPointer { accesses in
      values.withUnsafeMutableBufferPointer { values in
        for position in 0..<count {
          let access = accesses[position]
          values[position] =
            access.slot < 0 ? .unsigned(id) : record.value(access.slot, access.type)
        }
      }
    }
  }
}
