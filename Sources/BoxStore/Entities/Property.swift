/// A property of an entity type, for queries.
///
/// - `V` is the type of its values, optional if the property is.
/// - `R` is the target type of a to-one relation, `Void` for values; for an id property it is the
///   type of the id.
public struct Property<
  E: EntityInspectable & __EntityRelatable, V: EntityPropertyTypeConvertible, R
>: Sendable where E == E.EntityBindingType.EntityType {
  /// The entity type.
  public typealias EntityType = E
  /// The type of the values.
  public typealias ValueType = V
  /// The target type of a to-one relation; `Void` for values.
  public typealias ReferencedType = R

  /// The id of the property in the model, unique in its entity.
  public let propertyId: UInt32
  /// Whether the property holds the ids of the objects.
  public let isPrimaryKey: Bool

  /// Creates a property by its id in the model.
  @inlinable public init(propertyId: UInt32, isPrimaryKey: Bool = false) {
    self.propertyId = propertyId
    self.isPrimaryKey = isPrimaryKey
  }
}

/// A property that holds values and not the target of a relation.
public typealias ValueProperty<
  E: EntityInspectable & __EntityRelatable, V: EntityPropertyTypeConvertible
> = Property<E, V, Void> where E == E.EntityBindingType.EntityType

/// A to-many relation of an entity type, for queries; `R` is the target type.
public struct ToManyProperty<R>: Sendable {
  /// The element of the model that a to-many relation is read from.
  public enum ToManyId: Hashable, Sendable {
    /// The backlink of a to-one relation: the id of that property, in the entity `R`.
    case valuePropertyId(obx_schema_id)
    /// A standalone relation: its id.
    case relationId(obx_schema_id)
    /// The backlink of a standalone relation: its id.
    case backlinkRelationId(obx_schema_id)
  }

  /// The element of the model.
  public let toManyId: ToManyId

  /// Creates a to-many relation by its element of the model.
  @inlinable public init(_ toManyId: ToManyId) { self.toManyId = toManyId }
}
