public import BoxModel

/// An object of any entity: its id and the values of its properties.
///
/// The values stand in the order of the entity's properties in the model, the id property among
/// them; that one's value is ``id``. The layout is shared by all objects of the entity.
public struct DynamicObject: Hashable, Sendable {
  /// The entity.
  public let entity: EntitySchema
  /// The id; 0 for an object that is not in the store yet.
  public var id: UInt64
  /// The values, one for each property of the entity; that of the id property is not looked at.
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
  /// Getting a property that does not exist gives nil, and setting it does nothing; setting one to
  /// nil sets it to null. The id property takes integers, and anything else as 0: no id. O(*n*) in
  /// the number of properties.
  public subscript(name: String) -> Value? {
    get {
      guard let position = entity.properties.firstIndex(where: { $0.name == name }) else {
        return nil
      }
      return position == entity.idPosition ? .unsigned(id) : values[position]
    }
    set {
      guard let position = entity.properties.firstIndex(where: { $0.name == name }) else { return }
      let value = newValue ?? .null
      values[position] = value
      if position == entity.idPosition { id = value.id }
    }
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
