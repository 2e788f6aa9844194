import BoxStore

/// A class of the sample model, whose ids are assigned.
final class Setting: Entity {
  var id: Id = 0
  var key: String?
  var count: Int32 = 0

  init() {}
  convenience init(_ key: String?, _ count: Int32 = 0, id: Id = 0) {
    self.init()
    self.id = id
    self.key = key
    self.count = count
  }
}

extension Setting: EntityInspectable, __EntityRelatable {
  typealias EntityType = Setting
  typealias EntityBindingType = SettingBinding
  static let entityInfo = EntityInfo(name: "Setting", id: 9)
  static let entityBinding = SettingBinding()
  // swift-format-ignore: NoLeadingUnderscores
  var _id: EntityId<Setting> { EntityId(id) }

  static var id: Property<Setting, Id, Id> { Property(propertyId: 1, isPrimaryKey: true) }
  static var key: Property<Setting, String?, Void> { Property(propertyId: 2) }
  static var count: Property<Setting, Int32, Void> { Property(propertyId: 3) }
}

final class SettingBinding: EntityBinding {
  typealias EntityType = Setting
  typealias IdType = Id

  init() {}
  func generatorBindingVersion() -> Int { 2 }
  func entityId(of entity: Setting) -> Id { entity.id }
  func setEntityIdUnlessStruct(of entity: Setting, to id: Id) { entity.id = id }

  func collect(
    fromEntity entity: Setting, id: Id, propertyCollector: FlatBufferBuilder, store: Store
  ) throws {
    propertyCollector.collect(entity.count, at: 8)
    propertyCollector.collect(entity.key, at: 6)
  }

  func createEntity(entityReader: FlatBufferReader, store: Store) -> Setting {
    let entity = Setting()
    entity.id = entityReader.read(at: 4)
    entity.key = entityReader.read(at: 6)
    entity.count = entityReader.read(at: 8)
    return entity
  }
}
