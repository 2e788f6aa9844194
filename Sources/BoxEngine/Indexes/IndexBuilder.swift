internal import BoxReport
internal import BoxStorage

/// Builds indexes from the objects of an entity.
struct IndexBuilder {
  /// What findings name as the file of the model.
  let path: String
  let transaction: any StorageTransaction
  /// Makes a file for what does not fit in memory.
  let makeSpool: () throws -> SpoolFile
  var limits = EntrySorter.Limits()

  /// Fills an index, which must be empty.
  ///
  /// - Returns: A finding if the index is unique and two objects have one value.
  /// - Throws: ``StoreError/damagedRecord(entity:id:_:)`` or ``StorageError``.
  /// - Complexity: O(*n* log *n*) in the number of objects.
  func build(_ index: IndexSchema, of entity: EntitySchema) throws -> [Finding] {
    try transaction.clear(index.space)
    var sorter = try sorted(index, of: entity)
    if index.hasByteKeys {
      try sorter.drainTexts { try $0.insert(into: index.space, transaction) }
    } else {
      try sorter.drainIntegers { try transaction.insert(index.space, sorted: $0, atEnd: true) }
    }
    if !index.isUnique { return [] }
    let reader = RecordReader(entity.layout)
    return try firstDuplicate(index, reader, entity).map { [finding(index, entity, $0)] } ?? []
  }

  /// The entries that an index should have.
  ///
  /// - Parameters:
  ///   - index: The index.
  ///   - entity: Its entity.
  ///   - progress: Is told how many objects of how many were read.
  /// - Returns: The entries, to be written in order.
  /// - Throws: ``StoreError/damagedRecord(entity:id:_:)`` or ``StorageError``.
  /// - Complexity: O(*n* log *n*) in the number of objects; memory is bounded.
  func sorted(
    _ index: IndexSchema, of entity: EntitySchema,
    progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws -> EntrySorter {
    let reader = RecordReader(entity.layout)
    let total = try transaction.statistics(entity.space).entries
    var sorter = EntrySorter(count: index.hasByteKeys ? 0 : total, limits: limits, makeSpool)
    var done = 0
    try transaction.records(entity.space, from: nil, .forward) { id, record in
      try view(record, reader, entity, id) { view in
        if !index.hasByteKeys {
          if let key = index.integerKey(view) { try sorter.add(key, id) }
        } else if !view.isNull(index.slot) {
          try sorter.add(view.elements(index.slot), id)
        }
      }
      done += 1
      if done & 16383 == 0 { progress(done, total) }
      return .next
    }
    progress(total, total)
    return sorter
  }

  /// Two objects with one value: entries under one key are next to each other.
  private func firstDuplicate(
    _ index: IndexSchema, _ reader: RecordReader, _ entity: EntitySchema
  ) throws -> (UInt64, UInt64)? {
    var key: IndexKey?
    var members: [UInt64] = []
    var found: (UInt64, UInt64)?
    func take(_ next: IndexKey, _ id: UInt64) throws -> VisitStep {
      if next != key {
        key = next
        members = [id]
        return .next
      }
      for other in members where try isSame(other, id, index, reader, entity) {
        found = (other, id)
        return .stop
      }
      members.append(id)
      return .next
    }
    if index.hasByteKeys {
      try transaction.entries(index.space, from: nil as UnsafeRawBufferPointer?, .forward) {
        try take(.bytes([UInt8]($0)), $1)
      }
    } else {
      try transaction.entries(index.space, from: nil as UInt64?, .forward) {
        try take(.integer($0.key), $0.member)
      }
    }
    return found
  }

  private func isSame(
    _ a: UInt64, _ b: UInt64, _ index: IndexSchema, _ reader: RecordReader, _ entity: EntitySchema
  ) throws -> Bool {
    if !index.isInexact { return true }
    func text(_ id: UInt64) throws -> [UInt8]? {
      guard let record = try transaction.value(entity.space, id) else { return nil }
      return try view(record, reader, entity, id) { [UInt8]($0.elements(index.slot)) }
    }
    return try text(a) == text(b)
  }

  private func view<R>(
    _ record: UnsafeRawBufferPointer, _ reader: RecordReader, _ entity: EntitySchema,
    _ id: UInt64, _ body: (borrowing RecordView) throws -> R
  ) throws -> R {
    let view: RecordView
    do throws(RecordDamage) {
      view = try reader.view(id, record)
    } catch let damage {
      throw StoreError.damagedRecord(entity: entity.name, id: id, damage)
    }
    return try body(view)
  }

  private func finding(
    _ index: IndexSchema, _ entity: EntitySchema, _ ids: (UInt64, UInt64)
  ) -> Finding {
    Finding(
      rule: OpeningRule.notUnique,
      message: "\(entity.name).\(index.property) is unique in the model, and \(entity.name) "
        + "\(ids.0) and \(ids.1) have the same value",
      advice: "change one of the objects first, or leave the property as it was", path: path)
  }
}
