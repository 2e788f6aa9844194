internal import BoxEngine

// MARK: - Properties

/// Matches objects whose value equals `rhs`.
public func == <E, VALUE>(
  lhs: Property<E, VALUE, Void>, rhs: VALUE
) -> PropertyQueryCondition<E, VALUE> where E: Entity, VALUE: FixedWidthInteger {
  PropertyQueryCondition(lhs, .compare(.equal, QueryValue(rhs), ignoringCase: false))
}

/// Matches objects whose value is present and not equal to `rhs`.
public func != <E, VALUE>(
  lhs: Property<E, VALUE, Void>, rhs: VALUE
) -> PropertyQueryCondition<E, VALUE> where E: Entity, VALUE: FixedWidthInteger {
  PropertyQueryCondition(lhs, .compare(.notEqual, QueryValue(rhs), ignoringCase: false))
}

/// Matches objects whose value is less than `rhs`.
public func < <E, VALUE>(
  lhs: Property<E, VALUE, Void>, rhs: VALUE
) -> PropertyQueryCondition<E, VALUE> where E: Entity, VALUE: FixedWidthInteger {
  PropertyQueryCondition(lhs, .compare(.less, QueryValue(rhs), ignoringCase: false))
}

/// Matches objects whose value is greater than `rhs`.
public func > <E, VALUE>(
  lhs: Property<E, VALUE, Void>, rhs: VALUE
) -> PropertyQueryCondition<E, VALUE> where E: Entity, VALUE: FixedWidthInteger {
  PropertyQueryCondition(lhs, .compare(.greater, QueryValue(rhs), ignoringCase: false))
}

/// Matches objects whose value is at most `rhs`.
public func <= <E, VALUE>(
  lhs: Property<E, VALUE, Void>, rhs: VALUE
) -> PropertyQueryCondition<E, VALUE> where E: Entity, VALUE: FixedWidthInteger {
  PropertyQueryCondition(lhs, .compare(.lessOrEqual, QueryValue(rhs), ignoringCase: false))
}

/// Matches objects whose value is at least `rhs`.
public func >= <E, VALUE>(
  lhs: Property<E, VALUE, Void>, rhs: VALUE
) -> PropertyQueryCondition<E, VALUE> where E: Entity, VALUE: FixedWidthInteger {
  PropertyQueryCondition(lhs, .compare(.greaterOrEqual, QueryValue(rhs), ignoringCase: false))
}

/// Matches objects whose value lies in the half-open range `rhs`.
public func ∈ <E, VALUE>(
  lhs: Property<E, VALUE, Void>, rhs: Range<VALUE>
) -> PropertyQueryCondition<E, VALUE> where E: Entity, VALUE: FixedWidthInteger {
  PropertyQueryCondition(lhs, .inRange(.init(rhs), isNegated: false))
}

/// Matches objects whose value lies in the closed range `rhs`.
public func ∈ <E, VALUE>(
  lhs: Property<E, VALUE, Void>, rhs: ClosedRange<VALUE>
) -> PropertyQueryCondition<E, VALUE> where E: Entity, VALUE: FixedWidthInteger {
  PropertyQueryCondition(lhs, .inRange(.init(rhs), isNegated: false))
}

/// Matches objects whose value is present and lies outside of the half-open range `rhs`.
public func ∉ <E, VALUE>(
  lhs: Property<E, VALUE, Void>, rhs: Range<VALUE>
) -> PropertyQueryCondition<E, VALUE> where E: Entity, VALUE: FixedWidthInteger {
  PropertyQueryCondition(lhs, .inRange(.init(rhs), isNegated: true))
}

/// Matches objects whose value is present and lies outside of the closed range `rhs`.
public func ∉ <E, VALUE>(
  lhs: Property<E, VALUE, Void>, rhs: ClosedRange<VALUE>
) -> PropertyQueryCondition<E, VALUE> where E: Entity, VALUE: FixedWidthInteger {
  PropertyQueryCondition(lhs, .inRange(.init(rhs), isNegated: true))
}

/// Matches objects whose value is an element of `rhs`.
public func ∈ <E, VALUE>(
  lhs: Property<E, VALUE, Void>, rhs: [VALUE]
) -> PropertyQueryCondition<E, VALUE> where E: Entity, VALUE: FixedWidthInteger {
  PropertyQueryCondition(lhs, .isOneOf(rhs.map { QueryValue($0) }, ignoringCase: false))
}

/// Matches objects whose value is present and not an element of `rhs`.
public func ∉ <E, VALUE>(
  lhs: Property<E, VALUE, Void>, rhs: [VALUE]
) -> PropertyQueryCondition<E, VALUE> where E: Entity, VALUE: FixedWidthInteger {
  PropertyQueryCondition(lhs, .isNoneOf(rhs.map { QueryValue($0) }))
}

// MARK: - Optional properties

/// Matches objects whose value equals `rhs`.
public func == <E, VALUE>(
  lhs: Property<E, VALUE?, Void>, rhs: VALUE
) -> PropertyQueryCondition<E, VALUE> where E: Entity, VALUE: FixedWidthInteger {
  PropertyQueryCondition(lhs, .compare(.equal, QueryValue(rhs), ignoringCase: false))
}

/// Matches objects whose value is present and not equal to `rhs`.
public func != <E, VALUE>(
  lhs: Property<E, VALUE?, Void>, rhs: VALUE
) -> PropertyQueryCondition<E, VALUE> where E: Entity, VALUE: FixedWidthInteger {
  PropertyQueryCondition(lhs, .compare(.notEqual, QueryValue(rhs), ignoringCase: false))
}

/// Matches objects whose value is less than `rhs`.
public func < <E, VALUE>(
  lhs: Property<E, VALUE?, Void>, rhs: VALUE
) -> PropertyQueryCondition<E, VALUE> where E: Entity, VALUE: FixedWidthInteger {
  PropertyQueryCondition(lhs, .compare(.less, QueryValue(rhs), ignoringCase: false))
}

/// Matches objects whose value is greater than `rhs`.
public func > <E, VALUE>(
  lhs: Property<E, VALUE?, Void>, rhs: VALUE
) -> PropertyQueryCondition<E, VALUE> where E: Entity, VALUE: FixedWidthInteger {
  PropertyQueryCondition(lhs, .compare(.greater, QueryValue(rhs), ignoringCase: false))
}

/// Matches objects whose value is at most `rhs`.
public func <= <E, VALUE>(
  lhs: Property<E, VALUE?, Void>, rhs: VALUE
) -> PropertyQueryCondition<E, VALUE> where E: Entity, VALUE: FixedWidthInteger {
  PropertyQueryCondition(lhs, .compare(.lessOrEqual, QueryValue(rhs), ignoringCase: false))
}

/// Matches objects whose value is at least `rhs`.
public func >= <E, VALUE>(
  lhs: Property<E, VALUE?, Void>, rhs: VALUE
) -> PropertyQueryCondition<E, VALUE> where E: Entity, VALUE: FixedWidthInteger {
  PropertyQueryCondition(lhs, .compare(.greaterOrEqual, QueryValue(rhs), ignoringCase: false))
}

/// Matches objects whose value lies in the half-open range `rhs`.
public func ∈ <E, VALUE>(
  lhs: Property<E, VALUE?, Void>, rhs: Range<VALUE>
) -> PropertyQueryCondition<E, VALUE> where E: Entity, VALUE: FixedWidthInteger {
  PropertyQueryCondition(lhs, .inRange(.init(rhs), isNegated: false))
}

/// Matches objects whose value lies in the closed range `rhs`.
public func ∈ <E, VALUE>(
  lhs: Property<E, VALUE?, Void>, rhs: ClosedRange<VALUE>
) -> PropertyQueryCondition<E, VALUE> where E: Entity, VALUE: FixedWidthInteger {
  PropertyQueryCondition(lhs, .inRange(.init(rhs), isNegated: false))
}

/// Matches objects whose value is present and lies outside of the half-open range `rhs`.
public func ∉ <E, VALUE>(
  lhs: Property<E, VALUE?, Void>, rhs: Range<VALUE>
) -> PropertyQueryCondition<E, VALUE> where E: Entity, VALUE: FixedWidthInteger {
  PropertyQueryCondition(lhs, .inRange(.init(rhs), isNegated: true))
}

/// Matches objects whose value is present and lies outside of the closed range `rhs`.
public func ∉ <E, VALUE>(
  lhs: Property<E, VALUE?, Void>, rhs: ClosedRange<VALUE>
) -> PropertyQueryCondition<E, VALUE> where E: Entity, VALUE: FixedWidthInteger {
  PropertyQueryCondition(lhs, .inRange(.init(rhs), isNegated: true))
}

/// Matches objects whose value is an element of `rhs`.
public func ∈ <E, VALUE>(
  lhs: Property<E, VALUE?, Void>, rhs: [VALUE]
) -> PropertyQueryCondition<E, VALUE> where E: Entity, VALUE: FixedWidthInteger {
  PropertyQueryCondition(lhs, .isOneOf(rhs.map { QueryValue($0) }, ignoringCase: false))
}

/// Matches objects whose value is present and not an element of `rhs`.
public func ∉ <E, VALUE>(
  lhs: Property<E, VALUE?, Void>, rhs: [VALUE]
) -> PropertyQueryCondition<E, VALUE> where E: Entity, VALUE: FixedWidthInteger {
  PropertyQueryCondition(lhs, .isNoneOf(rhs.map { QueryValue($0) }))
}
