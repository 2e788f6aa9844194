internal import BoxEngine

extension Property {
  /// The condition that at least one element equals a number.
  public func isEqual<Number: FixedWidthInteger>(
    to int: Number
  ) -> PropertyQueryCondition<EntityType, ValueType> where ValueType == ListPropertyType<Number> {
    element(.equal, QueryValue(int))
  }

  /// The condition that at least one element is less than a number.
  public func isLessThan<Number: FixedWidthInteger>(
    _ int: Number
  ) -> PropertyQueryCondition<EntityType, ValueType> where ValueType == ListPropertyType<Number> {
    element(.less, QueryValue(int))
  }

  /// The condition that at least one element is greater than a number.
  public func isGreaterThan<Number: FixedWidthInteger>(
    _ int: Number
  ) -> PropertyQueryCondition<EntityType, ValueType> where ValueType == ListPropertyType<Number> {
    element(.greater, QueryValue(int))
  }

  /// The condition that at least one element is at least a number.
  public func isGreaterOrEqual<Number: FixedWidthInteger>(
    _ int: Number
  ) -> PropertyQueryCondition<EntityType, ValueType> where ValueType == ListPropertyType<Number> {
    element(.greaterOrEqual, QueryValue(int))
  }

  /// The condition that at least one element is at most a number.
  public func isLessOrEqual<Number: FixedWidthInteger>(
    _ int: Number
  ) -> PropertyQueryCondition<EntityType, ValueType> where ValueType == ListPropertyType<Number> {
    element(.lessOrEqual, QueryValue(int))
  }

  /// The condition that at least one element is less than a number.
  public func isLessThan<Number: BinaryFloatingPoint>(
    _ number: Number
  ) -> PropertyQueryCondition<EntityType, ValueType> where ValueType == ListPropertyType<Number> {
    element(.less, QueryValue(number))
  }

  /// The condition that at least one element is greater than a number.
  public func isGreaterThan<Number: BinaryFloatingPoint>(
    _ number: Number
  ) -> PropertyQueryCondition<EntityType, ValueType> where ValueType == ListPropertyType<Number> {
    element(.greater, QueryValue(number))
  }

  /// The condition that at least one element is at least a number.
  public func isGreaterOrEqual<Number: BinaryFloatingPoint>(
    _ number: Number
  ) -> PropertyQueryCondition<EntityType, ValueType> where ValueType == ListPropertyType<Number> {
    element(.greaterOrEqual, QueryValue(number))
  }

  /// The condition that at least one element is at most a number.
  public func isLessOrEqual<Number: BinaryFloatingPoint>(
    _ number: Number
  ) -> PropertyQueryCondition<EntityType, ValueType> where ValueType == ListPropertyType<Number> {
    element(.lessOrEqual, QueryValue(number))
  }

  private func element(
    _ comparison: Condition.Comparison, _ value: QueryValue
  ) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .element(comparison, value, ignoringCase: false))
  }
}
