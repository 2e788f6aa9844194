internal import BoxEngine

// Ids are compared in every form that a property can have them: as numbers of either sign, and typed. One operator
// for both signs, as each further one slows down the compiler.

/// Matches objects whose id, or the id of the relation's target, equals `rhs`.
public func == <E, ID, R>(
  lhs: Property<E, ID, R>, rhs: ID
) -> PropertyQueryCondition<E, ID>
where E: Entity, ID: UntypedIdBase & FixedWidthInteger, R: IdBase {
  PropertyQueryCondition(lhs, .compare(.equal, QueryValue(rhs), ignoringCase: false))
}

/// Matches objects whose id, or the id of the relation's target, equals `rhs`.
public func == <E, T, R>(
  lhs: Property<E, EntityId<T>, R>, rhs: EntityId<T>
) -> PropertyQueryCondition<E, UInt64> where E: Entity, T: Entity {
  PropertyQueryCondition(lhs, .compare(.equal, QueryValue(rhs.value), ignoringCase: false))
}

/// Matches objects whose id, or the id of the relation's target, is present and not equal to `rhs`.
public func != <E, ID, R>(
  lhs: Property<E, ID, R>, rhs: ID
) -> PropertyQueryCondition<E, ID>
where E: Entity, ID: UntypedIdBase & FixedWidthInteger, R: IdBase {
  PropertyQueryCondition(lhs, .compare(.notEqual, QueryValue(rhs), ignoringCase: false))
}

/// Matches objects whose id, or the id of the relation's target, is present and not equal to `rhs`.
public func != <E, T, R>(
  lhs: Property<E, EntityId<T>, R>, rhs: EntityId<T>
) -> PropertyQueryCondition<E, UInt64> where E: Entity, T: Entity {
  PropertyQueryCondition(lhs, .compare(.notEqual, QueryValue(rhs.value), ignoringCase: false))
}

/// Matches objects whose id, or the id of the relation's target, is an element of `rhs`.
public func ∈ <E, ID, R>(
  lhs: Property<E, ID, R>, rhs: [ID]
) -> PropertyQueryCondition<E, ID>
where E: Entity, ID: UntypedIdBase & FixedWidthInteger, R: IdBase {
  PropertyQueryCondition(lhs, .isOneOf(rhs.map { QueryValue($0) }, ignoringCase: false))
}

/// Matches objects whose id, or the id of the relation's target, is an element of `rhs`.
public func ∈ <E, T, R>(
  lhs: Property<E, EntityId<T>, R>, rhs: [EntityId<T>]
) -> PropertyQueryCondition<E, UInt64> where E: Entity, T: Entity {
  PropertyQueryCondition(lhs, .isOneOf(rhs.map { QueryValue($0.value) }, ignoringCase: false))
}

extension Property where ValueType: IdBase {
  /// Matches objects whose id, or the id of the relation's target, equals `value`.
  @_disfavoredOverload
  public func isEqual(to value: Id) -> PropertyQueryCondition<EntityType, Id> {
    PropertyQueryCondition(self, .compare(.equal, QueryValue(value), ignoringCase: false))
  }
}
