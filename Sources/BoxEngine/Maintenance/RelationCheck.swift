internal import BoxStorage

extension ObjectStore {
  /// Requires that the relations of the store are whole, in one snapshot: every entry of a relation to many
  /// has its twin in the other direction and both of its objects, and the indexes of relations to one
  /// have exactly the entries of the objects.
  ///
  /// It is the part of ``verify(limit:progress:)`` that tells damage by sums, for whoever says something
  /// of a store without copying it. Where all reader slots are taken it waits as ``statistics()`` does.
  ///
  /// - Throws: ``StoreError/damaged(_:)`` with what is wrong first,
  ///   ``StoreError/damagedRecord(entity:id:_:)``, and as ``read(_:)``.
  /// - Complexity: O(*n*) in the entries of relations and the objects that have any; memory is bounded.
  public func requireWholeRelations() throws {
    try snapshot { storage in
      try Transaction.mapped {
        for entity in schema.entities { try requireWholeToOne(entity, storage) }
        for relation in schema.entities.flatMap(\.outgoing) + schema.relationsOfHiddenEntities
        where try !schema.isWhole(relation, in: storage) {
          throw StoreError.damaged(try findings(of: relation, in: storage))
        }
      }
    }
  }

  private func requireWholeToOne(
    _ entity: EntitySchema, _ storage: any StorageTransaction
  ) throws {
    if entity.toOneIndexes.isEmpty { return }
    var tally = IndexTally(entity.toOneIndexes)
    let reader = RecordReader(entity.layout)
    try storage.records(entity.space, from: nil, .forward) { id, record in
      let view = try reader.view(of: entity, id, record)
      tally.add(id, view)
      return .next
    }
    let differing = try tally.mismatches(in: storage)
    if differing.isEmpty { return }
    throw StoreError.damaged(try findings(of: differing, entity, in: storage))
  }
}
