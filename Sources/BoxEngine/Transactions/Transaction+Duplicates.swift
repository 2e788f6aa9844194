internal import BoxStorage

extension Transaction {
  /// The number of objects with a value of a property that an object with a lower id has too.
  ///
  /// - Parameters:
  ///   - property: The property, which need not have an index.
  ///   - entity: Its entity.
  ///   - skipsZero: Whether the index leaves zero out.
  /// - Returns: The number of those objects.
  /// - Throws: As ``visitDuplicates(of:in:skipsZero:progress:_:)``.
  /// - Complexity: As there.
  package func countDuplicates(
    of property: PropertySchema, in entity: EntitySchema, skipsZero: Bool
  ) throws(StoreError) -> Int {
    var count = 0
    try visitDuplicates(of: property, in: entity, skipsZero: skipsZero) { _, _ in count += 1 }
    return count
  }

  /// Visits the objects with a value of a property that an object with a lower id has too.
  ///
  /// Values are compared as a unique index over the property would compare them: strings byte by
  /// byte, -0.0 equals 0.0, and NaN equals NaN. Null has no entry. A type that cannot have an index
  /// has no duplicates.
  ///
  /// - Parameters:
  ///   - property: The property, which need not have an index.
  ///   - entity: Its entity.
  ///   - skipsZero: Whether the index leaves zero out.
  ///   - progress: Called with the number of objects read so far and their total.
  ///   - body: Called with the lowest id that has the value, and with the id of each further object
  ///     with it, in ascending order for each value. The order of the values is not defined.
  /// - Throws: ``StoreError/foreignSchema(_:)``, ``StoreError/damagedRecord(entity:id:_:)``,
  ///   ``StoreError/transactionEnded`` or ``StoreError/storage(_:)``.
  /// - Complexity: O(*n* log *n*) in the number of objects; memory is bounded.
  package func visitDuplicates(
    of property: PropertySchema, in entity: EntitySchema, skipsZero: Bool,
    progress: (_ done: Int, _ total: Int) -> Void = { _, _ in },
    _ body: (_ first: UInt64, _ id: UInt64) -> Void
  ) throws(StoreError) {
    try require(entity)
    let storage = try reading()
    if !property.canBeUnique { return }
    // Of strings the hash is sorted, and those of one hash are compared. The space is never written.
    let index = IndexSchema(
      uid: 0, kind: property.type == .string ? .hash64 : .value, isUnique: true,
      replacesOnConflict: false, skipsZero: skipsZero, entity: entity.name,
      property: property.name, slot: property.slot, type: property.type, space: entity.space,
      position: 0)
    let location = store.location
    let builder = IndexBuilder(
      path: "", transaction: storage,
      makeSpool: { () throws(StorageError) in
        do throws(StorageError) {
          return try location.makeSpoolFile()
        } catch {
          // A store that is only looked at may be where nobody can write.
          return try StorageLocation.memory("").makeSpoolFile()
        }
      })
    var sorter = try builder.sorted(index, of: entity, progress: progress)
    var finder = DuplicateFinder(index, of: entity, storage)
    try unsafe sorter.drainIntegers { (entries) throws(StoreError) in
      for position in entries.indices {
        let entry = unsafe entries[position]
        let first = try finder.duplicate(of: entry.member, under: .integer(entry.key))
        if let first { body(first, entry.member) }
      }
    }
  }
}

extension PropertySchema {
  /// Whether an index can keep its values unique: bytes and vectors have none.
  package var canBeUnique: Bool { !type.isReference || type == .string }
}
