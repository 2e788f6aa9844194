internal import BoxEngine

/// Matches objects whose value equals `rhs`.
public func == <E>(
  lhs: Property<E, Bool, Void>, rhs: Bool
) -> PropertyQueryCondition<E, Bool> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.equal, .bool(rhs), ignoringCase: false))
}

/// Matches objects whose value is present and not equal to `rhs`.
public func != <E>(
  lhs: Property<E, Bool, Void>, rhs: Bool
) -> PropertyQueryCondition<E, Bool> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.notEqual, .bool(rhs), ignoringCase: false))
}

/// Matches objects whose value equals `rhs`.
public func == <E>(
  lhs: Property<E, Bool?, Void>, rhs: Bool
) -> PropertyQueryCondition<E, Bool?> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.equal, .bool(rhs), ignoringCase: false))
}

/// Matches objects whose value is present and not equal to `rhs`.
public func != <E>(
  lhs: Property<E, Bool?, Void>, rhs: Bool
) -> PropertyQueryCondition<E, Bool?> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.notEqual, .bool(rhs), ignoringCase: false))
}

// MARK: - Methods

extension Property where ValueType == Bool {
  /// Matches objects whose value equals `value`.
  public func isEqual(to value: Bool) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.equal, .bool(value), ignoringCase: false))
  }

  /// Matches objects whose value is present and not equal to `value`.
  public func isNotEqual(to value: Bool) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.notEqual, .bool(value), ignoringCase: false))
  }
}

extension Property where ValueType == Bool? {
  /// Matches objects whose value equals `value`.
  public func isEqual(to value: Bool) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.equal, .bool(value), ignoringCase: false))
  }

  /// Matches objects whose value is present and not equal to `value`.
  public func isNotEqual(to value: Bool) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.notEqual, .bool(value), ignoringCase: false))
  }
}
