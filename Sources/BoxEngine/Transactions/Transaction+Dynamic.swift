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
  public func put(_ object: DynamicObject, mode: PutMode = .put) throws(StoreError) -> UInt64 {
    let entity = object.entity
    try require(entity)
    let storage = try writing()
    let place = try place(entity, object.id, mode, storage)
    writer.begin(entity.layout)
    try writer.set(object)
    try writeBuilt(entity, place, &writer, storage)
    return place.id
  }

  /// Puts dynamic objects, all or none.
  ///
  /// - Returns: Their ids, in order.
  /// - Throws: As ``put(_:mode:)``; nothing of the call is kept then, and the transaction
  ///   continues.
  @discardableResult
  public func put(
    _ objects: some Sequence<DynamicObject>, mode: PutMode = .put
  ) throws(StoreError) -> [UInt64] {
    try StoreError.only {
      try savepoint { try displacing { try objects.map { try put($0, mode: mode) } } }
    }
  }

  /// Reads an object; nil if there is none with the id.
  ///
  /// - Throws: As ``get(_:_:_:)``.
  /// - Complexity: O(log *n*).
  public func get(_ entity: EntitySchema, _ id: UInt64) throws(StoreError) -> DynamicObject? {
    try require(entity)
    let storage = try reading()
    guard let record = try unsafe storage.value(entity.space, id) else { return nil }
    let view = try unsafe view(entity, id, record)
    if isWritable { verified.record(entity.position, id, id) }
    return DynamicObject(entity, id: id, reading: view)
  }

  /// Reads objects in the order of the ids; nil for each that does not exist.
  ///
  /// - Throws: As ``get(_:_:_:)``.
  /// - Complexity: O(log *n*) for each.
  public func get(
    _ entity: EntitySchema, _ ids: some Sequence<UInt64>
  ) throws(StoreError) -> [DynamicObject?] {
    try ids.map { (id) throws(StoreError) in try get(entity, id) }
  }

  /// Visits dynamic objects in the order of their ids.
  ///
  /// - Throws: As ``visit(_:from:_:_:)``.
  public func visitObjects(
    _ entity: EntitySchema, from: UInt64? = nil, _ direction: VisitDirection = .forward,
    _ body: (DynamicObject) throws -> VisitStep
  ) throws {
    // One array is filled again and again, unless the function keeps the object.
    var spare = Array(repeating: Value.null, count: entity.properties.count)
    try unsafe entity.accesses.withUnsafeBufferPointer { accesses in
      try visit(entity, from: from, direction) { id, record in
        var values: [Value] = []
        swap(&values, &spare)
        unsafe values.withUnsafeMutableBufferPointer { unsafe $0.fill(id, record, accesses) }
        var object = DynamicObject(entity, id: id, values: values)
        object.clearZeroRelations()
        let step = try body(object)
        spare = object.values
        return step
      }
    }
  }
}

extension DynamicObject {
  init(_ entity: EntitySchema, id: UInt64, reading record: borrowing RecordView) {
    self.init(entity, id: id)
    unsafe entity.accesses.withUnsafeBufferPointer { accesses in
      unsafe values.withUnsafeMutableBufferPointer { unsafe $0.fill(id, record, accesses) }
    }
    clearZeroRelations()
  }

  /// Takes 0 as the target of a relation to one for none.
  fileprivate mutating func clearZeroRelations() {
    for position in entity.relationPositions {
      if case .unsigned(0) = values[position] { values[position] = .null }
    }
  }
}

extension UnsafeMutableBufferPointer<Value> {
  /// Puts the values of a record in the place of null, or of those of another record of the entity.
  @inline(__always)
  fileprivate func fill(
    _ id: UInt64, _ record: borrowing RecordView, _ accesses: UnsafeBufferPointer<SlotAccess>
  ) {
    guard let places = baseAddress else { return }
    for position in accesses.indices {
      let access = unsafe accesses[position]
      let place = unsafe places + position
      if access.slot < 0 {
        unsafe place.initialize(to: .unsigned(id))
      } else if access.type.isReference {
        unsafe place.pointee = record.value(access.slot, access.type)
      } else {
        // What was there had the same type: nothing that would have to be released.
        unsafe place.initialize(to: record.value(access.slot, access.type))
      }
    }
  }
}
