import BoxGenerator
import BoxModel
import BoxReport
import BoxSources
import TestSupport
import Testing

/// Generated code is compiled with the library and run.
@Suite(.serialized) struct GeneratedCodeTests {
  static func bindings(
    of sources: [String: String], target: String = "App", visibility: Visibility = .internal
  ) async throws -> String {
    var request = GeneratorRequest(
      files: sources.map { SwiftFile(path: $0.key, bytes: Array($0.value.utf8)) }, target: target,
      modelPath: "model-\(target).json", model: nil, bindingsPath: "EntityInfo.generated.swift",
      bindings: nil)
    request.uids = .sequential
    request.visibility = visibility
    let run = await Generation(request)
    guard let text = run.bindings, !run.hasErrors else {
      throw TestFailure("\(run.findings.map { "\($0.message); \($0.advice ?? "")" })")
    }
    return text
  }

  /// Generates, compiles with a main program, and runs.
  private func run(_ sources: String, _ main: String) async throws -> String {
    let bindings = try await Self.bindings(of: ["Entities.swift": sources])
    let program = try await GeneratedProgram([
      "Entities.swift": sources, "EntityInfo.generated.swift": bindings, "main.swift": main,
    ])
    return try await program.run()
  }

  @Test func aTypedConverterIsCalledByBindings() async throws {
    let text = try await run(
      """
      import BoxConvert
      import BoxStore

      enum Rank: Int { case reader = 0, author = 1, admin = 200 }
      struct Money: Equatable { var cents: Int }

      struct MoneyConverter: ValueConverter {
        func domain(_ stored: Int64?) throws(ConversionError) -> Money {
          guard let stored else { throw ConversionError(.missing, expected: "an amount") }
          return Money(cents: Int(stored))
        }
        func stored(_ domain: Money) throws(ConversionError) -> Int64? {
          if domain.cents < 0 { throw ConversionError(.malformed, expected: "an amount from 0") }
          return Int64(domain.cents)
        }
      }

      final class Order: Entity {
        var id: Id = 0
        // objectbox: convert = { "dbType": "Int64", "converter": "MoneyConverter" }
        var price = Money(cents: 5)
        // objectbox: convert = { "dbType": "Int64", "converter": "MoneyConverter" }
        var tip: Money?
        // objectbox: convert = { "dbType": "Int", "converter": "BoxConvert.PreservedConverter<Rank>" }
        var rank = Preserved.known(Rank.author)
        required init() {}
      }

      // objectbox: entity
      struct Gift {
        var id: EntityId<Gift>
        // objectbox: convert = { "dbType": "Int64", "converter": "MoneyConverter", "default": "Money(cents: 9)" }
        var value: Money
      }
      """,
      """
      import BoxConvert
      import BoxStore

      let store = try Store(directoryPath: "memory:orders")
      let orders: Box<Order> = store.box()
      let order = Order()
      order.rank = Preserved(rawValue: 7)
      try orders.put(order)
      let read = try orders.get(order.id)!
      print(read.price.cents, read.tip as Any, read.rank.rawValue, read.rank.value as Any)
      read.tip = Money(cents: -1)
      do {
        try orders.put(read)
      } catch {
        print(error)
      }
      let gifts: Box<Gift> = store.box()
      let gift = try gifts.put(struct: Gift(id: 0, value: Money(cents: 3)))
      print(try gifts.get(gift.id)!.value.cents)
      """)
    let lines = text.split(separator: "\n")
    #expect(lines.first == "5 nil 7 nil")
    #expect(
      lines.count == 3 && lines[1].contains("Order.tip") && lines[1].contains("an amount from 0"))
    #expect(lines.last == "3")
  }

  @Test(.promise(35, 53, 89, 109, 161, 167, 192, 194)) func theSchemaOfTheDesignIsStoredAndFound()
    async throws
  {
    let text = try await run(
      """
      import BoxStore
      #if canImport(FoundationEssentials)
        import FoundationEssentials
      #else
        import Foundation
      #endif

      enum Genre: Int, Sendable { case unknown = 0, novel = 1, poetry = 2 }

      final class Book: Entity {
        var id: Id = 0
        // objectbox: index = "value"
        var title: String = ""
        // objectbox: unique
        var isbn: String?
        // objectbox: convert = { "default": ".unknown" }
        var genre: Genre = .unknown
        var price: Double = 0
        var published: Date?
        // objectbox: hnswIndex: dimensions=3
        var embedding: [Float]?
        var author: ToOne<Author> = nil
        var related: ToMany<Book> = nil
        // objectbox: transient
        var isOpen = false

        required init() {}
        convenience init(_ title: String, by author: Author? = nil) {
          self.init()
          self.title = title
          self.author.target = author
        }
      }

      // objectbox: entity
      struct Author: Entity {
        var id: EntityId<Author>
        let name: String
        // objectbox: backlink = "author"
        var books: ToMany<Book>

        init(id: EntityId<Author> = 0, name: String, books: ToMany<Book> = nil) {
          self.id = id
          self.name = name
          self.books = books
        }
      }
      """,
      """
      import BoxStore

      let store = try ObjectBox.Store(directoryPath: "memory:library")
      let books: Box<Book> = store.box()
      let authors: ObjectBox.Box<Author> = store.box(for: Author.self)
      let ada = try authors.put(struct: Author(name: "Ada"))
      let book = Book("Notes", by: ada)
      book.genre = .poetry
      book.embedding = [1, 2, 3]
      try books.put(book)
      book.related.append(Book("More notes"))
      try book.related.applyToDb()
      let read = try books.get(book.id)!
      print(read.title, read.genre, read.author.target!.name, read.related.map(\\.title), read.isbn ?? "-")
      print(try authors.get(ada.id)!.books.map(\\.title))
      let query = try books.query {
        Book.title.startsWith("N") && Book.genre == Genre.poetry.rawValue && .price < 3
      }.link(Book.author) { Author.name == "Ada" }.build()
      print(try query.find().map(\\.id))
      let near = try books.query { Book.embedding.nearestNeighbors(queryVector: [1, 2, 3], maxCount: 2) }.build()
      print(try near.count())
      print(try books.query { .title.contains("ore") || .isbn.isEqual(to: "x") }.build().count())
      """)
    #expect(
      text == """
        Notes poetry Ada ["More notes"] -
        ["Notes"]
        [1]
        1
        1

        """)
  }

  @Test(.promise(25)) func aTargetWithoutEntitiesCompiles() async throws {
    let text = try await run(
      "import BoxStore\nfunc f() {}\n",
      "import BoxStore\nlet store = try Store(directoryPath: \"memory:empty\")\nprint(try Store.isOpen(directory: \"memory:empty\"))\nstore.close()\n"
    )
    #expect(text == "true\n")
  }
}
