/// The entries that a write transaction takes back itself when it, or a part of it, is undone.
///
/// The storage takes back the writes of a transaction or a savepoint. It does not know ids that were given, objects of
/// the app, and parts without a savepoint. An empty log allocates nothing.
struct UndoLog {
  fileprivate var steps: [UndoStep] = []
  /// The ids that were given to new objects since the begin of the innermost savepoint, by the position of the entity.
  fileprivate var issuedIDs: [(entity: Int, ids: ClosedRange<UInt64>)] = []

  /// Records consecutive ids.
  fileprivate mutating func recordIDs(_ ids: ClosedRange<UInt64>, of entity: Int) {
    for position in issuedIDs.indices.reversed() where issuedIDs[position].entity == entity {
      let known = issuedIDs[position].ids
      if known.upperBound + 1 != ids.lowerBound { break }
      issuedIDs[position].ids = known.lowerBound...ids.upperBound
      return
    }
    issuedIDs.append((entity, ids))
  }

  /// Removes and returns the last step since a mark.
  fileprivate mutating func popLast(since mark: UndoMark) -> UndoStep? {
    steps.count > mark.position ? steps.removeLast() : nil
  }
}

/// A step that takes back what a part of a transaction did.
package enum UndoStep {
  /// Removes an object that is new.
  case remove(EntitySchema, UInt64)
  /// Removes an entry that is new from a relation to many.
  case unlink(RelationSchema, UInt64, UInt64)
  /// Calls a function, which must not use the store; with `inPart` unless the part has succeeded by then.
  case call(inPart: Bool = false, () -> Void)
}

/// A point in the log of a transaction.
package struct UndoMark: Sendable {
  fileprivate var position = 0

  /// The begin of a transaction.
  static let begin = UndoMark()
}

extension Transaction {
  // MARK: - Noting

  /// Notes a step for the case that the transaction, or a part of it that contains this call, is undone.
  ///
  /// A failed commit undoes the transaction too; a read transaction is never undone. The last step comes first.
  package func onUndo(_ step: UndoStep) { if isWritable { log.steps.append(step) } }

  /// The point that the log has reached.
  package var undoMark: UndoMark { UndoMark(position: log.steps.count) }

  /// The new objects that were noted since a mark.
  package func insertions(since mark: UndoMark) -> [(entity: EntitySchema, id: UInt64)] {
    log.steps.dropFirst(mark.position).compactMap { step in
      if case .remove(let entity, let id) = step { (entity, id) } else { nil }
    }
  }

  // MARK: - Taking back

  /// Runs a part of a write transaction; if it throws, the changes of the part are undone, and the transaction goes
  /// on.
  ///
  /// An error thrown in a nested call fails only this part of the transaction.
  ///
  /// - Throws: ``StoreError/storage(_:)``, as ``withRecordWriter(_:)``, and the error of `body`.
  package func savepoint<R>(_ body: () throws -> R) throws -> R {
    let outer = try writing()
    // What was held back belongs to the outer part.
    try pending.flush(to: outer)
    let saved = pending
    let nested = try outer.beginNested()
    let (mark, issuedIDs) = (undoMark, log.issuedIDs)
    let (displacedBefore, displacementBefore) = (displaced, displacement)
    log.issuedIDs = []
    storage = nested
    do {
      let result = try body()
      if let failure { throw StoreError.transactionFailed(reason: failure) }
      try pending.flush(to: nested)
      try nested.commit()
      storage = outer
      let more = log.issuedIDs
      log.issuedIDs = issuedIDs
      for (entity, ids) in more { log.recordIDs(ids, of: entity) }
      return result
    } catch {
      nested.abort()
      storage = outer
      pending = saved
      (displaced, displacement) = (displacedBefore, displacementBefore)
      let undone = recordUndoneIDs()
      log.issuedIDs = issuedIDs
      callBack(to: mark)
      failure = nil
      // What is read from now on is what was there before.
      verified = VerifiedRecords()
      // The commit tells other processes, unless the storage fails by then.
      for (entity, last) in undone { try? pending.reserveIDs(entity, through: last, outer) }
      throw error
    }
  }

  /// Reverts all steps since a mark, for a part without a savepoint.
  ///
  /// - Throws: The first error of the storage; then the transaction cannot be committed.
  package func revert(to mark: UndoMark) throws(StoreError) {
    var first: StoreError?
    while let step = log.popLast(since: mark) {
      do throws(StoreError) {
        switch step {
        case .remove(let entity, let id): try removeAlone(entity, id)
        case .unlink(let relation, let source, let target): try unlink(relation, source, target)
        case .call(_, let body): body()
        }
      } catch {
        first = first ?? error
        markFailed("\(error)")
      }
    }
    if let first { throw first }
  }

  /// Calls the functions that were noted since a mark; the storage has undone the writes.
  func callBack(to mark: UndoMark = .begin) {
    while let step = log.popLast(since: mark) { if case .call(_, let body) = step { body() } }
  }

  /// Removes the steps since a mark that only this part would take back: it has succeeded.
  package func forget(since mark: UndoMark) {
    var kept = mark.position
    for position in kept..<log.steps.count {
      guard case .call(inPart: false, _) = log.steps[position] else { continue }
      log.steps.swapAt(kept, position)
      kept += 1
    }
    log.steps.removeSubrange(kept...)
  }

  // MARK: - Ids

  /// Issues an id for a new object.
  @inline(__always)
  func issueID(_ entity: EntitySchema, _ storage: StorageAccess) throws(StoreError) -> UInt64 {
    let id = try pending.nextID(entity, storage)
    if store.issuedIDs != nil { log.recordIDs(id...id, of: entity.position) }
    return id
  }

  /// Remembers the ids of the innermost savepoint, or else of the transaction, as undone.
  ///
  /// - Returns: The last one of each range.
  func recordUndoneIDs() -> [(entity: EntitySchema, last: UInt64)] {
    guard let undone = store.issuedIDs?.undone else { return [] }
    return log.issuedIDs.map { position, ids in
      undone.add(ids, of: store.schema.entities[position])
      return (store.schema.entities[position], ids.upperBound)
    }
  }

  /// Notes that a new object is stored, perhaps with an id of a transaction that was undone.
  func noteStored(_ entity: EntitySchema, _ id: UInt64) {
    guard let undone = store.issuedIDs?.undone, !undone.isEmpty, undone.remove(id, of: entity)
    else {
      return
    }
    onUndo(.call { undone.add(id...id, of: entity) })
  }

  /// Notes an id that was reserved for a new object, which this transaction puts.
  package func noteReserved(_ entity: EntitySchema, _ id: UInt64) {
    if store.issuedIDs != nil { log.recordIDs(id...id, of: entity.position) }
  }

  /// Whether a transaction that was undone gave an id, as ``ObjectStore/isUndone(_:_:)``.
  package func isUndone(_ entity: EntitySchema, _ id: UInt64) -> Bool { store.isUndone(entity, id) }
}
