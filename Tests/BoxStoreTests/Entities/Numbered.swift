import BoxStore

/// A setting whose id is a signed number.
final class Numbered: Entity {
  var id: Int64 = 0
}

extension Numbered: EntityInspectable, __EntityRelatable {
  typealias EntityType = Numbered
  typealias EntityBindingType = NumberedBinding
  static let entityInfo = EntityInfo(name: "Setting", id: 9)
  static let entityBinding = NumberedBinding()
  // swift-format-ignore: NoLeadingUnderscores
  var _id: EntityId<Numbered> { EntityId(Id(bitPattern: id)) }

  static var id: Property<Numbered, Int64, Int64> { Property(propertyId: 1, isPrimaryKey: true) }
}

final class NumberedBinding: EntityBinding {
  typealias EntityType = Numbered
  typealias IdType = Int64

  func generatorBindingVersion() -> Int { 2 }
  func entityId(of entity: Numbered) -> Id { entity.id.value }
  func setEntityIdUnlessStruct(of entity: Numbered, to id: Id) { entity.id = Int64(id) }
  func collect(
    fromEntity entity: Numbered, id: Id, propertyCollector: FlatBufferBuilder, store: Store
  ) throws {}
  func createEntity(entityReader: FlatBufferReader, store: Store) -> Numbered {
    let entity = Numbered()
    entity.id = entityReader.read(at: 4)
    return entity
  }
}
