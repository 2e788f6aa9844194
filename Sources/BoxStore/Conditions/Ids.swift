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

// MARK: - Objects as targets

/// Matches objects whose target is `rhs`; none if `rhs` was not put yet.
public func == <E, T>(
  lhs: Property<E, EntityId<T>, T>, rhs: T
) -> PropertyQueryCondition<E, UInt64> where E: Entity, T: __EntityRelatable {
  PropertyQueryCondition(lhs, .compare(.equal, QueryValue(rhs._id.value), ignoringCase: false))
}

/// Matches objects whose target is another object than `rhs`.
public func != <E, T>(
  lhs: Property<E, EntityId<T>, T>, rhs: T
) -> PropertyQueryCondition<E, UInt64> where E: Entity, T: __EntityRelatable {
  PropertyQueryCondition(lhs, .compare(.notEqual, QueryValue(rhs._id.value), ignoringCase: false))
}

/// Matches objects whose target has the id `rhs`.
public func == <E, T, ID>(
  lhs: Property<E, EntityId<T>, T>, rhs: ID
) -> PropertyQueryCondition<E, UInt64> where E: Entity, T: Entity, ID: UntypedIdBase {
  PropertyQueryCondition(lhs, .compare(.equal, QueryValue(rhs.value), ignoringCase: false))
}

/// Matches objects whose target has another id than `rhs`.
public func != <E, T, ID>(
  lhs: Property<E, EntityId<T>, T>, rhs: ID
) -> PropertyQueryCondition<E, UInt64> where E: Entity, T: Entity, ID: UntypedIdBase {
  PropertyQueryCondition(lhs, .compare(.notEqual, QueryValue(rhs.value), ignoringCase: false))
}

// MARK: - Order of ids

/// Matches objects whose id is less than `rhs`.
public func < <E, ID>(
  lhs: Property<E, ID, ID>, rhs: ID
) -> PropertyQueryCondition<E, ID> where E: Entity, ID: IdBase {
  PropertyQueryCondition(lhs, .compare(.less, QueryValue(id: rhs), ignoringCase: false))
}

/// Matches objects whose id is greater than `rhs`.
public func > <E, ID>(
  lhs: Property<E, ID, ID>, rhs: ID
) -> PropertyQueryCondition<E, ID> where E: Entity, ID: IdBase {
  PropertyQueryCondition(lhs, .compare(.greater, QueryValue(id: rhs), ignoringCase: false))
}

/// Matches objects whose id is at most `rhs`.
public func <= <E, ID>(
  lhs: Property<E, ID, ID>, rhs: ID
) -> PropertyQueryCondition<E, ID> where E: Entity, ID: IdBase {
  PropertyQueryCondition(lhs, .compare(.lessOrEqual, QueryValue(id: rhs), ignoringCase: false))
}

/// Matches objects whose id is at least `rhs`.
public func >= <E, ID>(
  lhs: Property<E, ID, ID>, rhs: ID
) -> PropertyQueryCondition<E, ID> where E: Entity, ID: IdBase {
  PropertyQueryCondition(lhs, .compare(.greaterOrEqual, QueryValue(id: rhs), ignoringCase: false))
}

extension QueryValue {
  /// An id as a number, negative if its type is signed and it is.
  fileprivate init(id: some IdBase) {
    self = (id as? Int64).map { QueryValue($0) } ?? QueryValue(id.value)
  }
}

extension Property where ValueType: IdBase {
  /// Matches objects whose id, or the id of the relation's target, equals `value`.
  @_disfavoredOverload
  public func isEqual(to value: Id) -> PropertyQueryCondition<EntityType, Id> {
    PropertyQueryCondition(self, .compare(.equal, QueryValue(value), ignoringCase: false))
  }
}
