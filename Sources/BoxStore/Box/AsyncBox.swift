internal import BoxEngine

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Puts and removes objects of one entity type later, on a thread of the store.
///
/// A call returns as soon as the operation is enqueued. Operations run in the order of the calls, and
/// many share one commit, so that many small puts are as fast as one of an array. The values of an object
/// are taken at the call: later changes of it are not stored.
///
/// An operation that fails leaves no changes, and does not affect the others. Its caller cannot see the
/// failure: use ``Store/onAsyncFailure(_:)`` and ``Store/awaitAsyncCompleted()``.
///
/// New targets of to-one relations are put at the call. To-many relations are not written: an object whose relations
/// to many have objects that would be written with it is refused, and is put by its ``Box``.
public final class AsyncBox<E: EntityInspectable & __EntityRelatable>: Sendable
where E == E.EntityBindingType.EntityType {
  /// The entity type.
  public typealias EntityType = E

  private let storeCore: StoreCore
  private let core: __EntityCore
  private let enqueueTimeout: Double

  /// Creates an asynchronous box.
  ///
  /// - Parameters:
  ///   - box: The box of the objects.
  ///   - enqueueTimeout: The maximum time in seconds that a call waits if the queue is full.
  public convenience init(box: Box<E>, enqueueTimeout: TimeInterval) {
    self.init(box.storeCore, box.core, enqueueTimeout: enqueueTimeout)
  }

  init(_ storeCore: StoreCore, _ core: __EntityCore, enqueueTimeout: Double) {
    self.storeCore = storeCore
    self.core = core
    self.enqueueTimeout = enqueueTimeout
  }

  // MARK: - Putting

  /// Puts objects as one operation.
  private func put(all entities: [E], _ mode: PutMode) throws -> [EntityId<E>] {
    if entities.isEmpty { return [] }
    let (binding, schema) = (E.entityBinding, core.schema)
    let given = entities.map { binding.entityId(of: $0) }
    let ids: [Id] = try ObjectBoxError.wrapping {
      if mode == .update && given.contains(0) { throw core.noIDToUpdate }
      let newCount = given.count { $0 == 0 }
      if newCount == 0 { return given }
      var next = try storeCore.engine.reserveIDs(schema, count: newCount).lowerBound
      return given.map { id in
        if id != 0 { return id }
        defer { next += 1 }
        return next
      }
    }
    let isNew = given.map { $0 == 0 }
    // A target that is put refers back to objects that have their ids.
    for (position, entity) in entities.enumerated() where isNew[position] {
      binding.setEntityIdUnlessStruct(of: entity, to: ids[position])
    }
    do {
      try enqueue(entities, ids, isNew, mode)
    } catch {
      for (position, entity) in entities.enumerated() where isNew[position] {
        binding.setEntityIdUnlessStruct(of: entity, to: 0)
      }
      throw error
    }
    return ids.map { EntityId($0) }
  }

  private func enqueue(
    _ entities: [E], _ ids: [Id], _ isNew: [Bool], _ mode: PutMode
  ) throws {
    let (prepared, targets) = try prepared(entities, ids)
    if core.hasRelations {
      for (position, entity) in entities.enumerated() where isNew[position] {
        try attachRelations(of: entity, ids[position])
      }
    }
    let operation = AsyncPut(core.schema, ids, isNew: isNew, mode, prepared, targets: targets)
    try storeCore.enqueue(within: enqueueTimeout) { transaction in
      try operation.run(transaction)
    } onFailure: { [engine = storeCore.engine] in
      operation.noteFailure(engine)
    }
  }

  /// Attaches the relations of a new object to the store, as a put by a box does.
  private func attachRelations(of entity: E, _ id: Id) throws {
    let binding = E.entityBinding
    // Older bindings tie them only while the id is 0.
    binding.setEntityIdUnlessStruct(of: entity, to: 0)
    defer { binding.setEntityIdUnlessStruct(of: entity, to: id) }
    let check = UnwrittenRelations()
    try UnwrittenRelations.$current.withValue(check) {
      try binding.postPut(fromEntity: entity, id: id, store: Store.borrowed(storeCore))
    }
    if check.isFound {
      throw ObjectBoxError.illegalArgument(
        message:
          "a relation to many of the new \(core.schema.name) has objects, and an asynchronous put "
          + "does not write them; put it by its box")
    }
  }

  /// The records of objects under their ids, and the targets of their to-one relations, which are put if they are
  /// new: all or none.
  private func prepared(
    _ entities: [E], _ ids: [Id]
  ) throws -> (PreparedObjects, targets: [(entity: Int, id: UInt64)]) {
    do {
      return try collected(entities, ids, putsTargets: false)
    } catch is UnstoredTarget {
      return try storeCore.writing(.savepoint) { _ in
        try collected(entities, ids, putsTargets: true)
      }
    }
  }

  private func collected(
    _ entities: [E], _ ids: [Id], putsTargets: Bool
  ) throws -> (PreparedObjects, targets: [(entity: Int, id: UInt64)]) {
    let records = PreparedObjects(core.schema)
    var targets: [(entity: Int, id: UInt64)] = []
    let store = Store.borrowed(storeCore)
    try ObjectBoxError.wrapping {
      for (entity, id) in zip(entities, ids) {
        try unsafe records.append(id: id) { writer in
          try unsafe withUnsafeMutablePointer(to: &writer) { writer in
            let collector = unsafe PropertyCollector(core, writer, nil)
            collector.putsTargets = putsTargets
            try E.entityBinding.collect(
              fromEntity: entity, id: id, propertyCollector: collector, store: store)
            try collector.requireNoFailure()
            targets += collector.uncheckedTargets
          }
        }
      }
    }
    return (records, targets)
  }

  /// Puts an object later; a new object of a class gets its id at once.
  ///
  /// ```swift
  /// let id = try books.async.put(Book("Fiasco"))  // stored a little later
  /// ```
  ///
  /// - Returns: The id.
  /// - Throws: ``ObjectBoxError/notFound(message:)`` for an update without an id,
  ///   ``ObjectBoxError/illegalArgument(message:)`` or ``ObjectBoxError/propertyTypeMismatch(message:)``
  ///   for a value that does not fit its property, and ``ObjectBoxError/illegalState(message:)`` if the
  ///   store is closed, or too many operations wait.
  /// - Complexity: O(log *n*).
  @discardableResult
  public func put(_ entity: E, mode: PutMode = .put) throws -> EntityId<E> {
    try put(all: [entity], mode)[0]
  }

  /// Puts objects later, all or none; as `put(_:mode:)`.
  ///
  /// - Throws: As `put(_:mode:)`.
  /// - Complexity: O(*n*) in the objects, which are written later.
  @discardableResult
  public func put<C: Collection>(_ entities: C, mode: PutMode = .put) throws -> [EntityId<E>]
  where C.Element == E {
    try put(all: Array(entities), mode)
  }

  /// Puts objects later, all or none; as `put(_:mode:)`.
  ///
  /// - Throws: As `put(_:mode:)`.
  /// - Complexity: O(*n*) in the objects, which are written later.
  @discardableResult
  public func put(_ entities: [E], mode: PutMode = .put) throws -> [EntityId<E>] {
    try put(all: entities, mode)
  }

  /// Puts objects later, all or none; as `put(_:mode:)`.
  ///
  /// - Throws: As `put(_:mode:)`.
  /// - Complexity: O(*n*) in the objects, which are written later.
  @discardableResult
  public func put(
    _ entities: ContiguousArray<E>, mode: PutMode = .put
  ) throws -> ContiguousArray<EntityId<E>> {
    ContiguousArray(try put(all: Array(entities), mode))
  }

  /// Puts objects later, all or none; as `put(_:mode:)`.
  ///
  /// - Throws: As `put(_:mode:)`.
  /// - Complexity: O(*n*) in the objects, which are written later.
  @discardableResult
  public func put(_ entities: E..., mode: PutMode = .put) throws -> [EntityId<E>] {
    try put(all: entities, mode)
  }

  // MARK: - Removing

  private func remove(all ids: [Id]) throws {
    let schema = core.schema
    try storeCore.enqueue(within: enqueueTimeout) { transaction in
      _ = try transaction.remove([(schema, ids)])
    }
  }

  /// Removes the object with an id later, if there is one.
  ///
  /// - Throws: ``ObjectBoxError/illegalState(message:)`` if the store is closed, or too many operations
  ///   wait.
  /// - Complexity: O(*n*) in the ids; the objects are removed later.
  public func remove(_ entityId: EntityId<E>) throws { try remove(all: [entityId.value]) }

  /// Removes the object with an id later, as ``remove(_:)-(EntityId<E>)``.
  ///
  /// - Throws: As ``remove(_:)-(EntityId<E>)``.
  /// - Complexity: O(*n*) in the ids; the objects are removed later.
  public func remove<I: UntypedIdBase>(_ entityId: I) throws { try remove(all: [entityId.value]) }

  /// Removes the stored object with the id of an object later, as ``remove(_:)-(EntityId<E>)``.
  ///
  /// - Throws: As ``remove(_:)-(EntityId<E>)``.
  /// - Complexity: O(*n*) in the ids; the objects are removed later.
  public func remove(_ entity: E) throws { try remove(all: [E.entityBinding.entityId(of: entity)]) }

  /// Removes objects later, all or none, as ``remove(_:)-(EntityId<E>)``.
  ///
  /// - Throws: As ``remove(_:)-(EntityId<E>)``.
  /// - Complexity: O(*n*) in the ids; the objects are removed later.
  public func remove<C: Collection>(_ entities: C) throws where C.Element == E {
    try remove(all: entities.map { E.entityBinding.entityId(of: $0) })
  }

  /// Removes objects later, all or none, as ``remove(_:)-(EntityId<E>)``.
  ///
  /// - Throws: As ``remove(_:)-(EntityId<E>)``.
  /// - Complexity: O(*n*) in the ids; the objects are removed later.
  public func remove(_ entities: E...) throws {
    try remove(all: entities.map { E.entityBinding.entityId(of: $0) })
  }

  /// Removes the objects with ids later, all or none, as ``remove(_:)-(EntityId<E>)``.
  ///
  /// - Throws: As ``remove(_:)-(EntityId<E>)``.
  /// - Complexity: O(*n*) in the ids; the objects are removed later.
  public func remove<C: Collection>(_ entityIDs: C) throws where C.Element == EntityId<E> {
    try remove(all: entityIDs.map(\.value))
  }

  /// Removes the objects with ids later, all or none, as ``remove(_:)-(EntityId<E>)``.
  ///
  /// - Throws: As ``remove(_:)-(EntityId<E>)``.
  /// - Complexity: O(*n*) in the ids; the objects are removed later.
  public func remove<I: UntypedIdBase, C: Collection>(_ entityIDs: C) throws where C.Element == I {
    try remove(all: entityIDs.map(\.value))
  }

  /// Removes the objects with ids later, all or none, as ``remove(_:)-(EntityId<E>)``.
  ///
  /// - Throws: As ``remove(_:)-(EntityId<E>)``.
  /// - Complexity: O(*n*) in the ids; the objects are removed later.
  public func remove(_ entityIDs: EntityId<E>...) throws { try remove(all: entityIDs.map(\.value)) }

  /// Removes the objects with ids later, all or none, as ``remove(_:)-(EntityId<E>)``.
  ///
  /// - Throws: As ``remove(_:)-(EntityId<E>)``.
  /// - Complexity: O(*n*) in the ids; the objects are removed later.
  public func remove<I: UntypedIdBase>(_ entityIDs: I...) throws {
    try remove(all: entityIDs.map(\.value))
  }
}

extension Store {
  /// Waits until the asynchronous operations that were called before have run.
  ///
  /// - Returns: Whether they ran: false in a write transaction, for which they wait, and in a closed
  ///   store.
  @discardableResult
  public func awaitAsyncSubmitted() -> Bool {
    if isClosed { return false }
    return core.engine.waitForSubmissions()
  }

  /// Waits until no asynchronous operation is left, those included that are called meanwhile.
  ///
  /// ```swift
  /// try books.async.put(Book("Fiasco"))
  /// if !store.awaitAsyncCompleted() { print("a put or removal has failed") }
  /// ```
  ///
  /// - Returns: Whether all of them succeeded since this was last called; false in a write transaction and
  ///   in a closed store.
  @discardableResult
  public func awaitAsyncCompleted() -> Bool {
    repeat {
      if !awaitAsyncSubmitted() { return false }
    } while core.engine.hasSubmissions
    return !core.takeAsyncFailure()
  }

  /// Calls a function with the error of each asynchronous operation that fails, on a thread of the store;
  /// nil for none.
  ///
  /// ```swift
  /// store.onAsyncFailure { error in print("not stored:", error) }
  /// ```
  public func onAsyncFailure(_ handler: (@Sendable (ObjectBoxError) -> Void)?) {
    core.setAsyncFailure(handler)
  }
}
