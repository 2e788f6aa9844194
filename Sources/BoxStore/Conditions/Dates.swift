internal import BoxEngine

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// Dates are rounded to the unit that the property counts in, as a put rounds them.

/// The condition that the value equals another one.
public func == <E>(
  lhs: Property<E, Date, Void>, rhs: Date
) -> PropertyQueryCondition<E, Date> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.equal, .date(rhs), ignoringCase: false))
}

/// The condition that there is a value and it differs from another one.
public func != <E>(
  lhs: Property<E, Date, Void>, rhs: Date
) -> PropertyQueryCondition<E, Date> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.notEqual, .date(rhs), ignoringCase: false))
}

/// The condition that the value is less than another one.
public func < <E>(
  lhs: Property<E, Date, Void>, rhs: Date
) -> PropertyQueryCondition<E, Date> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.less, .date(rhs), ignoringCase: false))
}

/// The condition that the value is greater than another one.
public func > <E>(
  lhs: Property<E, Date, Void>, rhs: Date
) -> PropertyQueryCondition<E, Date> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.greater, .date(rhs), ignoringCase: false))
}

/// The condition that the value lies in a range.
public func ∈ <E>(
  lhs: Property<E, Date, Void>, rhs: Range<Date>
) -> PropertyQueryCondition<E, Date> where E: Entity {
  PropertyQueryCondition(lhs, .inRange(.init(rhs), isNegated: false))
}

/// The condition that the value lies in a range.
public func ∈ <E>(
  lhs: Property<E, Date, Void>, rhs: ClosedRange<Date>
) -> PropertyQueryCondition<E, Date> where E: Entity {
  PropertyQueryCondition(lhs, .inRange(.init(rhs), isNegated: false))
}

/// The condition that there is a value and it lies outside of a range.
public func ∉ <E>(
  lhs: Property<E, Date, Void>, rhs: Range<Date>
) -> PropertyQueryCondition<E, Date> where E: Entity {
  PropertyQueryCondition(lhs, .inRange(.init(rhs), isNegated: true))
}

/// The condition that there is a value and it lies outside of a range.
public func ∉ <E>(
  lhs: Property<E, Date, Void>, rhs: ClosedRange<Date>
) -> PropertyQueryCondition<E, Date> where E: Entity {
  PropertyQueryCondition(lhs, .inRange(.init(rhs), isNegated: true))
}

/// The condition that the value is one of several.
public func ∈ <E>(
  lhs: Property<E, Date, Void>, rhs: [Date]
) -> PropertyQueryCondition<E, Date> where E: Entity {
  PropertyQueryCondition(lhs, .isOneOf(rhs.map { .date($0) }, ignoringCase: false))
}

/// The condition that there is a value and it is none of several.
public func ∉ <E>(
  lhs: Property<E, Date, Void>, rhs: [Date]
) -> PropertyQueryCondition<E, Date> where E: Entity {
  PropertyQueryCondition(lhs, .isNoneOf(rhs.map { .date($0) }))
}

/// The condition that the value equals another one.
public func == <E>(
  lhs: Property<E, Date?, Void>, rhs: Date
) -> PropertyQueryCondition<E, Date?> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.equal, .date(rhs), ignoringCase: false))
}

/// The condition that there is a value and it differs from another one.
public func != <E>(
  lhs: Property<E, Date?, Void>, rhs: Date
) -> PropertyQueryCondition<E, Date?> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.notEqual, .date(rhs), ignoringCase: false))
}

/// The condition that the value is less than another one.
public func < <E>(
  lhs: Property<E, Date?, Void>, rhs: Date
) -> PropertyQueryCondition<E, Date?> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.less, .date(rhs), ignoringCase: false))
}

/// The condition that the value is greater than another one.
public func > <E>(
  lhs: Property<E, Date?, Void>, rhs: Date
) -> PropertyQueryCondition<E, Date?> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.greater, .date(rhs), ignoringCase: false))
}

/// The condition that the value lies in a range.
public func ∈ <E>(
  lhs: Property<E, Date?, Void>, rhs: Range<Date>
) -> PropertyQueryCondition<E, Date?> where E: Entity {
  PropertyQueryCondition(lhs, .inRange(.init(rhs), isNegated: false))
}

/// The condition that the value lies in a range.
public func ∈ <E>(
  lhs: Property<E, Date?, Void>, rhs: ClosedRange<Date>
) -> PropertyQueryCondition<E, Date?> where E: Entity {
  PropertyQueryCondition(lhs, .inRange(.init(rhs), isNegated: false))
}

/// The condition that there is a value and it lies outside of a range.
public func ∉ <E>(
  lhs: Property<E, Date?, Void>, rhs: Range<Date>
) -> PropertyQueryCondition<E, Date?> where E: Entity {
  PropertyQueryCondition(lhs, .inRange(.init(rhs), isNegated: true))
}

/// The condition that there is a value and it lies outside of a range.
public func ∉ <E>(
  lhs: Property<E, Date?, Void>, rhs: ClosedRange<Date>
) -> PropertyQueryCondition<E, Date?> where E: Entity {
  PropertyQueryCondition(lhs, .inRange(.init(rhs), isNegated: true))
}

/// The condition that the value is one of several.
public func ∈ <E>(
  lhs: Property<E, Date?, Void>, rhs: [Date]
) -> PropertyQueryCondition<E, Date?> where E: Entity {
  PropertyQueryCondition(lhs, .isOneOf(rhs.map { .date($0) }, ignoringCase: false))
}

/// The condition that there is a value and it is none of several.
public func ∉ <E>(
  lhs: Property<E, Date?, Void>, rhs: [Date]
) -> PropertyQueryCondition<E, Date?> where E: Entity {
  PropertyQueryCondition(lhs, .isNoneOf(rhs.map { .date($0) }))
}

// MARK: - Methods

extension Property where ValueType: DatePropertyType {
  /// The condition that the value is a date.
  public func isEqual(to date: Date) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.equal, .date(date), ignoringCase: false))
  }

  /// The condition that there is a value and it is not a date.
  public func isNotEqual(to date: Date) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.notEqual, .date(date), ignoringCase: false))
  }

  /// The condition that the value is before a date.
  public func isBefore(_ other: Date) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.less, .date(other), ignoringCase: false))
  }

  /// The condition that the value is after a date.
  public func isAfter(_ other: Date) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.greater, .date(other), ignoringCase: false))
  }

  /// The condition that the value is one of two dates or lies between them; their order does not matter.
  public func isBetween(
    _ lowerBound: Date, and upperBound: Date
  ) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .between(.date(lowerBound), .date(upperBound)))
  }

  /// The condition that the value lies in a range.
  public func isIn(
    _ range: ClosedRange<Date>
  ) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .inRange(.init(range), isNegated: false))
  }

  /// The condition that the value lies in a range.
  public func isIn(
    _ range: Range<Date>
  ) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .inRange(.init(range), isNegated: false))
  }

  /// The condition that the value is one of several.
  public func isIn(_ collection: [Date]) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .isOneOf(collection.map { .date($0) }, ignoringCase: false))
  }

  /// The condition that there is a value and it is none of several.
  public func isNotIn(_ collection: [Date]) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .isNoneOf(collection.map { .date($0) }))
  }
}

extension PropertyTest.ValueRange {
  init(_ range: Range<Date>) {
    self.init(low: .date(range.lowerBound), high: .date(range.upperBound), isHalfOpen: true)
  }

  init(_ range: ClosedRange<Date>) {
    self.init(low: .date(range.lowerBound), high: .date(range.upperBound), isHalfOpen: false)
  }
}
