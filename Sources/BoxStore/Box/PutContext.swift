internal import BoxEngine

/// The put of an object and of all new objects that can be reached from it, as one operation.
///
/// A new object that is met gets its id at once, under its identity, and has it set when its own record
/// is written. So a cycle of new objects ends, and each is stored once. A target at the end of a long
/// chain is postponed: it is written after the records that refer to it. To-many relations are written
/// when every record of the put is: both ends of a link have to exist.
final class PutContext {
  let transaction: EngineTransaction
  /// The number of records that are being built.
  private(set) var building = 0
  /// The ids of the objects that were met, by their identity, which lives as long as the object does.
  private var ids: [ObjectIdentifier: UInt64] = [:]
  private var registered: [AnyObject] = []
  /// The way in which the put is rolled back if it fails.
  private let scope: PutScope
  /// The begin of the put in the log of the transaction.
  private let begin: UndoMark
  /// The objects that this put inserted, and the end of the log when it was last read: only a changed relation to
  /// many reads it.
  private var inserted: (objects: Set<Key>, end: UndoMark)
  private var postponed: [() throws -> Void] = []
  private var deferred: [() throws -> Void] = []
  private var isRunningDeferred = false

  /// The number of records that are built inside of each other before targets are postponed: some tens
  /// of kilobytes of stack, where the smallest threads have 512.
  private static let depthLimit = 32

  /// The stored targets of to-one relations in this put, of entities whose objects can be replaced.
  private var targets: Set<Key> = []

  private struct Key: Hashable {
    var entity: EntitySchema
    var id: UInt64
  }

  init(_ transaction: EngineTransaction, _ scope: PutScope) {
    self.transaction = transaction
    self.scope = scope
    begin = transaction.undoMark
    inserted = ([], begin)
  }

  // MARK: - Objects

  /// The id of an object of a class that is part of this put; nil if it was not met.
  func id(of object: AnyObject) -> UInt64? { ids[ObjectIdentifier(object)] }

  /// Registers an object of a class with its id.
  func register(_ object: AnyObject, _ id: UInt64) {
    ids[ObjectIdentifier(object)] = id
    registered.append(object)
  }

  /// Builds a record; to-many relations wait meanwhile.
  func build<R>(_ body: () throws -> R) rethrows -> R {
    building += 1
    defer { building -= 1 }
    return try body()
  }

  /// Whether the nesting of records is deep enough that another one has to be postponed.
  var isDeep: Bool { building >= Self.depthLimit }

  /// Whether the nesting of records is too deep to put a new struct inside.
  ///
  /// It cannot be postponed: the relation holds a copy of the struct, which has to get the id.
  var isTooDeepForStructs: Bool { building >= 4 * Self.depthLimit }

  /// Runs a function that writes a record after those that are being built.
  func postpone(_ body: @escaping () throws -> Void) { postponed.append(body) }

  /// Writes the records that were postponed, and those that they postpone in turn.
  func runPostponed() throws {
    while !postponed.isEmpty {
      let waiting = postponed
      postponed = []
      for body in waiting { try body() }
    }
  }

  /// Whether this put inserted the object of an id.
  func inserted(_ entity: EntitySchema, _ id: UInt64) -> Bool {
    for (entity, id) in transaction.insertions(since: inserted.end) {
      inserted.objects.insert(Key(entity: entity, id: id))
    }
    inserted.end = transaction.undoMark
    return inserted.objects.contains(Key(entity: entity, id: id))
  }

  /// Lets an object count as one that this put inserted: all that it has is new, and it takes the place of another one.
  func addInserted(_ entity: EntitySchema, _ id: UInt64) {
    inserted.objects.insert(Key(entity: entity, id: id))
  }

  /// Requires that no object which this put inserted was replaced by another one of it.
  ///
  /// - Parameters:
  ///   - roots: The ids of objects of an entity that the caller has put one after the other, so that a later one may
  ///     replace an earlier one.
  ///   - schema: The entity.
  /// - Throws: ``ObjectBoxError/uniqueViolation(message:)`` with the property.
  /// - Complexity: O(*n* log *m*) in the inserted objects and all objects of their entities.
  func requireNoneReplaced(besides roots: Set<Id> = [], of schema: EntitySchema) throws {
    for (entity, id) in transaction.insertions(since: begin)
    where !(entity == schema && roots.contains(id)) {
      if try !entity.properties.contains(where: \.replacesOthers)
        || transaction.contains(entity, id)
      {
        continue
      }
      throw replaced(entity)
    }
    for target in targets where try !transaction.contains(target.entity, target.id) {
      throw replaced(target.entity)
    }
  }

  /// Throws if a stored object that was to be linked is gone as an object of this put replaced it.
  ///
  /// - Throws: ``ObjectBoxError/uniqueViolation(message:)``.
  func requireNotReplaced(_ entity: EntitySchema, _ id: UInt64, _ error: StoreError) throws {
    guard case .notFound(_, let missing) = error, missing == id,
      transaction.insertions(since: begin).contains(where: { $0.entity == entity }),
      entity.properties.contains(where: \.replacesOthers)
    else { return }
    throw replaced(entity)
  }

  /// Notes the target of a to-one relation, if it is stored and others can replace it.
  func noteTarget(_ id: UInt64, of position: Int) throws {
    let entity = transaction.entity(at: position)
    guard entity.properties.contains(where: \.replacesOthers),
      try transaction.hasTarget(id, of: entity)
    else { return }
    targets.insert(Key(entity: entity, id: id))
  }

  private func replaced(_ entity: EntitySchema) -> ObjectBoxError {
    let names = entity.properties.filter(\.replacesOthers).map {
      "\(entity.name).\($0.name)"
    }
    return .uniqueViolation(
      message:
        "two objects of one put have the same value of \(names.joined(separator: " or ")), so that one would "
        + "replace the other; give them different values")
  }

  // MARK: - To-many relations

  /// Runs a function after the records that are being built, and after the id of the object is set
  /// that is being put.
  func whenWritten(_ body: @escaping () throws -> Void) { deferred.append(body) }

  /// Whether records or to-many relations wait to be written.
  var hasDeferred: Bool { !deferred.isEmpty || !postponed.isEmpty }

  /// Writes a record that was built, and what waited for the outermost one.
  ///
  /// - Parameter write: Writes the record.
  /// - Throws: The errors of the function and of what waited.
  func finish(_ write: () throws -> Void) throws {
    // An object that existed is written with the relations of its new targets, or not at all.
    let isWaiting = building == 0 && hasDeferred
    if !isWaiting { try write() }
    if building > 0 || !hasDeferred { return }
    func finishAll() throws {
      if isWaiting { try write() }
      try runDeferred()
    }
    try scope == .log && !isRunningDeferred ? transaction.savepoint(finishAll) : finishAll()
  }

  /// Ends the put: from now on only the transaction can undo it.
  ///
  /// A put in a transaction of its own can still fail with the commit.
  func succeed() { if scope != .nothing { transaction.forget(since: begin) } }

  /// Rolls the put back; if that fails, the transaction is not committed.
  func fail() { if scope == .log { try? transaction.revert(to: begin) } }

  /// Writes the records and then the to-many relations that waited.
  ///
  /// The call inside of another one leaves its work to that one, so that a deep graph needs no deep stack.
  func runDeferred() throws {
    if isRunningDeferred { return }
    isRunningDeferred = true
    defer { isRunningDeferred = false }
    while hasDeferred {
      try runPostponed()
      let waiting = deferred
      deferred = []
      for body in waiting {
        try body()
        try runPostponed()
      }
    }
  }
}
