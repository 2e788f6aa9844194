internal import BoxStorage

extension ObjectStore {
  /// Requires that the relations of the store are whole, in one snapshot.
  ///
  /// Every entry of a to-many relation must have its twin in the other direction and both of its
  /// objects. The indexes of to-one relations must have exactly the entries of the objects.
  ///
  /// This is the part of ``verify(limit:progress:)`` that finds damage by sums, for code that
  /// reports on a store without copying it. If all reader slots are taken, it blocks as
  /// ``statistics()`` does.
  ///
  /// - Throws: ``StoreError/damaged(_:)`` with the first finding,
  ///   ``StoreError/damagedRecord(entity:id:_:)``, and as ``read(_:)``; in a transaction of the caller, also
  ///   ``StoreError/interrupted``.
  /// - Complexity: O(*n*) in the entries of relations and the objects that have any; memory is bounded.
  public func requireWholeRelations() throws(StoreError) {
    let caller = currentTransaction
    try snapshot { (storage) throws(StoreError) in
      for entity in schema.entities { try requireWholeToOne(entity, storage, caller) }
      for relation in schema.entities.flatMap(\.outgoing) + schema.relationsOfHiddenEntities
      where try !schema.isWhole(relation, in: storage, caller: caller) {
        throw StoreError.damaged(try findings(of: relation, in: storage))
      }
    }
  }

  private func requireWholeToOne(
    _ entity: EntitySchema, _ storage: StorageAccess, _ caller: Transaction?
  ) throws(StoreError) {
    if entity.toOneIndexes.isEmpty { return }
    var count = 0
    var tally = IndexTally(entity.toOneIndexes)
    let reader = RecordReader(entity.layout)
    try unsafe storage.records(entity.space, from: nil, .forward) {
      (id, record) throws(StoreError) in
      count += 1
      if count % Transaction.visitsBetweenLooks == 0 { try caller?.checkInterruption() }
      let view = try unsafe reader.view(of: entity, id, record)
      tally.add(id, view)
      return .next
    }
    let differing = try tally.mismatches(in: storage)
    if differing.isEmpty { return }
    throw StoreError.damaged(try findings(of: differing, entity, in: storage))
  }
}
