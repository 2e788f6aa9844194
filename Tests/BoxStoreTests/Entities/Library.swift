import BoxStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A raw value that a model stores as a number.
enum Genre: Int, Sendable { case unknown = 0, novel = 1, poetry = 2 }

/// A struct with a typed id and a backlink.
struct Author: Entity {
  var id: EntityId<Author>
  let name: String
  var books: ToMany<Book>

  init(id: EntityId<Author> = 0, name: String, books: ToMany<Book> = nil) {
    self.id = id
    self.name = name
    self.books = books
  }
}

/// A class with indexes, an enum, and relations to structs and to its own type.
final class Book: Entity {
  var id: Id = 0
  var title = ""
  var isbn: String?
  var genre: Genre = .unknown
  var price = 0.0
  var published: Date?
  var author: ToOne<Author> = nil
  var embedding: [Float]?
  var related: ToMany<Book> = nil

  init() {}
  convenience init(_ title: String, by author: Author? = nil) {
    self.init()
    self.title = title
    self.author.target = author
  }
}

extension Author: EntityInspectable, __EntityRelatable {
  typealias EntityType = Author
  typealias EntityBindingType = AuthorBinding
  static let entityInfo = EntityInfo(name: "Author", id: 6)
  static let entityBinding = AuthorBinding()
  // swift-format-ignore: NoLeadingUnderscores
  var _id: EntityId<Author> { id }

  static var id: Property<Author, EntityId<Author>, EntityId<Author>> {
    Property(propertyId: 1, isPrimaryKey: true)
  }
  static var name: Property<Author, String, Void> { Property(propertyId: 2) }
  static var books: ToManyProperty<Book> { ToManyProperty(.valuePropertyId(7)) }
}

final class AuthorBinding: EntityBinding {
  typealias EntityType = Author
  typealias IdType = EntityId<Author>

  init() {}
  func generatorBindingVersion() -> Int { 2 }
  func entityId(of entity: Author) -> Id { entity.id.value }
  func setStructEntityId(of entity: inout Author, to id: Id) { entity.id = EntityId(id) }

  func collect(
    fromEntity entity: Author, id: Id, propertyCollector: FlatBufferBuilder, store: Store
  ) throws {
    propertyCollector.collect(entity.name, at: 6)
  }

  func postPut(fromEntity entity: Author, id: Id, store: Store) throws {
    if !entity.books.canInteractWithDb {
      try entity.books.attach(
        targetId: EntityId<Author>(id), sourceBox: store.box(), sourceProperty: Book.author)
    }
  }

  func createEntity(entityReader: FlatBufferReader, store: Store) -> Author {
    let id: EntityId<Author> = entityReader.read(at: 4)
    return Author(
      id: id, name: entityReader.read(at: 6),
      books: .backlink(sourceBox: store.box(), sourceProperty: Book.author, targetId: id))
  }
}

extension Box where E == Author {
  func put(struct entity: Author) throws -> Author {
    var copy = entity
    try put(&copy)
    return copy
  }
}

extension Book: EntityInspectable, __EntityRelatable {
  typealias EntityType = Book
  typealias EntityBindingType = BookBinding
  static let entityInfo = EntityInfo(name: "Book", id: 7)
  static let entityBinding = BookBinding()
  // swift-format-ignore: NoLeadingUnderscores
  var _id: EntityId<Book> { EntityId(id) }

  static var id: Property<Book, Id, Id> { Property(propertyId: 1, isPrimaryKey: true) }
  static var title: Property<Book, String, Void> { Property(propertyId: 2) }
  static var isbn: Property<Book, String?, Void> { Property(propertyId: 3) }
  static var genre: Property<Book, Int, Void> { Property(propertyId: 4) }
  static var price: Property<Book, Double, Void> { Property(propertyId: 5) }
  static var published: Property<Book, Date?, Void> { Property(propertyId: 6) }
  static var author: Property<Book, EntityId<Author>, Author> { Property(propertyId: 7) }
  static var embedding: Property<Book, HnswIndexPropertyType, Void> { Property(propertyId: 8) }
  static var related: ToManyProperty<Book> { ToManyProperty(.relationId(2)) }
}

extension ObjectBox.Entity where Self == Book {
  static var isbn: UniqueKey<Book, String> { UniqueKey(propertyId: 3) }
}

extension ObjectBox.EntityInspectable where Self == Book {
  static var genre: EnumProperty<Book, Genre> { EnumProperty(propertyId: 4) }
}

final class BookBinding: EntityBinding {
  typealias EntityType = Book
  typealias IdType = Id

  init() {}
  func generatorBindingVersion() -> Int { 2 }
  func entityId(of entity: Book) -> Id { entity.id }
  func setEntityIdUnlessStruct(of entity: Book, to id: Id) { entity.id = id }

  func setToOneRelation(_ propertyId: obx_schema_id, of entity: Book, to id: Id?) {
    switch propertyId {
    case 7: entity.author.targetId = id.map { EntityId($0) }
    default: fatalError("Book has no relation \(propertyId)")
    }
  }

  func collect(
    fromEntity entity: Book, id: Id, propertyCollector: FlatBufferBuilder, store: Store
  ) throws {
    propertyCollector.collect(entity.genre.rawValue, at: 10)
    propertyCollector.collect(entity.price, at: 12)
    propertyCollector.collect(entity.published, at: 14)
    propertyCollector.collect(entity.author, at: 16, store: store)
    propertyCollector.collect(entity.title, at: 6)
    propertyCollector.collect(entity.isbn, at: 8)
    propertyCollector.collect(entity.embedding, at: 18)
  }

  func postPut(fromEntity entity: Book, id: Id, store: Store) throws {
    entity.author.attach(to: store.box())
    if !entity.related.canInteractWithDb {
      try entity.related.attach(
        sourceId: EntityId<Book>(id), targetBox: store.box(), relationId: 2)
    }
  }

  func createEntity(entityReader: FlatBufferReader, store: Store) -> Book {
    let entity = Book()
    entity.id = entityReader.read(at: 4)
    entity.title = entityReader.read(at: 6)
    entity.isbn = entityReader.read(at: 8)
    entity.genre = Genre(rawValue: entityReader.read(at: 10)) ?? .unknown
    entity.price = entityReader.read(at: 12)
    entity.published = entityReader.read(at: 14)
    entity.author = entityReader.read(at: 16, store: store)
    entity.embedding = entityReader.read(at: 18)
    entity.related = .relation(
      sourceId: EntityId<Book>(entity.id), targetBox: store.box(), relationId: 2)
    return entity
  }
}
