internal import BoxEngine

// MARK: - Properties

/// The condition that the value is less than another one.
public func < <FP, E>(
  lhs: Property<E, FP, Void>, rhs: FP
) -> PropertyQueryCondition<E, FP> where E: Entity, FP: BinaryFloatingPoint {
  PropertyQueryCondition(lhs, .compare(.less, QueryValue(rhs), ignoringCase: false))
}

/// The condition that the value is greater than another one.
public func > <FP, E>(
  lhs: Property<E, FP, Void>, rhs: FP
) -> PropertyQueryCondition<E, FP> where E: Entity, FP: BinaryFloatingPoint {
  PropertyQueryCondition(lhs, .compare(.greater, QueryValue(rhs), ignoringCase: false))
}

/// The condition that the value is at most another one.
public func <= <FP, E>(
  lhs: Property<E, FP, Void>, rhs: FP
) -> PropertyQueryCondition<E, FP> where E: Entity, FP: BinaryFloatingPoint {
  PropertyQueryCondition(lhs, .compare(.lessOrEqual, QueryValue(rhs), ignoringCase: false))
}

/// The condition that the value is at least another one.
public func >= <FP, E>(
  lhs: Property<E, FP, Void>, rhs: FP
) -> PropertyQueryCondition<E, FP> where E: Entity, FP: BinaryFloatingPoint {
  PropertyQueryCondition(lhs, .compare(.greaterOrEqual, QueryValue(rhs), ignoringCase: false))
}

// MARK: - Optional properties

/// The condition that the value is less than another one.
public func < <FP, E>(
  lhs: Property<E, FP?, Void>, rhs: FP
) -> PropertyQueryCondition<E, FP> where E: Entity, FP: BinaryFloatingPoint {
  PropertyQueryCondition(lhs, .compare(.less, QueryValue(rhs), ignoringCase: false))
}

/// The condition that the value is greater than another one.
public func > <FP, E>(
  lhs: Property<E, FP?, Void>, rhs: FP
) -> PropertyQueryCondition<E, FP> where E: Entity, FP: BinaryFloatingPoint {
  PropertyQueryCondition(lhs, .compare(.greater, QueryValue(rhs), ignoringCase: false))
}

/// The condition that the value is at most another one.
public func <= <FP, E>(
  lhs: Property<E, FP?, Void>, rhs: FP
) -> PropertyQueryCondition<E, FP> where E: Entity, FP: BinaryFloatingPoint {
  PropertyQueryCondition(lhs, .compare(.lessOrEqual, QueryValue(rhs), ignoringCase: false))
}

/// The condition that the value is at least another one.
public func >= <FP, E>(
  lhs: Property<E, FP?, Void>, rhs: FP
) -> PropertyQueryCondition<E, FP> where E: Entity, FP: BinaryFloatingPoint {
  PropertyQueryCondition(lhs, .compare(.greaterOrEqual, QueryValue(rhs), ignoringCase: false))
}

// MARK: - Methods

extension Property where ValueType: BinaryFloatingPoint {
  /// The condition that the value differs from another one by at most a tolerance, which has to be 0 or more.
  ///
  /// No number is equal to itself, as in other conditions.
  public func isEqual(
    to other: ValueType, tolerance: ValueType
  ) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .near(PropertyTest.Nearness(other, tolerance: tolerance)))
  }

  /// The condition that the value is less than another one.
  public func isLessThan(_ value: ValueType) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.less, QueryValue(value), ignoringCase: false))
  }

  /// The condition that the value is greater than another one.
  public func isGreaterThan(_ value: ValueType) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.greater, QueryValue(value), ignoringCase: false))
  }

  /// The condition that the value is at most another one.
  public func isLessOrEqual(_ value: ValueType) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.lessOrEqual, QueryValue(value), ignoringCase: false))
  }

  /// The condition that the value is at least another one.
  public func isGreaterOrEqual(_ value: ValueType) -> PropertyQueryCondition<EntityType, ValueType>
  {
    PropertyQueryCondition(self, .compare(.greaterOrEqual, QueryValue(value), ignoringCase: false))
  }

  /// The condition that the value is one of two values or lies between them; their order does not matter.
  public func isBetween(
    _ lowerBound: ValueType, and upperBound: ValueType
  ) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .between(QueryValue(lowerBound), QueryValue(upperBound)))
  }
}
