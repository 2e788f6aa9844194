internal import BoxEngine

extension Query {
  private func read(_ window: ResultWindow) throws -> ContiguousArray<E> {
    try reading(isOrdered: true) { _, query in
      try box.read(.query(query, offset: window.offset, limit: window.limit))
    }
  }

  // MARK: - Objects

  /// The objects that fulfil the condition, in the order of the query; all of them for the limits nil and 0.
  ///
  /// ObjectBox has this meaning of 0. Write nil where a limit is computed.
  ///
  /// ```swift
  /// let cheap = try books.query { Book.price < 10 }.build().find()
  /// let thirdPage = try query.find(offset: 20, limit: 10)
  /// ```
  ///
  /// - Parameters:
  ///   - offset: The number of objects to leave out at the beginning.
  ///   - limit: The maximum number of objects; nil for all, and 0 as well.
  /// - Returns: The objects, read completely.
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` for a negative offset or limit.
  /// - Complexity: O(*n*) in the objects that have to be looked at: those that the indexes leave, or all.
  public func find(offset: Int = 0, limit: Int? = nil) throws -> sending [EntityType] {
    nonisolated(unsafe) let objects = Array(
      try read(ResultWindow(offset: offset, limit: limit)))
    return unsafe objects
  }

  /// The objects that fulfil the condition and come after one with an id, in the order of the ids: a page.
  ///
  /// ```swift
  /// var last: Id?
  /// repeat {
  ///   let page = try query.find(after: last, limit: 100)
  ///   for book in page { print(book.title) }
  ///   last = page.last?.id
  /// } while last != nil
  /// ```
  ///
  /// A page begins where the one before ended, whatever was put and removed meanwhile, and costs no more than the first
  /// one. An offset is counted from the beginning each time.
  ///
  /// - Parameters:
  ///   - id: The id of the last object of the page before; nil for the first page.
  ///   - limit: The maximum number of objects; nil for all, and 0 as well.
  /// - Returns: The objects, read completely.
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` for a negative limit, and if the query has an order.
  /// - Complexity: As ``find(offset:limit:)``, from the id on.
  public func find(
    after id: E.EntityBindingType.IdType?, limit: Int?
  ) throws -> sending [EntityType] {
    let window = try ResultWindow(offset: 0, limit: limit)
    let ready = ready
    nonisolated(unsafe) let objects = try box.reading { transaction in
      let page = try ready.page(after: id?.value ?? 0, transaction)
      return Array(try box.read(.query(page, offset: 0, limit: window.limit)))
    }
    return unsafe objects
  }

  /// The objects that fulfil the condition, next to each other in memory; as ``find(offset:limit:)``.
  ///
  /// - Throws: As ``find(offset:limit:)``.
  /// - Complexity: As ``find(offset:limit:)``.
  public func findContiguous(
    offset: Int = 0, limit: Int? = nil
  ) throws -> sending ContiguousArray<EntityType> {
    nonisolated(unsafe) let objects = try read(ResultWindow(offset: offset, limit: limit))
    return unsafe objects
  }

  /// The first object in the order of the query; nil if none fulfils the condition.
  ///
  /// ```swift
  /// let oldest = try books.query().ordered(by: Book.year).build().findFirst()
  /// ```
  ///
  /// - Throws: The [errors of every call](doc:errors#Errors-of-every-call).
  /// - Complexity: As ``find(offset:limit:)``, up to the first object.
  public func findFirst() throws -> sending EntityType? {
    nonisolated(unsafe) let object = try read(.first).first
    return unsafe object
  }

  /// The only object that fulfils the condition; nil if no object does.
  ///
  /// ```swift
  /// let book = try books.query { Book.isbn == "1" }.build().findUnique()
  /// ```
  ///
  /// - Throws: ``ObjectBoxError/nonUniqueResult(message:)`` if there are several.
  /// - Complexity: As ``find(offset:limit:)``, up to the second object.
  public func findUnique() throws -> sending EntityType? {
    nonisolated(unsafe) let objects = try read(.firstTwo)
    if unsafe objects.count > 1 {
      throw ObjectBoxError.nonUniqueResult(
        message: "several objects of \(E.entityInfo.entityName) fulfil the condition; "
          + "use findFirst() for one of them, or find() for all")
    }
    return unsafe objects.first
  }

  // MARK: - Ids

  /// The ids of the objects that fulfil the condition, in the order of the query.
  ///
  /// ```swift
  /// let ids = try books.query { Book.price < 10 }.build().findIds()
  /// ```
  ///
  /// - Throws: As ``find(offset:limit:)``.
  /// - Complexity: As ``find(offset:limit:)``; objects that an index shows to fulfil the condition are not
  ///   read.
  public func findIds(offset: Int = 0, limit: Int? = nil) throws -> [EntityId<EntityType>] {
    let window = try ResultWindow(offset: offset, limit: limit)
    return try reading(isOrdered: true) { transaction, query in
      try transaction.ids(query, offset: window.offset, limit: window.limit).map { EntityId($0) }
    }
  }

  /// The number of objects that fulfil the condition.
  ///
  /// ```swift
  /// let count = try books.query { Book.isbn.isNil() }.build().count()
  /// ```
  ///
  /// - Throws: The [errors of every call](doc:errors#Errors-of-every-call).
  /// - Complexity: O(1) for all objects, O(log *n*) for those that equal an indexed value, else as
  ///   ``find(offset:limit:)``; no objects are built.
  public func count() throws -> Int {
    try reading { transaction, query in try transaction.count(query) }
  }

  // MARK: - Removing

  /// Removes the objects that fulfil the condition, all or none.
  ///
  /// ```swift
  /// let removed = try books.query { Book.price < 0 }.build().remove()
  /// ```
  ///
  /// - Returns: The number of objects.
  /// - Throws: ``ObjectBoxError/constraintViolated(message:)`` if a delete rule forbids it, and
  ///   ``ObjectBoxError/cannotWriteWhileReading(message:)`` in a read transaction.
  /// - Complexity: As ``find(offset:limit:)``, and O(log *n*) for each object and each of its entries in
  ///   indexes and relations.
  @discardableResult
  public func remove() throws -> UInt64 {
    let ready = ready
    return try box.removing { try $0.remove(try ready.query($0, isOrdered: false)) }
  }
}
