internal import BoxEngine

extension Box {
  private typealias IdType = E.EntityBindingType.IdType

  // MARK: - Getting by a unique value

  /// The object that has a value of a unique property; nil if no object has it.
  ///
  /// ```swift
  /// if let book = try books.get(Book.isbn, "978-0-15-602760-1") { print(book.title) }
  /// ```
  ///
  /// Strings are compared by their UTF-8 bytes, and dates as they are stored.
  ///
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` if the property is not unique in the model of the store.
  /// - Complexity: O(log *n*).
  public func get<V>(_ key: UniqueKey<E, V>, _ value: V) throws -> sending E? {
    nonisolated(unsafe) let found = try reading { transaction -> E? in
      let lookup = try UniqueLookup(self, key.propertyId)
      return try lookup.id(of: value.uniqueImportValue, transaction).flatMap { try object($0) }
    }
    return unsafe found
  }

  // MARK: - Putting by a unique value

  /// Replaces the object that has the same value of a unique property, or inserts a new one.
  ///
  /// ```swift
  /// try books.put(book, matching: Book.isbn)  // book.id is the id of the book with this ISBN
  /// ```
  ///
  /// The look-up and the put are one transaction, so that threads and processes that put one value at the same time
  /// store one object. The object gets the id of the one that it replaces, and all of its values are stored, nil
  /// included: nothing is merged. Relations to many of the replaced object stay, and the objects that the new one has in
  /// its own are added to them. An object whose value is nil, or that no other object has, is put as by `put(_:mode:)`.
  ///
  /// - Parameters:
  ///   - entity: The object. The id of an object of a class is set.
  ///   - key: The unique property.
  /// - Returns: The id.
  /// - Throws: ``ObjectBoxError/constraintViolated(message:)`` if the object has an id, and another object has its
  ///   value; ``ObjectBoxError/illegalArgument(message:)`` if the property is not unique in the model of the store;
  ///   and the errors of `put(_:mode:)`. The id is as it was before then.
  /// - Complexity: As `put(_:mode:)`, and O(log *n*) for the look-up.
  @discardableResult
  public func put<V>(
    _ entity: E, matching key: UniqueKey<E, V>
  ) throws -> E.EntityBindingType.IdType {
    IdType(try putOne(entity, matching: key.propertyId))
  }

  /// Replaces the struct that has the same value of a unique property, or inserts a new one, and sets the id; as
  /// `put(_:matching:)`.
  ///
  /// - Throws: As `put(_:matching:)`.
  /// - Complexity: As `put(_:matching:)`.
  @discardableResult
  public func put<V>(
    _ entity: inout E, matching key: UniqueKey<E, V>
  ) throws -> E.EntityBindingType.IdType {
    let id = try putOne(entity, matching: key.propertyId)
    if !isClass { binding.setStructEntityId(of: &entity, to: id) }
    return IdType(id)
  }

  /// Puts objects one after the other, all or none, as `put(_:matching:)`.
  ///
  /// Of several objects with one value the last one is stored; all of them have its id.
  ///
  /// - Returns: The ids, in order.
  /// - Throws: As `put(_:matching:)`.
  /// - Complexity: As `put(_:matching:)` for each.
  @discardableResult
  public func put<V, C: Collection>(
    _ entities: C, matching key: UniqueKey<E, V>
  ) throws -> [E.EntityBindingType.IdType] where C.Element == E {
    try putAll(entities, matching: key.propertyId).map { IdType($0) }
  }

  /// Puts structs one after the other, all or none, and sets their ids; as `put(_:matching:)`.
  ///
  /// - Returns: The ids, in order.
  /// - Throws: As `put(_:matching:)`.
  /// - Complexity: As `put(_:matching:)` for each.
  @discardableResult
  public func put<V>(
    _ entities: inout [E], matching key: UniqueKey<E, V>
  ) throws -> [E.EntityBindingType.IdType] {
    let ids = try putAll(entities, matching: key.propertyId)
    if !isClass {
      for (position, id) in zip(entities.indices, ids) {
        binding.setStructEntityId(of: &entities[position], to: id)
      }
    }
    return ids.map { IdType($0) }
  }

  // MARK: - Finding what is replaced

  private func putOne(_ entity: E, matching property: obx_schema_id) throws -> Id {
    let isNew = isClass && binding.entityId(of: entity) == 0
    do {
      return try storeCore.writing { transaction in
        try putOne(entity, matching: UniqueLookup(self, property), transaction)
      }
    } catch {
      if isNew { binding.setEntityIdUnlessStruct(of: entity, to: 0) }
      throw error
    }
  }

  private func putAll(
    _ entities: some Collection<E>, matching property: obx_schema_id
  ) throws -> [Id] {
    if !core.hasRelations { return try putAll(Array(entities), .put, matching: property) }
    if entities.isEmpty { return [] }
    // Before any is put: an object can be in the collection twice, or be the new target of another one.
    let newObjects = isClass ? entities.filter { binding.entityId(of: $0) == 0 } : []
    do {
      return try storeCore.writing(.savepoint) { transaction in
        let lookup = try UniqueLookup(self, property)
        return try entities.map { try putOne($0, matching: lookup, transaction) }
      }
    } catch {
      for entity in newObjects { binding.setEntityIdUnlessStruct(of: entity, to: 0) }
      throw error
    }
  }

  private func putOne(
    _ entity: E, matching lookup: UniqueLookup<E>, _ transaction: EngineTransaction
  ) throws -> Id {
    if !core.hasRelations { return try putOne(entity, .put, matching: lookup) }
    let given = binding.entityId(of: entity)
    guard let found = try lookup.holder(ofValueIn: entity, transaction), found != given else {
      return try putOne(entity, .put)
    }
    if given != 0 { throw core.schema.alreadyHeld(lookup.property, by: found, given) }
    return try putNew(entity, replacing: found)
  }
}
