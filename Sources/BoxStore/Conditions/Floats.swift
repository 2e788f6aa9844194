internal import BoxEngine

// MARK: - Properties

/// Matches objects whose value is less than `rhs`.
public func < <FP, E>(
  lhs: Property<E, FP, Void>, rhs: FP
) -> PropertyQueryCondition<E, FP> where E: Entity, FP: BinaryFloatingPoint {
  PropertyQueryCondition(lhs, .compare(.less, QueryValue(rhs), ignoringCase: false))
}

/// Matches objects whose value is greater than `rhs`.
public func > <FP, E>(
  lhs: Property<E, FP, Void>, rhs: FP
) -> PropertyQueryCondition<E, FP> where E: Entity, FP: BinaryFloatingPoint {
  PropertyQueryCondition(lhs, .compare(.greater, QueryValue(rhs), ignoringCase: false))
}

/// Matches objects whose value is at most `rhs`.
public func <= <FP, E>(
  lhs: Property<E, FP, Void>, rhs: FP
) -> PropertyQueryCondition<E, FP> where E: Entity, FP: BinaryFloatingPoint {
  PropertyQueryCondition(lhs, .compare(.lessOrEqual, QueryValue(rhs), ignoringCase: false))
}

/// Matches objects whose value is at least `rhs`.
public func >= <FP, E>(
  lhs: Property<E, FP, Void>, rhs: FP
) -> PropertyQueryCondition<E, FP> where E: Entity, FP: BinaryFloatingPoint {
  PropertyQueryCondition(lhs, .compare(.greaterOrEqual, QueryValue(rhs), ignoringCase: false))
}

// MARK: - Optional properties

/// Matches objects whose value is less than `rhs`.
public func < <FP, E>(
  lhs: Property<E, FP?, Void>, rhs: FP
) -> PropertyQueryCondition<E, FP> where E: Entity, FP: BinaryFloatingPoint {
  PropertyQueryCondition(lhs, .compare(.less, QueryValue(rhs), ignoringCase: false))
}

/// Matches objects whose value is greater than `rhs`.
public func > <FP, E>(
  lhs: Property<E, FP?, Void>, rhs: FP
) -> PropertyQueryCondition<E, FP> where E: Entity, FP: BinaryFloatingPoint {
  PropertyQueryCondition(lhs, .compare(.greater, QueryValue(rhs), ignoringCase: false))
}

/// Matches objects whose value is at most `rhs`.
public func <= <FP, E>(
  lhs: Property<E, FP?, Void>, rhs: FP
) -> PropertyQueryCondition<E, FP> where E: Entity, FP: BinaryFloatingPoint {
  PropertyQueryCondition(lhs, .compare(.lessOrEqual, QueryValue(rhs), ignoringCase: false))
}

/// Matches objects whose value is at least `rhs`.
public func >= <FP, E>(
  lhs: Property<E, FP?, Void>, rhs: FP
) -> PropertyQueryCondition<E, FP> where E: Entity, FP: BinaryFloatingPoint {
  PropertyQueryCondition(lhs, .compare(.greaterOrEqual, QueryValue(rhs), ignoringCase: false))
}

// MARK: - Methods

extension Property where ValueType: BinaryFloatingPoint {
  /// Matches objects whose value differs from `other` by at most `tolerance`, which must not be negative.
  ///
  /// NaN equals itself, as in other conditions.
  public func isEqual(
    to other: ValueType, tolerance: ValueType
  ) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .near(PropertyTest.Nearness(other, tolerance: tolerance)))
  }

  /// Matches objects whose value is less than `value`.
  public func isLessThan(_ value: ValueType) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.less, QueryValue(value), ignoringCase: false))
  }

  /// Matches objects whose value is greater than `value`.
  public func isGreaterThan(_ value: ValueType) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.greater, QueryValue(value), ignoringCase: false))
  }

  /// Matches objects whose value is at most `value`.
  public func isLessOrEqual(_ value: ValueType) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.lessOrEqual, QueryValue(value), ignoringCase: false))
  }

  /// Matches objects whose value is at least `value`.
  public func isGreaterOrEqual(_ value: ValueType) -> PropertyQueryCondition<EntityType, ValueType>
  {
    PropertyQueryCondition(self, .compare(.greaterOrEqual, QueryValue(value), ignoringCase: false))
  }

  /// Matches objects whose value lies between the two bounds, or equals one of them; the order of the bounds
  /// does not matter.
  public func isBetween(
    _ lowerBound: ValueType, and upperBound: ValueType
  ) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .between(QueryValue(lowerBound), QueryValue(upperBound)))
  }
}
