internal import BoxJSON
internal import BoxModel
package import BoxStorage

/// The checks for damage for code that copies the contents of a store.
extension Transaction {
  /// Requires that the store has no damage that ``ObjectStore/verify(limit:progress:)`` finds, in the
  /// state that the transaction reads.
  ///
  /// - Parameter progress: Called with the number of entries checked so far and their total.
  /// - Throws: ``StoreError/damaged(_:)``, ``StoreError/damagedCatalog(_:)``,
  ///   ``StoreError/transactionEnded`` or ``StoreError/storage(_:)``.
  /// - Complexity: O(*n* log *n*) in the number of entries.
  package func requireWhole(
    progress: @escaping (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws(StoreError) {
    try requireWhole(visited: VisitedObjects(), progress: progress)
  }

  /// Whether an entry of a relation to many stands in the other direction too.
  ///
  /// - Throws: ``StoreError/foreignSchema(_:)``, ``StoreError/transactionEnded`` or
  ///   ``StoreError/storage(_:)``.
  /// - Complexity: O(log *n*).
  package func hasTwin(
    _ relation: RelationSchema, _ source: UInt64, _ target: UInt64
  ) throws(StoreError) -> Bool {
    try require(relation)
    let storage = try reading()
    return try storage.contains(relation.backward, target, source)
  }

  /// Whether both objects of an entry of a relation to many exist.
  ///
  /// - Throws: As ``hasTwin(_:_:_:)``.
  /// - Complexity: O(log *n*).
  package func hasEnds(
    _ relation: RelationSchema, _ source: UInt64, _ target: UInt64
  ) throws(StoreError) -> Bool {
    try require(relation)
    let storage = try reading()
    for (entity, id) in [(relation.source, source), (relation.target, target)] {
      guard let objects = store.schema.objects(of: entity) else { continue }
      if try !storage.hasValue(objects.space, id) { return false }
    }
    return true
  }

  /// The number of entries of a relation to many in each direction.
  ///
  /// - Throws: As ``hasTwin(_:_:_:)``.
  /// - Complexity: O(1).
  package func counts(_ relation: RelationSchema) throws(StoreError) -> (
    forward: Int, backward: Int
  ) {
    try require(relation)
    let storage = try reading()
    return (
      try storage.statistics(relation.forward).entries,
      try storage.statistics(relation.backward).entries
    )
  }

  /// Visits the objects in the order of their ids, those aside whose records are damaged.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - from: The id to start at; nil for the first.
  ///   - damaged: Called with the id of each object whose record is damaged.
  ///   - body: Called with the id and the record; returns whether the visit continues. It must not use
  ///     the store.
  /// - Throws: As ``visit(_:from:_:_:)``, but for ``StoreError/damagedRecord(entity:id:_:)``.
  /// - Complexity: O(*n*).
  package func visitWhole(
    _ entity: EntitySchema, from: UInt64? = nil, _ damaged: (UInt64) throws -> Void,
    _ body: (UInt64, borrowing RecordView) throws -> VisitStep
  ) throws {
    var from = from
    while true {
      do throws(any Error) {
        return try visit(entity, from: from, .forward, body)
      } catch StoreError.damagedRecord(let name, let id, _) where name.hasSameBytes(as: entity.name)
      {
        try damaged(id)
        if id == .max { return }
        from = id + 1
      }
    }
  }
}

extension EntitySchema {
  /// The indexes of relations to one.
  var toOneIndexes: [IndexSchema] {
    properties.filter { $0.modelType == .relation }.compactMap(\.index)
  }
}
