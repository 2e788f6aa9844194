import BoxStore
import TestSupport
import Testing

/// Conditions on enums, targets of relations, the order of ids, and optional numbers.
struct TypedConditionTests {
  private let store: Store
  private let books: Box<Book>

  init() throws {
    store = try QueryStore.sample()
    books = store.box()
  }

  private func ids(_ condition: QueryCondition<Book>) throws -> [EntityId<Book>] {
    try books.query { condition }.build().findIds()
  }

  @Test func enumsAreComparedByCasesAndByRawValues() throws {
    for genre in [Genre.novel, .poetry, .unknown, .novel] {
      let book = Book("\(genre)")
      book.genre = genre
      try books.put(book)
    }
    #expect(try ids(Book.genre == .novel) == [1, 4])
    #expect(try ids(Book.genre == 1) == [1, 4])
    #expect(try ids(Book.genre == Genre.novel.rawValue) == [1, 4])
    #expect(try ids(Book.genre != .novel && Book.genre > 0) == [2])
    #expect(try ids(Book.genre ∈ [.poetry, .unknown]) == [2, 3])
    let query = try books.query { Book.genre == .novel }.build()
    query.setParameter(Book.genre, to: .poetry)
    #expect(try query.findIds() == [2])
    query.setParameter(Book.genre, to: 0)
    #expect(try query.findIds() == [3])
    let several = try books.query { "genres" .= Book.genre ∈ [.novel] }.build()
    several.setParameters(Book.genre, to: [.poetry, .unknown])
    #expect(try several.findIds() == [2, 3])
  }

  @Test func relationsAreComparedWithObjectsAndTheirIDs() throws {
    let authors: Box<Author> = store.box()
    let ada = try authors.put(struct: Author(name: "Ada"))
    let bob = try authors.put(struct: Author(name: "Bob"))
    try books.put([Book("1", by: ada), Book("2", by: bob), Book("3"), Book("4", by: ada)])
    #expect(try ids(Book.author == ada) == [1, 4])
    #expect(try ids(Book.author == ada.id) == [1, 4])
    #expect(try ids(Book.author == ada.id.value) == [1, 4])
    #expect(try ids(Book.author == 2) == [2])
    #expect(try ids(Book.author != ada) == [2])
    #expect(try ids(Book.author != bob.id.value && Book.author.isNotNil()) == [1, 4])
    #expect(try ids(Book.author == Author(name: "New")) == [])
  }

  @Test func idsHaveAnOrder() throws {
    try books.put((1...5).map { Book("\($0)") })
    #expect(try ids(Book.id < 3) == [1, 2])
    #expect(try ids(Book.id <= 3 && Book.id > 1) == [2, 3])
    #expect(try ids(Book.id >= 4) == [4, 5])
    let authors: Box<Author> = store.box()
    for name in ["A", "B", "C"] { try authors.put(Author(name: name)) }
    let second: EntityId<Author> = 2
    #expect(try authors.query { Author.id > second }.build().findIds() == [3])
    #expect(try authors.query { Author.id <= 2 }.build().findIds() == [1, 2])
    let numbered = store.box(for: Numbered.self)
    try numbered.put([Numbered(), Numbered(), Numbered()])
    #expect(try numbered.query { Numbered.id > -1 }.build().count() == 3)
    #expect(try numbered.query { Numbered.id < -1 }.build().count() == 0)
    #expect(try numbered.query { Numbered.id >= 2 }.build().findIds() == [2, 3])
  }

  @Test func optionalNumbersHaveTheMethodsOfOthers() throws {
    let box: Box<Everything> = store.box()
    for number in [1, 2, nil, 4] as [Int32?] {
      var object = Everything()
      object.int32 = number
      object.double = number.map { Double($0) }
      try box.put(object)
    }
    func ids(_ condition: QueryCondition<Everything>) throws -> [EntityId<Everything>] {
      try box.query { condition }.build().findIds()
    }
    let (double, integer) = (Everything.double, Everything.int32)
    #expect(try ids(double.isLessThan(2)) == [1])
    #expect(try ids(double.isGreaterThan(1)) == [2, 4])
    #expect(try ids(double.isLessOrEqual(2)) == [1, 2])
    #expect(try ids(double.isGreaterOrEqual(2)) == [2, 4])
    #expect(try ids(double.isBetween(4, and: 1.5)) == [2, 4])
    #expect(try ids(double.isEqual(to: 1.9, tolerance: 0.25)) == [2])
    #expect(try ids(integer.isEqual(to: 2)) == [2])
    #expect(try ids(integer.isNotEqual(to: 2)) == [1, 4])
    #expect(try ids(integer.isLessThan(2)) == [1])
    #expect(try ids(integer.isGreaterThan(2)) == [4])
    #expect(try ids(integer.isLessOrEqual(2)) == [1, 2])
    #expect(try ids(integer.isGreaterOrEqual(2)) == [2, 4])
    #expect(try ids(integer.isBetween(4, and: 2)) == [2, 4])
    #expect(try ids(integer.isIn(1...2)) == [1, 2])
    #expect(try ids(integer.isIn(1..<2)) == [1])
    #expect(try ids(integer.isIn([1, 4])) == [1, 4])
    #expect(try ids(integer.isNotIn([1, 4])) == [2])
  }
}
