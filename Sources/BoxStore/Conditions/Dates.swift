internal import BoxEngine

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// Dates are rounded to the unit that the property counts in, as a put rounds them.

/// Matches objects whose date equals `rhs`, rounded to the unit of the property.
public func == <E>(
  lhs: Property<E, Date, Void>, rhs: Date
) -> PropertyQueryCondition<E, Date> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.equal, .date(rhs), ignoringCase: false))
}

/// Matches objects whose date is present and not equal to `rhs`.
public func != <E>(
  lhs: Property<E, Date, Void>, rhs: Date
) -> PropertyQueryCondition<E, Date> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.notEqual, .date(rhs), ignoringCase: false))
}

/// Matches objects whose date is before `rhs`.
public func < <E>(
  lhs: Property<E, Date, Void>, rhs: Date
) -> PropertyQueryCondition<E, Date> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.less, .date(rhs), ignoringCase: false))
}

/// Matches objects whose date is after `rhs`.
public func > <E>(
  lhs: Property<E, Date, Void>, rhs: Date
) -> PropertyQueryCondition<E, Date> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.greater, .date(rhs), ignoringCase: false))
}

/// Matches objects whose date lies in the half-open range `rhs`.
public func ∈ <E>(
  lhs: Property<E, Date, Void>, rhs: Range<Date>
) -> PropertyQueryCondition<E, Date> where E: Entity {
  PropertyQueryCondition(lhs, .inRange(.init(rhs), isNegated: false))
}

/// Matches objects whose date lies in the closed range `rhs`.
public func ∈ <E>(
  lhs: Property<E, Date, Void>, rhs: ClosedRange<Date>
) -> PropertyQueryCondition<E, Date> where E: Entity {
  PropertyQueryCondition(lhs, .inRange(.init(rhs), isNegated: false))
}

/// Matches objects whose date is present and lies outside of the half-open range `rhs`.
public func ∉ <E>(
  lhs: Property<E, Date, Void>, rhs: Range<Date>
) -> PropertyQueryCondition<E, Date> where E: Entity {
  PropertyQueryCondition(lhs, .inRange(.init(rhs), isNegated: true))
}

/// Matches objects whose date is present and lies outside of the closed range `rhs`.
public func ∉ <E>(
  lhs: Property<E, Date, Void>, rhs: ClosedRange<Date>
) -> PropertyQueryCondition<E, Date> where E: Entity {
  PropertyQueryCondition(lhs, .inRange(.init(rhs), isNegated: true))
}

/// Matches objects whose date is an element of `rhs`.
public func ∈ <E>(
  lhs: Property<E, Date, Void>, rhs: [Date]
) -> PropertyQueryCondition<E, Date> where E: Entity {
  PropertyQueryCondition(lhs, .isOneOf(rhs.map { .date($0) }, ignoringCase: false))
}

/// Matches objects whose date is present and not an element of `rhs`.
public func ∉ <E>(
  lhs: Property<E, Date, Void>, rhs: [Date]
) -> PropertyQueryCondition<E, Date> where E: Entity {
  PropertyQueryCondition(lhs, .isNoneOf(rhs.map { .date($0) }))
}

/// Matches objects whose date equals `rhs`, rounded to the unit of the property.
public func == <E>(
  lhs: Property<E, Date?, Void>, rhs: Date
) -> PropertyQueryCondition<E, Date?> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.equal, .date(rhs), ignoringCase: false))
}

/// Matches objects whose date is present and not equal to `rhs`.
public func != <E>(
  lhs: Property<E, Date?, Void>, rhs: Date
) -> PropertyQueryCondition<E, Date?> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.notEqual, .date(rhs), ignoringCase: false))
}

/// Matches objects whose date is before `rhs`.
public func < <E>(
  lhs: Property<E, Date?, Void>, rhs: Date
) -> PropertyQueryCondition<E, Date?> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.less, .date(rhs), ignoringCase: false))
}

/// Matches objects whose date is after `rhs`.
public func > <E>(
  lhs: Property<E, Date?, Void>, rhs: Date
) -> PropertyQueryCondition<E, Date?> where E: Entity {
  PropertyQueryCondition(lhs, .compare(.greater, .date(rhs), ignoringCase: false))
}

/// Matches objects whose date lies in the half-open range `rhs`.
public func ∈ <E>(
  lhs: Property<E, Date?, Void>, rhs: Range<Date>
) -> PropertyQueryCondition<E, Date?> where E: Entity {
  PropertyQueryCondition(lhs, .inRange(.init(rhs), isNegated: false))
}

/// Matches objects whose date lies in the closed range `rhs`.
public func ∈ <E>(
  lhs: Property<E, Date?, Void>, rhs: ClosedRange<Date>
) -> PropertyQueryCondition<E, Date?> where E: Entity {
  PropertyQueryCondition(lhs, .inRange(.init(rhs), isNegated: false))
}

/// Matches objects whose date is present and lies outside of the half-open range `rhs`.
public func ∉ <E>(
  lhs: Property<E, Date?, Void>, rhs: Range<Date>
) -> PropertyQueryCondition<E, Date?> where E: Entity {
  PropertyQueryCondition(lhs, .inRange(.init(rhs), isNegated: true))
}

/// Matches objects whose date is present and lies outside of the closed range `rhs`.
public func ∉ <E>(
  lhs: Property<E, Date?, Void>, rhs: ClosedRange<Date>
) -> PropertyQueryCondition<E, Date?> where E: Entity {
  PropertyQueryCondition(lhs, .inRange(.init(rhs), isNegated: true))
}

/// Matches objects whose date is an element of `rhs`.
public func ∈ <E>(
  lhs: Property<E, Date?, Void>, rhs: [Date]
) -> PropertyQueryCondition<E, Date?> where E: Entity {
  PropertyQueryCondition(lhs, .isOneOf(rhs.map { .date($0) }, ignoringCase: false))
}

/// Matches objects whose date is present and not an element of `rhs`.
public func ∉ <E>(
  lhs: Property<E, Date?, Void>, rhs: [Date]
) -> PropertyQueryCondition<E, Date?> where E: Entity {
  PropertyQueryCondition(lhs, .isNoneOf(rhs.map { .date($0) }))
}

// MARK: - Methods

extension Property where ValueType: DatePropertyType {
  /// Matches objects whose date equals `date`, rounded to the unit of the property.
  public func isEqual(to date: Date) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.equal, .date(date), ignoringCase: false))
  }

  /// Matches objects whose date is present and not equal to `date`.
  public func isNotEqual(to date: Date) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.notEqual, .date(date), ignoringCase: false))
  }

  /// Matches objects whose date is before `other`.
  public func isBefore(_ other: Date) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.less, .date(other), ignoringCase: false))
  }

  /// Matches objects whose date is after `other`.
  public func isAfter(_ other: Date) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .compare(.greater, .date(other), ignoringCase: false))
  }

  /// Matches objects whose date lies between the two bounds, or equals one of them; the order of the bounds
  /// does not matter.
  public func isBetween(
    _ lowerBound: Date, and upperBound: Date
  ) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .between(.date(lowerBound), .date(upperBound)))
  }

  /// Matches objects whose date lies in the closed range `range`.
  public func isIn(
    _ range: ClosedRange<Date>
  ) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .inRange(.init(range), isNegated: false))
  }

  /// Matches objects whose date lies in the half-open range `range`.
  public func isIn(
    _ range: Range<Date>
  ) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .inRange(.init(range), isNegated: false))
  }

  /// Matches objects whose date is an element of `collection`.
  public func isIn(_ collection: [Date]) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .isOneOf(collection.map { .date($0) }, ignoringCase: false))
  }

  /// Matches objects whose date is present and not an element of `collection`.
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
