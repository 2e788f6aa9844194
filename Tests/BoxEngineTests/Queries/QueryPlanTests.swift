import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

/// Each way to objects is taken where it should be, and named by the plan.
struct QueryPlanTests {
  /// A thousand books of ten authors, a title each, and a hundred readers.
  private static func store() throws -> ObjectStore {
    let model = TestModel(
      .init(
        name: "Author", uid: 100,
        fields: [
          .init(name: "name", type: .string), .init(name: "born", type: .int, flags: .indexed),
        ]),
      .init(
        name: "Book", uid: 200,
        fields: [
          .init(name: "title", type: .string, flags: .indexed),
          .init(name: "code", type: .string, flags: [.indexed, .indexHash]),
          .init(name: "isbn", type: .long, flags: [.indexed, .unique]),
          .init(name: "genre", type: .int, flags: .indexed),
          .init(name: "price", type: .double, flags: .indexed),
          .init(name: "pages", type: .int),
          .init("author", 219, .relation, [], target: "Author"),
        ], relations: [.init("tags", to: "Tag")]),
      .init(name: "Tag", uid: 300, fields: [.init(name: "name", type: .string)]))
    let store = try ObjectStore.open(.ownMemory(), model: try model.document())
    try store.write { transaction in
      let (author, book) = (try store.entity(named: "Author"), try store.entity(named: "Book"))
      let tag = try store.entity(named: "Tag")
      for number in 0..<10 {
        var object = DynamicObject(author)
        object["name"] = .string("Author \(number)")
        object["born"] = .integer(Int64(1900 + number))
        try transaction.put(object)
        object = DynamicObject(tag)
        object["name"] = .string("tag \(number)")
        try transaction.put(object)
      }
      let tags = try #require(book.relation(named: "tags"))
      for number in 0..<1000 {
        var object = DynamicObject(book)
        object["title"] = .string("Title \(number)")
        object["code"] = .string("C\(number % 100)")
        object["isbn"] = .integer(Int64(1_000_000 + number))
        object["genre"] = .integer(Int64(number % 20))
        object["price"] = .double(Double(number) / 10)
        object["pages"] = .integer(Int64(number % 7))
        object["author"] = .unsigned(UInt64(number % 10 + 1))
        let id = try transaction.put(object)
        if number % 100 == 0 { _ = try transaction.link(tags, id, UInt64(number / 100 + 1)) }
      }
    }
    return store
  }

  @Test(
    .promise(181, 186),
    arguments: [
      ("", "", 0, "Book: scan, 1,000 objects"),
      ("pages == 3", "", 0, "Book: scan, 1,000 objects\n  test pages == 3"),
      ("id == 7", "", 0, "Book: ids (id == 7), 1 id\n  test id == 7"),
      ("id between 10 and 19 && pages == 3", "", 0, "Book: scan, 10 objects\n  test pages == 3"),
      ("isbn == 1000007", "", 0, "Book: index isbn (isbn == 1000007), 1 id"),
      ("genre == 3", "", 0, "Book: index genre (genre == 3), 50 ids"),
      ("genre in (3, 5)", "", 0, "Book: index genre (genre in (3, 5)), 100 ids"),
      ("code == \"C7\"", "", 0, "Book: index code (code == \"C7\"), 10 ids\n  test code == \"C7\""),
      ("price < 5", "", 0, "Book: index range price (price < 5), 50 ids"),
      ("price < 50", "", 0, "Book: scan, 1,000 objects\n  test price < 50"),
      (
        "title startsWith \"Title 99\"", "", 0,
        "Book: index prefix title (title startsWith \"Title 99\"), 11 ids"
      ),
      (
        "title between \"Title 10\" and \"Title 11\"", "", 0,
        "Book: index range title (title between \"Title 10\" and \"Title 11\"), 12 ids"
      ),
      (
        "genre in (3, 5) && code in (\"C3\", \"C23\", \"C5\", \"C9\", \"C11\", \"C12\", \"C13\")",
        "",
        0,
        """
        Book: index code (code in ("C3", "C23", "C5", "C9", "C11", "C12", "C13")), 70 ids
          and index genre (genre in (3, 5)), 100 ids
          in common: 30 ids
          test code in ("C3", "C23", "C5", "C9", "C11", "C12", "C13")
        """
      ),
      (
        "genre == 3 || isbn == 1000007", "", 0,
        "Book: union (genre == 3 || isbn == 1000007), 51 ids"
      ),
      (
        "genre == 3 || pages == 1", "", 0,
        "Book: scan, 1,000 objects\n  test genre == 3 || pages == 1"
      ),
      (
        "author.born == 1903", "", 0,
        """
        first, 1 id by
          Author: index born (born == 1903), 1 id
        Book: relation index author (author.born == 1903), 100 ids
        """
      ),
      (
        "tags.name == \"tag 3\"", "", 0,
        """
        first, 1 id by
          Tag: scan, 10 objects
            test name == "tag 3"
        Book: relation (tags.name == "tag 3"), 1 id
          test tags.name == "tag 3"
        """
      ),
      (
        "isbn in (1000007, 1000008) && tags.name == \"tag 3\" && author.name endsWith \"7\"", "", 0,
        """
        first, 0 ids by
          Tag: candidates, 0 ids
            test name == "tag 3"
        first, 1 id by
          Author: candidates, 2 ids
            test name endsWith "7"
        Book: index isbn (isbn in (1000007, 1000008)), 2 ids
          test tags.name == "tag 3"
          test author.name endsWith "7"
        """
      ),
      ("", "title", 5, "Book: index title, in its order\n  ordered by title, as found"),
      (
        "pages == 3", "price desc", 5,
        "Book: index price, in its order\n  test pages == 3\n  ordered by price desc, as found"
      ),
      ("", "pages", 5, "Book: scan, 1,000 objects\n  sort by pages, the first 5"),
      ("", "pages", 0, "Book: scan, 1,000 objects\n  sort by pages"),
      (
        "genre == 3", "title", 5,
        "Book: index genre (genre == 3), 50 ids\n  sort by title, the first 5"
      ),
      ("(false)", "", 0, "Book: nothing can fulfil the condition"),
    ])
  func namesTheWay(
    _ condition: String, _ order: String, _ limit: Int, _ expected: String
  ) throws {
    let store = try Self.store()
    let entity = try store.entity(named: "Book")
    let words = order.split(separator: " ").map(String.init)
    let orders = words.isEmpty ? [] : [QueryOrder(words[0], descending: words.count > 1)]
    let query = try store.prepare(
      entity, try ConditionParser.parse(condition.isEmpty ? "(true)" : condition), order: orders)
    let plan = try store.read { try $0.explain(query, limit: limit == 0 ? nil : limit) }
    #expect(plan.description == expected)
  }

  @Test func followsARelationBackwards() throws {
    let store = try Self.store()
    let author = try store.entity(named: "Author")
    let query = try store.prepare(
      author, try ConditionParser.parse("any(Book.author, genre == 3 && price > 90)"))
    #expect(try store.read { try $0.ids(query) } == [4])
    #expect(
      try store.read { try $0.explain(query) }.description == """
        first, 1 id by
          Book: index genre (genre == 3), 50 ids
            test price > 90
        Author: relation (any(Book.author, genre == 3 && price > 90)), 1 id
          test any(Book.author, genre == 3 && price > 90)
        """)
  }

  @Test func removesWhatItFinds() throws {
    let store = try Self.store()
    let book = try store.entity(named: "Book")
    let query = try store.prepare(
      book, try ConditionParser.parse("genre == 3 && author.born < 1905"))
    #expect(try store.write { try $0.remove(query) } == 50)
    #expect(try store.read { (try $0.count(query), try $0.count(book)) } == (0, 950))
  }

  @Test(arguments: [
    ("title", "ignoringCase", ""),
    ("tags", "", "Book.tags is a relation to many, which has no order"),
    ("titel", "", "did you mean title?"), ("author.name", "", "name a property of Book itself"),
    ("price", "ignoringCase", "ignoringCase is for strings"),
    ("title", "zero", "nulls zero is for numbers"),
  ])
  func checksTheOrder(_ name: String, _ flag: String, _ message: String) throws {
    let store = try Self.store()
    let order = QueryOrder(
      name, ignoringCase: flag == "ignoringCase", nulls: flag == "zero" ? .zero : .smallest)
    do throws(ConditionError) {
      _ = try store.prepare(StoreQuery(store.entities[1], order: [order]))
      #expect(message.isEmpty)
    } catch {
      #expect(error.message.contains(message) && !message.isEmpty, "\(error)")
    }
  }

  /// A condition on the number of ways to an object would grow with each relation of the path.
  @Test(.timeLimit(.minutes(15))) func longPathsAreWalkedBySets() throws {
    let model = TestModel(
      .init(
        name: "Node", uid: 100, fields: [.init(name: "size", type: .int)],
        relations: [.init("next", to: "Node")]))
    let store = try ObjectStore.open(.ownMemory(), model: try model.document())
    let node = store.entities[0]
    let next = try #require(node.relation(named: "next"))
    try store.write { transaction in
      for _ in 0..<40 { try transaction.put("Node", ["size": 1]) }
      for source in 1...40 as ClosedRange<UInt64> {
        for target in 1...40 as ClosedRange<UInt64> {
          _ = try transaction.link(next, source, target)
        }
      }
    }
    let path = Array(repeating: "next", count: 12).joined(separator: ".")
    let query = try store.prepare(StoreQuery(node))
    try store.read { transaction in
      let column = try store.column(path + ".size", of: node)
      // Each of forty objects leads to each of forty.
      #expect(try transaction.summarize(query, [column]).summaries[0].sum == .integer(1600))
      #expect(try transaction.groups(query, by: column).map(\.count) == [40])
      let linked = try store.prepare(node, try ConditionParser.parse(path + ".size == 1"))
      #expect(try transaction.count(linked) == 40)
    }
  }

  @Test func namesRelations() throws {
    let store = try Self.store()
    let error = try #require(throws: ConditionError.self) {
      try store.prepare(try store.entity(named: "Book"), try ConditionParser.parse("tags == 2"))
    }
    #expect(error.message == "Book.tags is a relation; write tags.id, or any(tags, …)")
  }

  @Test func knowsTheStoreOfASchema() throws {
    let (one, other) = (try Self.store(), try Self.store())
    let query = try one.prepare(StoreQuery(one.entities[1]))
    #expect(throws: ConditionError.self) { try other.prepare(query.query) }
    #expect(throws: StoreError.foreignSchema("Book")) { try other.read { try $0.ids(query) } }
  }
}
