internal import BoxModel
internal import BoxStorage

extension Transaction {
  /// Adds a target to a relation to many; whether it was not there.
  ///
  /// - Throws: ``StoreError/notFound(entity:id:)`` if either object does not exist,
  ///   ``StoreError/foreignSchema(_:)``, ``StoreError/readTransaction``,
  ///   ``StoreError/transactionEnded``, ``StoreError/transactionFailed(reason:)`` or
  ///   ``StoreError/storage(_:)``.
  /// - Complexity: O(log *n*).
  @discardableResult
  public func link(_ relation: RelationSchema, _ source: UInt64, _ target: UInt64)
    throws(StoreError) -> Bool
  {
    try require(relation)
    let storage = try writing()
    try requireObject(relation.source, source)
    try requireObject(relation.target, target)
    let isNew = try storage.insert(relation.forward, source, target)
    if isNew {
      if pending.capture != nil {
        try capturePair(relation, source, target, isAdded: true, storage)
      }
      _ = try storage.insert(relation.backward, target, source)
      recordChange(relation, source, target, isAdded: true)
    }
    return isNew
  }

  /// Takes a target from a relation to many; whether it was there.
  ///
  /// The object stays.
  ///
  /// - Throws: ``StoreError/foreignSchema(_:)``, ``StoreError/readTransaction``,
  ///   ``StoreError/transactionEnded``, ``StoreError/transactionFailed(reason:)`` or
  ///   ``StoreError/storage(_:)``.
  /// - Complexity: O(log *n*).
  @discardableResult
  public func unlink(
    _ relation: RelationSchema, _ source: UInt64, _ target: UInt64
  ) throws(StoreError) -> Bool {
    try require(relation)
    let storage = try writing()
    let wasForward = try storage.remove(relation.forward, source, target)
    // Of a damaged relation perhaps there is this half only.
    let wasBackward = try storage.remove(relation.backward, target, source)
    let wasThere = wasForward || wasBackward
    if wasThere, pending.capture != nil {
      try capturePair(relation, source, target, isAdded: false, storage)
    }
    if wasThere { recordChange(relation, source, target, isAdded: false) }
    return wasThere
  }

  private func recordChange(
    _ relation: RelationSchema, _ source: UInt64, _ target: UInt64, isAdded: Bool
  ) {
    guard let from = store.entity(relation.source), let to = store.entity(relation.target) else {
      return
    }
    pending.changes.record(
      RelationChange(relation: relation.uid, source: source, target: target, isAdded: isAdded),
      from: from.position, to: to.position)
  }

  /// The ids of the targets of an object, in order.
  ///
  /// - Throws: ``StoreError/foreignSchema(_:)``, ``StoreError/transactionEnded`` or
  ///   ``StoreError/storage(_:)``.
  /// - Complexity: O(log *n*), and O(1) for each target.
  public func targets(_ relation: RelationSchema, of source: UInt64) throws(StoreError) -> [UInt64]
  {
    try require(relation)
    return try members(relation.forward, source)
  }

  /// The ids of the objects that an object is a target of, in order: the relation backwards.
  ///
  /// - Throws: ``StoreError/foreignSchema(_:)``, ``StoreError/transactionEnded`` or
  ///   ``StoreError/storage(_:)``.
  /// - Complexity: O(log *n*), and O(1) for each source.
  public func sources(_ relation: RelationSchema, of target: UInt64) throws(StoreError) -> [UInt64]
  {
    try require(relation)
    return try members(relation.backward, target)
  }

  /// The ids of the objects whose relation to one leads to an object, in order.
  ///
  /// - Throws: ``StoreError/notIndexed(entity:property:)``, ``StoreError/transactionEnded`` or
  ///   ``StoreError/storage(_:)``.
  /// - Complexity: O(log *n*), and O(1) for each source.
  public func sources(
    _ entity: EntitySchema, _ toOne: PropertySchema, of target: UInt64
  ) throws(StoreError) -> [UInt64] {
    try ids(entity, where: toOne, equals: .unsigned(target))
  }

  func members(_ space: Space, _ key: UInt64) throws(StoreError) -> [UInt64] {
    let storage = try reading()
    var ids: [UInt64] = []
    try storage.members(space, key) { id in
      ids.append(id)
      return .next
    }
    return ids
  }

  private func requireObject(_ entity: UID, _ id: UInt64) throws(StoreError) {
    guard let entity = store.entity(entity) else {
      throw StoreError.unknownEntity("\(entity)")
    }
    if try !contains(entity, id) { throw StoreError.notFound(entity: entity.name, id: id) }
  }

  /// Removes all entries of an object from the relations of its entity, in both directions.
  func removeLinks(
    _ entity: EntitySchema, _ id: UInt64, _ storage: StorageAccess
  ) throws(StoreError) {
    for relation in entity.outgoing {
      for target in try members(relation.forward, id) {
        _ = try storage.remove(relation.backward, target, id)
      }
      _ = try storage.remove(relation.forward, id)
    }
    for relation in entity.incoming {
      for source in try members(relation.backward, id) {
        _ = try storage.remove(relation.forward, source, id)
      }
      _ = try storage.remove(relation.backward, id)
    }
  }
}
