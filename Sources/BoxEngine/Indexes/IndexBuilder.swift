internal import BoxModel
internal import BoxReport
internal import BoxStorage

/// Builds indexes from the objects of an entity.
struct IndexBuilder {
  /// The path of the model file in findings.
  let path: String
  let transaction: StorageAccess
  /// Creates a file for entries that do not fit in memory.
  let makeSpool: () throws(StorageError) -> SpoolFile
  var limits = EntrySorter.Limits()
  /// The current names of properties in the store, for advice; nil without a directory.
  var names: StoredNames?

  /// Fills an index, which must be empty.
  ///
  /// - Returns: A finding if the index is unique and two objects have one value.
  /// - Throws: ``StoreError/damagedRecord(entity:id:_:)`` or ``StorageError``.
  /// - Complexity: O(*n* log *n*) in the number of objects.
  func build(_ index: IndexSchema, of entity: EntitySchema) throws(StoreError) -> [Finding] {
    try transaction.clear(index.space)
    var sorter = try sorted(index, of: entity)
    if index.hasByteKeys {
      try sorter.drainTexts { (chunk) throws(StoreError) in
        try chunk.insert(into: index.space, transaction)
      }
    } else {
      try unsafe sorter.drainIntegers { (chunk) throws(StoreError) in
        try unsafe transaction.insert(index.space, sorted: chunk, atEnd: true)
      }
    }
    if !index.isUnique { return [] }
    return try firstDuplicate(index, entity).map { [finding(index, entity, $0)] } ?? []
  }

  /// The entries that an index should have.
  ///
  /// - Parameters:
  ///   - index: The index.
  ///   - entity: Its entity.
  ///   - progress: Called with the number of objects read so far and their total.
  /// - Returns: The entries, to be written in order.
  /// - Throws: ``StoreError/damagedRecord(entity:id:_:)`` or ``StorageError``.
  /// - Complexity: O(*n* log *n*) in the number of objects; memory is bounded.
  func sorted(
    _ index: IndexSchema, of entity: EntitySchema,
    progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws(StoreError) -> EntrySorter {
    let reader = RecordReader(entity.layout)
    let total = try transaction.statistics(entity.space).entries
    var sorter = EntrySorter(count: index.hasByteKeys ? 0 : total, limits: limits, makeSpool)
    var done = 0
    try unsafe transaction.records(entity.space, from: nil, .forward) {
      (id, record) throws(StoreError) in
      let view = try unsafe reader.view(of: entity, id, record)
      if !index.hasByteKeys {
        if let key = index.integerKey(view) { try sorter.add(key, id) }
      } else if !view.isNull(index.slot) {
        try unsafe sorter.add(view.elements(index.slot), id)
      }
      done += 1
      if done & 16383 == 0 { progress(done, total) }
      return .next
    }
    progress(total, total)
    return sorter
  }

  /// Two objects with one value.
  private func firstDuplicate(
    _ index: IndexSchema, _ entity: EntitySchema
  ) throws(StoreError) -> (UInt64, UInt64)? {
    var finder = DuplicateFinder(index, of: entity, transaction)
    var found: (UInt64, UInt64)?
    try transaction.entries(of: index) { (key, id) throws(StoreError) in
      found = try finder.duplicate(of: id, under: key).map { ($0, id) }
      return found == nil ? .next : .stop
    }
    return found
  }

  private func finding(
    _ index: IndexSchema, _ entity: EntitySchema, _ ids: (UInt64, UInt64)
  ) -> Finding {
    Finding(
      rule: OpeningRule.notUnique,
      message: "\(entity.name).\(index.property) is unique in the model, and \(entity.name) "
        + "\(ids.0) and \(ids.1) have the same value",
      advice: "change one of the objects first, or leave the property as it was"
        + (names?.advice(on: index, of: entity) ?? ""),
      path: path)
  }
}

/// The names of properties in a store that a new model is opened with, and may rename.
struct StoredNames {
  let catalog: Catalog
  /// The directory of the store.
  let directory: String

  /// The command that lists the objects with one value, for the end of an advice; nil for a property
  /// that the store does not have now.
  fileprivate func advice(on index: IndexSchema, of entity: EntitySchema) -> String? {
    guard let uid = entity.properties.first(where: { $0.index == index })?.uid,
      let owner = catalog.entities.first(where: { $0.uid == entity.uid && !$0.isHidden }),
      let property = owner.properties.first(where: { $0.uid == uid && !$0.isHidden })
    else { return nil }
    let zero =
      index.skipsZero == property.flags.contains(.indexPartialSkipZero)
      ? "" : index.skipsZero ? "--skip-zero " : "--no-skip-zero "
    let arguments =
      zero + shellOperands([directory, NamePath([owner.name, property.name]).shortText])
    return "; `boxjoint store duplicates \(arguments)` lists them and can remove them"
  }
}
