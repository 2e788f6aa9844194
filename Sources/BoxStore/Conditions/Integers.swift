internal import BoxEngine

extension Property where ValueType: FixedWidthInteger {
  /// Matches objects whose value equals `value`.
  public func isEqual(to value: ValueType) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.equal, QueryValue(value), ignoringCase: false))
  }

  /// Matches objects whose value is present and not equal to `value`.
  public func isNotEqual(to value: ValueType) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.notEqual, QueryValue(value), ignoringCase: false))
  }

  /// Matches objects whose value is less than `value`.
  public func isLessThan(_ value: ValueType) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.less, QueryValue(value), ignoringCase: false))
  }

  /// Matches objects whose value is greater than `value`.
  public func isGreaterThan(_ value: ValueType) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.greater, QueryValue(value), ignoringCase: false))
  }

  /// Matches objects whose value is at least `value`.
  public func isGreaterOrEqual(_ value: ValueType) -> PropertyQueryCondition<EntityType, ValueType>
  {
    PropertyQueryCondition(self, .compare(.greaterOrEqual, QueryValue(value), ignoringCase: false))
  }

  /// Matches objects whose value is at most `value`.
  public func isLessOrEqual(_ value: ValueType) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.lessOrEqual, QueryValue(value), ignoringCase: false))
  }

  /// Matches objects whose value lies between the two bounds, or equals one of them; the order of the bounds
  /// does not matter.
  public func isBetween(
    _ lowerBound: ValueType, and upperBound: ValueType
  ) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .between(QueryValue(lowerBound), QueryValue(upperBound)))
  }

  /// Matches objects whose value lies in the closed range `range`.
  public func isIn(
    _ range: ClosedRange<ValueType>
  ) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .inRange(.init(range), isNegated: false))
  }

  /// Matches objects whose value lies in the half-open range `range`.
  public func isIn(
    _ range: Range<ValueType>
  ) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .inRange(.init(range), isNegated: false))
  }

  /// Matches objects whose value is an element of `collection`.
  public func isIn(_ collection: [ValueType]) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .isOneOf(collection.map { QueryValue($0) }, ignoringCase: false))
  }

  /// Matches objects whose value is present and not an element of `collection`.
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
