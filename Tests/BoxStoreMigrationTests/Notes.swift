import BoxStore

/// A note of the first two versions.
final class OldNote: Entity {
  var id: Id = 0
  var text = ""
  var rank: Int32 = 0

  init(_ text: String = "", _ rank: Int32 = 0) {
    self.text = text
    self.rank = rank
  }
}

/// A note of the last version.
final class Note: Entity {
  var id: Id = 0
  var text = ""
  var rank: Int64 = 0

  init(_ text: String = "", _ rank: Int64 = 0) {
    self.text = text
    self.rank = rank
  }
}

/// A tag, which the first version lacks.
final class Tag: Entity {
  var id: Id = 0
  var name = ""

  init(_ name: String = "") { self.name = name }
}

extension OldNote: EntityInspectable, __EntityRelatable {
  typealias EntityType = OldNote
  typealias EntityBindingType = OldNoteBinding
  static let entityInfo = EntityInfo(name: "Note", id: 1)
  static let entityBinding = OldNoteBinding()
  // swift-format-ignore: NoLeadingUnderscores
  var _id: EntityId<OldNote> { EntityId(id) }
}

extension Note: EntityInspectable, __EntityRelatable {
  typealias EntityType = Note
  typealias EntityBindingType = NoteBinding
  static let entityInfo = EntityInfo(name: "Note", id: 1)
  static let entityBinding = NoteBinding()
  // swift-format-ignore: NoLeadingUnderscores
  var _id: EntityId<Note> { EntityId(id) }
}

extension Tag: EntityInspectable, __EntityRelatable {
  typealias EntityType = Tag
  typealias EntityBindingType = TagBinding
  static let entityInfo = EntityInfo(name: "Tag", id: 2)
  static let entityBinding = TagBinding()
  // swift-format-ignore: NoLeadingUnderscores
  var _id: EntityId<Tag> { EntityId(id) }
}

final class OldNoteBinding: EntityBinding {
  typealias EntityType = OldNote
  typealias IdType = Id

  init() {}
  func generatorBindingVersion() -> Int { 2 }
  func entityId(of entity: OldNote) -> Id { entity.id }
  func setEntityIdUnlessStruct(of entity: OldNote, to id: Id) { entity.id = id }

  func collect(
    fromEntity entity: OldNote, id: Id, propertyCollector: FlatBufferBuilder, store: Store
  ) throws {
    propertyCollector.collect(entity.text, at: 6)
    propertyCollector.collect(entity.rank, at: 8)
  }

  func createEntity(entityReader: FlatBufferReader, store: Store) -> OldNote {
    let entity = OldNote(entityReader.read(at: 6), entityReader.read(at: 8))
    entity.id = entityReader.read(at: 4)
    return entity
  }
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
  ) throws {
    propertyCollector.collect(entity.text, at: 6)
    propertyCollector.collect(entity.rank, at: 8)
  }

  func createEntity(entityReader: FlatBufferReader, store: Store) -> Note {
    let entity = Note(entityReader.read(at: 6), entityReader.read(at: 8))
    entity.id = entityReader.read(at: 4)
    return entity
  }
}

final class TagBinding: EntityBinding {
  typealias EntityType = Tag
  typealias IdType = Id

  init() {}
  func generatorBindingVersion() -> Int { 2 }
  func entityId(of entity: Tag) -> Id { entity.id }
  func setEntityIdUnlessStruct(of entity: Tag, to id: Id) { entity.id = id }

  func collect(
    fromEntity entity: Tag, id: Id, propertyCollector: FlatBufferBuilder, store: Store
  ) throws {
    propertyCollector.collect(entity.name, at: 6)
  }

  func createEntity(entityReader: FlatBufferReader, store: Store) -> Tag {
    let entity = Tag(entityReader.read(at: 6))
    entity.id = entityReader.read(at: 4)
    return entity
  }
}
