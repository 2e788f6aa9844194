import BoxStore

/// A point with a number.
final class Place: Entity {
  var id: Id = 0
  var point: [Float]? = nil
  var size: Int32 = 0

  init() {}
  init(_ point: [Float]?, size: Int32) {
    self.point = point
    self.size = size
  }

  static var point: Property<Place, HnswIndexPropertyType, Void> { Property(propertyId: 2) }
  static var size: Property<Place, Int32, Void> { Property(propertyId: 3) }
}

extension Place: EntityInspectable, __EntityRelatable {
  typealias EntityType = Place
  typealias EntityBindingType = PlaceBinding
  static let entityInfo = EntityInfo(name: "Place", id: 1)
  static let entityBinding = PlaceBinding()
  // swift-format-ignore: NoLeadingUnderscores
  var _id: EntityId<Place> { EntityId(id) }
}

final class PlaceBinding: EntityBinding {
  typealias EntityType = Place
  typealias IdType = Id

  init() {}
  func generatorBindingVersion() -> Int { 2 }
  func entityId(of entity: Place) -> Id { entity.id }
  func setEntityIdUnlessStruct(of entity: Place, to id: Id) { entity.id = id }

  func collect(
    fromEntity entity: Place, id: Id, propertyCollector: FlatBufferBuilder, store: Store
  ) throws {
    propertyCollector.collect(entity.point, at: 6)
    propertyCollector.collect(entity.size, at: 8)
  }

  func createEntity(entityReader: FlatBufferReader, store: Store) -> Place {
    let place = Place()
    place.id = entityReader.read(at: 4)
    place.point = entityReader.read(at: 6)
    place.size = entityReader.read(at: 8)
    return place
  }
}

extension StoreModel {
  static let places = StoreModel(
    json: """
      {
        "entities": [
          {
            "id": "1:6240398424001", "lastPropertyId": "3:6240398424004", "name": "Place",
            "properties": [
              { "id": "1:6240398424002", "name": "id", "type": 6, "flags": 1 },
              {
                "id": "2:6240398424003", "name": "point", "type": 28,
                "hnswParams": { "dimensions": 4, "distance-type": "Euclidean" }
              },
              { "id": "3:6240398424004", "name": "size", "type": 5 }
            ],
            "relations": []
          }
        ],
        "lastEntityId": "1:6240398424001", "lastIndexId": "0:0", "lastRelationId": "0:0",
        "modelVersion": 5, "modelVersionParserMinimum": 5, "version": 1
      }
      """)
}
