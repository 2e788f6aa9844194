import BoxStore
import TestSupport
import Testing

// Everything in this target belongs to the main actor, unless it says that it does not: so are the apps
// that Xcode makes.

/// An entity of an app.
nonisolated final class Note: Entity {
  var id: Id = 0
  var text = ""
  var parent: ToOne<Note> = nil
  var children: ToMany<Note> = nil

  init() {}
  convenience init(_ text: String, under parent: Note? = nil) {
    self.init()
    self.text = text
    self.parent.target = parent
  }
}

nonisolated extension Note: EntityInspectable, __EntityRelatable {
  typealias EntityType = Note
  typealias EntityBindingType = NoteBinding
  static let entityInfo = EntityInfo(name: "Note", id: 1)
  static let entityBinding = NoteBinding()
  // swift-format-ignore: NoLeadingUnderscores
  var _id: EntityId<Note> { EntityId(id) }

  static var text: Property<Note, String, Void> { Property(propertyId: 2) }
  static var parent: Property<Note, EntityId<Note>, Note> { Property(propertyId: 3) }
}

nonisolated final class NoteBinding: EntityBinding {
  typealias EntityType = Note
  typealias IdType = Id

  init() {}
  func generatorBindingVersion() -> Int { 2 }
  func entityId(of entity: Note) -> Id { entity.id }
  func setEntityIdUnlessStruct(of entity: Note, to id: Id) { entity.id = id }

  func collect(
    fromEntity entity: Note, id: Id, propertyCollector: FlatBufferBuilder, store: Store
  ) throws {
    propertyCollector.collect(entity.parent, at: 8, store: store)
    propertyCollector.collect(entity.text, at: 6)
  }

  func postPut(fromEntity entity: Note, id: Id, store: Store) throws {
    entity.parent.attach(to: store.box())
    if !entity.children.canInteractWithDb {
      try entity.children.attach(
        targetId: EntityId<Note>(id), sourceBox: store.box(), sourceProperty: Note.parent)
    }
  }

  func createEntity(entityReader: FlatBufferReader, store: Store) -> Note {
    let entity = Note()
    entity.id = entityReader.read(at: 4)
    entity.text = entityReader.read(at: 6)
    entity.parent = entityReader.read(at: 8, store: store)
    entity.children = .backlink(
      sourceBox: store.box(), sourceProperty: Note.parent, targetId: EntityId<Note>(entity.id))
    return entity
  }
}

nonisolated extension StoreModel {
  static let notes = StoreModel(
    json: #"""
      {
        "entities": [
          {
            "id": "1:1001",
            "lastPropertyId": "3:2003",
            "name": "Note",
            "properties": [
              { "id": "1:2001", "name": "id", "type": 6, "flags": 1 },
              { "id": "2:2002", "name": "text", "type": 9 },
              { "id": "3:2003", "name": "parentId", "type": 11, "flags": 520,
                "indexId": "1:3001", "relationTarget": "Note" }
            ],
            "relations": []
          }
        ],
        "lastEntityId": "1:1001",
        "lastIndexId": "1:3001",
        "lastRelationId": "0:0",
        "modelVersion": 5,
        "modelVersionParserMinimum": 5,
        "version": 1
      }
      """#)
}

/// Notes that are read on another thread and shown on the main one.
final class Shelf {
  var notes: [Note] = []

  func load(_ store: Store) async throws {
    notes = try await store.runInReadOnlyTransaction { _ in try store.box(for: Note.self).all() }
  }

  func loadInAnotherWay(_ store: Store) async throws { notes = try await allNotes(store) }
}

@concurrent nonisolated func allNotes(_ store: Store) async throws -> sending [Note] {
  try store.box(for: Note.self).all()
}

struct MainActorTests {
  @Test(.promise(362)) func objectsWithRelationsCrossToTheMainActor() async throws {
    let store = try Store(model: .notes, directory: "memory:main-actor")
    let root = Note("root")
    try store.box().put([Note("a", under: root), Note("b", under: root)])
    let shelf = Shelf()
    try await shelf.load(store)
    // The first child has its id before its parent is put.
    #expect(shelf.notes.map(\.text) == ["a", "root", "b"])
    #expect(shelf.notes[1].children.map(\.text) == ["a", "b"])
    try await shelf.loadInAnotherWay(store)
    #expect(shelf.notes[2].parent.target?.text == "root")
    let id = try await store.runInTransaction { _ in
      try store.box(for: Note.self).put(Note("in the background"))
    }
    // Without a parameter the call is synchronous, in an asynchronous function too.
    try store.runInTransaction { _ = try store.box(for: Note.self).remove(id) }
    #expect(try store.box(for: Note.self).count() == 3)
  }
}
