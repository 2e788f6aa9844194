internal import BoxEngine

extension Box {
  /// The number of objects that a visit reads at once.
  static var pageSize: Int { 64 }

  /// Calls a function with each object, in the order of the ids, until it returns false.
  ///
  /// ```swift
  /// var titles: [String] = []
  /// try books.visit { book in
  ///   titles.append(book.title)
  ///   return titles.count < 10  // false ends the visit
  /// }
  /// ```
  ///
  /// Only a few objects are in memory at a time. All are read in one transaction. With `writable` the
  /// function may put and remove objects: it is not called with objects that it has removed, and is called
  /// with those that it has added after the current one. The transaction is then a write transaction, undone
  /// if the function throws.
  ///
  /// - Throws: The error of the function.
  /// - Complexity: O(*n*) in the objects visited.
  public func visit(writable: Bool = false, visitor: (E) throws -> Bool) throws {
    try transaction(writable) { transaction in
      var last: Id = 0
      while true {
        // Read to the end before the function is called, which may use the store.
        let limit = writable ? 1 : Self.pageSize
        let page = try binding.__read(
          __ReadRequest(.page(after: last, limit: limit), core, transaction), store: borrowed)
        for object in page {
          last = binding.entityId(of: object)
          if try !visitor(object) { return }
        }
        if page.count < limit { return }
      }
    }
  }

  /// Calls a function with each object, in the order of the ids; as ``visit(writable:visitor:)``.
  ///
  /// ```swift
  /// try books.forEach(writable: true) { book in
  ///   book.price *= 2
  ///   try books.put(book)
  /// }
  /// ```
  ///
  /// - Throws: The error of the function.
  /// - Complexity: O(*n*).
  public func forEach(writable: Bool = false, _ visitor: (E) throws -> Void) throws {
    try visit(writable: writable) { object in
      try visitor(object)
      return true
    }
  }

  /// Calls a function with the object of each id, in the order of the ids, and with nil for each that
  /// does not exist.
  ///
  /// - Throws: The error of the function.
  /// - Complexity: O(log *n*) for each.
  public func `for`<C: Collection>(
    writable: Bool = false, _ ids: C, in visitor: (E?) throws -> Void
  ) throws where C.Element == E.EntityBindingType.IdType {
    try visit(writable: writable, ids) { object in
      try visitor(object)
      return true
    }
  }

  /// Calls a function with the object of each id, as ``for(writable:_:in:)``, until it returns false.
  ///
  /// - Throws: The error of the function.
  /// - Complexity: O(log *n*) for each.
  public func visit<C: Collection>(
    writable: Bool = false, _ ids: C, in visitor: (E?) throws -> Bool
  ) throws where C.Element == E.EntityBindingType.IdType {
    try transaction(writable) { transaction in
      for id in ids {
        let found = try binding.__readFirst(
          __ReadRequest(.id(id.value), core, transaction), store: borrowed)
        if try !visitor(found) { return }
      }
    }
  }

  func transaction(
    _ writable: Bool, _ body: (EngineTransaction) throws -> Void
  ) throws {
    try ObjectBoxError.wrapping {
      if writable { try storeCore.engine.write(body) } else { try storeCore.engine.read(body) }
    }
  }
}
