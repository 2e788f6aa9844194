internal import BoxModel
package import BoxStorage

/// What whoever hands the contents of a store on has to know of damage.
extension Transaction {
  /// Requires that every entry of a relation to many stands in both directions, and that its objects
  /// exist.
  ///
  /// - Throws: ``StoreError/damaged(_:)``, ``StoreError/foreignSchema(_:)``,
  ///   ``StoreError/transactionEnded`` or ``StoreError/storage(_:)``.
  /// - Complexity: O(*n*) in the entries of the relation and in the objects that it leads to.
  package func requireWhole(_ relation: RelationSchema) throws {
    try require(relation)
    let storage = try reading()
    let isWhole = try Self.mapped { try store.schema.isWhole(relation, in: storage) }
    if !isWhole { throw StoreError.damaged(try store.findings(of: relation, in: storage)) }
  }

  /// Whether an entry of a relation to many stands in the other direction too.
  ///
  /// - Throws: ``StoreError/foreignSchema(_:)``, ``StoreError/transactionEnded`` or
  ///   ``StoreError/storage(_:)``.
  /// - Complexity: O(log *n*).
  package func hasTwin(
    _ relation: RelationSchema, _ source: UInt64, _ target: UInt64
  ) throws -> Bool {
    try require(relation)
    let storage = try reading()
    return try Self.mapped { try storage.contains(relation.backward, target, source) }
  }

  /// Whether both objects of an entry of a relation to many exist.
  ///
  /// - Throws: As ``hasTwin(_:_:_:)``.
  /// - Complexity: O(log *n*).
  package func hasEnds(
    _ relation: RelationSchema, _ source: UInt64, _ target: UInt64
  ) throws -> Bool {
    try require(relation)
    let storage = try reading()
    return try Self.mapped {
      try [(relation.source, source), (relation.target, target)].allSatisfy { entity, id in
        guard let objects = store.schema.objects(of: entity) else { return true }
        return try storage.value(objects.space, id) != nil
      }
    }
  }

  /// The number of entries of a relation to many in each direction.
  ///
  /// - Throws: As ``hasTwin(_:_:_:)``.
  /// - Complexity: O(1).
  package func counts(_ relation: RelationSchema) throws -> (forward: Int, backward: Int) {
    try require(relation)
    let storage = try reading()
    return try Self.mapped {
      (
        try storage.statistics(relation.forward).entries,
        try storage.statistics(relation.backward).entries
      )
    }
  }

  /// Visits the objects in the order of their ids, those aside whose records are damaged.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - damaged: Called with the id of each object whose record is damaged.
  ///   - body: Called with the id and the record; returns whether the visit continues. It must not use
  ///     the store.
  /// - Throws: As ``visit(_:from:_:_:)``, but for ``StoreError/damagedRecord(entity:id:_:)``.
  /// - Complexity: O(*n*).
  package func visitWhole(
    _ entity: EntitySchema, _ damaged: (UInt64) throws -> Void,
    _ body: (UInt64, borrowing RecordView) throws -> VisitStep
  ) throws {
    var from: UInt64? = nil
    while true {
      do {
        return try visit(entity, from: from, .forward, body)
      } catch StoreError.damagedRecord(let name, let id, _) where name == entity.name {
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

/// Compares the indexes of relations to one with the objects of an entity, while these are visited.
package struct ToOneCheck {
  private let entity: EntitySchema
  private var tally: IndexTally

  /// Begins with an entity.
  package init(_ entity: EntitySchema) {
    self.entity = entity
    tally = IndexTally(entity.toOneIndexes)
  }

  /// Takes an object; all of the entity have to be taken.
  @inline(__always)
  package mutating func take(_ id: UInt64, _ record: borrowing RecordView) { tally.add(id, record) }

  /// Requires that the indexes have exactly the entries of the objects.
  ///
  /// - Throws: ``StoreError/damaged(_:)``, ``StoreError/transactionEnded`` or
  ///   ``StoreError/storage(_:)``.
  /// - Complexity: O(*n*) in the entries of the indexes.
  package func requireWhole(in transaction: Transaction) throws {
    let storage = try transaction.reading()
    let differing = try Transaction.mapped { try tally.mismatches(in: storage) }
    if differing.isEmpty { return }
    throw StoreError.damaged(try transaction.store.findings(of: differing, entity, in: storage))
  }
}
