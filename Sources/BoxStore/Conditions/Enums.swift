internal import BoxEngine

/// A property that holds the raw values of an enum, by whose cases conditions compare.
///
/// ```swift
/// let novels = try books.query { Book.genre == .novel }.build()
/// ```
///
/// The generator writes one for each property of an enum, with the name of the ``Property`` that has the raw values:
/// the compiler takes the one that a condition needs, so that `Book.genre == 1` compiles too.
public struct EnumProperty<E: EntityInspectable & __EntityRelatable, Case: RawRepresentable>:
  Sendable
where
  E == E.EntityBindingType.EntityType,
  Case.RawValue: UniqueImportValue & EntityPropertyTypeConvertible
{
  /// The entity type.
  public typealias EntityType = E

  /// The property of the raw values.
  let stored: Property<E, Case.RawValue, Void>

  /// Creates a property by its id in the model.
  public init(propertyId: UInt32) { stored = Property(propertyId: propertyId) }
}

/// Matches objects whose value is the case `rhs`.
public func == <E, Case>(
  lhs: EnumProperty<E, Case>, rhs: Case
) -> PropertyQueryCondition<E, Case.RawValue> where E: Entity {
  PropertyQueryCondition(lhs.stored, .compare(.equal, QueryValue(rhs), ignoringCase: false))
}

/// Matches objects whose value is present and not the case `rhs`.
public func != <E, Case>(
  lhs: EnumProperty<E, Case>, rhs: Case
) -> PropertyQueryCondition<E, Case.RawValue> where E: Entity {
  PropertyQueryCondition(lhs.stored, .compare(.notEqual, QueryValue(rhs), ignoringCase: false))
}

/// Matches objects whose value is one of the cases `rhs`.
public func ∈ <E, Case>(
  lhs: EnumProperty<E, Case>, rhs: [Case]
) -> PropertyQueryCondition<E, Case.RawValue> where E: Entity {
  PropertyQueryCondition(lhs.stored, .isOneOf(rhs.map { QueryValue($0) }, ignoringCase: false))
}

extension Query {
  /// Changes the case that the first condition on a property of an enum compares with.
  public func setParameter<Case>(_ property: EnumProperty<EntityType, Case>, to value: Case) {
    change(ParameterTarget(property.stored), .one(QueryValue(value)))
  }

  /// Changes the cases of the first condition on a property of an enum.
  public func setParameters<Case>(
    _ property: EnumProperty<EntityType, Case>, to values: [Case]
  ) {
    change(ParameterTarget(property.stored), .list(values.map { QueryValue($0) }))
  }
}

extension QueryValue {
  /// The raw value of a case.
  init<Case: RawRepresentable>(_ value: Case) where Case.RawValue: UniqueImportValue {
    switch value.rawValue.uniqueImportValue {
    case .integer(let number): self = .integer(Int128(number))
    case .unsigned(let number): self = .integer(Int128(number))
    case .string(let text): self = .string(text)
    case .date(let date): self = .date(date)
    // Types of this module have no other values.
    case let other: self = .string("\(other)")
    }
  }
}
