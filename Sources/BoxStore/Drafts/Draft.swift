internal import BoxEngine
internal import BoxStorage
internal import Synchronization

/// Changes of a store that only their owner sees, until they are committed or discarded.
///
/// ```swift
/// let draft = store.makeDraft()
/// let people = draft.box(for: Person.self)
/// try people.put(person)
/// try draft.undo()
/// try draft.redo()
/// try draft.commit()
/// ```
///
/// A draft keeps its changes in memory and holds no transaction open, so others read and write the store
/// meanwhile. It shows the current state of the store with its own changes applied. A call runs in a
/// write transaction that is undone at its end; it waits for other writers, and they wait for it.
///
/// An object *conflicts* if it was changed by another transaction after a box of the draft last returned
/// it, or, where none did, after the draft first changed it. ``commit(conflicts:)`` says what happens then.
/// To-many relations do not conflict: what the draft has added to them and taken out is added and taken out.
/// But an object that the draft has linked has to exist. Objects of unique values that others have stored
/// meanwhile fail as in any transaction; undo the change, or roll the draft back.
///
/// Relations of objects are followed in the store, where what is only in the draft does not exist. Follow
/// them in ``runInTransaction(_:)-((Transaction)->T)``, and put new targets there too.
///
/// A draft can be used by several threads. It cannot be used inside of a transaction of its store, nor
/// after the store was closed: each call that throws throws ``ObjectBoxError/illegalState(message:)`` then,
/// and the errors of the storage.
public final class Draft: Sendable {
  /// The store, which stays open as long as the draft is used, unless it is closed.
  public let store: Store
  private let core: StoreCore
  /// Held by one call at a time, which waits for the writer inside.
  private let operation = Lock()
  private let state = Mutex(DraftState())

  init(_ store: Store) {
    self.store = store
    core = store.core
  }

  /// The box for the objects of an entity type in the draft.
  ///
  /// - Complexity: O(1) on average.
  public func box<E>(for type: E.Type = E.self) -> DraftBox<E> {
    DraftBox(self, store.box(for: type))
  }

  // MARK: - Changing

  /// Runs a function that sees the changes of the draft, and whose own changes go into the draft.
  ///
  /// All boxes, queries, relations and imports that the function uses on this thread take part, as in
  /// `Store.runInTransaction(_:)`. If it throws or cancels, the draft stays as it was. Several changes in one
  /// call are faster than as many calls.
  ///
  /// - Returns: The value of the function.
  /// - Throws: The error of the function, unchanged; ``ObjectBoxError/uniqueViolation(message:)`` if others
  ///   have stored a unique value of the draft.
  /// - Complexity: O(*n* log *m*) in the *n* changes of the draft and the *m* objects of the store, beside the
  ///   function. If it puts new objects, a commit reserves their ids.
  @discardableResult
  public func runInTransaction<T>(_ block: (Transaction) throws -> T) throws -> T {
    try exclusively {
      let (content, seen) = state.withLock { ($0.content, $0.seen) }
      let (result, changed) = try undoing { engine in
        try content.apply(to: engine)
        let mark = engine.noteAllChanges()
        let result = try TransactionState.uncancelled(engine) {
          try block(Transaction(engine, of: core, notesChanges: true))
        }
        try engine.requireNoFailure()
        var changed = content
        try changed.capture(engine, since: mark, seen: seen)
        return (result, changed)
      }
      state.withLock { $0.recordChanges(changed) }
      return result
    }
  }

  /// Calls a function with a transaction that sees the changes of the draft, and notes what it has read.
  func reading<R>(
    _ body: (EngineTransaction) throws -> (result: R, read: [DraftKey])
  ) throws -> R {
    try exclusively {
      let content = state.withLock { $0.content }
      func read(_ engine: EngineTransaction) throws -> (R, [(key: DraftKey, hash: Int?)]) {
        let (result, read) = try body(engine)
        let seen = try read.filter { content.records[$0] == nil }.map { key in
          (key, try engine.get(key.entity, key.id)?.storedHash)
        }
        return (result, seen)
      }
      let (result, seen) =
        try content.isEmpty
        ? core.reading(read)
        : undoing { engine in
          try content.apply(to: engine)
          return try read(engine)
        }
      state.withLock { $0.recordReads(seen) }
      return result
    }
  }

  // MARK: - The changes

  /// Whether anything in the draft differs from the store as it was.
  public var hasChanges: Bool { state.withLock { !$0.content.isEmpty } }

  /// The objects of an entity type that the draft has inserted, updated and removed since it was committed,
  /// in the order of their ids.
  ///
  /// - Parameter type: The entity type.
  /// - Returns: The ids.
  /// - Complexity: O(*n* log *n*) in the changes of the draft.
  public func changes<E: EntityInspectable & __EntityRelatable>(
    of type: E.Type
  ) -> TransactionChanges<E> where E == E.EntityBindingType.EntityType {
    let entity = core.box(for: type).core.schema
    let content = state.withLock { $0.content }
    var (inserted, updated, removed): (Set<Id>, Set<Id>, Set<Id>) = ([], [], [])
    for (key, record) in content.records where key.entity == entity {
      if record.object == nil {
        removed.insert(key.id)
      } else if record.base == nil {
        inserted.insert(key.id)
      } else {
        updated.insert(key.id)
      }
    }
    for key in content.links.keys where key.relation.source == entity.uid {
      if !inserted.contains(key.source) { updated.insert(key.source) }
    }
    func ids(_ ids: Set<Id>) -> [EntityId<E>] { ids.sorted().map { EntityId($0) } }
    return TransactionChanges(
      inserted: ids(inserted), updated: ids(updated), removed: ids(removed))
  }

  // MARK: - Steps

  /// Ends a step of ``undo()``: later changes belong to the next step.
  ///
  /// An app calls it after each action of its user. It does nothing if nothing was changed since the last step.
  ///
  /// - Throws: The [errors of every call](doc:errors#Errors-of-every-call).
  /// - Complexity: O(1).
  public func flush() throws { try exclusively { state.withLock { $0.flush() } } }

  /// Whether ``undo()`` would undo anything.
  public var canUndo: Bool { state.withLock { $0.canUndo } }

  /// Whether ``redo()`` would apply a step again.
  public var canRedo: Bool { state.withLock { $0.canRedo } }

  /// Undoes the last step: all changes since the last call of ``flush()``, or else the step that this call
  /// ended.
  ///
  /// ```swift
  /// try people.put(person)
  /// try draft.flush()  // the end of a step
  /// person.name = "Ada"
  /// try people.put(person)
  /// try draft.undo()  // the new name
  /// try draft.undo()  // the person
  /// ```
  ///
  /// - Returns: Whether there was one since the draft was made, committed or rolled back.
  /// - Throws: The [errors of every call](doc:errors#Errors-of-every-call).
  /// - Complexity: O(*n*) in the changes of the step.
  @discardableResult
  public func undo() throws -> Bool { try exclusively { state.withLock { $0.undo() } } }

  /// Applies the step again that was undone last; a new change discards the undone steps.
  ///
  /// - Returns: Whether there was one.
  /// - Throws: The [errors of every call](doc:errors#Errors-of-every-call).
  /// - Complexity: O(*n*) in the changes of the step.
  @discardableResult
  public func redo() throws -> Bool { try exclusively { state.withLock { $0.redo() } } }

  // MARK: - The end

  /// Discards all changes that were not committed, and forgets which objects were read.
  ///
  /// - Throws: The [errors of every call](doc:errors#Errors-of-every-call).
  /// - Complexity: O(*n*) in the changes of the draft.
  public func rollback() throws { try exclusively { state.withLock { $0 = DraftState() } } }

  /// Writes all changes to the store in one transaction, all or none.
  ///
  /// ```swift
  /// do {
  ///   try draft.commit()
  /// } catch let error as DraftConflictError {
  ///   for conflict in error.conflicts { print(conflict) }
  ///   try draft.commit(conflicts: .overwrite)
  /// }
  /// ```
  ///
  /// The draft stays usable, and starts again without changes and steps. If the call throws, the draft stays
  /// as it was. Without changes nothing is written.
  ///
  /// - Parameter rule: The treatment of objects that others have changed.
  /// - Throws: ``DraftConflictError`` that lists these objects, unless they are overwritten;
  ///   ``ObjectBoxError/uniqueViolation(message:)`` if others have stored a unique value of the draft.
  /// - Complexity: O(*n* log *m*) in the *n* changes of the draft and the *m* objects of the store; it waits for
  ///   other writers, and for the disk.
  public func commit(conflicts rule: DraftConflictRule = .refuse) throws {
    try exclusively {
      let content = state.withLock { $0.content }
      if content.isEmpty {
        state.withLock { $0.finish([]) }
        return
      }
      var overwritten: [DraftConflict] = []
      let stored = try ObjectBoxError.wrapping {
        try core.engine.write { engine in
          let conflicts = try content.conflicts(in: engine)
          if rule == .refuse, !conflicts.isEmpty { throw DraftConflictError(conflicts: conflicts) }
          try content.apply(to: engine)
          overwritten = conflicts
          return try content.records.keys.map { key in
            (key: key, hash: try engine.get(key.entity, key.id)?.storedHash)
          }
        }
      }
      state.withLock { $0.finish(stored) }
      if overwritten.isEmpty { return }
      core.log(
        .notice,
        "a draft has overwritten changes of others in \(core.directoryPath): "
          + overwritten.map(\.description).joined(separator: ", "))
    }
  }

  // MARK: - Transactions

  private func exclusively<R>(_ body: () throws -> R) throws -> R {
    if store.isClosed {
      throw ObjectBoxError.illegalState(
        message: "the store of a draft is closed, and the draft with it; "
          + "open the store, and make the changes again")
    }
    // It would wait for a call that waits for this transaction.
    if core.engine.currentTransaction != nil {
      throw ObjectBoxError.illegalState(
        message: "a draft cannot be used inside of a transaction of its store; "
          + "use the boxes of the store there, and the draft after it")
    }
    return try operation.withLock(body)
  }

  private struct Undone: Error {}

  /// Runs a function in a write transaction that is undone.
  private func undoing<R>(_ body: (EngineTransaction) throws -> R) throws -> R {
    var result: Result<R, any Error> = .failure(Undone())
    do {
      try ObjectBoxError.wrapping {
        try core.engine.write { (engine) -> Void in
          result = .success(try body(engine))
          throw Undone()
        }
      }
    } catch is Undone {}
    return try result.get()
  }
}

extension Draft: CustomDebugStringConvertible {
  /// The store, and the number of objects and relations that were changed.
  public var debugDescription: String {
    let (objects, relations) = state.withLock { ($0.content.records.count, $0.content.links.count) }
    return "Draft(\(objects) objects and \(relations) relations changed, \(store.debugDescription))"
  }
}

extension Store {
  /// A draft: changes that are kept in memory until they are committed.
  ///
  /// ```swift
  /// let draft = store.makeDraft()
  /// try draft.box(for: Book.self).put(Book("Eden"))
  /// try draft.commit()
  /// ```
  ///
  /// - Complexity: O(1).
  public func makeDraft() -> Draft { Draft(self) }
}
