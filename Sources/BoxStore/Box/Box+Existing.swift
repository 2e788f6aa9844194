internal import BoxEngine

extension Box {
  /// The objects of ids, in their order, without those that do not exist; as ``get(_:maxCount:)``.
  ///
  /// - Throws: The [errors of every call](doc:errors#Errors-of-every-call).
  /// - Complexity: O(log *n*) for each id.
  public func getExisting<I: IdBase, C: Collection>(_ ids: C) throws -> sending [E]
  where C.Element == I {
    try get(ids)
  }

  /// An object as it is in the store now; nil if it was removed, or not put yet.
  ///
  /// ```swift
  /// if let current = try books.refreshed(book) { print(current.title) }
  /// ```
  ///
  /// - Throws: The [errors of every call](doc:errors#Errors-of-every-call).
  /// - Complexity: O(log *n*).
  public func refreshed(_ entity: E) throws -> sending E? {
    try get(EntityId<E>(binding.entityId(of: entity)))
  }

  /// Objects as they are in the store now, in their order, without those that were removed.
  ///
  /// - Throws: The [errors of every call](doc:errors#Errors-of-every-call).
  /// - Complexity: O(log *n*) for each object.
  public func refreshed<C: Collection>(_ entities: C) throws -> sending [E] where C.Element == E {
    try get(entities.map { EntityId<E>(binding.entityId(of: $0)) })
  }

  /// Removes an object, if there is one.
  ///
  /// - Returns: Whether the object existed; false for nil.
  /// - Throws: The [errors of every call](doc:errors#Errors-of-every-call).
  /// - Complexity: O(log *n*), and for each entry of the object in indexes and relations.
  @discardableResult
  public func remove(_ entity: E?) throws -> Bool {
    guard let entity else { return false }
    return try remove(entity)
  }
}
