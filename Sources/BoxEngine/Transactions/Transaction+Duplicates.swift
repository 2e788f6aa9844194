internal import BoxStorage

extension Transaction {
  /// The number of objects with a value of a property that an object with a lower id has too.
  ///
  /// Values are compared as a unique index over the property would compare them: strings byte by
  /// byte, -0.0 equals 0.0, and NaN equals NaN. Null has no entry. A type that cannot have an index
  /// has no duplicates.
  ///
  /// - Parameters:
  ///   - property: The property, which need not have an index.
  ///   - entity: Its entity.
  ///   - skipsZero: Whether the index leaves zero out.
  /// - Returns: The number of those objects.
  /// - Throws: ``StoreError/foreignSchema(_:)``, ``StoreError/damagedRecord(entity:id:_:)``,
  ///   ``StoreError/transactionEnded`` or ``StoreError/storage(_:)``.
  /// - Complexity: O(*n* log *n*) in the number of objects; memory is bounded.
  package func countDuplicates(
    of property: PropertySchema, in entity: EntitySchema, skipsZero: Bool
  ) throws(StoreError) -> Int {
    try require(entity)
    let storage = try reading()
    if property.type.isReference && property.type != .string { return 0 }
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
    var sorter = try builder.sorted(index, of: entity)
    var finder = DuplicateFinder(index, of: entity, storage)
    var count = 0
    try unsafe sorter.drainIntegers { (entries) throws(StoreError) in
      for position in entries.indices {
        let entry = unsafe entries[position]
        if try finder.duplicate(of: entry.member, under: .integer(entry.key)) != nil { count += 1 }
      }
    }
    return count
  }
}
