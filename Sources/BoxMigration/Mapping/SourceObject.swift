public import BoxEngine
public import BoxModel

/// An object of the old model, as a function of a mapping sees it.
public struct SourceObject: Sendable {
  /// The object.
  public let object: DynamicObject

  /// The id.
  public var id: UInt64 { object.id }

  /// The value of a property, by its name in the old model, which must be one of the entity's.
  ///
  /// - Complexity: O(*n*) in the number of properties.
  public subscript(name: String) -> Value { object[name] }
}

/// The new objects that a function of a mapping makes from an old one.
public struct ObjectOutput {
  /// An object to be put, and the route that it takes.
  struct Created {
    var object: DynamicObject
    var route: Int
  }

  let source: DynamicObject
  let routes: [ResolvedMapping.Route]
  let entities: [EntitySchema]
  let offsets: IDOffsets
  private(set) var created: [Created] = []

  init(
    _ source: DynamicObject, _ routes: [ResolvedMapping.Route], _ entities: [EntitySchema],
    _ offsets: IDOffsets
  ) {
    self.source = source
    self.routes = routes
    self.entities = entities
    self.offsets = offsets
  }

  /// An object of the first destination, with the values that are carried over by themselves.
  ///
  /// - Throws: An error if a value does not fit; if the function passes it on, the migration ends
  ///   with ``MigrationError/unfitValue(entity:id:property:_:reason:)``.
  public func object() throws -> DynamicObject { try object(route: 0) }

  /// An object of a destination, with the values that are carried over by themselves.
  ///
  /// - Parameter entity: The name of the destination.
  /// - Returns: The object, without an id.
  /// - Throws: ``MigrationError/unknownDestination(_:)`` if the mapping does not name it, and what is
  ///   wrong with a value.
  public func object(of entity: String) throws -> DynamicObject {
    guard let route = entities.firstIndex(where: { foldedName($0.name) == foldedName(entity) })
    else { throw MigrationError.unknownDestination(entity) }
    return try object(route: route)
  }

  private func object(route: Int) throws -> DynamicObject {
    var object = DynamicObject(entities[route])
    for copy in routes[route].copies {
      object.values[copy.destination] = source.values[copy.source]
    }
    for carrier in routes[route].carriers {
      guard let position = carrier.source else { continue }
      object.values[carrier.destination] = try carrier.carry(source[position], offsets)
    }
    return object
  }

  /// Schedules an object to be put after the function returns.
  ///
  /// - Throws: ``MigrationError/unknownDestination(_:)`` for an object of another entity.
  public mutating func put(_ object: DynamicObject) throws {
    guard let route = entities.firstIndex(where: { $0 === object.entity }) else {
      throw MigrationError.unknownDestination(object.entity.name)
    }
    created.append(Created(object: object, route: route))
  }
}

extension DynamicObject {
  /// The value at a position, which may be the position of the id.
  subscript(position: Int) -> Value {
    position == entity.idPosition ? .unsigned(id) : values[position]
  }
}
