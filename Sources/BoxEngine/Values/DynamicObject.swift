internal import BoxJSON
public import BoxModel
internal import BoxReport

/// An object of any entity: its id and the values of its properties.
///
/// The values have the order of the entity's properties in the model, including the id property, whose value
/// is ``id``. The layout is shared by all objects of the entity.
public struct DynamicObject: Hashable, Sendable {
  /// The entity.
  public let entity: EntitySchema
  /// The id; 0 for an object that is not in the store yet.
  public var id: UInt64
  /// The values, one for each property of the entity; the value of the id property is ignored.
  ///
  /// Putting an object that has another number of them is a programmer error.
  public var values: [Value]

  /// Creates an object all of whose values are null.
  public init(_ entity: EntitySchema, id: UInt64 = 0) {
    self.entity = entity
    self.id = id
    values = Array(repeating: .null, count: entity.properties.count)
  }

  /// Creates an object with values.
  init(_ entity: EntitySchema, id: UInt64, values: [Value]) {
    self.entity = entity
    self.id = id
    self.values = values
  }

  /// The value of a property, by its name in the model.
  ///
  /// For literal names: a name that the entity does not have is a programmer error, and the message names the
  /// nearest one. Names that come from data are for ``value(named:)`` and ``set(_:_:)``. The id property
  /// takes integers, and anything else as 0: no id.
  ///
  /// - Complexity: O(*n*) in the number of properties.
  public subscript(name: String) -> Value {
    get {
      guard let value = value(named: name) else { fatalError("\(entity.unknownProperty(name))") }
      return value
    }
    set {
      do {
        try set(name, newValue)
      } catch {
        fatalError("\(error)")
      }
    }
  }

  /// The value of a property; nil if the entity has none of that name.
  ///
  /// - Complexity: O(*n*) in the number of properties.
  public func value(named name: String) -> Value? {
    guard let position = entity.properties.firstIndex(where: { $0.name.hasSameBytes(as: name) })
    else {
      return nil
    }
    return position == entity.idPosition ? .unsigned(id) : values[position]
  }

  /// Sets the value of a property.
  ///
  /// - Parameters:
  ///   - name: The name of the property in the model.
  ///   - value: The value. The id property takes integers, and anything else as 0: no id.
  /// - Throws: ``StoreError/unknownProperty(entity:property:nearest:)``.
  /// - Complexity: O(*n*) in the number of properties.
  public mutating func set(_ name: String, _ value: Value) throws(StoreError) {
    guard let position = entity.properties.firstIndex(where: { $0.name.hasSameBytes(as: name) })
    else {
      throw entity.unknownProperty(name)
    }
    values[position] = value
    if position == entity.idPosition { id = value.id }
  }
}

extension EntitySchema {
  /// The error for a name that no property has.
  fileprivate func unknownProperty(_ name: String) -> StoreError {
    .unknownProperty(
      entity: self.name, property: name,
      nearest: nearestName(to: name, among: properties.map(\.name)))
  }
}

extension Value {
  /// The id that an integer stands for, too large for any object where it is negative; 0 for none.
  fileprivate var id: UInt64 {
    switch self {
    case .unsigned(let id): id
    case .integer(let id): UInt64(bitPattern: id)
    default: 0
    }
  }
}
