internal import BoxEngine

// Strings are compared by their UTF-8 bytes; without regard to case, by those of their folded forms.

/// The condition that the value equals another one.
public func == <E>(
  lhs: Property<E, String, Void>, rhs: String
) -> PropertyQueryCondition<E, String> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.equal, .string(rhs), ignoringCase: false))
}

/// The condition that there is a value and it differs from another one.
public func != <E>(
  lhs: Property<E, String, Void>, rhs: String
) -> PropertyQueryCondition<E, String> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.notEqual, .string(rhs), ignoringCase: false))
}

/// The condition that the value is less than another one.
public func < <E>(
  lhs: Property<E, String, Void>, rhs: String
) -> PropertyQueryCondition<E, String> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.less, .string(rhs), ignoringCase: false))
}

/// The condition that the value is greater than another one.
public func > <E>(
  lhs: Property<E, String, Void>, rhs: String
) -> PropertyQueryCondition<E, String> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.greater, .string(rhs), ignoringCase: false))
}

/// The condition that the value is one of several.
public func ∈ <E>(
  lhs: Property<E, String, Void>, rhs: [String]
) -> PropertyQueryCondition<E, String> where E: Entity {
  PropertyQueryCondition(lhs, .isOneOf(rhs.map { .string($0) }, ignoringCase: false))
}

/// The condition that the value equals another one.
public func == <E>(
  lhs: Property<E, String?, Void>, rhs: String
) -> PropertyQueryCondition<E, String?> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.equal, .string(rhs), ignoringCase: false))
}

/// The condition that there is a value and it differs from another one.
public func != <E>(
  lhs: Property<E, String?, Void>, rhs: String
) -> PropertyQueryCondition<E, String?> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.notEqual, .string(rhs), ignoringCase: false))
}

/// The condition that the value is less than another one.
public func < <E>(
  lhs: Property<E, String?, Void>, rhs: String
) -> PropertyQueryCondition<E, String?> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.less, .string(rhs), ignoringCase: false))
}

/// The condition that the value is greater than another one.
public func > <E>(
  lhs: Property<E, String?, Void>, rhs: String
) -> PropertyQueryCondition<E, String?> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.greater, .string(rhs), ignoringCase: false))
}

/// The condition that the value is one of several.
public func ∈ <E>(
  lhs: Property<E, String?, Void>, rhs: [String]
) -> PropertyQueryCondition<E, String?> where E: Entity {
  PropertyQueryCondition(lhs, .isOneOf(rhs.map { .string($0) }, ignoringCase: false))
}

// MARK: - Methods

extension Property where ValueType: StringPropertyType {
  /// The condition that the value equals another one.
  public func isEqual(
    to string: String, caseSensitive: Bool = true
  ) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(
      self, .compare(.equal, .string(string), ignoringCase: !caseSensitive))
  }

  /// The condition that there is a value and it differs from another one.
  public func isNotEqual(
    to string: String, caseSensitive: Bool = true
  ) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(
      self, .compare(.notEqual, .string(string), ignoringCase: !caseSensitive))
  }

  /// The condition that the value is less than another one.
  public func isLessThan(
    _ string: String, caseSensitive: Bool = true
  ) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(
      self, .compare(.less, .string(string), ignoringCase: !caseSensitive))
  }

  /// The condition that the value is greater than another one.
  public func isGreaterThan(
    _ string: String, caseSensitive: Bool = true
  ) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(
      self, .compare(.greater, .string(string), ignoringCase: !caseSensitive))
  }

  /// The condition that the value is one of several.
  public func isIn(
    _ collection: [String], caseSensitive: Bool = true
  ) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(
      self, .isOneOf(collection.map { .string($0) }, ignoringCase: !caseSensitive))
  }

  /// The condition that the value begins with a string.
  public func hasPrefix(
    _ prefix: String, caseSensitive: Bool = true
  ) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(
      self, .match(.startsWith, .string(prefix), ignoringCase: !caseSensitive))
  }

  /// The condition that the value begins with a string.
  public func startsWith(
    _ prefix: String, caseSensitive: Bool = true
  ) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(
      self, .match(.startsWith, .string(prefix), ignoringCase: !caseSensitive))
  }

  /// The condition that the value ends with a string.
  public func hasSuffix(
    _ suffix: String, caseSensitive: Bool = true
  ) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(
      self, .match(.endsWith, .string(suffix), ignoringCase: !caseSensitive))
  }

  /// The condition that the value ends with a string.
  public func endsWith(
    _ suffix: String, caseSensitive: Bool = true
  ) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(
      self, .match(.endsWith, .string(suffix), ignoringCase: !caseSensitive))
  }

  /// The condition that the value contains a string.
  public func contains(
    _ substring: String, caseSensitive: Bool = true
  ) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(
      self, .match(.contains, .string(substring), ignoringCase: !caseSensitive))
  }
}
