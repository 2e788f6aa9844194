internal import BoxEngine

// Ids are compared in every form that a property can have them: as numbers of either sign, and typed. One operator
// for both signs, as each further one slows down the compiler.

/// The condition that the id equals another one.
public func == <E, ID, R>(
  lhs: Property<E, ID, R>, rhs: ID
) -> PropertyQueryCondition<E, ID>
where E: Entity, ID: UntypedIdBase & FixedWidthInteger, R: IdBase {
  PropertyQueryCondition(lhs, .compare(.equal, QueryValue(rhs), ignoringCase: false))
}

/// The condition that the id equals another one.
public func == <E, T, R>(
  lhs: Property<E, EntityId<T>, R>, rhs: EntityId<T>
) -> PropertyQueryCondition<E, UInt64> where E: Entity, T: Entity {
  PropertyQueryCondition(lhs, .compare(.equal, QueryValue(rhs.value), ignoringCase: false))
}

/// The condition that there is an id and it differs from another one.
public func != <E, ID, R>(
  lhs: Property<E, ID, R>, rhs: ID
) -> PropertyQueryCondition<E, ID>
where E: Entity, ID: UntypedIdBase & FixedWidthInteger, R: IdBase {
  PropertyQueryCondition(lhs, .compare(.notEqual, QueryValue(rhs), ignoringCase: false))
}

/// The condition that there is an id and it differs from another one.
public func != <E, T, R>(
  lhs: Property<E, EntityId<T>, R>, rhs: EntityId<T>
) -> PropertyQueryCondition<E, UInt64> where E: Entity, T: Entity {
  PropertyQueryCondition(lhs, .compare(.notEqual, QueryValue(rhs.value), ignoringCase: false))
}

/// The condition that the id is one of several.
public func ∈ <E, ID, R>(
  lhs: Property<E, ID, R>, rhs: [ID]
) -> PropertyQueryCondition<E, ID>
where E: Entity, ID: UntypedIdBase & FixedWidthInteger, R: IdBase {
  PropertyQueryCondition(lhs, .isOneOf(rhs.map { QueryValue($0) }, ignoringCase: false))
}

/// The condition that the id is one of several.
public func ∈ <E, T, R>(
  lhs: Property<E, EntityId<T>, R>, rhs: [EntityId<T>]
) -> PropertyQueryCondition<E, UInt64> where E: Entity, T: Entity {
  PropertyQueryCondition(lhs, .isOneOf(rhs.map { QueryValue($0.value) }, ignoringCase: false))
}

extension Property where ValueType: IdBase {
  /// The condition that the id, or the id of the target of the relation, equals another one.
  @_disfavoredOverload
  public func isEqual(to value: Id) -> PropertyQueryCondition<EntityType, Id> {
    PropertyQueryCondition(self, .compare(.equal, QueryValue(value), ignoringCase: false))
  }
}
