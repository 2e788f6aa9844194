internal import BoxEngine
internal import Synchronization

/// The write of objects whose records are ready, as one asynchronous operation.
final class AsyncPut: Sendable {
  private let schema: EntitySchema
  private let ids: [Id]
  /// Whether an object is new: its id was reserved.
  private let isNew: [Bool]
  private let mode: PutMode
  private let records: Transferred<PreparedObjects>
  /// The targets of the to-one relations.
  private let targets: [(entity: Int, id: UInt64)]
  private let hasBegun = Atomic(false)

  init(
    _ schema: EntitySchema, _ ids: [Id], isNew: [Bool], _ mode: PutMode, _ records: PreparedObjects,
    targets: [(entity: Int, id: UInt64)]
  ) {
    (self.schema, self.ids, self.isNew, self.mode) = (schema, ids, isNew, mode)
    (self.records, self.targets) = (Transferred(records), targets)
  }

  /// Writes the records.
  ///
  /// If that fails, or the transaction, the new objects keep their ids, which no other object gets.
  ///
  /// - Throws: The errors of the engine.
  func run(_ transaction: EngineTransaction) throws {
    hasBegun.store(true, ordering: .relaxed)
    var written = 0
    defer {
      for (position, id) in ids.enumerated() where isNew[position] {
        // Another process can have given the id to an object of its own.
        if position < written || (try? transaction.contains(schema, id)) == false {
          transaction.noteReserved(schema, id)
        }
      }
    }
    for target in targets { try transaction.requireTarget(target.id, of: target.entity) }
    try transaction.displacing {
      for (position, id) in ids.enumerated() {
        if !isNew[position] && !schema.hasAssignableIDs { try transaction.requireGiven(schema, id) }
        // Another process can have given the id meanwhile: its object must not be overwritten.
        try transaction.putPrepared(
          records.value, at: position, mode: isNew[position] ? .insert : mode.engineMode)
        written += 1
      }
    }
  }

  /// Notes the ids of the new objects as undone if no transaction began for them.
  func noteFailure(_ store: ObjectStore) {
    if hasBegun.load(ordering: .relaxed) { return }
    for (id, isNew) in zip(ids, isNew) where isNew { store.noteUndone(schema, id...id) }
  }
}
