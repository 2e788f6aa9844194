public import BoxStorage

/// The contents of a store besides its objects, for a copy of the whole store.
extension Transaction {
  /// The last id that was given to an object of an entity; 0 if none was.
  ///
  /// - Throws: ``StoreError/foreignSchema(_:)``, ``StoreError/damagedCatalog(_:)``,
  ///   ``StoreError/transactionEnded`` or ``StoreError/storage(_:)``.
  /// - Complexity: O(log *n*).
  public func lastID(_ entity: EntitySchema) throws(StoreError) -> UInt64 {
    try require(entity)
    let storage = try reading()
    if isWritable { return try pending.lastID(entity, storage) }
    return try PendingWrites.storedIDs(entity, store.schema, storage).last
  }

  /// The number of entries of a relation to many: each pair of a source and a target is one.
  ///
  /// - Throws: ``StoreError/foreignSchema(_:)``, ``StoreError/transactionEnded`` or
  ///   ``StoreError/storage(_:)``.
  /// - Complexity: O(1).
  public func count(_ relation: RelationSchema) throws(StoreError) -> Int {
    try require(relation)
    let storage = try reading()
    return try storage.statistics(relation.forward).entries
  }

  /// Visits the entries of a relation to many, by source and then by target.
  ///
  /// - Parameters:
  ///   - relation: The relation.
  ///   - from: The source to start at.
  ///   - body: Called with a source and a target; returns whether the visit continues. It may read
  ///     but must not write.
  /// - Throws: ``StoreError/foreignSchema(_:)``, ``StoreError/transactionEnded``,
  ///   ``StoreError/storage(_:)``, and the error of `body`.
  /// - Complexity: O(*n*) in the entries that are visited.
  public func visitEntries(
    _ relation: RelationSchema, from: UInt64? = nil,
    _ body: (_ source: UInt64, _ target: UInt64) throws -> VisitStep
  ) throws {
    try require(relation)
    let storage = try reading()
    beginVisit()
    defer { endVisit() }
    try storage.visitEntries(relation.forward, from: from, .forward, body)
  }

  /// The text of the model file that the store was last opened with.
  ///
  /// - Throws: ``StoreError/damagedCatalog(_:)``, ``StoreError/transactionEnded`` or
  ///   ``StoreError/storage(_:)``.
  /// - Complexity: O(*n*) in its size.
  public func modelText() throws(StoreError) -> [UInt8] {
    let storage = try reading()
    guard let text = try StoredCatalog.model(store.schema.catalogSpace, storage) else {
      throw StoreError.damagedCatalog("the model is missing")
    }
    return text
  }
}
