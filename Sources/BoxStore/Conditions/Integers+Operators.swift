internal import BoxEngine

// MARK: - Properties

/// The condition that the value equals another one.
public func == <E, VALUE>(
  lhs: Property<E, VALUE, Void>, rhs: VALUE
) -> PropertyQueryCondition<E, VALUE> where E: Entity, VALUE: FixedWidthInteger {
  PropertyQueryCondition(lhs, .compare(.equal, QueryValue(rhs), ignoringCase: false))
}

/// The condition that there is a value and it differs from another one.
public func != <E, VALUE>(
  lhs: Property<E, VALUE, Void>, rhs: VALUE
) -> PropertyQueryCondition<E, VALUE> where E: Entity, VALUE: FixedWidthInteger {
  PropertyQueryCondition(lhs, .compare(.notEqual, QueryValue(rhs), ignoringCase: false))
}

/// The condition that the value is less than another one.
public func < <E, VALUE>(
  lhs: Property<E, VALUE, Void>, rhs: VALUE
) -> PropertyQueryCondition<E, VALUE> where E: Entity, VALUE: FixedWidthInteger {
  PropertyQueryCondition(lhs, .compare(.less, QueryValue(rhs), ignoringCase: false))
}

/// The condition that the value is greater than another one.
public func > <E, VALUE>(
  lhs: Property<E, VALUE, Void>, rhs: VALUE
) -> PropertyQueryCondition<E, VALUE> where E: Entity, VALUE: FixedWidthInteger {
  PropertyQueryCondition(lhs, .compare(.greater, QueryValue(rhs), ignoringCase: false))
}

/// The condition that the value is at most another one.
public func <= <E, VALUE>(
  lhs: Property<E, VALUE, Void>, rhs: VALUE
) -> PropertyQueryCondition<E, VALUE> where E: Entity, VALUE: FixedWidthInteger {
  PropertyQueryCondition(lhs, .compare(.lessOrEqual, QueryValue(rhs), ignoringCase: false))
}

/// The condition that the value is at least another one.
public func >= <E, VALUE>(
  lhs: Property<E, VALUE, Void>, rhs: VALUE
) -> PropertyQueryCondition<E, VALUE> where E: Entity, VALUE: FixedWidthInteger {
  PropertyQueryCondition(lhs, .compare(.greaterOrEqual, QueryValue(rhs), ignoringCase: false))
}

/// The condition that the value lies in a range.
public func ∈ <E, VALUE>(
  lhs: Property<E, VALUE, Void>, rhs: Range<VALUE>
) -> PropertyQueryCondition<E, VALUE> where E: Entity, VALUE: FixedWidthInteger {
  PropertyQueryCondition(lhs, .inRange(.init(rhs), isNegated: false))
}

/// The condition that the value lies in a range.
public func ∈ <E, VALUE>(
  lhs: Property<E, VALUE, Void>, rhs: ClosedRange<VALUE>
) -> PropertyQueryCondition<E, VALUE> where E: Entity, VALUE: FixedWidthInteger {
  PropertyQueryCondition(lhs, .inRange(.init(rhs), isNegated: false))
}

/// The condition that there is a value and it lies outside of a range.
public func ∉ <E, VALUE>(
  lhs: Property<E, VALUE, Void>, rhs: Range<VALUE>
) -> PropertyQueryCondition<E, VALUE> where E: Entity, VALUE: FixedWidthInteger {
  PropertyQueryCondition(lhs, .inRange(.init(rhs), isNegated: true))
}

/// The condition that there is a value and it lies outside of a range.
public func ∉ <E, VALUE>(
  lhs: Property<E, VALUE, Void>, rhs: ClosedRange<VALUE>
) -> PropertyQueryCondition<E, VALUE> where E: Entity, VALUE: FixedWidthInteger {
  PropertyQueryCondition(lhs, .inRange(.init(rhs), isNegated: true))
}

/// The condition that the value is one of several.
public func ∈ <E, VALUE>(
  lhs: Property<E, VALUE, Void>, rhs: [VALUE]
) -> PropertyQueryCondition<E, VALUE> where E: Entity, VALUE: FixedWidthInteger {
  PropertyQueryCondition(lhs, .isOneOf(rhs.map { QueryValue($0) }, ignoringCase: false))
}

/// The condition that there is a value and it is none of several.
public func ∉ <E, VALUE>(
  lhs: Property<E, VALUE, Void>, rhs: [VALUE]
) -> PropertyQueryCondition<E, VALUE> where E: Entity, VALUE: FixedWidthInteger {
  PropertyQueryCondition(lhs, .isNoneOf(rhs.map { QueryValue($0) }))
}

// MARK: - Optional properties

/// The condition that the value equals another one.
public func == <E, VALUE>(
  lhs: Property<E, VALUE?, Void>, rhs: VALUE
) -> PropertyQueryCondition<E, VALUE> where E: Entity, VALUE: FixedWidthInteger {
  PropertyQueryCondition(lhs, .compare(.equal, QueryValue(rhs), ignoringCase: false))
}

/// The condition that there is a value and it differs from another one.
public func != <E, VALUE>(
  lhs: Property<E, VALUE?, Void>, rhs: VALUE
) -> PropertyQueryCondition<E, VALUE> where E: Entity, VALUE: FixedWidthInteger {
  PropertyQueryCondition(lhs, .compare(.notEqual, QueryValue(rhs), ignoringCase: false))
}

/// The condition that the value is less than another one.
public func < <E, VALUE>(
  lhs: Property<E, VALUE?, Void>, rhs: VALUE
) -> PropertyQueryCondition<E, VALUE> where E: Entity, VALUE: FixedWidthInteger {
  PropertyQueryCondition(lhs, .compare(.less, QueryValue(rhs), ignoringCase: false))
}

/// The condition that the value is greater than another one.
public func > <E, VALUE>(
  lhs: Property<E, VALUE?, Void>, rhs: VALUE
) -> PropertyQueryCondition<E, VALUE> where E: Entity, VALUE: FixedWidthInteger {
  PropertyQueryCondition(lhs, .compare(.greater, QueryValue(rhs), ignoringCase: false))
}

/// The condition that the value is at most another one.
public func <= <E, VALUE>(
  lhs: Property<E, VALUE?, Void>, rhs: VALUE
) -> PropertyQueryCondition<E, VALUE> where E: Entity, VALUE: FixedWidthInteger {
  PropertyQueryCondition(lhs, .compare(.lessOrEqual, QueryValue(rhs), ignoringCase: false))
}

/// The condition that the value is at least another one.
public func >= <E, VALUE>(
  lhs: Property<E, VALUE?, Void>, rhs: VALUE
) -> PropertyQueryCondition<E, VALUE> where E: Entity, VALUE: FixedWidthInteger {
  PropertyQueryCondition(lhs, .compare(.greaterOrEqual, QueryValue(rhs), ignoringCase: false))
}

/// The condition that the value lies in a range.
public func ∈ <E, VALUE>(
  lhs: Property<E, VALUE?, Void>, rhs: Range<VALUE>
) -> PropertyQueryCondition<E, VALUE> where E: Entity, VALUE: FixedWidthInteger {
  PropertyQueryCondition(lhs, .inRange(.init(rhs), isNegated: false))
}

/// The condition that the value lies in a range.
public func ∈ <E, VALUE>(
  lhs: Property<E, VALUE?, Void>, rhs: ClosedRange<VALUE>
) -> PropertyQueryCondition<E, VALUE> where E: Entity, VALUE: FixedWidthInteger {
  PropertyQueryCondition(lhs, .inRange(.init(rhs), isNegated: false))
}

/// The condition that there is a value and it lies outside of a range.
public func ∉ <E, VALUE>(
  lhs: Property<E, VALUE?, Void>, rhs: Range<VALUE>
) -> PropertyQueryCondition<E, VALUE> where E: Entity, VALUE: FixedWidthInteger {
  PropertyQueryCondition(lhs, .inRange(.init(rhs), isNegated: true))
}

/// The condition that there is a value and it lies outside of a range.
public func ∉ <E, VALUE>(
  lhs: Property<E, VALUE?, Void>, rhs: ClosedRange<VALUE>
) -> PropertyQueryCondition<E, VALUE> where E: Entity, VALUE: FixedWidthInteger {
  PropertyQueryCondition(lhs, .inRange(.init(rhs), isNegated: true))
}

/// The condition that the value is one of several.
public func ∈ <E, VALUE>(
  lhs: Property<E, VALUE?, Void>, rhs: [VALUE]
) -> PropertyQueryCondition<E, VALUE> where E: Entity, VALUE: FixedWidthInteger {
  PropertyQueryCondition(lhs, .isOneOf(rhs.map { QueryValue($0) }, ignoringCase: false))
}

/// The condition that there is a value and it is none of several.
public func ∉ <E, VALUE>(
  lhs: Property<E, VALUE?, Void>, rhs: [VALUE]
) -> PropertyQueryCondition<E, VALUE> where E: Entity, VALUE: FixedWidthInteger {
  PropertyQueryCondition(lhs, .isNoneOf(rhs.map { QueryValue($0) }))
}
