internal import BoxEngine

/// The condition that the value equals another one.
public func == <E>(
  lhs: Property<E, Bool, Void>, rhs: Bool
) -> PropertyQueryCondition<E, Bool> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.equal, .bool(rhs), ignoringCase: false))
}

/// The condition that there is a value and it differs from another one.
public func != <E>(
  lhs: Property<E, Bool, Void>, rhs: Bool
) -> PropertyQueryCondition<E, Bool> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.notEqual, .bool(rhs), ignoringCase: false))
}

/// The condition that the value equals another one.
public func == <E>(
  lhs: Property<E, Bool?, Void>, rhs: Bool
) -> PropertyQueryCondition<E, Bool?> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.equal, .bool(rhs), ignoringCase: false))
}

/// The condition that there is a value and it differs from another one.
public func != <E>(
  lhs: Property<E, Bool?, Void>, rhs: Bool
) -> PropertyQueryCondition<E, Bool?> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.notEqual, .bool(rhs), ignoringCase: false))
}

// MARK: - Methods

extension Property where ValueType == Bool {
  /// The condition that the value equals another one.
  public func isEqual(to value: Bool) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.equal, .bool(value), ignoringCase: false))
  }

  /// The condition that there is a value and it differs from another one.
  public func isNotEqual(to value: Bool) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.notEqual, .bool(value), ignoringCase: false))
  }
}

extension Property where ValueType == Bool? {
  /// The condition that the value equals another one.
  public func isEqual(to value: Bool) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.equal, .bool(value), ignoringCase: false))
  }

  /// The condition that there is a value and it differs from another one.
  public func isNotEqual(to value: Bool) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.notEqual, .bool(value), ignoringCase: false))
  }
}
