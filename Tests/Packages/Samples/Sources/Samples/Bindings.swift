import BoxStore
import Foundation

// Bindings as the generator writes them.

// MARK: - User

extension User: EntityInspectable, __EntityRelatable {
  typealias EntityType = User
  typealias EntityBindingType = UserBinding
  static let entityInfo = EntityInfo(name: "User", id: 1)
  static let entityBinding = UserBinding()
  // swift-format-ignore: NoLeadingUnderscores
  var _id: EntityId<User> { EntityId(id) }

  static var id: Property<User, Id, Id> { Property(propertyId: 1, isPrimaryKey: true) }
  static var name: Property<User, String, Void> { Property(propertyId: 2) }
  static var firstName: Property<User, String, Void> { Property(propertyId: 3) }
  static var lastName: Property<User, String, Void> { Property(propertyId: 4) }
  static var role: Property<User, Int, Void> { Property(propertyId: 5) }
}

final class UserBinding: EntityBinding {
  typealias EntityType = User
  typealias IdType = Id

  init() {}
  func generatorBindingVersion() -> Int { 2 }
  func entityId(of entity: User) -> Id { entity.id }
  func setEntityIdUnlessStruct(of entity: User, to id: Id) { entity.id = id }

  func collect(
    fromEntity entity: User, id: Id, propertyCollector: FlatBufferBuilder, store: Store
  ) throws {
    propertyCollector.collect(entity.name, at: 6)
    propertyCollector.collect(entity.firstName, at: 8)
    propertyCollector.collect(entity.lastName, at: 10)
    propertyCollector.collect(entity.role, at: 12)
  }

  func createEntity(entityReader: FlatBufferReader, store: Store) -> User {
    let entity = User()
    entity.id = entityReader.read(at: 4)
    entity.name = entityReader.read(at: 6)
    entity.firstName = entityReader.read(at: 8)
    entity.lastName = entityReader.read(at: 10)
    entity.role = entityReader.read(at: 12)
    return entity
  }
}

// MARK: - Person

extension Person: EntityInspectable, __EntityRelatable {
  typealias EntityType = Person
  typealias EntityBindingType = PersonBinding
  static let entityInfo = EntityInfo(name: "Person", id: 2)
  static let entityBinding = PersonBinding()
  // swift-format-ignore: NoLeadingUnderscores
  var _id: EntityId<Person> { EntityId(id) }

  static var id: Property<Person, Id, Id> { Property(propertyId: 1, isPrimaryKey: true) }
  static var firstName: Property<Person, String, Void> { Property(propertyId: 2) }
  static var lastName: Property<Person, String, Void> { Property(propertyId: 3) }
  static var age: Property<Person, Int, Void> { Property(propertyId: 4) }
}

final class PersonBinding: EntityBinding {
  typealias EntityType = Person
  typealias IdType = Id

  init() {}
  func generatorBindingVersion() -> Int { 2 }
  func entityId(of entity: Person) -> Id { entity.id }
  func setEntityIdUnlessStruct(of entity: Person, to id: Id) { entity.id = id }

  func collect(
    fromEntity entity: Person, id: Id, propertyCollector: FlatBufferBuilder, store: Store
  ) throws {
    propertyCollector.collect(entity.firstName, at: 6)
    propertyCollector.collect(entity.lastName, at: 8)
    propertyCollector.collect(entity.age, at: 10)
  }

  func createEntity(entityReader: FlatBufferReader, store: Store) -> Person {
    let entity = Person()
    entity.id = entityReader.read(at: 4)
    entity.firstName = entityReader.read(at: 6)
    entity.lastName = entityReader.read(at: 8)
    entity.age = entityReader.read(at: 10)
    return entity
  }
}

// MARK: - Note

extension Note: EntityInspectable, __EntityRelatable {
  typealias EntityType = Note
  typealias EntityBindingType = NoteBinding
  static let entityInfo = EntityInfo(name: "Note", id: 3)
  static let entityBinding = NoteBinding()
  // swift-format-ignore: NoLeadingUnderscores
  var _id: EntityId<Note> { EntityId(id) }

  static var id: Property<Note, Id, Id> { Property(propertyId: 1, isPrimaryKey: true) }
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
  }

  func createEntity(entityReader: FlatBufferReader, store: Store) -> Note {
    let entity = Note()
    entity.id = entityReader.read(at: 4)
    return entity
  }
}

// MARK: - ExampleEntity

extension ExampleEntity: EntityInspectable, __EntityRelatable {
  typealias EntityType = ExampleEntity
  typealias EntityBindingType = ExampleEntityBinding
  static let entityInfo = EntityInfo(name: "ExampleEntity", id: 4)
  static let entityBinding = ExampleEntityBinding()
  // swift-format-ignore: NoLeadingUnderscores
  var _id: EntityId<ExampleEntity> { EntityId(id) }

  static var id: Property<ExampleEntity, Id, Id> { Property(propertyId: 1, isPrimaryKey: true) }
}

final class ExampleEntityBinding: EntityBinding {
  typealias EntityType = ExampleEntity
  typealias IdType = Id

  init() {}
  func generatorBindingVersion() -> Int { 2 }
  func entityId(of entity: ExampleEntity) -> Id { entity.id }
  func setEntityIdUnlessStruct(of entity: ExampleEntity, to id: Id) { entity.id = id }

  func collect(
    fromEntity entity: ExampleEntity, id: Id, propertyCollector: FlatBufferBuilder, store: Store
  ) throws {
  }

  func createEntity(entityReader: FlatBufferReader, store: Store) -> ExampleEntity {
    let entity = ExampleEntity()
    entity.id = entityReader.read(at: 4)
    return entity
  }
}

// MARK: - AnEntity

extension AnEntity: EntityInspectable, __EntityRelatable {
  typealias EntityType = AnEntity
  typealias EntityBindingType = AnEntityBinding
  static let entityInfo = EntityInfo(name: "AnEntity", id: 5)
  static let entityBinding = AnEntityBinding()
  // swift-format-ignore: NoLeadingUnderscores
  var _id: EntityId<AnEntity> { EntityId(id) }

  static var id: Property<AnEntity, Id, Id> { Property(propertyId: 1, isPrimaryKey: true) }
  static var number: Property<AnEntity, Int, Void> { Property(propertyId: 2) }
}

final class AnEntityBinding: EntityBinding {
  typealias EntityType = AnEntity
  typealias IdType = Id

  init() {}
  func generatorBindingVersion() -> Int { 2 }
  func entityId(of entity: AnEntity) -> Id { entity.id }
  func setEntityIdUnlessStruct(of entity: AnEntity, to id: Id) { entity.id = id }

  func collect(
    fromEntity entity: AnEntity, id: Id, propertyCollector: FlatBufferBuilder, store: Store
  ) throws {
    propertyCollector.collect(entity.number, at: 6)
  }

  func createEntity(entityReader: FlatBufferReader, store: Store) -> AnEntity {
    let entity = AnEntity()
    entity.id = entityReader.read(at: 4)
    entity.number = entityReader.read(at: 6)
    return entity
  }
}

// MARK: - Author

extension Author: EntityInspectable, __EntityRelatable {
  typealias EntityType = Author
  typealias EntityBindingType = AuthorBinding
  static let entityInfo = EntityInfo(name: "Author", id: 6)
  static let entityBinding = AuthorBinding()
  // swift-format-ignore: NoLeadingUnderscores
  var _id: EntityId<Author> { EntityId(id) }

  static var id: Property<Author, Id, Id> { Property(propertyId: 1, isPrimaryKey: true) }
  static var name: Property<Author, String, Void> { Property(propertyId: 2) }
  static var age: Property<Author, Int, Void> { Property(propertyId: 3) }
}

final class AuthorBinding: EntityBinding {
  typealias EntityType = Author
  typealias IdType = Id

  init() {}
  func generatorBindingVersion() -> Int { 2 }
  func entityId(of entity: Author) -> Id { entity.id }
  func setStructEntityId(of entity: inout Author, to id: Id) { entity.id = id }

  func collect(
    fromEntity entity: Author, id: Id, propertyCollector: FlatBufferBuilder, store: Store
  ) throws {
    propertyCollector.collect(entity.name, at: 6)
    propertyCollector.collect(entity.age, at: 8)
  }

  func createEntity(entityReader: FlatBufferReader, store: Store) -> Author {
    Author(
      id: entityReader.read(at: 4), name: entityReader.read(at: 6), age: entityReader.read(at: 8))
  }
}
