internal import BoxStorage

/// The changes of the indexes of an entity that the change of an object requires.
struct IndexChanges {
  var changes: [IndexChange] = []
  /// Objects that first have to give values up to this one, or are removed.
  var replaced: [ValueHolder] = []
}

/// An object that has unique values which another one is about to take over.
struct ValueHolder {
  var id: UInt64
  /// The slots of these values.
  var slots: [Int]
}

/// A change of an index that goes with the change of an object.
struct IndexChange {
  var index: IndexSchema
  var before: IndexKey?
  var after: IndexKey?
}

extension Transaction {
  /// The changes of the indexes for a new object, after the check of unique ones.
  func indexInsertions(
    _ entity: EntitySchema, _ id: UInt64, new: borrowing RecordView,
    _ storage: StorageAccess
  ) throws(StoreError) -> IndexChanges {
    var changes: [IndexChange] = []
    for index in entity.indexes {
      let key = index.key(new)
      if key != nil { changes.append(IndexChange(index: index, before: nil, after: key)) }
    }
    let replaced = try conflicts(of: changes, entity, id, new, storage)
    return IndexChanges(changes: changes, replaced: replaced)
  }

  /// The changes of the indexes for an object that is replaced, after the check of unique ones.
  func indexChanges(
    _ entity: EntitySchema, _ id: UInt64, old: borrowing RecordView, new: borrowing RecordView,
    _ storage: StorageAccess
  ) throws(StoreError) -> IndexChanges {
    var changes: [IndexChange] = []
    for index in entity.indexes {
      if index.hasByteKeys {
        let (before, after) = (index.key(old), index.key(new))
        // A long string can change behind what is in the key, and a unique one has to be looked at.
        if before != after || (index.isUnique && !isSameString(index.slot, old, new)) {
          changes.append(IndexChange(index: index, before: before, after: after))
        }
      } else {
        let (before, after) = (index.integerKey(old), index.integerKey(new))
        if before != after
          || (index.isUnique && index.isInexact && !isSameString(index.slot, old, new))
        {
          changes.append(
            IndexChange(
              index: index, before: before.map { .integer($0) }, after: after.map { .integer($0) }))
        }
      }
    }
    let replaced = try conflicts(of: changes, entity, id, new, storage)
    return IndexChanges(changes: changes, replaced: replaced)
  }

  /// The changes of the indexes for an object that is removed.
  func indexRemovals(
    _ entity: EntitySchema, old: borrowing RecordView
  ) throws(StoreError) -> [IndexChange] {
    var changes: [IndexChange] = []
    for index in entity.indexes {
      let key = index.key(old)
      if key != nil { changes.append(IndexChange(index: index, before: key, after: nil)) }
    }
    return changes
  }

  /// Removes all index entries of an object but those that are removed already, or holds that back.
  func removeEntries(
    _ entity: EntitySchema, _ id: UInt64, old: borrowing RecordView,
    except removed: [RemovedReferences], _ storage: StorageAccess
  ) throws(StoreError) {
    if !entity.hasDeferredIndexesOnly {
      let changes = try indexRemovals(entity, old: old).filter { change in
        guard case .integer(let key) = change.before else { return true }
        return !removed.contains(change.index.position, key)
      }
      return try apply(changes, id, entity, storage)
    }
    for index in entity.extractors {
      guard let key = index.key(old) else { continue }
      if !removed.contains(index.position, key) { pending.remove(key, id, from: index.position) }
    }
    for index in entity.textIndexes where !old.isNull(index.slot) {
      unsafe pending.remove(old.elements(index.slot), id, from: index.position)
    }
    // The record is read no more: these writes may move it.
    try flushIfMany(entity, storage)
  }

  /// Writes the entries that were held back of the indexes of an entity, where they are many.
  func flushIfMany(_ entity: EntitySchema, _ storage: StorageAccess) throws(StoreError) {
    for index in entity.extractors { try pending.flushIfMany(index.position, to: storage) }
    for index in entity.textIndexes { try pending.flushIfMany(index.position, to: storage) }
  }

  /// The removal of all index entries of an object that cannot be read.
  func storedEntries(
    _ entity: EntitySchema, _ id: UInt64, _ storage: StorageAccess
  ) throws(StoreError) -> [IndexChange] {
    var changes: [IndexChange] = []
    for index in entity.indexes {
      try pending.flush(index, to: storage)
      try storage.entries(of: index) { key, member in
        if member == id { changes.append(IndexChange(index: index, before: key, after: nil)) }
        return .next
      }
    }
    return changes
  }

  private func isSameString(
    _ slot: Int, _ a: borrowing RecordView, _ b: borrowing RecordView
  ) -> Bool {
    a.isNull(slot) == b.isNull(slot) && a.hasSameElements(slot, as: b)
  }

  /// Writes changes of indexes, or holds them back.
  func apply(
    _ changes: [IndexChange], _ id: UInt64, _ entity: EntitySchema,
    _ storage: StorageAccess
  ) throws(StoreError) {
    for change in changes {
      switch change.before {
      case let key? where change.index.isUnique:
        _ = try storage.remove(change.index.space, key, id)
      case .integer(let key): pending.remove(key, id, from: change.index.position)
      case .bytes(let key):
        unsafe key.withUnsafeBytes {
          unsafe pending.remove(IndexSchema.text($0), id, from: change.index.position)
        }
      case nil: break
      }
      switch change.after {
      case let key? where change.index.isUnique:
        _ = try storage.insert(change.index.space, key, id)
      case .integer(let key): pending.add(key, id, to: change.index.position)
      case .bytes(let key):
        unsafe key.withUnsafeBytes {
          unsafe pending.add(IndexSchema.text($0), id, to: change.index.position)
        }
      case nil: break
      }
      try pending.flushIfMany(change.index.position, to: storage)
    }
  }

  // MARK: - Unique

  /// Checks unique indexes; the objects in the way where the model asks to replace them.
  private func conflicts(
    of changes: [IndexChange], _ entity: EntitySchema, _ id: UInt64, _ new: borrowing RecordView,
    _ storage: StorageAccess
  ) throws(StoreError) -> [ValueHolder] {
    var replaced: [ValueHolder] = []
    for change in changes where change.index.isUnique {
      guard let after = change.after,
        let other = try holder(of: after, change.index, entity, id, new, storage)
      else { continue }
      // An object that has lost another value is about to be put again or removed.
      let yields = displaced?.objects.contains(.init(entity: entity.position, id: other)) ?? false
      if !change.index.replacesOnConflict && !yields {
        throw StoreError.uniqueViolation(
          entity: entity.name, property: change.index.property,
          value: new.value(change.index.slot, change.index.type), existing: other)
      }
      if let place = replaced.firstIndex(where: { $0.id == other }) {
        replaced[place].slots.append(change.index.slot)
      } else {
        replaced.append(ValueHolder(id: other, slots: [change.index.slot]))
      }
    }
    return replaced
  }

  /// Another object that has the value of a unique index.
  private func holder(
    of key: IndexKey, _ index: IndexSchema, _ entity: EntitySchema, _ id: UInt64,
    _ new: borrowing RecordView, _ storage: StorageAccess
  ) throws(StoreError) -> UInt64? {
    var candidates: [UInt64] = []
    try members(of: key, index, storage) { member in
      if member != id { candidates.append(member) }
      return .next
    }
    if !index.isInexact { return candidates.first }
    let wanted = unsafe new.elements(index.slot)
    // All are read: a damaged one has to be met before another is removed for the value.
    var found: UInt64?
    for candidate in candidates {
      guard let record = try unsafe storage.value(entity.space, candidate) else { continue }
      let other = try unsafe view(entity, candidate, record)
      if unsafe found == nil && !other.isNull(index.slot)
        && other.elements(index.slot).elementsEqual(wanted)
      {
        found = candidate
      }
    }
    return found
  }

  /// Visits the ids under a key of an index whose entries are all written.
  private func members(
    of key: IndexKey, _ index: IndexSchema, _ storage: StorageAccess,
    _ body: (UInt64) throws(StoreError) -> VisitStep
  ) throws(StoreError) {
    switch key {
    case .integer(let key): try storage.members(index.space, key, body)
    case .bytes(let key): try storage.members(index.space, key, body)
    }
  }

  /// Visits the ids under a key of an index whose entries are all written, for a caller.
  func visitMembers(
    of key: IndexKey, _ index: IndexSchema, _ storage: StorageAccess,
    _ body: (UInt64) throws -> VisitStep
  ) throws {
    switch key {
    case .integer(let key): try storage.visitMembers(index.space, key, body)
    case .bytes(let key): try storage.visitMembers(index.space, key, body)
    }
  }
}
