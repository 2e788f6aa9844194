internal import BoxReport
internal import BoxStorage

/// Builds indexes from the objects of an entity.
struct IndexBuilder {
  /// What findings name as the file of the model.
  let path: String
  let transaction: any StorageTransaction

  /// Fills an index, which must be empty.
  ///
  /// - Returns: A finding if the index is unique and two objects have one value.
  /// - Throws: ``StoreError/damagedRecord(entity:id:_:)`` or ``StorageError``.
  /// - Complexity: O(*n* log *n*) in the number of objects.
  func build(_ index: IndexSchema, of entity: EntitySchema) throws -> [Finding] {
    try transaction.clear(index.space)
    let reader = RecordReader(entity.layout)
    var (pending, texts) = (PendingEntries(), PendingTexts())
    try transaction.records(entity.space, from: nil, .forward) { id, record in
      try view(record, reader, entity, id) { view in
        if !index.hasByteKeys {
          if let key = index.integerKey(view) { pending.add(key, id) }
        } else if !view.isNull(index.slot) {
          texts.add(view.elements(index.slot), id)
        }
      }
      if texts.areMany { try texts.flush(to: index.space, in: transaction) }
      return .next
    }
    try pending.flush(to: index.space, in: transaction)
    try texts.flush(to: index.space, in: transaction)
    if !index.isUnique { return [] }
    return try firstDuplicate(index, reader, entity).map { [finding(index, entity, $0)] } ?? []
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
    _ id: UInt64, _ body: (borrowing RecordView) -> R
  ) throws -> R {
    do throws(RecordDamage) {
      return body(try reader.view(id, record))
    } catch let damage {
      throw StoreError.damagedRecord(entity: entity.name, id: id, damage)
    }
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
