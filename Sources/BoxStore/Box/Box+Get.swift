internal import BoxEngine

extension Box {
  /// Reads the objects of a source, in its order.
  func read(_ source: __ReadRequest.Source) throws -> ContiguousArray<E> {
    try reading { try binding.__read(__ReadRequest(source, core, $0), store: borrowed) }
  }

  func object(_ id: Id) throws -> E? {
    id == 0
      ? nil
      : try reading { try binding.__readFirst(__ReadRequest(.id(id), core, $0), store: borrowed) }
  }

  // MARK: - By id

  /// The object with an id; nil if it does not exist.
  ///
  /// - Throws: The [errors of every call](doc:errors#Errors-of-every-call).
  /// - Complexity: O(log *n*).
  public func get<I: UntypedIdBase>(_ entityId: I) throws -> sending E? {
    nonisolated(unsafe) let object = try object(entityId.value)
    return unsafe object
  }

  /// The object with an id; nil if it does not exist.
  ///
  /// ```swift
  /// if let book = try books.get(id) { print(book.title) }
  /// ```
  ///
  /// - Throws: The [errors of every call](doc:errors#Errors-of-every-call).
  /// - Complexity: O(log *n*).
  public func get(_ id: EntityId<E>) throws -> sending E? {
    nonisolated(unsafe) let object = try object(id.value)
    return unsafe object
  }

  /// The objects with ids, in the order of the ids; those that do not exist are left out.
  ///
  /// ```swift
  /// let some = try books.get([1, 2, 3] as [Id])
  /// let first = try books.get(ids, maxCount: 20)
  /// ```
  ///
  /// - Parameters:
  ///   - ids: The ids.
  ///   - maxCount: The number of objects at which reading stops; 0 for no limit.
  /// - Returns: The objects.
  /// - Throws: The [errors of every call](doc:errors#Errors-of-every-call).
  /// - Complexity: O(log *n*) for each.
  public func get<I: IdBase, C: Collection>(_ ids: C, maxCount: Int = 0) throws -> sending [E]
  where C.Element == I {
    nonisolated(unsafe) let objects = try reading { transaction in
      var found = ids.map(\.value)
      if maxCount > 0 {
        var left = maxCount
        found = try found.filter { id in
          guard left > 0, try transaction.contains(core.schema, id) else { return false }
          left -= 1
          return true
        }
      }
      return Array(try read(.ids(found)))
    }
    return unsafe objects
  }

  /// The objects with ids, by their ids; those that do not exist are left out.
  ///
  /// - Throws: The [errors of every call](doc:errors#Errors-of-every-call).
  /// - Complexity: O(log *n*) for each.
  public func getAsDictionary<C: Collection>(_ ids: C) throws -> sending [EntityId<E>: E]
  where C.Element == EntityId<E> {
    nonisolated(unsafe) let objects = try dictionary(ids)
    return unsafe objects
  }

  /// The objects with ids, by their ids; those that do not exist are left out.
  ///
  /// - Throws: The [errors of every call](doc:errors#Errors-of-every-call).
  /// - Complexity: O(log *n*) for each.
  public func getAsDictionary<I: UntypedIdBase, C: Collection>(_ ids: C) throws -> sending [I: E]
  where C.Element == I {
    nonisolated(unsafe) let objects = try dictionary(ids)
    return unsafe objects
  }

  private func dictionary<I: IdBase>(_ ids: some Collection<I>) throws -> [I: E] {
    let pairs = try read(.ids(ids.map(\.value))).map { (I(binding.entityId(of: $0)), $0) }
    return Dictionary(pairs) { first, _ in first }
  }

  // MARK: - All

  /// All objects, in the order of their ids.
  ///
  /// ```swift
  /// for book in try books.all() { print(book.title) }
  /// ```
  ///
  /// - Throws: The [errors of every call](doc:errors#Errors-of-every-call).
  /// - Complexity: O(*n*).
  public func all() throws -> sending [E] {
    nonisolated(unsafe) let objects = Array(try read(.all))
    return unsafe objects
  }

  /// All objects, in the order of their ids, next to each other in memory.
  ///
  /// - Throws: The [errors of every call](doc:errors#Errors-of-every-call).
  /// - Complexity: O(*n*).
  public func allContiguous() throws -> sending ContiguousArray<E> {
    nonisolated(unsafe) let objects = try read(.all)
    return unsafe objects
  }
}
