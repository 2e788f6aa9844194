internal import BoxEngine

/// The transaction of a call of `Store.runInTransaction(_:)`.
///
/// It belongs to that call and must not be kept.
public final class Transaction {
  let engine: EngineTransaction
  let storeCore: StoreCore
  /// The changes that were noted before the call.
  private let mark: Int

  /// Creates the transaction of a call.
  ///
  /// - Parameters:
  ///   - engine: The transaction of the engine.
  ///   - storeCore: The store.
  ///   - notesChanges: Whether the call can ask for its changes.
  init(_ engine: EngineTransaction, of storeCore: StoreCore, notesChanges: Bool = false) {
    self.engine = engine
    self.storeCore = storeCore
    mark = notesChanges ? engine.noteAllChanges() : 0
  }

  /// Whether anything was put, removed or linked in the transaction so far.
  public var hasChanges: Bool { TransactionState.of(engine).hasChanges }

  /// Ends the call, and undoes the transaction.
  ///
  /// The transaction is undone even if the error does not leave the call, after `try?` for example. The
  /// outermost call throws it then.
  ///
  /// - Throws: `CancellationError`, which leaves the call that runs the transaction; after the end of that
  ///   call ``ObjectBoxError/illegalState(message:)``, as it is too late to undo anything.
  public func cancel() throws -> Never {
    if engine.hasEnded { throw ObjectBoxError(StoreError.transactionEnded) }
    TransactionState.of(engine).isCancelled = true
    throw CancellationError()
  }

  /// The objects of an entity type that the call has inserted, updated and removed so far, in the order
  /// in which they were first changed.
  ///
  /// - Parameter type: The entity type.
  /// - Returns: The ids; none in a read transaction.
  /// - Complexity: O(*n*) in the changes of the transaction.
  public func changes<E: EntityInspectable & __EntityRelatable>(
    of type: E.Type
  ) -> TransactionChanges<E> where E == E.EntityBindingType.EntityType {
    let changes = engine.changes(of: storeCore.box(for: type).core.schema, since: mark)
    func ids(_ kind: ObjectChange.Kind) -> [EntityId<E>] {
      changes.filter { $0.kind == kind }.map { EntityId($0.id) }
    }
    return TransactionChanges(
      inserted: ids(.inserted), updated: ids(.updated), removed: ids(.removed))
  }
}

/// The objects of an entity type that a transaction has changed, each in one of the lists.
///
/// An object that was inserted and removed again is in none.
public struct TransactionChanges<E: Entity>: Hashable, Sendable {
  /// The ids of new objects.
  public let inserted: [EntityId<E>]
  /// The ids of objects that were put again, or whose to-many relations were changed.
  public let updated: [EntityId<E>]
  /// The ids of objects that existed before.
  public let removed: [EntityId<E>]

  /// Whether there is no change.
  public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && removed.isEmpty }
}
