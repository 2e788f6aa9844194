internal import BoxEngine

extension Query {
  /// Calls a function with each object, in the order of the query, until it returns false.
  ///
  /// Few objects are in memory at a time, and all are of one transaction. Visits the objects that fulfil the
  /// condition when the visit begins. With `writable` the function may put and remove objects; it is not
  /// called with objects that it has removed. The transaction is then a write transaction, undone if the
  /// function throws.
  ///
  /// - Parameters:
  ///   - writable: Whether the function may write.
  ///   - visitor: Called with each object; returns whether the visit continues.
  /// - Throws: The error of the function, and ``ObjectBoxError/cannotWriteWhileReading(message:)`` for
  ///   `writable` in a read transaction.
  /// - Complexity: As ``find(offset:limit:)``; the ids are in memory, and 64 objects at a time.
  public func visit(
    writable: Bool = false, visitor: (EntityType) throws -> Bool
  ) throws {
    let ready = ready
    try box.transaction(writable) { transaction in
      let ids = try transaction.ids(try ready.query(transaction, isOrdered: true))
      // One at a time if the function can change what comes next.
      let size = writable ? 1 : Box<E>.pageSize
      for start in stride(from: 0, to: ids.count, by: size) {
        let page = Array(ids[start..<min(start + size, ids.count)])
        for object in try box.read(.ids(page)) where try !visitor(object) { return }
      }
    }
  }

  /// Calls a function with each object, in the order of the query; as ``visit(writable:visitor:)``.
  ///
  /// ```swift
  /// try query.forEach { book in print(book.title) }
  /// ```
  ///
  /// - Throws: As ``visit(writable:visitor:)``.
  /// - Complexity: As ``visit(writable:visitor:)``.
  public func forEach(
    writable: Bool = false, _ visitor: (EntityType) throws -> Void
  ) throws {
    try visit(writable: writable) { object in
      try visitor(object)
      return true
    }
  }
}
