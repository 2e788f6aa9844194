internal import BoxEngine

extension Box {
  private typealias IdType = E.EntityBindingType.IdType

  // MARK: - One

  /// Puts an object: inserts it if its id is 0, replaces the stored one otherwise.
  ///
  /// ```swift
  /// let book = Book("Solaris", by: Author("Stanisław Lem"))
  /// let id = try books.put(book)  // puts the author too
  /// print(book.id == id.value)  // true: the id was set
  /// ```
  ///
  /// New targets of its to-one relations are put too, and get their ids; targets that are stored already are
  /// not. The to-many relations of a new object are written with it. For a stored object only
  /// ``ToMany/applyToDb()`` writes them.
  ///
  /// If the put fails, nothing of it is stored, and ids that it had set are 0 again. A transaction that was
  /// open before stays usable.
  ///
  /// - Parameters:
  ///   - entity: The object. The id of a new object of a class is set.
  ///   - mode: The treatment of existing and missing objects.
  /// - Returns: The id.
  /// - Throws: ``ObjectBoxError/uniqueViolation(message:)``, ``ObjectBoxError/notFound(message:)`` for
  ///   an update of an object that does not exist, ``ObjectBoxError/constraintViolated(message:)`` for an
  ///   insert of one that does, ``ObjectBoxError/illegalArgument(message:)`` for an id that was never
  ///   given, a value that does not fit its property, or a chain of more than 128 new structs,
  ///   ``ObjectBoxError/propertyTypeMismatch(message:)``
  ///   if the binding does not fit the model, and
  ///   ``ObjectBoxError/cannotWriteWhileReading(message:)`` in a read transaction.
  /// - Complexity: O(log *n*) for each object, and for each index whose value changes.
  @discardableResult
  public func put(_ entity: E, mode: PutMode = .put) throws -> E.EntityBindingType.IdType {
    IdType(try putOne(entity, mode))
  }

  /// Puts a struct and sets its id, as `put(_:mode:)`.
  ///
  /// - Throws: As `put(_:mode:)`.
  /// - Complexity: As `put(_:mode:)`.
  @discardableResult
  public func put(_ entity: inout E, mode: PutMode = .put) throws -> E.EntityBindingType.IdType {
    let id = try putOne(entity, mode)
    if !isClass { binding.setStructEntityId(of: &entity, to: id) }
    return IdType(id)
  }

  /// Puts an object and returns its id, as `put(_:mode:)`.
  ///
  /// - Throws: As `put(_:mode:)`.
  /// - Complexity: As `put(_:mode:)`.
  @discardableResult
  public func putAndReturnID(
    _ entity: E, mode: PutMode = .put
  ) throws -> E.EntityBindingType.IdType {
    try put(entity, mode: mode)
  }

  // MARK: - Several

  /// Puts objects, all or none, as `put(_:mode:)`.
  ///
  /// One call for many objects is much faster than a call for each: it is one transaction.
  ///
  /// - Returns: The ids, in order.
  /// - Throws: As `put(_:mode:)`.
  /// - Complexity: As `put(_:mode:)` for each.
  @discardableResult
  public func putAndReturnIDs<C: Collection>(
    _ entities: C, mode: PutMode = .put
  ) throws -> [E.EntityBindingType.IdType] where C.Element == E {
    try putAll(Array(entities), mode).map { IdType($0) }
  }

  /// Puts objects, all or none, and returns their ids in order; as ``putAndReturnIDs(_:mode:)-(C,_)``.
  ///
  /// - Throws: As `put(_:mode:)`.
  /// - Complexity: As `put(_:mode:)` for each.
  @discardableResult
  public func putAndReturnIDs(
    _ entities: E..., mode: PutMode = .put
  ) throws -> [E.EntityBindingType.IdType] {
    try putAll(entities, mode).map { IdType($0) }
  }

  /// Puts objects, all or none; as ``putAndReturnIDs(_:mode:)-(C,_)``.
  ///
  /// - Throws: As `put(_:mode:)`.
  /// - Complexity: As `put(_:mode:)` for each.
  public func put<C: Collection>(_ entities: C, mode: PutMode = .put) throws where C.Element == E {
    _ = try putAll(Array(entities), mode)
  }

  /// Puts objects, all or none; as ``putAndReturnIDs(_:mode:)-(C,_)``.
  ///
  /// ```swift
  /// try books.put([Book("Solaris"), Book("Eden")])  // one transaction
  /// ```
  ///
  /// - Throws: As `put(_:mode:)`.
  /// - Complexity: As `put(_:mode:)` for each.
  public func put(_ entities: [E], mode: PutMode = .put) throws {
    _ = try putAll(entities, mode)
  }

  /// Puts objects, all or none; as ``putAndReturnIDs(_:mode:)-(C,_)``.
  ///
  /// - Throws: As `put(_:mode:)`.
  /// - Complexity: As `put(_:mode:)` for each.
  public func put(_ entities: ContiguousArray<E>, mode: PutMode = .put) throws {
    _ = try putAll(Array(entities), mode)
  }

  /// Puts structs, all or none, and sets their ids; as ``putAndReturnIDs(_:mode:)-(C,_)``.
  ///
  /// - Throws: As `put(_:mode:)`.
  /// - Complexity: As `put(_:mode:)` for each.
  public func put(_ entities: inout [E], mode: PutMode = .put) throws {
    let ids = try putAll(entities, mode)
    if isClass { return }
    for (position, id) in zip(entities.indices, ids) {
      binding.setStructEntityId(of: &entities[position], to: id)
    }
  }

  /// Puts objects, all or none; as ``putAndReturnIDs(_:mode:)-(C,_)``.
  ///
  /// - Throws: As `put(_:mode:)`.
  /// - Complexity: As `put(_:mode:)` for each.
  public func put(_ entities: E..., mode: PutMode = .put) throws {
    _ = try putAll(entities, mode)
  }
}
