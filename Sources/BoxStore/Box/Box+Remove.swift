internal import BoxEngine

extension Box {
  /// Runs a function that removes objects, and returns their number.
  func removing(
    _ scope: PutScope = .nothing, _ body: (EngineTransaction) throws -> Int
  ) throws -> UInt64 {
    try storeCore.writing(scope) { transaction in
      let count = try body(transaction)
      if count > 0 { TransactionState.of(transaction).hasChanges = true }
      return UInt64(count)
    }
  }

  private func remove(id: Id) throws -> Bool {
    if id == 0 { return false }
    return try removing { try $0.remove(core.schema, id) ? 1 : 0 } > 0
  }

  private func remove(ids: some Sequence<Id>) throws -> UInt64 {
    try removing(.savepoint) { try $0.remove([(core.schema, Array(ids))]) }
  }

  // MARK: - One

  /// Removes the object with an id.
  ///
  /// ```swift
  /// let existed = try books.remove(7)
  /// ```
  ///
  /// Also removes its entries in to-many relations, and does what delete rules say. Without one, a to-one relation to
  /// it keeps the id, and its target becomes nil.
  ///
  /// - Returns: Whether there was one.
  /// - Throws: ``ObjectBoxError/constraintViolated(message:)`` if a delete rule forbids it, and
  ///   ``ObjectBoxError/cannotWriteWhileReading(message:)`` in a read transaction; nothing is removed then.
  /// - Complexity: O(log *n*) for the object, and for each entry in an index or relation.
  @discardableResult
  public func remove<I: UntypedIdBase>(_ entityId: I) throws -> Bool {
    try remove(id: entityId.value)
  }

  /// Removes the object with an id, as ``remove(_:)-(I)``.
  ///
  /// - Throws: As ``remove(_:)-(I)``.
  /// - Complexity: As ``remove(_:)-(I)``.
  @discardableResult
  public func remove(_ entityId: EntityId<E>) throws -> Bool { try remove(id: entityId.value) }

  /// Removes the stored object with the id of an object, as ``remove(_:)-(I)``.
  ///
  /// - Returns: Whether there was one; false for an object that was not put yet.
  /// - Throws: As ``remove(_:)-(I)``.
  /// - Complexity: As ``remove(_:)-(I)``.
  @discardableResult
  public func remove(_ entity: E) throws -> Bool { try remove(id: binding.entityId(of: entity)) }

  // MARK: - Several

  /// Removes objects, all or none.
  ///
  /// - Returns: How many of them existed.
  /// - Throws: As ``remove(_:)-(I)``.
  /// - Complexity: As ``remove(_:)-(I)`` for each.
  @discardableResult
  public func remove<C: Collection>(_ entities: C) throws -> UInt64 where C.Element == E {
    try remove(ids: entities.map { binding.entityId(of: $0) })
  }

  /// Removes objects, all or none; returns how many existed.
  ///
  /// - Throws: As ``remove(_:)-(I)``.
  /// - Complexity: As ``remove(_:)-(I)`` for each.
  @discardableResult
  public func remove(_ entities: [E]) throws -> UInt64 {
    try remove(ids: entities.map { binding.entityId(of: $0) })
  }

  /// Removes objects, all or none; returns how many existed.
  ///
  /// - Throws: As ``remove(_:)-(I)``.
  /// - Complexity: As ``remove(_:)-(I)`` for each.
  @discardableResult
  public func remove(_ entities: ContiguousArray<E>) throws -> UInt64 {
    try remove(ids: entities.map { binding.entityId(of: $0) })
  }

  /// Removes objects, all or none; returns how many existed.
  ///
  /// - Throws: As ``remove(_:)-(I)``.
  /// - Complexity: As ``remove(_:)-(I)`` for each.
  @discardableResult
  public func remove(_ entities: E...) throws -> UInt64 { try remove(entities) }

  /// Removes the objects with ids, all or none; returns how many existed.
  ///
  /// - Throws: As ``remove(_:)-(I)``.
  /// - Complexity: As ``remove(_:)-(I)`` for each.
  @discardableResult
  public func remove(_ entityIDs: [Id]) throws -> UInt64 { try remove(ids: entityIDs) }

  /// Removes the objects with ids, all or none; returns how many existed.
  ///
  /// - Throws: As ``remove(_:)-(I)``.
  /// - Complexity: As ``remove(_:)-(I)`` for each.
  @discardableResult
  public func remove<I: UntypedIdBase, C: Collection>(_ ids: C) throws -> UInt64
  where C.Element == I {
    try remove(ids: ids.map(\.value))
  }

  /// Removes the objects with ids, all or none; returns how many existed.
  ///
  /// - Throws: As ``remove(_:)-(I)``.
  /// - Complexity: As ``remove(_:)-(I)`` for each.
  @discardableResult
  public func remove<I: UntypedIdBase>(_ ids: I...) throws -> UInt64 {
    try remove(ids: ids.map(\.value))
  }

  /// Removes the objects with ids, all or none; returns how many existed.
  ///
  /// - Throws: As ``remove(_:)-(I)``.
  /// - Complexity: As ``remove(_:)-(I)`` for each.
  @discardableResult
  public func remove(_ ids: Id...) throws -> UInt64 { try remove(ids: ids) }

  /// Removes the objects with ids, all or none; returns how many existed.
  ///
  /// - Throws: As ``remove(_:)-(I)``.
  /// - Complexity: As ``remove(_:)-(I)`` for each.
  @discardableResult
  public func remove(_ entityIDs: [EntityId<E>]) throws -> UInt64 {
    try remove(ids: entityIDs.map(\.value))
  }

  /// Removes the objects with ids, all or none; returns how many existed.
  ///
  /// - Throws: As ``remove(_:)-(I)``.
  /// - Complexity: As ``remove(_:)-(I)`` for each.
  @discardableResult
  public func remove<C: Collection>(_ entityIDs: C) throws -> UInt64
  where C.Element == EntityId<E> {
    try remove(ids: entityIDs.map(\.value))
  }

  /// Removes the objects with ids, all or none; returns how many existed.
  ///
  /// - Throws: As ``remove(_:)-(I)``.
  /// - Complexity: As ``remove(_:)-(I)`` for each.
  @discardableResult
  public func remove(_ ids: EntityId<E>...) throws -> UInt64 { try remove(ids: ids.map(\.value)) }

  /// Removes all objects.
  ///
  /// ```swift
  /// let count = try books.removeAll()
  /// print("\(count) books removed")
  /// ```
  ///
  /// Their ids are not given again.
  ///
  /// - Returns: The number of objects.
  /// - Throws: As ``remove(_:)-(I)``.
  /// - Complexity: O(*n*) in the pages of the entity, its indexes and its relations.
  @discardableResult
  public func removeAll() throws -> UInt64 {
    try removing { try $0.removeAll(core.schema) }
  }
}
