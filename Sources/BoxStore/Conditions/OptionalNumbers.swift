internal import BoxEngine

// The methods of properties that are optional numbers; the methods of others are beside their operators.

extension Property {
  /// Matches objects whose value differs from `other` by at most `tolerance`, which must not be negative.
  ///
  /// NaN equals itself, as in other conditions.
  public func isEqual<Number: BinaryFloatingPoint>(
    to other: Number, tolerance: Number
  ) -> PropertyQueryCondition<EntityType, ValueType> where ValueType == Number? {
    PropertyQueryCondition(self, .near(PropertyTest.Nearness(other, tolerance: tolerance)))
  }

  /// Matches objects whose value is less than `value`.
  public func isLessThan<Number: BinaryFloatingPoint>(
    _ value: Number
  ) -> PropertyQueryCondition<EntityType, ValueType> where ValueType == Number? {
    PropertyQueryCondition(self, .compare(.less, QueryValue(value), ignoringCase: false))
  }

  /// Matches objects whose value is greater than `value`.
  public func isGreaterThan<Number: BinaryFloatingPoint>(
    _ value: Number
  ) -> PropertyQueryCondition<EntityType, ValueType> where ValueType == Number? {
    PropertyQueryCondition(self, .compare(.greater, QueryValue(value), ignoringCase: false))
  }

  /// Matches objects whose value is at most `value`.
  public func isLessOrEqual<Number: BinaryFloatingPoint>(
    _ value: Number
  ) -> PropertyQueryCondition<EntityType, ValueType> where ValueType == Number? {
    PropertyQueryCondition(self, .compare(.lessOrEqual, QueryValue(value), ignoringCase: false))
  }

  /// Matches objects whose value is at least `value`.
  public func isGreaterOrEqual<Number: BinaryFloatingPoint>(
    _ value: Number
  ) -> PropertyQueryCondition<EntityType, ValueType> where ValueType == Number? {
    PropertyQueryCondition(self, .compare(.greaterOrEqual, QueryValue(value), ignoringCase: false))
  }

  /// Matches objects whose value lies between the two bounds, or equals one of them; the order of the bounds
  /// does not matter.
  public func isBetween<Number: BinaryFloatingPoint>(
    _ lowerBound: Number, and upperBound: Number
  ) -> PropertyQueryCondition<EntityType, ValueType> where ValueType == Number? {
    PropertyQueryCondition(self, .between(QueryValue(lowerBound), QueryValue(upperBound)))
  }
}

extension Property {
  /// Matches objects whose value equals `value`.
  public func isEqual<Number: FixedWidthInteger>(
    to value: Number
  ) -> PropertyQueryCondition<EntityType, ValueType> where ValueType == Number? {
    PropertyQueryCondition(self, .compare(.equal, QueryValue(value), ignoringCase: false))
  }

  /// Matches objects whose value is present and not equal to `value`.
  public func isNotEqual<Number: FixedWidthInteger>(
    to value: Number
  ) -> PropertyQueryCondition<EntityType, ValueType> where ValueType == Number? {
    PropertyQueryCondition(self, .compare(.notEqual, QueryValue(value), ignoringCase: false))
  }

  /// Matches objects whose value is less than `value`.
  public func isLessThan<Number: FixedWidthInteger>(
    _ value: Number
  ) -> PropertyQueryCondition<EntityType, ValueType> where ValueType == Number? {
    PropertyQueryCondition(self, .compare(.less, QueryValue(value), ignoringCase: false))
  }

  /// Matches objects whose value is greater than `value`.
  public func isGreaterThan<Number: FixedWidthInteger>(
    _ value: Number
  ) -> PropertyQueryCondition<EntityType, ValueType> where ValueType == Number? {
    PropertyQueryCondition(self, .compare(.greater, QueryValue(value), ignoringCase: false))
  }

  /// Matches objects whose value is at most `value`.
  public func isLessOrEqual<Number: FixedWidthInteger>(
    _ value: Number
  ) -> PropertyQueryCondition<EntityType, ValueType> where ValueType == Number? {
    PropertyQueryCondition(self, .compare(.lessOrEqual, QueryValue(value), ignoringCase: false))
  }

  /// Matches objects whose value is at least `value`.
  public func isGreaterOrEqual<Number: FixedWidthInteger>(
    _ value: Number
  ) -> PropertyQueryCondition<EntityType, ValueType> where ValueType == Number? {
    PropertyQueryCondition(self, .compare(.greaterOrEqual, QueryValue(value), ignoringCase: false))
  }

  /// Matches objects whose value lies between the two bounds, or equals one of them; the order of the bounds
  /// does not matter.
  public func isBetween<Number: FixedWidthInteger>(
    _ lowerBound: Number, and upperBound: Number
  ) -> PropertyQueryCondition<EntityType, ValueType> where ValueType == Number? {
    PropertyQueryCondition(self, .between(QueryValue(lowerBound), QueryValue(upperBound)))
  }

  /// Matches objects whose value lies in the closed range `range`.
  public func isIn<Number: FixedWidthInteger>(
    _ range: ClosedRange<Number>
  ) -> PropertyQueryCondition<EntityType, ValueType> where ValueType == Number? {
    PropertyQueryCondition(self, .inRange(.init(range), isNegated: false))
  }

  /// Matches objects whose value lies in the half-open range `range`.
  public func isIn<Number: FixedWidthInteger>(
    _ range: Range<Number>
  ) -> PropertyQueryCondition<EntityType, ValueType> where ValueType == Number? {
    PropertyQueryCondition(self, .inRange(.init(range), isNegated: false))
  }

  /// Matches objects whose value is an element of `collection`.
  public func isIn<Number: FixedWidthInteger>(
    _ collection: [Number]
  ) -> PropertyQueryCondition<EntityType, ValueType> where ValueType == Number? {
    PropertyQueryCondition(self, .isOneOf(collection.map { QueryValue($0) }, ignoringCase: false))
  }

  /// Matches objects whose value is present and not an element of `collection`.
  public func isNotIn<Number: FixedWidthInteger>(
    _ collection: [Number]
  ) -> PropertyQueryCondition<EntityType, ValueType> where ValueType == Number? {
    PropertyQueryCondition(self, .isNoneOf(collection.map { QueryValue($0) }))
  }
}
