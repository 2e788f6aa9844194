public import BoxConvert
public import BoxJSON

/// The rules for carrying the objects of one model over to another, entity by entity.
///
/// Entities that it does not name are carried over by their UIDs: an entity that both models have is
/// copied, one that only the old model has is dropped, and one that only the new model has starts empty.
///
///     let mapping = ModelMapping(
///       from: "V2", to: "V3",
///       [
///         .delete("Draft"),
///         .copy("Tag", to: "Label"),
///         .transform("Person") { source, output in
///           if source["isVeryOldAccount"] == true { return }
///           var person = try output.object()
///           person["rank"] = 3
///           try output.put(person)
///         },
///       ])
public struct ModelMapping: Sendable {
  /// The version that the mapping starts from; nil if there is only one step.
  public var from: String?
  /// The version that the mapping ends at; nil if there is only one step.
  public var to: String?
  /// The rules for entities.
  public var entities: [EntityMigration]
  /// Converters by name, which rules for properties may use.
  public var types: CatalogueNode?
  /// The converters of the application, for converters of the type `registered`.
  public var registry = ConverterRegistry()
  /// The place in the file.
  public var position: JSONPosition?

  /// Creates a mapping.
  ///
  /// - Parameters:
  ///   - from: The version that the mapping starts from; nil if there is only one step.
  ///   - to: The version that the mapping ends at; nil if there is only one step.
  ///   - entities: The rules for entities.
  public init(from: String? = nil, to: String? = nil, _ entities: [EntityMigration]) {
    self.from = from
    self.to = to
    self.entities = entities
  }
}

/// The rule for the objects of one entity.
public struct EntityMigration: Sendable {
  /// A Swift function that makes new objects from an old one.
  public typealias Function = @Sendable (SourceObject, inout ObjectOutput) throws -> Void

  /// The action on the objects of an entity.
  public enum Action: Sendable {
    /// The objects are dropped.
    case delete
    /// The entity, one of the new model, starts empty.
    case insert
    /// The objects are copied into the entity with a name, or with nil into the entity with the same UID.
    case copy(to: String?)
    /// Objects are made as rules say.
    case transform([ObjectRule])
    /// Objects of entities are made by a function; nil for the entity of the same UID.
    case function(to: [ObjectDestination], Function)
  }

  /// The entity: of the old model, or of the new one where it starts empty.
  public var entity: String
  /// The action.
  public var action: Action
  /// The place in the file.
  public var position: JSONPosition?

  /// Creates what is done about an entity.
  public init(_ entity: String, _ action: Action, position: JSONPosition? = nil) {
    self.entity = entity
    self.action = action
    self.position = position
  }

  /// Drops the objects of an entity.
  public static func delete(_ entity: String) -> EntityMigration { .init(entity, .delete) }

  /// An entity of the new model starts empty, even if the old model has it.
  public static func insert(_ entity: String) -> EntityMigration { .init(entity, .insert) }

  /// The objects of an entity are carried over with their ids.
  public static func copy(_ entity: String, to destination: String? = nil) -> EntityMigration {
    .init(entity, .copy(to: destination))
  }

  /// Makes the objects of an entity into new ones with a function.
  ///
  /// - Parameters:
  ///   - entity: The entity of the old model.
  ///   - destinations: The entities of the new model that the function makes objects of; empty for
  ///     the entity of the same UID.
  ///   - function: Called with each object of the entity; makes none, one or several new objects.
  /// - Returns: The rule.
  public static func transform(
    _ entity: String, to destinations: ObjectDestination..., function: @escaping Function
  ) -> EntityMigration {
    .init(entity, .function(to: destinations, function))
  }
}

/// The origin of the ids of new objects.
public enum IDRule: String, Hashable, Sendable, CaseIterable {
  /// The object has the id of the one that it is made of.
  case same
  /// The object has the id of the old object, shifted above all ids of the entities before. Objects
  /// of two entities become objects of one, and relations follow.
  case shifted
  /// The object gets the next id; relations do not find it.
  case new
}

/// An entity of the new model that objects are made of.
public struct ObjectDestination: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The name.
  public var entity: String
  /// The origin of the ids of the objects.
  public var ids: IDRule

  /// Creates a destination.
  public init(_ entity: String, ids: IDRule = .same) {
    self.entity = entity
    self.ids = ids
  }

  /// Creates a destination whose objects have the ids of those that they are made of.
  public init(stringLiteral value: String) { self.init(value) }
}

/// An object to make out of one, as data.
public struct ObjectRule: Sendable {
  /// The entity of the new model; nil for the one that has the same UID.
  public var entity: String?
  /// The origin of the id of the object.
  public var ids = IDRule.same
  /// The conditions that the old object must meet, all of them.
  public var conditions: [ObjectCondition] = []
  /// The values that are not carried over as they are, by the names of the new properties and to-many relations.
  public var properties: [(name: String, position: JSONPosition?, rule: PropertyRule)] = []
  /// The place in the file.
  public var position: JSONPosition?

  /// Creates the rule that carries over every value.
  public init(entity: String? = nil) { self.entity = entity }
}

/// A condition on an object.
public struct ObjectCondition: Hashable, Sendable {
  /// The property of the old entity, a path over to-one relations, or a to-many relation, which is null without
  /// objects.
  public var property: String
  /// The values, as JSON shows them without a converter.
  public var values: [JSONValue]
  /// Whether the object must have none of the values, instead of one of them.
  public var isNegated: Bool
  /// The place in the file.
  public var position: JSONPosition?

  /// Creates a condition.
  public init(
    _ property: String, isOneOf values: [JSONValue], isNegated: Bool = false,
    position: JSONPosition? = nil
  ) {
    self.property = property
    self.values = values
    self.isNegated = isNegated
    self.position = position
  }
}

/// A rule for the value of a new property.
public struct PropertyRule: Hashable, Sendable {
  /// The handling of a value that the new property cannot hold.
  public enum Unfit: String, Hashable, Sendable, CaseIterable {
    /// The migration ends, and the store stays as it is.
    case fail
    /// Null takes its place.
    case null
    /// The default takes its place.
    case `default`
    /// Of several objects, a to-one relation takes the one with the lowest id.
    case first
  }

  /// The property or relation of the old entity, or a path over to-one relations, as `customer.name`; nil if no value
  /// is taken over.
  public var source: String?
  /// The relation of another entity to the old one, such as `Order.customer`: its objects are the source,
  /// instead of ``source``.
  public var backlink: String?
  /// The converter that reads the old value; nil for its plain form.
  public var read: CatalogueNode?
  /// The converter that writes the new value; nil for its plain form.
  public var write: CatalogueNode?
  /// The replacement for null, as JSON shows it; nil to keep null.
  public var defaultValue: CatalogueNode?
  /// The handling of a value that the new property cannot hold.
  public var unfit = Unfit.fail

  /// Creates a rule.
  ///
  /// - Parameters:
  ///   - source: The property, relation or path of the old entity; nil if no value is taken over.
  ///   - value: The replacement for null; nil to keep null.
  public init(from source: String?, default value: JSONValue? = nil) {
    self.source = source
    defaultValue = value.map { CatalogueNode($0) }
  }
}
