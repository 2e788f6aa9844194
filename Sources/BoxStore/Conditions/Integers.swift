internal import BoxEngine

extension Property where ValueType: FixedWidthInteger {
  /// The condition that the value equals another one.
  public func isEqual(to value: ValueType) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.equal, QueryValue(value), ignoringCase: false))
  }

  /// The condition that there is a value and it differs from another one.
  public func isNotEqual(to value: ValueType) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.notEqual, QueryValue(value), ignoringCase: false))
  }

  /// The condition that the value is less than another one.
  public func isLessThan(_ value: ValueType) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.less, QueryValue(value), ignoringCase: false))
  }

  /// The condition that the value is greater than another one.
  public func isGreaterThan(_ value: ValueType) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.greater, QueryValue(value), ignoringCase: false))
  }

  /// The condition that the value is at least another one.
  public func isGreaterOrEqual(_ value: ValueType) -> PropertyQueryCondition<EntityType, ValueType>
  {
    PropertyQueryCondition(self, .compare(.greaterOrEqual, QueryValue(value), ignoringCase: false))
  }

  /// The condition that the value is at most another one.
  public func isLessOrEqual(_ value: ValueType) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.lessOrEqual, QueryValue(value), ignoringCase: false))
  }

  /// The condition that the value is one of two values or lies between them; their order does not matter.
  public func isBetween(
    _ lowerBound: ValueType, and upperBound: ValueType
  ) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .between(QueryValue(lowerBound), QueryValue(upperBound)))
  }

  /// The condition that the value lies in a range.
  public func isIn(
    _ range: ClosedRange<ValueType>
  ) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .inRange(.init(range), isNegated: false))
  }

  /// The condition that the value lies in a range.
  public func isIn(
    _ range: Range<ValueType>
  ) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .inRange(.init(range), isNegated: false))
  }

  /// The condition that the value is one of several.
  public func isIn(_ collection: [ValueType]) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .isOneOf(collection.map { QueryValue($0) }, ignoringCase: false))
  }

  /// The condition that there is a value and it is none of several.
  public func isNotIn(_ collection: [ValueType]) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .isNoneOf(collection.map { QueryValue($0) }))
  }
}

extension PropertyTest.ValueRange {
  init(_ range: Range<some FixedWidthInteger>) {
    self.init(
      low: QueryValue(range.lowerBound), high: QueryValue(range.upperBound), isHalfOpen: true)
  }

  init(_ range: ClosedRange<some FixedWidthInteger>) {
    self.init(
      low: QueryValue(range.lowerBound), high: QueryValue(range.upperBound), isHalfOpen: false)
  }
}
