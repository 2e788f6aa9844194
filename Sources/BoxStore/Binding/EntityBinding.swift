/// Writes and reads the objects of an entity type.
///
/// The generator writes a binding for each entity type. One that is written by hand has the same form:
///
/// ```swift
/// final class NoteBinding: EntityBinding {
///   typealias EntityType = Note
///   typealias IdType = Id
///
///   init() {}
///   func generatorBindingVersion() -> Int { 2 }
///   func entityId(of note: Note) -> Id { note.id }
///   func setEntityIdUnlessStruct(of note: Note, to id: Id) { note.id = id }
///   func collect(
///     fromEntity note: Note, id: Id, propertyCollector: FlatBufferBuilder, store: Store
///   ) throws {
///     propertyCollector.collect(note.text, at: 2 + 2 * 2)
///   }
///   func createEntity(entityReader: FlatBufferReader, store: Store) -> Note {
///     let note = Note()
///     note.id = entityReader.read(at: 2 + 2 * 1)
///     note.text = entityReader.read(at: 2 + 2 * 2)
///     return note
///   }
/// }
/// ```
///
/// A property is addressed by the offset `2 + 2 * id`, with its id in the model. Bindings are called on
/// any thread, several at a time. They must not use the store while they collect and create; relations
/// of the object put their new targets by themselves.
public protocol EntityBinding: AnyObject, Sendable {
  /// The entity type.
  associatedtype EntityType: Entity & EntityInspectable
  /// The type of its ids.
  associatedtype IdType: IdBase

  /// Creates the binding.
  init()
  /// The version of the interface that the binding was written for: 1 or 2.
  func generatorBindingVersion() -> Int
  /// Hands the values of an object to a collector; what is not handed over is null.
  ///
  /// - Parameters:
  ///   - entity: The object.
  ///   - id: The id under which it is put.
  ///   - propertyCollector: Takes each value with the offset of its property, once.
  ///   - store: The store.
  /// - Throws: An error ends the put.
  func collect(
    fromEntity entity: EntityType, id: Id, propertyCollector: FlatBufferBuilder, store: Store
  ) throws
  /// Ties the relations of an object to the store, after its record is written and before its id is set.
  ///
  /// - Throws: The error of a relation, which ends the put.
  func postPut(fromEntity entity: EntityType, id: Id, store: Store) throws
  /// Creates an object from a record.
  ///
  /// - Throws: The error of a converter, which ends the call that reads. Most bindings throw nothing.
  func createEntity(entityReader: FlatBufferReader, store: Store) throws -> EntityType
  /// The id of an object; 0 if it was not put yet.
  func entityId(of entity: EntityType) -> Id
  /// Sets the id of an object of a class.
  func setEntityIdUnlessStruct(of entity: EntityType, to entityId: Id)
  /// Sets the id of a struct.
  func setStructEntityId(of entity: inout EntityType, to entityId: Id)
  /// Sets the target of a to-one relation by its id; nil for none.
  func setToOneRelation(_ propertyId: obx_schema_id, of entity: EntityType, to entityId: Id?)

  // swift-format-ignore: NoLeadingUnderscores
  /// Reads objects, in a loop that is compiled for the entity type; not to be implemented.
  func __read(_ source: __ReadRequest, store: Store) throws -> ContiguousArray<EntityType>
  // swift-format-ignore: NoLeadingUnderscores
  /// Reads one object, as ``__read(_:store:)``; not to be implemented.
  func __readFirst(_ source: __ReadRequest, store: Store) throws -> EntityType?
  // swift-format-ignore: NoLeadingUnderscores
  /// Puts objects without relations, in a loop that is compiled for the entity type; not to be
  /// implemented.
  func __put(_ entities: [EntityType], into session: __PutSession, store: Store) throws -> [Id]
  // swift-format-ignore: NoLeadingUnderscores
  /// Puts one object without relations; not to be implemented.
  func __put(_ entity: EntityType, into session: __PutSession, store: Store) throws -> Id
}

extension EntityBinding {
  /// Does nothing: the entity type has no to-many relations.
  ///
  /// - Throws: Nothing.
  public func postPut(fromEntity entity: EntityType, id: Id, store: Store) throws {}

  /// Does nothing: a struct gets its id from ``setStructEntityId(of:to:)``.
  public func setEntityIdUnlessStruct(of entity: EntityType, to entityId: Id) {}

  /// Traps: a struct needs an implementation.
  public func setStructEntityId(of entity: inout EntityType, to entityId: Id) {
    fatalError(
      "\(Self.self) cannot set the id of a struct; implement setStructEntityId(of:to:), "
        + "or run the generator again")
  }

  /// Traps: the entity type has no such relation.
  public func setToOneRelation(
    _ propertyId: obx_schema_id, of entity: EntityType, to entityId: Id?
  ) {
    fatalError(
      "\(EntityType.entityInfo.entityName) has no to-one relation with the property id \(propertyId); "
        + "implement setToOneRelation(_:of:to:), or run the generator again")
  }

  // swift-format-ignore: NoLeadingUnderscores
  /// Reads the objects of a request.
  @inlinable public func __read(
    _ source: __ReadRequest, store: Store
  ) throws -> ContiguousArray<EntityType> {
    var entities = ContiguousArray<EntityType>()
    entities.reserveCapacity(source.expectedCount)
    try source.visit { reader in
      entities.append(try createEntity(entityReader: reader, store: store))
    }
    return entities
  }

  // swift-format-ignore: NoLeadingUnderscores
  /// Reads the object of a request for one, without an array for it.
  @inlinable public func __readFirst(
    _ source: __ReadRequest, store: Store
  ) throws -> EntityType? {
    var entity: EntityType?
    try source.visit { reader in entity = try createEntity(entityReader: reader, store: store) }
    return entity
  }

  // swift-format-ignore: NoLeadingUnderscores
  /// Puts objects one after the other.
  @inlinable public func __put(
    _ entities: [EntityType], into session: __PutSession, store: Store
  ) throws -> [Id] {
    var ids: [Id] = []
    ids.reserveCapacity(entities.count)
    let collector = session.collector
    for entity in entities {
      ids.append(try put(entity, into: session, collector, store: store))
    }
    return ids
  }

  // swift-format-ignore: NoLeadingUnderscores
  /// Puts an object.
  @inlinable public func __put(
    _ entity: EntityType, into session: __PutSession, store: Store
  ) throws -> Id {
    try put(entity, into: session, session.collector, store: store)
  }

  @inlinable @inline(__always)
  func put(
    _ entity: EntityType, into session: __PutSession, _ collector: PropertyCollector, store: Store
  ) throws -> Id {
    let given = entityId(of: entity)
    let begun = try session.begin(given)
    do {
      try collect(fromEntity: entity, id: begun, propertyCollector: collector, store: store)
    } catch {
      session.cancel()
      throw error
    }
    let id = try session.end()
    if given == 0 { setEntityIdUnlessStruct(of: entity, to: id) }
    return id
  }
}
