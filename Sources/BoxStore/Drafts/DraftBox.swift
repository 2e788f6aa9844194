internal import BoxEngine

/// The objects of an entity type in a draft.
///
/// It has the calls of a ``Box``, which see the changes of the draft. Each runs in a call of
/// ``Draft/runInTransaction(_:)-((Transaction)->T)``, or costs as much: put and read many objects in one.
public struct DraftBox<E: EntityInspectable & __EntityRelatable>: Sendable
where E == E.EntityBindingType.EntityType {
  /// The entity type.
  public typealias EntityType = E

  /// The draft.
  public let draft: Draft
  private let box: Box<E>

  init(_ draft: Draft, _ box: Box<E>) {
    self.draft = draft
    self.box = box
  }

  private func key(_ id: Id) -> DraftKey { DraftKey(entity: box.core.schema, id: id) }

  private func keys(_ objects: [E]) -> [DraftKey] {
    objects.map { key(box.binding.entityId(of: $0)) }
  }

  // MARK: - Reading

  /// The object with an id; nil if it does not exist.
  ///
  /// - Throws: The [errors of every call](doc:errors#Errors-of-every-call).
  /// - Complexity: As ``Draft/runInTransaction(_:)-((Transaction)->T)``.
  public func get<I: UntypedIdBase>(_ entityId: I) throws -> sending E? {
    try get(EntityId<E>(entityId.value))
  }

  /// The object with an id; nil if it does not exist.
  ///
  /// - Throws: The [errors of every call](doc:errors#Errors-of-every-call).
  /// - Complexity: As ``Draft/runInTransaction(_:)-((Transaction)->T)``.
  public func get(_ id: EntityId<E>) throws -> sending E? {
    nonisolated(unsafe) let object = try draft.reading { _ in
      (try box.get(id), [key(id.value)])
    }
    return unsafe object
  }

  /// The objects with ids, in the order of the ids; those that do not exist are left out.
  ///
  /// - Throws: The [errors of every call](doc:errors#Errors-of-every-call).
  /// - Complexity: As ``Draft/runInTransaction(_:)-((Transaction)->T)``, and O(log *n*) for each.
  public func get<I: IdBase, C: Collection>(_ ids: C) throws -> sending [E]
  where C.Element == I {
    nonisolated(unsafe) let objects = try draft.reading { _ in
      (try box.get(ids), ids.map { key($0.value) })
    }
    return unsafe objects
  }

  /// The object that has a value of a unique property; nil if no object has it.
  ///
  /// - Throws: As `Box.get(_:_:)`.
  /// - Complexity: As ``Draft/runInTransaction(_:)-((Transaction)->T)``.
  public func get<V>(_ key: UniqueKey<E, V>, _ value: V) throws -> sending E? {
    nonisolated(unsafe) let object = try draft.reading { _ in
      let object = try box.get(key, value)
      return (object, keys(object.map { [$0] } ?? []))
    }
    return unsafe object
  }

  /// All objects, in the order of their ids.
  ///
  /// - Throws: The [errors of every call](doc:errors#Errors-of-every-call).
  /// - Complexity: As ``Draft/runInTransaction(_:)-((Transaction)->T)``, and O(*n*).
  public func all() throws -> sending [E] {
    nonisolated(unsafe) let objects = try draft.reading { _ in
      let objects = try box.all()
      return (objects, keys(objects))
    }
    return unsafe objects
  }

  /// The objects that fulfil the condition of a query, in its order; as ``Query/find(offset:limit:)``.
  ///
  /// - Throws: The errors of the query.
  /// - Complexity: As ``Draft/runInTransaction(_:)-((Transaction)->T)`` and the query.
  public func find(_ query: Query<E>, offset: Int = 0, limit: Int? = nil) throws -> sending [E] {
    if query.box.storeCore !== box.storeCore {
      throw ObjectBoxError.illegalArgument(
        message:
          "the query belongs to another store than the draft; build it with a box of this store")
    }
    nonisolated(unsafe) let objects = try draft.reading { _ in
      let objects = try query.find(offset: offset, limit: limit)
      return (objects, keys(objects))
    }
    return unsafe objects
  }

  /// The number of objects.
  ///
  /// - Throws: The [errors of every call](doc:errors#Errors-of-every-call).
  /// - Complexity: As ``Draft/runInTransaction(_:)-((Transaction)->T)``.
  public func count() throws -> Int { try draft.reading { _ in (try box.count(), []) } }

  /// Whether there is an object with an id.
  ///
  /// - Throws: The [errors of every call](doc:errors#Errors-of-every-call).
  /// - Complexity: As ``Draft/runInTransaction(_:)-((Transaction)->T)``.
  public func contains(_ id: E.EntityBindingType.IdType) throws -> Bool {
    try draft.reading { _ in (try box.contains(id), []) }
  }

  // MARK: - Writing

  /// Puts an object into the draft; as `Box.put(_:mode:)`.
  ///
  /// The id of a new object is that which it has after the commit.
  ///
  /// - Returns: The id.
  /// - Throws: The errors of `Box.put(_:mode:)`.
  /// - Complexity: As ``Draft/runInTransaction(_:)-((Transaction)->T)``.
  @discardableResult
  public func put(_ entity: E, mode: PutMode = .put) throws -> E.EntityBindingType.IdType {
    try draft.runInTransaction { _ in try box.put(entity, mode: mode) }
  }

  /// Puts a struct into the draft, and sets its id.
  ///
  /// - Returns: The id.
  /// - Throws: As `put(_:mode:)`.
  /// - Complexity: As `put(_:mode:)`.
  @discardableResult
  public func put(_ entity: inout E, mode: PutMode = .put) throws -> E.EntityBindingType.IdType {
    try draft.runInTransaction { _ in try box.put(&entity, mode: mode) }
  }

  /// Puts objects into the draft, all or none.
  ///
  /// - Returns: The ids, in order.
  /// - Throws: As `put(_:mode:)`.
  /// - Complexity: As `put(_:mode:)`, once for all.
  @discardableResult
  public func put<C: Collection>(
    _ entities: C, mode: PutMode = .put
  ) throws -> [E.EntityBindingType.IdType] where C.Element == E {
    try draft.runInTransaction { _ in try box.putAndReturnIDs(entities, mode: mode) }
  }

  /// Replaces the object that has the same value of a unique property in the draft, or inserts a new one; as
  /// `Box.put(_:matching:)`.
  ///
  /// - Returns: The id.
  /// - Throws: The errors of `Box.put(_:matching:)`.
  /// - Complexity: As ``Draft/runInTransaction(_:)-((Transaction)->T)``.
  @discardableResult
  public func put<V>(
    _ entity: E, matching key: UniqueKey<E, V>
  ) throws -> E.EntityBindingType.IdType {
    try draft.runInTransaction { _ in try box.put(entity, matching: key) }
  }

  /// Replaces the struct that has the same value of a unique property in the draft, or inserts a new one, and sets
  /// the id.
  ///
  /// - Returns: The id.
  /// - Throws: As `put(_:matching:)`.
  /// - Complexity: As `put(_:matching:)`.
  @discardableResult
  public func put<V>(
    _ entity: inout E, matching key: UniqueKey<E, V>
  ) throws -> E.EntityBindingType.IdType {
    try draft.runInTransaction { _ in try box.put(&entity, matching: key) }
  }

  /// Puts objects into the draft, all or none, as `put(_:matching:)`.
  ///
  /// - Returns: The ids, in order.
  /// - Throws: As `put(_:matching:)`.
  /// - Complexity: As `put(_:matching:)`, once for all.
  @discardableResult
  public func put<V, C: Collection>(
    _ entities: C, matching key: UniqueKey<E, V>
  ) throws -> [E.EntityBindingType.IdType] where C.Element == E {
    try draft.runInTransaction { _ in try box.put(entities, matching: key) }
  }

  /// Removes an object from the draft, if there is one.
  ///
  /// - Returns: Whether the object existed; false for nil.
  /// - Throws: The [errors of every call](doc:errors#Errors-of-every-call).
  /// - Complexity: As ``Draft/runInTransaction(_:)-((Transaction)->T)``.
  @discardableResult
  public func remove(_ entity: E?) throws -> Bool {
    try draft.runInTransaction { _ in try box.remove(entity) }
  }

  /// Removes the object with an id from the draft, if there is one.
  ///
  /// - Returns: Whether the object existed.
  /// - Throws: The [errors of every call](doc:errors#Errors-of-every-call).
  /// - Complexity: As ``Draft/runInTransaction(_:)-((Transaction)->T)``.
  @discardableResult
  public func remove<I: UntypedIdBase>(_ entityId: I) throws -> Bool {
    try draft.runInTransaction { _ in try box.remove(entityId) }
  }

  /// Removes all objects from the draft.
  ///
  /// - Returns: The number of objects.
  /// - Throws: The [errors of every call](doc:errors#Errors-of-every-call).
  /// - Complexity: As ``Draft/runInTransaction(_:)-((Transaction)->T)``, and O(*n*).
  @discardableResult
  public func removeAll() throws -> UInt64 {
    try draft.runInTransaction { _ in try box.removeAll() }
  }
}

extension DraftBox: CustomDebugStringConvertible {
  /// The entity and the draft.
  public var debugDescription: String { "DraftBox<\(E.self)>(\(draft.debugDescription))" }
}
