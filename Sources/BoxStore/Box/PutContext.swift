internal import BoxEngine

/// The put of an object and of all new objects that it leads to, as one operation.
///
/// A new object that is met gets its id at once, under its identity, and has it set when its own record
/// is written. So a cycle of new objects ends, and each is stored once. A target at the end of a long
/// chain is postponed: it is written after the records that lead to it. Relations to many are written
/// when every record of the put is: both ends of a link have to exist.
final class PutContext {
  let transaction: EngineTransaction
  /// The number of records that are being built.
  private(set) var building = 0
  /// The ids of the objects that were met, by their identity, which lives as long as the object does.
  private var ids: [ObjectIdentifier: UInt64] = [:]
  private var met: [AnyObject] = []
  /// The objects that this put inserted, to be removed again if it fails.
  private var inserted: [(entity: EntitySchema, id: UInt64)] = []
  /// The first of them, as many as there were when it was last asked for one: only a relation to many that
  /// was changed asks.
  private var isNew: Set<Key> = []
  /// Puts the ids of objects and relations back to what they were.
  private var resets: [() -> Void] = []
  private var postponed: [() throws -> Void] = []
  private var deferred: [() throws -> Void] = []
  private var isRunningDeferred = false

  /// The number of records that are built inside of each other before targets are postponed: some tens
  /// of kilobytes of stack, where the smallest threads have 512.
  private static let depthLimit = 32

  /// The stored objects that relations to one of the put lead to, of entities that others replace.
  private var targets: Set<Key> = []

  private struct Key: Hashable {
    var entity: EntitySchema
    var id: UInt64
  }

  init(_ transaction: EngineTransaction) { self.transaction = transaction }

  // MARK: - Objects

  /// The id of an object of a class that is part of this put; nil if it was not met.
  func id(of object: AnyObject) -> UInt64? { ids[ObjectIdentifier(object)] }

  /// Notes an object of a class with its id.
  func meet(_ object: AnyObject, _ id: UInt64) {
    ids[ObjectIdentifier(object)] = id
    met.append(object)
  }

  /// Notes what has to be done if the put fails.
  func onFailure(_ reset: @escaping () -> Void) { resets.append(reset) }

  /// Builds a record; relations to many wait meanwhile.
  func build<R>(_ body: () throws -> R) rethrows -> R {
    building += 1
    defer { building -= 1 }
    return try body()
  }

  /// Whether so many records are being built that another one inside of them has to be postponed.
  var isDeep: Bool { building >= Self.depthLimit }

  /// Whether so many records are being built that a new struct cannot be put inside of them.
  ///
  /// It cannot be postponed: the relation that leads to it has a copy, which has to get the id.
  var isTooDeepForStructs: Bool { building >= 4 * Self.depthLimit }

  /// Runs a function that writes a record after those that are being built.
  func postpone(_ body: @escaping () throws -> Void) { postponed.append(body) }

  /// Writes the records that were postponed, and those that they lead to.
  func runPostponed() throws {
    while !postponed.isEmpty {
      let waiting = postponed
      postponed = []
      for body in waiting { try body() }
    }
  }

  /// Notes that an object was written.
  func noteWritten(_ entity: EntitySchema, _ id: UInt64, isNew: Bool) {
    if isNew { inserted.append((entity, id)) }
  }

  /// Whether this put inserted the object of an id.
  func inserted(_ entity: EntitySchema, _ id: UInt64) -> Bool {
    for (entity, id) in inserted.dropFirst(isNew.count) {
      isNew.insert(Key(entity: entity, id: id))
    }
    return isNew.contains(Key(entity: entity, id: id))
  }

  /// Requires that no object which this put inserted was replaced by another one of it.
  ///
  /// - Parameters:
  ///   - roots: The ids of objects of an entity that the caller has put one after the other, so that a later one may
  ///     replace an earlier one.
  ///   - schema: The entity.
  /// - Throws: ``ObjectBoxError/uniqueViolation(message:)`` with the property.
  /// - Complexity: O(*n* log *m*) in the objects that were inserted and those of their entities.
  func requireNoneReplaced(besides roots: Set<Id> = [], of schema: EntitySchema) throws {
    for (entity, id) in inserted where !(entity == schema && roots.contains(id)) {
      let replacing = { (property: PropertySchema) in property.index?.replacesOnConflict ?? false }
      if try !entity.properties.contains(where: replacing) || transaction.contains(entity, id) {
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
      inserted.contains(where: { $0.entity == entity }),
      entity.properties.contains(where: { $0.index?.replacesOnConflict ?? false })
    else { return }
    throw replaced(entity)
  }

  /// Notes the target of a relation to one, if it is stored and others can replace it.
  func noteTarget(_ id: UInt64, of position: Int) throws {
    let entity = transaction.entity(at: position)
    guard entity.properties.contains(where: { $0.index?.replacesOnConflict ?? false }),
      try transaction.hasTarget(id, of: entity)
    else { return }
    targets.insert(Key(entity: entity, id: id))
  }

  private func replaced(_ entity: EntitySchema) -> ObjectBoxError {
    let names = entity.properties.filter { $0.index?.replacesOnConflict ?? false }.map {
      "\(entity.name).\($0.name)"
    }
    return .uniqueViolation(
      message:
        "two objects of one put have the same value of \(names.joined(separator: " or ")), so that one would "
        + "replace the other; give them different values")
  }

  // MARK: - Relations to many

  /// Runs a function after the records that are being built, and after the id of the object is set
  /// that is being put.
  func whenWritten(_ body: @escaping () throws -> Void) { deferred.append(body) }

  /// Whether records or relations to many wait to be written.
  var hasDeferred: Bool { !deferred.isEmpty || !postponed.isEmpty }

  /// Writes the records and then the relations to many that waited.
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

  // MARK: - Failing

  /// Puts the ids of objects back.
  func reset() {
    for reset in resets.reversed() { reset() }
    resets = []
  }

  /// Removes what this put inserted, the last first, so that the transaction can go on.
  func undo() {
    do throws(StoreError) {
      for (entity, id) in inserted.reversed() { try transaction.remove(entity, id) }
    } catch {
      transaction.doom("\(error)")
    }
    inserted = []
    isNew = []
  }
}
