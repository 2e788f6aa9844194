internal import BoxEngine

// Strings are compared by their UTF-8 bytes; if case is ignored, by the UTF-8 bytes of their folded forms.

/// Matches objects whose string has the same UTF-8 bytes as `rhs`.
public func == <E>(
  lhs: Property<E, String, Void>, rhs: String
) -> PropertyQueryCondition<E, String> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.equal, .string(rhs), ignoringCase: false))
}

/// Matches objects whose string is present and not equal to `rhs`.
public func != <E>(
  lhs: Property<E, String, Void>, rhs: String
) -> PropertyQueryCondition<E, String> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.notEqual, .string(rhs), ignoringCase: false))
}

/// Matches objects whose string sorts before `rhs`, by UTF-8 bytes.
public func < <E>(
  lhs: Property<E, String, Void>, rhs: String
) -> PropertyQueryCondition<E, String> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.less, .string(rhs), ignoringCase: false))
}

/// Matches objects whose string sorts after `rhs`, by UTF-8 bytes.
public func > <E>(
  lhs: Property<E, String, Void>, rhs: String
) -> PropertyQueryCondition<E, String> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.greater, .string(rhs), ignoringCase: false))
}

/// Matches objects whose string is an element of `rhs`.
public func ∈ <E>(
  lhs: Property<E, String, Void>, rhs: [String]
) -> PropertyQueryCondition<E, String> where E: Entity {
  PropertyQueryCondition(lhs, .isOneOf(rhs.map { .string($0) }, ignoringCase: false))
}

/// Matches objects whose string has the same UTF-8 bytes as `rhs`.
public func == <E>(
  lhs: Property<E, String?, Void>, rhs: String
) -> PropertyQueryCondition<E, String?> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.equal, .string(rhs), ignoringCase: false))
}

/// Matches objects whose string is present and not equal to `rhs`.
public func != <E>(
  lhs: Property<E, String?, Void>, rhs: String
) -> PropertyQueryCondition<E, String?> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.notEqual, .string(rhs), ignoringCase: false))
}

/// Matches objects whose string sorts before `rhs`, by UTF-8 bytes.
public func < <E>(
  lhs: Property<E, String?, Void>, rhs: String
) -> PropertyQueryCondition<E, String?> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.less, .string(rhs), ignoringCase: false))
}

/// Matches objects whose string sorts after `rhs`, by UTF-8 bytes.
public func > <E>(
  lhs: Property<E, String?, Void>, rhs: String
) -> PropertyQueryCondition<E, String?> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.greater, .string(rhs), ignoringCase: false))
}

/// Matches objects whose string is an element of `rhs`.
public func ∈ <E>(
  lhs: Property<E, String?, Void>, rhs: [String]
) -> PropertyQueryCondition<E, String?> where E: Entity {
  PropertyQueryCondition(lhs, .isOneOf(rhs.map { .string($0) }, ignoringCase: false))
}

// MARK: - Methods

extension Property where ValueType: StringPropertyType {
  /// Matches objects whose string equals `string`.
  public func isEqual(
    to string: String, caseSensitive: Bool = true
  ) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(
      self, .compare(.equal, .string(string), ignoringCase: !caseSensitive))
  }

  /// Matches objects whose string is present and not equal to `string`.
  public func isNotEqual(
    to string: String, caseSensitive: Bool = true
  ) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(
      self, .compare(.notEqual, .string(string), ignoringCase: !caseSensitive))
  }

  /// Matches objects whose string sorts before `string`.
  public func isLessThan(
    _ string: String, caseSensitive: Bool = true
  ) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(
      self, .compare(.less, .string(string), ignoringCase: !caseSensitive))
  }

  /// Matches objects whose string sorts after `string`.
  public func isGreaterThan(
    _ string: String, caseSensitive: Bool = true
  ) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(
      self, .compare(.greater, .string(string), ignoringCase: !caseSensitive))
  }

  /// Matches objects whose string is an element of `collection`.
  public func isIn(
    _ collection: [String], caseSensitive: Bool = true
  ) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(
      self, .isOneOf(collection.map { .string($0) }, ignoringCase: !caseSensitive))
  }

  /// Matches objects whose string begins with `prefix`.
  public func hasPrefix(
    _ prefix: String, caseSensitive: Bool = true
  ) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(
      self, .match(.startsWith, .string(prefix), ignoringCase: !caseSensitive))
  }

  /// Matches objects whose string begins with `prefix`.
  public func startsWith(
    _ prefix: String, caseSensitive: Bool = true
  ) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(
      self, .match(.startsWith, .string(prefix), ignoringCase: !caseSensitive))
  }

  /// Matches objects whose string ends with `suffix`.
  public func hasSuffix(
    _ suffix: String, caseSensitive: Bool = true
  ) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(
      self, .match(.endsWith, .string(suffix), ignoringCase: !caseSensitive))
  }

  /// Matches objects whose string ends with `suffix`.
  public func endsWith(
    _ suffix: String, caseSensitive: Bool = true
  ) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(
      self, .match(.endsWith, .string(suffix), ignoringCase: !caseSensitive))
  }

  /// Matches objects whose string contains `substring`.
  public func contains(
    _ substring: String, caseSensitive: Bool = true
  ) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(
      self, .match(.contains, .string(substring), ignoringCase: !caseSensitive))
  }
}
