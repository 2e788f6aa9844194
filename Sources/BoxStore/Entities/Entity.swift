/// A class or struct whose objects are stored.
///
/// The protocol has no requirements: it marks a type for the generator, which writes the conformances
/// that a ``Box`` needs.
///
/// ```swift
/// final class Note: Entity {
///   var id: Id = 0
///   var text = ""
///   required init() {}
/// }
/// ```
public protocol Entity {}

/// An entity type with its binding; the generator writes the conformance.
///
/// Objects are read and written on any thread: a type that belongs to an actor by default needs
/// `nonisolated` before it.
public protocol EntityInspectable: SendableMetatype {
  /// The type of the binding.
  associatedtype EntityBindingType: EntityBinding
  /// The name and the id in the model.
  static var entityInfo: EntityInfo { get }
  /// Writes and reads the objects.
  static var entityBinding: EntityBindingType { get }
}

// swift-format-ignore: NoLeadingUnderscores
/// An entity type whose objects can be the targets of relations; the generator writes the conformance.
public protocol __EntityRelatable {
  /// The entity type itself.
  associatedtype EntityType: Entity
  // swift-format-ignore: NoLeadingUnderscores
  /// The typed id of the object; 0 if it was not put yet.
  var _id: EntityId<EntityType> { get }
}

/// The name and the id by which a model knows an entity type.
public final class EntityInfo: Sendable {
  /// The name of the entity in the model.
  public let entityName: String
  /// The id of the entity in the model.
  public let entitySchemaId: UInt32

  /// Creates the name and the id of an entity.
  public init(name entityName: String, id schemaId: UInt32) {
    self.entityName = entityName
    entitySchemaId = schemaId
  }
}

/// The treatment of existing and missing objects by a put.
public enum PutMode: UInt32, Hashable, Sendable {
  /// Inserts the object or replaces it.
  case put = 1
  /// Inserts the object; fails if it exists.
  case insert = 2
  /// Replaces the object; fails if it does not exist.
  case update = 3
}
