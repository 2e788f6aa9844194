import BoxStore

/// A struct with a relation to its own type.
struct Wagon: Entity {
  var id: Id
  var number: Int
  var next: ToOne<Wagon>

  init(id: Id = 0, number: Int, next: ToOne<Wagon> = nil) {
    self.id = id
    self.number = number
    self.next = next
  }
}

extension Wagon: EntityInspectable, __EntityRelatable {
  typealias EntityType = Wagon
  typealias EntityBindingType = WagonBinding
  static let entityInfo = EntityInfo(name: "Wagon", id: 1)
  static let entityBinding = WagonBinding()
  // swift-format-ignore: NoLeadingUnderscores
  var _id: EntityId<Wagon> { EntityId(id) }

  static func model() throws -> OpaquePointer {
    let model = try ModelBuilder()
    let wagon = try model.entityBuilder(for: Wagon.self, id: 1, uid: 1001)
    try wagon.addProperty(name: "id", type: .long, flags: [.id], id: 1, uid: 2001)
    try wagon.addProperty(name: "number", type: .long, id: 2, uid: 2002)
    try wagon.addToOneRelation(
      name: "next", targetEntityInfo: Wagon.entityInfo, flags: [.indexed, .indexPartialSkipZero],
      id: 3, uid: 2003, indexId: 1, indexUid: 3001)
    return model.finish()
  }
}

final class WagonBinding: EntityBinding {
  typealias EntityType = Wagon
  typealias IdType = Id

  init() {}
  func generatorBindingVersion() -> Int { 2 }
  func entityId(of entity: Wagon) -> Id { entity.id }
  func setStructEntityId(of entity: inout Wagon, to id: Id) { entity.id = id }

  func setToOneRelation(_ propertyId: obx_schema_id, of entity: Wagon, to id: Id?) {
    entity.next.targetId = id.map { EntityId($0) }
  }

  func collect(
    fromEntity entity: Wagon, id: Id, propertyCollector: FlatBufferBuilder, store: Store
  ) throws {
    propertyCollector.collect(entity.number, at: 6)
    propertyCollector.collect(entity.next, at: 8, store: store)
  }

  func postPut(fromEntity entity: Wagon, id: Id, store: Store) throws {
    entity.next.attach(to: store.box())
  }

  func createEntity(entityReader: FlatBufferReader, store: Store) -> Wagon {
    Wagon(
      id: entityReader.read(at: 4), number: entityReader.read(at: 6),
      next: entityReader.read(at: 8, store: store))
  }
}
