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

  @Test func uniquePropertiesAreKeys() async throws {
    let text = try await run(
      """
      import BoxStore
      #if canImport(FoundationEssentials)
        import FoundationEssentials
      #else
        import Foundation
      #endif

      enum Plan: String { case free, paid }

      // objectbox: entity
      struct User {
        var id: EntityId<User>
        // objectbox: unique
        var email: String?
        // objectbox: unique
        let number: Int16
        // objectbox: unique
        var joined: Date
        // objectbox: unique, convert = { "default": ".free" }
        var plan: Plan
      }

      final class Place: Entity {
        var id: Id = 0
        // objectbox: unique
        var code: UInt8 = 0
        // objectbox: unique = {"onConflict": "replace"}
        var note = ""
        required init() {}
      }
      """,
      """
      import BoxStore
      import FoundationEssentials

      let store = try Store(directoryPath: "memory:users")
      let users: Box<User> = store.box()
      let day = Date(timeIntervalSince1970: 1)
      var ada = User(id: 0, email: "a@b.c", number: 3, joined: day, plan: .paid)
      try users.put(&ada, matching: User.email)
      var other = User(id: 0, email: "x", number: 3, joined: day, plan: .free)
      try users.put(&other, matching: User.number)
      print(ada.id, other.id, try users.get(User.email, "x")!.number, try users.get(User.email, "a@b.c") == nil)
      print(try users.get(User.joined, day)!.email!, try users.get(User.plan, "free")!.email!)
      var several = [other, User(id: 0, email: "y", number: 4, joined: day + 1, plan: .paid)]
      several[0].email = nil
      try users.put(&several, matching: User.joined)
      print(several.map(\\.id), try users.count())
      print(try users.query { User.email == "y" && User.number > 3 }.ordered(by: User.email).build().count())

      let places: Box<Place> = store.box()
      let place = Place()
      place.code = 200
      try places.put(place, matching: Place.code)
      let second = Place()
      (second.code, second.note) = (200, "x")
      print(try places.put(second, matching: Place.code), try places.get(Place.code, 200)!.note)
      """)
    #expect(
      text == """
        1 1 3 true
        x x
        [1, 2] 2
        1
        1 x

        """)
  }

  @Test func enumsAreComparedByTheirCases() async throws {
    let sources = """
      import BoxStore

      public enum Category: String { case tool, part }
      enum Grade: Int8 { case low = 1, high = 2 }

      public final class Product: Entity {
        public enum Size: UInt16, Sendable { case small = 1, large = 40000 }
        enum Color: Int { case red = 0 }

        public var id: Id = 0
        // objectbox: convert = { "default": ".tool" }
        public var category: Category = .tool
        // objectbox: convert, unique
        public var size: Product.Size?
        // objectbox: convert = { "default": ".red" }
        var color: Color = .red
        // objectbox: convert = { "default": ".low" }
        var grade: Grade = .low
        public required init() {}
      }
      """
    let bindings = try await Self.bindings(of: ["Entities.swift": sources], visibility: .public)
    #expect(bindings.contains("public static var category: EnumProperty<Product, Category>"))
    #expect(bindings.contains("public static var size: EnumProperty<Product, Product.Size>"))
    #expect(bindings.contains("internal static var color: EnumProperty<Product, Product.Color>"))
    #expect(bindings.contains("internal static var grade: EnumProperty<Product, Grade>"))
    let main = """
      import BoxStore

      let store = try Store(directoryPath: "memory:products")
      let products: Box<Product> = store.box()
      let product = Product()
      (product.category, product.size, product.grade) = (.part, .large, .high)
      try products.put([Product(), product])
      func find(_ products: Box<Product>, _ condition: QueryCondition<Product>) throws {
        print(try products.query { condition }.build().findIds())
      }
      try find(products, Product.category == .part)
      try find(products, Product.category == "part" && Product.size == .large && Product.grade == .high)
      try find(products, Product.size == 40000 && Product.color == .red)
      try find(products, Product.size != .small)
      try find(products, Product.grade ∈ [.low, .high])
      try products.query { Product.category == .tool }.build().update { $0.set(Product.category, to: .part) }
      print(try products.all().map(\\.category), try products.get(Product.size, 40000)!.id)
      """
    let program = try await GeneratedProgram([
      "Entities.swift": sources, "EntityInfo.generated.swift": bindings, "main.swift": main,
    ])
    #expect(
      try await program.run() == """
        [2]
        [2]
        [2]
        [2]
        [1, 2]
        [App.Category.part, App.Category.part] 2

        """)
  }

  @Test func listsAndSetsOfEnumsAreStoredByRawValues() async throws {
    let text = try await run(
      """
      import BoxConvert
      import BoxStore

      enum Genre: Int, Sendable { case unknown = 0, novel = 1, poetry = 2 }
      enum Tag: String, Sendable { case new, old, other }

      final class Book: Entity {
        var id: Id = 0
        // objectbox: convert = { "default": ".unknown" }
        var genres: [Genre] = []
        // objectbox: convert = { "default": ".other" }
        var tags: Set<Tag> = []
        // objectbox: convert
        var kept: [Preserved<Genre>]?
        required init() {}
      }
      """,
      """
      import BoxConvert
      import BoxStore

      let store = try Store(directoryPath: "memory:books")
      let books: Box<Book> = store.box()
      let book = Book()
      book.genres = [.poetry, .novel, .poetry]
      book.tags = [.old, .new]
      book.kept = [.known(.novel), .unknown(7)]
      try books.put([book, Book()])
      let read = try books.get(book.id)!
      print(read.genres.map(\\.rawValue), read.tags == book.tags, read.kept!.map(\\.rawValue))
      let query = try books.query { Book.genres.isEqual(to: 2) }.build()
      print(try query.property(Book.genres).find(), try query.property(Book.tags).find())
      try query.update {
        $0.set(Book.genres, to: [1, 9])
        $0.set(Book.tags, to: ["old", "x", "other"])
      }
      let changed = try books.get(book.id)!
      print(changed.genres.map(\\.rawValue), changed.tags == [.old, .other])
      try books.put(changed)
      print(try books.query().build().property(Book.tags).find(), try books.get(2)!.kept == nil)
      """)
    #expect(
      text == """
        [2, 1, 2] true [1, 7]
        [[2, 1, 2]] [["new", "old"]]
        [1, 0] true
        [["old", "other"], []] true

        """)
  }

  @Test func aListOfAnEnumThatHasNoListIsRefused() async {
    func findings(_ raw: String, _ options: String, _ type: String = "[Kind]") async -> [String] {
      let source = """
        enum Kind: \(raw) { case a = 1 }
        final class Note: Entity {
          var id: Id = 0
          // objectbox: convert\(options)
          var kinds: \(type) = []
          required init() {}
        }
        """
      var request = GeneratorRequest(
        files: [SwiftFile(path: "A.swift", bytes: Array(source.utf8))], target: "A",
        modelPath: "model-A.json", model: nil, bindingsPath: "E.swift", bindings: nil)
      request.uids = .sequential
      return await Generation(request).findings.map { "\($0.message); \($0.advice ?? "")" }
    }
    let fallback = " = { \"default\": \".a\" }"
    #expect(await findings("Int", fallback) == [])
    #expect(await findings("Int", "", "Set<Preserved<Kind>>") == [])
    #expect(
      await findings("Int", "") == [
        "The conversion of \"kinds\" has no \"default\"; Add one for unknown elements, as convert ="
          + " { \"default\": \".unknown\" }, or declare them as \"Preserved<Kind>\""
      ])
    #expect(
      await findings("UInt8", fallback) == [
        "The raw values of \"Kind\" are UInt8, of which no list is stored;"
          + " Give it a raw type such as Int or String, as \"enum Kind: Int\""
      ])
    #expect(
      await findings("Int", " = { \"dbType\": \"Int\", \"default\": \".a\" }") == [
        "The raw values of \"kinds\" are [Int64], not Int; Write \"dbType\": \"[Int64]\", or leave it out"
      ])
  }

  @Test func valuesOfFoundationAreStoredByTheirType() async throws {
    let text = try await run(
      """
      import BoxStore
      import Foundation

      struct Settings: Codable, Equatable { var theme = "light", sizes = [1, 2] }
      struct Step: Codable { var name: String }

      final class Account: Entity {
        var id: Id = 0
        // objectbox: unique, index
        var token: UUID?
        // objectbox: index
        var device: UUID?
        var site: URL?
        var balance: Decimal = 0
        var settings: Settings = Settings()
        var steps: [Step] = []
        var counts: [String: Int] = [:]
        var extra: [String: [Step]]?
        required init() {}
      }

      // objectbox: entity
      struct Visit {
        var id: EntityId<Visit>
        let session: UUID
        let page: URL
      }
      """,
      """
      import BoxStore
      import Foundation

      let store = try Store(directoryPath: "memory:accounts")
      let accounts: Box<Account> = store.box()
      let token = UUID(uuidString: "1B4E28BA-2FA1-11D2-883F-0016D3CCA427")!
      let account = Account()
      account.token = token
      account.site = URL(string: "https://example.org/a?b=c")
      account.balance = Decimal(string: "12.50")!
      account.settings.theme = "dark"
      account.steps = [Step(name: "x")]
      account.counts = ["b": 2, "a": 1]
      try accounts.put(account, matching: Account.token)
      let read = try accounts.get(Account.token, token)!
      print(read.token == token, read.device == nil, read.site!.absoluteString, read.balance)
      print(read.settings.theme, read.settings.sizes, read.steps.map(\\.name), read.counts["b"]!, read.extra == nil)
      let query = try accounts.query { Account.token == "1b4e28ba-2fa1-11d2-883f-0016d3cca427" }.build()
      print(try query.property(Account.counts).find()[0], try query.property(Account.balance).find()[0])
      let visits: Box<Visit> = store.box()
      let visit = try visits.put(struct: Visit(id: 0, session: token, page: account.site!))
      print(try visits.get(visit.id)!.session == token)
      """)
    #expect(
      text == """
        true true https://example.org/a?b=c 12.5
        dark [1, 2] ["x"] 2 true
        {"a":1,"b":2} 12.5
        true

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
