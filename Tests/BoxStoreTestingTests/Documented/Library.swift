import BoxStore

// The entity types and the code of the examples in docs/testing.md, with bindings as the generator writes them.

final class Author: Entity {
  var id: Id = 0
  var name = ""

  init() {}
  init(_ name: String) { self.name = name }
}

final class Book: Entity {
  var id: Id = 0
  var title = ""
  var author: ToOne<Author> = nil

  init() {}
  init(_ title: String, by author: Author? = nil) {
    self.title = title
    self.author.target = author
  }
}

final class Person: Entity {
  var id: Id = 0
  var name = ""

  init() {}
}

/// The code that the examples test.
struct Shelf {
  private let store: Store

  init(_ store: Store) { self.store = store }

  func add(_ title: String, by author: String? = nil) throws {
    try store.box(for: Book.self).put(Book(title, by: author.map { Author($0) }))
  }
}

// MARK: - Author

extension Author: EntityInspectable, __EntityRelatable {
  typealias EntityType = Author
  typealias EntityBindingType = AuthorBinding
  static let entityInfo = EntityInfo(name: "Author", id: 1)
  static let entityBinding = AuthorBinding()
  // swift-format-ignore: NoLeadingUnderscores
  var _id: EntityId<Author> { EntityId(id) }
}

final class AuthorBinding: EntityBinding {
  typealias EntityType = Author
  typealias IdType = Id

  init() {}
  func generatorBindingVersion() -> Int { 2 }
  func entityId(of entity: Author) -> Id { entity.id }
  func setEntityIdUnlessStruct(of entity: Author, to id: Id) { entity.id = id }

  func collect(
    fromEntity entity: Author, id: Id, propertyCollector: FlatBufferBuilder, store: Store
  ) throws {
    propertyCollector.collect(entity.name, at: 6)
  }

  func createEntity(entityReader: FlatBufferReader, store: Store) -> Author {
    let entity = Author()
    entity.id = entityReader.read(at: 4)
    entity.name = entityReader.read(at: 6)
    return entity
  }
}

// MARK: - Book

extension Book: EntityInspectable, __EntityRelatable {
  typealias EntityType = Book
  typealias EntityBindingType = BookBinding
  static let entityInfo = EntityInfo(name: "Book", id: 2)
  static let entityBinding = BookBinding()
  // swift-format-ignore: NoLeadingUnderscores
  var _id: EntityId<Book> { EntityId(id) }
}

final class BookBinding: EntityBinding {
  typealias EntityType = Book
  typealias IdType = Id

  init() {}
  func generatorBindingVersion() -> Int { 2 }
  func entityId(of entity: Book) -> Id { entity.id }
  func setEntityIdUnlessStruct(of entity: Book, to id: Id) { entity.id = id }

  func setToOneRelation(_ propertyId: obx_schema_id, of entity: Book, to id: Id?) {
    entity.author.targetId = id.map { EntityId($0) }
  }

  func collect(
    fromEntity entity: Book, id: Id, propertyCollector: FlatBufferBuilder, store: Store
  ) throws {
    propertyCollector.collect(entity.author, at: 8, store: store)
    propertyCollector.collect(entity.title, at: 6)
  }

  func postPut(fromEntity entity: Book, id: Id, store: Store) throws {
    entity.author.attach(to: store.box())
  }

  func createEntity(entityReader: FlatBufferReader, store: Store) -> Book {
    let entity = Book()
    entity.id = entityReader.read(at: 4)
    entity.title = entityReader.read(at: 6)
    entity.author = entityReader.read(at: 8, store: store)
    return entity
  }
}

// MARK: - Person

extension Person: EntityInspectable, __EntityRelatable {
  typealias EntityType = Person
  typealias EntityBindingType = PersonBinding
  static let entityInfo = EntityInfo(name: "Person", id: 3)
  static let entityBinding = PersonBinding()
  // swift-format-ignore: NoLeadingUnderscores
  var _id: EntityId<Person> { EntityId(id) }
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
    propertyCollector.collect(entity.name, at: 6)
  }

  func createEntity(entityReader: FlatBufferReader, store: Store) -> Person {
    let entity = Person()
    entity.id = entityReader.read(at: 4)
    entity.name = entityReader.read(at: 6)
    return entity
  }
}
