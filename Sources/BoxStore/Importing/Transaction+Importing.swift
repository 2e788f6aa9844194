internal import BoxEngine

extension Transaction {
  // MARK: - New objects

  /// Makes and puts an object of a source.
  ///
  /// - Returns: The object; nil if ``Importable/shouldInsert(from:in:)`` is false.
  /// - Throws: As ``importObjects(_:from:)``.
  /// - Complexity: As ``importObjects(_:from:)``.
  @discardableResult
  public func importObject<T: Importable>(
    _ type: T.Type = T.self, from source: T.ImportSource
  ) throws -> T? where T == T.EntityBindingType.EntityType {
    try importObjects(type, from: CollectionOfOne(source)).first
  }

  /// Makes and puts an object of each source, all or none.
  ///
  /// - Parameters:
  ///   - type: The entity type.
  ///   - sources: The sources.
  /// - Returns: The objects, in the order of their sources, without those that
  ///   ``Importable/shouldInsert(from:in:)`` refuses.
  /// - Throws: The errors of `Box.put(_:mode:)`, and of the functions of the type. Nothing of the
  ///   call is stored then, and the transaction stays usable if the error is caught.
  /// - Complexity: As a put of each object.
  @discardableResult
  public func importObjects<T: Importable>(
    _ type: T.Type = T.self, from sources: some Sequence<T.ImportSource>
  ) throws -> [T] where T == T.EntityBindingType.EntityType {
    let box = storeCore.box(for: type)
    return try savepoint {
      try sources.compactMap { source in
        guard T.shouldInsert(from: source, in: self) else { return nil }
        return try insert(source, box)
      }
    }
  }

  private func insert<T: Importable>(_ source: T.ImportSource, _ box: Box<T>) throws -> T {
    var object = try T(importing: source, in: self)
    _ = try box.put(&object)
    return object
  }

  // MARK: - Unique objects

  /// Updates the object of a source, or makes and puts it.
  ///
  /// - Returns: The object; nil if the source is skipped or refused.
  /// - Throws: As ``importUniqueObjects(_:from:preprocess:)``.
  /// - Complexity: As ``importUniqueObjects(_:from:preprocess:)``.
  @discardableResult
  public func importUniqueObject<T: UniquelyImportable>(
    _ type: T.Type = T.self, from source: T.ImportSource
  ) throws -> T? where T == T.EntityBindingType.EntityType, T == T.EntityType {
    try importUniqueObjects(type, from: CollectionOfOne(source)).first
  }

  /// Updates the objects of sources, and makes and puts those that do not exist, all or none.
  ///
  /// First all sources are asked for their unique value. Of several sources with one value the last one
  /// counts, at the place of the first one. Then objects that exist are updated if
  /// ``UniquelyImportable/shouldUpdate(from:in:)`` is true, and the others are made if
  /// ``Importable/shouldInsert(from:in:)`` is true. Each value is asked about once.
  ///
  /// - Parameters:
  ///   - type: The entity type.
  ///   - sources: The sources.
  ///   - preprocess: Called with the sources by their unique values; may remove and replace some. Values
  ///     that it adds are ignored.
  /// - Returns: The objects that were updated or made, in the order of the sources.
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` if the property is not unique in the model, or if
  ///   an object does not get the value of its source; the errors of `Box.put(_:mode:)`, and of the
  ///   functions of the type and of `preprocess`. Nothing of the call is stored then, and the transaction stays
  ///   usable if the error is caught.
  /// - Complexity: O(log *n*) beside the put of each object.
  @discardableResult
  public func importUniqueObjects<T: UniquelyImportable>(
    _ type: T.Type = T.self, from sources: some Sequence<T.ImportSource>,
    preprocess: (inout [T.UniqueID: T.ImportSource]) throws -> Void = { _ in }
  ) throws -> [T] where T == T.EntityBindingType.EntityType, T == T.EntityType {
    let box = storeCore.box(for: type)
    let lookup = try UniqueLookup(box, T.uniqueIDProperty.propertyId)
    return try savepoint {
      var order: [T.UniqueID] = []
      var mapping: [T.UniqueID: T.ImportSource] = [:]
      for source in sources {
        guard let value = try T.uniqueID(from: source, in: self) else { continue }
        if mapping.updateValue(source, forKey: value) == nil { order.append(value) }
      }
      try preprocess(&mapping)
      // All at once, as a lookup after a put has to write the index first.
      let known = try order.map { value in
        mapping[value] == nil ? nil : try lookup.id(of: value.uniqueImportValue, engine)
      }
      return try zip(order, known).compactMap { value, id in
        guard let source = mapping[value] else { return nil }
        return try importUnique(source, value.uniqueImportValue, id, lookup, box)
      }
    }
  }

  private func importUnique<T: UniquelyImportable>(
    _ source: T.ImportSource, _ value: PropertyValue, _ known: Id?, _ lookup: UniqueLookup<T>,
    _ box: Box<T>
  ) throws -> T? {
    if let known, let object = try box.get(EntityId<T>(known)) {
      return try update(object, source, value, lookup, box)
    }
    guard T.shouldInsert(from: source, in: self) else { return nil }
    do {
      let object = try insert(source, box)
      try lookup.require(value, of: box.binding.entityId(of: object), engine)
      return object
    } catch ObjectBoxError.uniqueViolation(let message) {
      // A function of the type may have put the object meanwhile: as the friend of another one.
      guard let id = try lookup.id(of: value, engine), let object = try box.get(EntityId<T>(id))
      else { throw ObjectBoxError.uniqueViolation(message: message) }
      return try update(object, source, value, lookup, box)
    }
  }

  private func update<T: UniquelyImportable>(
    _ object: T, _ source: T.ImportSource, _ value: PropertyValue, _ lookup: UniqueLookup<T>,
    _ box: Box<T>
  ) throws -> T? {
    guard T.shouldUpdate(from: source, in: self) else { return nil }
    var object = object
    try object.update(from: source, in: self)
    let id = try box.put(&object)
    try lookup.require(value, of: id.value, engine)
    return object
  }

  private func savepoint<R>(_ body: () throws -> R) throws -> R {
    try ObjectBoxError.wrapping { try engine.savepoint { try engine.displacing(body) } }
  }
}
