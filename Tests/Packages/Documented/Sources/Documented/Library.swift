// The name of `_id` is the one that code for ObjectBox has.
// swift-format-ignore-file: NoLeadingUnderscores

import BoxStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// The entity types of the examples about BoxStore, with bindings as the generator writes them.

enum Genre: Int, Sendable {
  case other = 0
  case novel = 1
  case poetry = 2
}

final class Author: Entity {
  var id: Id = 0
  var name = ""
  var country: String?
  var books: ToMany<Book> = nil

  init() {}
  init(_ name: String, from country: String? = nil) {
    self.name = name
    self.country = country
  }
}

final class Book: Entity {
  var id: Id = 0
  var title = ""
  var genre = Genre.other
  var year = 0
  var author: ToOne<Author> = nil
  var isbn: String?
  var price = 0.0
  var published: Date?
  var embedding: [Float]?
  var related: ToMany<Book> = nil

  init() {}
  init(_ title: String, by author: Author? = nil, _ genre: Genre = .other, _ year: Int = 0) {
    self.title = title
    self.genre = genre
    self.year = year
    self.author.target = author
  }
}

final class Reader: Entity {
  var id: Id = 0
  var name = ""
  var borrowed: ToMany<Book> = nil

  init() {}
  init(_ name: String) { self.name = name }
}

/// A struct: its id is set by `put(&label)`.
struct Label: Entity {
  var id: Id
  var text: String
}

// MARK: - Author

extension Author: EntityInspectable, __EntityRelatable {
  typealias EntityType = Author
  typealias EntityBindingType = AuthorBinding
  static let entityInfo = EntityInfo(name: "Author", id: 1)
  static let entityBinding = AuthorBinding()
  var _id: EntityId<Author> { EntityId(id) }

  static var id: Property<Author, Id, Id> { Property(propertyId: 1, isPrimaryKey: true) }
  static var name: Property<Author, String, Void> { Property(propertyId: 2) }
  static var country: Property<Author, String?, Void> { Property(propertyId: 3) }
  static var books: ToManyProperty<Book> { ToManyProperty(.valuePropertyId(5)) }
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
    propertyCollector.collect(entity.country, at: 8)
  }

  func postPut(fromEntity entity: Author, id: Id, store: Store) throws {
    if !entity.books.canInteractWithDb {
      try entity.books.attach(
        targetId: EntityId<Author>(id), sourceBox: store.box(), sourceProperty: Book.author)
    }
  }

  func createEntity(entityReader: FlatBufferReader, store: Store) -> Author {
    let entity = Author()
    entity.id = entityReader.read(at: 4)
    entity.name = entityReader.read(at: 6)
    entity.country = entityReader.read(at: 8)
    entity.books = .backlink(
      sourceBox: store.box(), sourceProperty: Book.author, targetId: EntityId<Author>(entity.id))
    return entity
  }
}

// MARK: - Book

extension Book: EntityInspectable, __EntityRelatable {
  typealias EntityType = Book
  typealias EntityBindingType = BookBinding
  static let entityInfo = EntityInfo(name: "Book", id: 2)
  static let entityBinding = BookBinding()
  var _id: EntityId<Book> { EntityId(id) }

  static var id: Property<Book, Id, Id> { Property(propertyId: 1, isPrimaryKey: true) }
  static var title: Property<Book, String, Void> { Property(propertyId: 2) }
  static var genre: Property<Book, Int, Void> { Property(propertyId: 3) }
  static var year: Property<Book, Int, Void> { Property(propertyId: 4) }
  static var author: Property<Book, EntityId<Author>, Author> { Property(propertyId: 5) }
  static var isbn: Property<Book, String?, Void> { Property(propertyId: 6) }
  static var price: Property<Book, Double, Void> { Property(propertyId: 7) }
  static var published: Property<Book, Date?, Void> { Property(propertyId: 8) }
  static var embedding: Property<Book, HnswIndexPropertyType, Void> { Property(propertyId: 9) }
  static var related: ToManyProperty<Book> { ToManyProperty(.relationId(2)) }
}

extension ObjectBox.Entity where Self == Book {
  static var isbn: UniqueKey<Book, String> { UniqueKey(propertyId: 6) }
}

extension ObjectBox.EntityInspectable where Self == Book {
  static var genre: EnumProperty<Book, Genre> { EnumProperty(propertyId: 3) }
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
    case 5: entity.author.targetId = id.map { EntityId($0) }
    default: fatalError("Book has no relation \(propertyId)")
    }
  }

  func collect(
    fromEntity entity: Book, id: Id, propertyCollector: FlatBufferBuilder, store: Store
  ) throws {
    propertyCollector.collect(entity.genre.rawValue, at: 8)
    propertyCollector.collect(entity.year, at: 10)
    propertyCollector.collect(entity.author, at: 12, store: store)
    propertyCollector.collect(entity.price, at: 16)
    propertyCollector.collect(entity.published, at: 18)
    propertyCollector.collect(entity.title, at: 6)
    propertyCollector.collect(entity.isbn, at: 14)
    propertyCollector.collect(entity.embedding, at: 20)
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
    entity.genre = Genre(rawValue: entityReader.read(at: 8)) ?? .other
    entity.year = entityReader.read(at: 10)
    entity.author = entityReader.read(at: 12, store: store)
    entity.isbn = entityReader.read(at: 14)
    entity.price = entityReader.read(at: 16)
    entity.published = entityReader.read(at: 18)
    entity.embedding = entityReader.read(at: 20)
    entity.related = .relation(
      sourceId: EntityId<Book>(entity.id), targetBox: store.box(), relationId: 2)
    return entity
  }
}

// MARK: - Reader

extension Reader: EntityInspectable, __EntityRelatable {
  typealias EntityType = Reader
  typealias EntityBindingType = ReaderBinding
  static let entityInfo = EntityInfo(name: "Reader", id: 3)
  static let entityBinding = ReaderBinding()
  var _id: EntityId<Reader> { EntityId(id) }

  static var id: Property<Reader, Id, Id> { Property(propertyId: 1, isPrimaryKey: true) }
  static var name: Property<Reader, String, Void> { Property(propertyId: 2) }
  static var borrowed: ToManyProperty<Book> { ToManyProperty(.relationId(1)) }
}

final class ReaderBinding: EntityBinding {
  typealias EntityType = Reader
  typealias IdType = Id

  init() {}
  func generatorBindingVersion() -> Int { 2 }
  func entityId(of entity: Reader) -> Id { entity.id }
  func setEntityIdUnlessStruct(of entity: Reader, to id: Id) { entity.id = id }

  func collect(
    fromEntity entity: Reader, id: Id, propertyCollector: FlatBufferBuilder, store: Store
  ) throws {
    propertyCollector.collect(entity.name, at: 6)
  }

  func postPut(fromEntity entity: Reader, id: Id, store: Store) throws {
    if !entity.borrowed.canInteractWithDb {
      try entity.borrowed.attach(
        sourceId: EntityId<Reader>(id), targetBox: store.box(), relationId: 1)
    }
  }

  func createEntity(entityReader: FlatBufferReader, store: Store) -> Reader {
    let entity = Reader()
    entity.id = entityReader.read(at: 4)
    entity.name = entityReader.read(at: 6)
    entity.borrowed = .relation(
      sourceId: EntityId<Reader>(entity.id), targetBox: store.box(), relationId: 1)
    return entity
  }
}

// MARK: - Label

extension Label: EntityInspectable, __EntityRelatable {
  typealias EntityType = Label
  typealias EntityBindingType = LabelBinding
  static let entityInfo = EntityInfo(name: "Label", id: 4)
  static let entityBinding = LabelBinding()
  var _id: EntityId<Label> { EntityId(id) }

  static var text: Property<Label, String, Void> { Property(propertyId: 2) }
}

final class LabelBinding: EntityBinding {
  typealias EntityType = Label
  typealias IdType = Id

  init() {}
  func generatorBindingVersion() -> Int { 2 }
  func entityId(of entity: Label) -> Id { entity.id }
  func setStructEntityId(of entity: inout Label, to id: Id) { entity.id = id }

  func collect(
    fromEntity entity: Label, id: Id, propertyCollector: FlatBufferBuilder, store: Store
  ) throws {
    propertyCollector.collect(entity.text, at: 6)
  }

  func createEntity(entityReader: FlatBufferReader, store: Store) -> Label {
    Label(id: entityReader.read(at: 4), text: entityReader.read(at: 6))
  }
}

// MARK: - Store

extension StoreModel {
  // Nothing runs: the text would be that of the model file.
  static let library = StoreModel(json: "{}")
}

extension Store {
  convenience init(
    directoryPath: String, maxDbSizeInKByte: UInt64 = 1024 * 1024, fileMode: UInt32 = 0o644,
    maxReaders: UInt32 = 0, readOnly: Bool = false, hears: HeardCommits = .thisProcess
  ) throws {
    try self.init(
      model: .library, directory: directoryPath, maxDbSizeInKByte: maxDbSizeInKByte,
      fileMode: fileMode, maxReaders: maxReaders, readOnly: readOnly, hears: hears)
  }
}

// What the pages take as given.

var store: Store { fatalError("nothing runs") }
var authors: Box<Author> { fatalError("nothing runs") }
var books: Box<Book> { fatalError("nothing runs") }
var readers: Box<Reader> { fatalError("nothing runs") }

// The conformances of docs/swift-importing.md, which a function cannot declare.

extension Author: Importable {
  convenience init(importing source: [String: Any], in transaction: Transaction) throws {
    self.init()
    var fields = ImportFields(source)
    name = fields.required("name", or: "")
    country = fields.optional("country")
    try fields.requireNoFaults()
  }
}

extension Book: UniquelyImportable {
  static var uniqueIDProperty: Property<Book, String?, Void> { Book.isbn }
  static func uniqueID(from source: [String: Any], in transaction: Transaction) -> String? {
    source["isbn"] as? String
  }
  convenience init(importing source: [String: Any], in transaction: Transaction) throws {
    self.init()
    try update(from: source, in: transaction)
  }
  func update(from source: [String: Any], in transaction: Transaction) throws {
    var fields = ImportFields(source)
    isbn = fields.required("isbn", or: "")
    title = fields.required("title", or: "")
    year = fields.optional("year") ?? year
    try fields.requireNoFaults()
  }
}
