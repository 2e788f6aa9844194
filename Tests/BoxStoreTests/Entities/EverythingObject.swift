import BoxStore

/// A class with a property of every type: the values of ``Everything``.
final class EverythingObject: Entity {
  var values = Everything()
  var id: Id {
    get { values.id }
    set { values.id = newValue }
  }

  init() {}
  init(_ values: Everything) { self.values = values }
}

extension EverythingObject: EntityInspectable, __EntityRelatable {
  typealias EntityType = EverythingObject
  typealias EntityBindingType = EverythingObjectBinding
  static let entityInfo = EntityInfo(name: "Everything", id: 8)
  static let entityBinding = EverythingObjectBinding()
  // swift-format-ignore: NoLeadingUnderscores
  var _id: EntityId<EverythingObject> { EntityId(id) }
}

final class EverythingObjectBinding: EntityBinding {
  typealias EntityType = EverythingObject
  typealias IdType = Id

  init() {}
  func generatorBindingVersion() -> Int { 2 }
  func entityId(of entity: EverythingObject) -> Id { entity.id }
  func setEntityIdUnlessStruct(of entity: EverythingObject, to id: Id) { entity.id = id }

  func collect(
    fromEntity entity: EverythingObject, id: Id, propertyCollector: FlatBufferBuilder, store: Store
  ) throws {
    try Everything.entityBinding.collect(
      fromEntity: entity.values, id: id, propertyCollector: propertyCollector, store: store)
  }

  func createEntity(entityReader: FlatBufferReader, store: Store) -> EverythingObject {
    EverythingObject(
      Everything.entityBinding.createEntity(entityReader: entityReader, store: store))
  }
}
