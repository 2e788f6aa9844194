import BoxStore
import Dispatch
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension StoreModel {
  /// The model under the name that the documentation has for it.
  static let library = StoreModel(json: (try? StoreSample.text) ?? "")
}

/// The code of docs/swift-queries.md.
struct DocumentedQueriesTests {
  @Test(.promise(91, 193, 194, 197, 200, 202, 315, 319, 385))
  func theExamplesOfTheDocumentationWork() throws {
    let store = try Store(model: .library, directory: "memory:queries")
    let books: Box<Book> = store.box()
    let authors: Box<Author> = store.box()
    try Self.fill(books, authors)

    let query = try books.query { Book.title.startsWith("No") && Book.price < 10 }.build()

    let all = try query.find()
    let page = try query.find(offset: 20, limit: 10)
    let first = try query.findFirst()
    let only = try books.query { Book.isbn == "1" }.build().findUnique()
    let ids = try query.findIds()
    let count = try query.count()
    #expect(all.map(\.title) == ["No man", "Notes"])
    #expect(page.isEmpty && first?.title == "No man" && only?.id == 1)
    #expect(ids == [EntityId(1), EntityId(2)] && count == 2)
    let next = try query.find(after: page.last?.id, limit: 10)
    #expect(next.map(\.title) == ["No man", "Notes"])

    try books.query { Book.published.isNil() }.build().forEach { book in
      print(book.title)
    }

    let removed = try books.query { Book.title == "" || Book.price < 0 }.build().remove()
    print("\(removed) books removed")
    #expect(removed == 1)

    let found = try books.query {
      (Book.title.contains("sea", caseSensitive: false) || Book.price > 100) && !(Book.genre == 2)
    }.build().find()
    #expect(found.map(\.title) == ["The Sea", "Atlas"])

    var wanted: [QueryCondition<Book>] = [Book.price < 20]
    let words = ["sea", "island"]
    if !words.isEmpty { wanted.append(anyOf(words.map { Book.title.contains($0) })) }
    let matches = try books.query { allOf(wanted) }.build().find()
    #expect(matches.map(\.title) == ["Treasure island"])

    let other = try books.query { Book.isbn != "1" }.build().count()  // books with another ISBN
    let notOne = try books.query { !(Book.isbn == "1") }.build().count()  // and those without any
    let none = try books.query { Book.isbn.isNil() }.build().count()
    let noAuthor = try books.query { Book.author.isNil() }.build().count()
    #expect(other == 1 && notOne == 5 && none == 4 && noAuthor == 4)

    let typed = "price < 10 && any(authorId, name startsWith 'A')"
    let parsed = try QueryCondition<Book>(parsing: typed)
    let answer = try books.query { parsed && Book.isbn.isNotNil() }.build().find()
    #expect(answer.map(\.title) == ["No man"])

    let byTitle = try books.query()
      .ordered(by: Book.title)
      .ordered(by: Book.price, flags: .descending)
      .build().find()
    #expect(
      byTitle.map(\.title) == ["Atlas", "No man", "Notes", "Poems", "The Sea", "Treasure island"])

    let byAda = try books.query { Book.price < 10 }
      .link(Book.author) { Author.name == "Ada" }
      .build().find()
    let poets = try authors.query().link(Author.books) { Book.genre == 2 }.build().find()
    #expect(byAda.map(\.title) == ["No man"])
    #expect(poets.map(\.name) == ["Bob"])

    let either = try books.query {
      Book.price < 5 || .link(Book.author) { Author.name == "Ada" }
    }.build().find()
    let lonely = try authors.query { !.link(Author.books) { .always } }.build().find()
    #expect(either.map(\.title) == ["No man", "Notes"])
    #expect(lonely.map(\.name) == ["Cy"])

    let upTo = try books.query { Book.price < 10 }.build()
    upTo.setParameter(Book.price, to: 20)
    #expect(try upTo.find().map(\.title) == ["No man", "Notes", "Treasure island"])

    let between = try books.query { "min" .= Book.price > 10 && "max" .= Book.price < 50 }.build()
    between.setParameter("min", to: 25)
    #expect(try between.find().map(\.title) == ["Poems"])

    let some = try books.query { Book.genre.isBetween(0, and: 1) && "isbn" .= Book.isbn ∈ ["1"] }
      .build()
    some.setParameters(Book.genre, to: 1, and: 2)
    some.setParameters("isbn", to: ["1", "2"])
    #expect(try some.find().map(\.title) == ["No man", "Notes"])

    let prices = query.property(Book.price)
    let highest = try prices.max()
    let mean = try prices.average()
    let titles = try query.property(Book.title).distinct(caseSensitiveCompare: false).findStrings()
    let isbns = try query.property(Book.isbn).with(nullString: "none").findStrings()
    #expect(highest == 8 && mean == 6 && titles == ["No man", "Notes"] && isbns == ["1", "2"])

    let near = try books.query {
      Book.embedding.nearestNeighbors(queryVector: [1, 0, 0], maxCount: 3) && Book.price < 50
    }.build()
    for result in try near.findWithScores() {
      print(result.object.title, result.score)
    }
    near.setParameter(Book.embedding, to: [0, 1, 0])
    #expect(try near.findWithScores().map(\.object.title) == ["Notes", "Poems"])
    #expect(try near.findWithScores().map(\.score) == [0, 2])

    print(try query.explain())
    let changed = try books.query { Book.price < 5 }.build().update {
      $0.set(Book.price, to: 5)
      $0.set(Book.genre, to: .poetry)
      $0.set(Book.isbn, to: nil)
    }
    print("\(changed) books changed")
    let cheap = try books.query { Book.price <= 5 && Book.genre == .poetry }.build().find()
    #expect(changed == 1 && cheap.map(\.title) == ["Notes"])
    store.close()
  }

  @Test func theObserversOfTheDocumentationWork() async throws {
    let store = try QueryStore.sample()
    let books: Box<Book> = store.box()
    let cheap = try books.query { Book.price < 10 }.ordered(by: Book.title).build()
    let observer = cheap.subscribe(dispatchQueue: DispatchQueue(label: "shelf")) {
      (found: [Book], error: ObjectBoxError?) in
      print(found.map(\.title))
    }

    func watch() async throws {
      for try await found in cheap.results { print(found.count) }
    }
    let watching = Task { try await watch() }
    try Self.fill(books, store.box())
    // The sequence ends with its task.
    watching.cancel()
    try await watching.value
    observer.unsubscribe()
  }

  /// Every example of the page is part of the tests above, line by line.
  @Test func everyExampleIsTested() throws {
    try Self.requireTested("docs/swift-queries.md", in: #filePath)
  }

  /// Expects that each line of code of a page is in the source file of a test.
  static func requireTested(_ page: String, in file: String) throws {
    let source = URL(filePath: file)
    var root = source
    for _ in 0..<4 { root.deleteLastPathComponent() }
    let page = try String(contentsOf: root.appending(path: page), encoding: .utf8)
    let tested = try String(contentsOf: source, encoding: .utf8).split(separator: "\n")
      .map { $0.drop { $0 == " " } }
    var isCode = false
    var count = 0
    for line in page.split(separator: "\n") {
      if line.hasPrefix("```") {
        isCode = line == "```swift"
      } else if isCode {
        count += 1
        #expect(tested.contains(line.drop { $0 == " " }), "\(line)")
      }
    }
    #expect(count > 50)
  }

  static func fill(_ books: Box<Book>, _ authors: Box<Author>) throws {
    let ada = try authors.put(struct: Author(name: "Ada"))
    let bob = try authors.put(struct: Author(name: "Bob"))
    _ = try authors.put(struct: Author(name: "Cy"))
    func book(
      _ title: String, _ price: Double, _ genre: Genre, isbn: String? = nil,
      by author: Author? = nil,
      at vector: [Float]? = nil
    ) -> Book {
      let book = Book(title, by: author)
      (book.price, book.genre, book.isbn, book.embedding) = (price, genre, isbn, vector)
      return book
    }
    try books.put([
      book("No man", 8, .novel, isbn: "1", by: ada),
      book("Notes", 4, .poetry, isbn: "2", at: [0, 1, 0]),
      book("The Sea", 200, .novel, at: [1, 0, 0]), book("Atlas", 150, .unknown),
      book("Treasure island", 12, .novel), book("Poems", 30, .poetry, by: bob, at: [1, 0, 0]),
      book("", 60, .poetry),
    ])
  }
}
