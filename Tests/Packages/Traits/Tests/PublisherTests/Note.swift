import BoxStore

/// A line of text.
final class Note: Entity {
  var id: Id = 0
  var text = ""

  init() {}
  init(_ text: String) { self.text = text }

  static var text: Property<Note, String, Void> { Property(propertyId: 2) }
}

extension Note: EntityInspectable, __EntityRelatable {
  typealias EntityType = Note
  typealias EntityBindingType = NoteBinding
  static let entityInfo = EntityInfo(name: "Note", id: 1)
  static let entityBinding = NoteBinding()
  // swift-format-ignore: NoLeadingUnderscores
  var _id: EntityId<Note> { EntityId(id) }
}

final class NoteBinding: EntityBinding {
  typealias EntityType = Note
  typealias IdType = Id

  init() {}
  func generatorBindingVersion() -> Int { 2 }
  func entityId(of entity: Note) -> Id { entity.id }
  func setEntityIdUnlessStruct(of entity: Note, to id: Id) { entity.id = id }

  func collect(
    fromEntity entity: Note, id: Id, propertyCollector: FlatBufferBuilder, store: Store
  ) throws { propertyCollector.collect(entity.text, at: 6) }

  func createEntity(entityReader: FlatBufferReader, store: Store) -> Note {
    let note = Note()
    note.id = entityReader.read(at: 4)
    note.text = entityReader.read(at: 6)
    return note
  }
}

extension StoreModel {
  static let notes = StoreModel(
    json: """
      {
        "entities": [
          {
            "id": "1:6240398423001", "lastPropertyId": "2:6240398423003", "name": "Note",
            "properties": [
              { "id": "1:6240398423002", "name": "id", "type": 6, "flags": 1 },
              { "id": "2:6240398423003", "name": "text", "type": 9 }
            ],
            "relations": []
          }
        ],
        "lastEntityId": "1:6240398423001", "lastIndexId": "0:0", "lastRelationId": "0:0",
        "modelVersion": 5, "modelVersionParserMinimum": 5, "version": 1
      }
      """)
}
