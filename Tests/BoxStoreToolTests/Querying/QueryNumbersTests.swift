import BoxDump
import BoxEngine
import BoxModel
import BoxStorage
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxStoreTool

/// Numbers and groups of the objects of `docs/examples/library`; the expected ones were computed by hand.
struct QueryNumbersTests {
  private let directory: TemporaryDirectory

  init() async throws {
    directory = try TemporaryDirectory()
    try await directory.loadLibrary()
  }

  @Test func numbersOfAllObjects() async throws {
    let numbers = try await directory.lines("Book") {
      $0.rows = .summary([
        .count, .of(.sum, "pages"), .of(.min, "year"), .of(.max, "year"), .of(.avg, "rating"),
      ])
    }
    // 3593 pages; ratings of ten books with the sum 40.95.
    #expect(numbers == "count,sum(pages),min(year),max(year),avg(rating) 13,3593,1818,1979,4.095")
    let none = try await directory.lines("Book") {
      $0.condition = "pages > 1000"
      $0.rows = .summary([.count, .of(.sum, "pages"), .of(.min, "rating"), .of(.avg, "year")])
    }
    #expect(none == "count,sum(pages),min(rating),avg(year) 0,,,")
  }

  /// Limits have the form of values; sums and means are numbers of what is stored.
  @Test func limitsAreShownAsValuesAre() async throws {
    let born = try await directory.lines("Author") {
      $0.rows = .summary([.of(.min, "born"), .of(.max, "born")])
    }
    #expect(born == "min(born),max(born) 1797-08-30T00:00:00.000Z,1970-02-10T00:00:00.000Z")
    let paths = try await directory.lines("Reader") {
      $0.rows = .summary([.of(.max, "borrowed.pages"), .of(.max, "borrowed.id")])
    }
    #expect(paths == "max(borrowed.pages),max(borrowed.id) 387,11")
  }

  @Test func sumsOfIntegersAreExact() async throws {
    let store = try ObjectStore.open(
      .directory(directory.path(of: "large")),
      model: TestModel(
        .init(name: "Row", uid: 1001, fields: [.init("n", 1012, .long, .unsigned)])
      ).document())
    let entity = try store.entity(named: "Row")
    try store.write { transaction in
      for _ in 1...3 {
        var object = DynamicObject(entity)
        object["n"] = .unsigned(.max)
        try transaction.put(object)
      }
    }
    store.close()
    func sum(_ integers: IntegerForm) async throws -> String {
      try await directory.query("Row", of: "large") {
        $0.format = .ndjson
        $0.values.integers = integers
        $0.rows = .summary([.of(.sum, "n"), .of(.max, "n"), .count])
      }.text
    }
    #expect(
      try await sum(.number)
        == "{\"sum(n)\":55340232221128654845,\"max(n)\":18446744073709551615,\"count\":3}\n")
    #expect(
      try await sum(.string)
        == "{\"sum(n)\":\"55340232221128654845\",\"max(n)\":\"18446744073709551615\",\"count\":3}\n"
    )
  }

  @Test func groupsAreOrderedByTheirFirstObject() async throws {
    let genres = try await directory.lines("Book") { $0.rows = .groups(by: "genre", [.count]) }
    #expect(genres == "genre,count scienceFiction,3 novel,4 stories,2 crime,2 epic,2")
  }

  @Test func groupsAreOrderedByWhatTheyShow() async throws {
    func genres(_ order: String, limit: Int? = nil) async throws -> String {
      let terms = try [QueryOrder](order: order)
      return try await directory.lines("Book") {
        $0.rows = .groups(by: "genre", [.count, .of(.sum, "pages")])
        $0.order = terms
        $0.limit = limit
      }
    }
    let head = "genre,count,sum(pages)"
    #expect(
      try await genres("count desc", limit: 2)
        == "\(head) novel,4,940 scienceFiction,3,895")
    #expect(
      try await genres("sum(pages)")
        == "\(head) stories,2,460 crime,2,544 epic,2,754 scienceFiction,3,895 novel,4,940")
    // By the stored value, as an order by the property of objects is.
    #expect(
      try await genres("count, genre desc")
        == "\(head) epic,2,754 crime,2,544 stories,2,460 scienceFiction,3,895 novel,4,940")
  }

  @Test(.promise(329)) func nullIsAGroup() async throws {
    let countries = try await directory.query("Book") {
      $0.format = .ndjson
      $0.rows = .groups(by: "author.country", [.count])
      $0.order = [.init("author.country", nulls: .last)]
    }
    #expect(
      countries.text == """
        {"author.country":"GB","count":3}
        {"author.country":"IT","count":3}
        {"author.country":"PL","count":2}
        {"author.country":"US","count":3}
        {"author.country":null,"count":2}

        """)
    let byRating = try await directory.lines("Book") {
      $0.rows = .groups(by: "rating", [.count])
      $0.order = [.init("rating", nulls: .zero)]
    }
    #expect(byRating == "rating,count ,3 3.9,1 4.0,3 4.1,3 4.25,3")
  }

  @Test func elementsAndPathsAreGroups() async throws {
    let tags = try await directory.lines("Book") {
      $0.rows = .groups(by: "tags", [.count])
      $0.order = [.init("count", descending: true), .init("tags", ignoringCase: true)]
      $0.limit = 4
    }
    #expect(tags == "tags,count journey,5 winter,4 sea,3 physics,2")
    let borrowed = try await directory.lines("Reader") {
      $0.rows = .groups(by: "borrowed.genre", [.count])
    }
    // Ole borrowed three of science fiction, and is one reader.
    #expect(borrowed == "borrowed.genre,count scienceFiction,2 stories,1 crime,3 ,1")
  }

  @Test func aGroupNamedAsItsNumberKeepsItsName() async throws {
    let store = try ObjectStore.open(
      .directory(directory.path(of: "named")),
      model: TestModel(
        .init(name: "Row", uid: 1001, fields: [.init("count", 1012, .int)])
      ).document())
    let entity = try store.entity(named: "Row")
    try store.write { transaction in
      var object = DynamicObject(entity)
      object["count"] = .integer(7)
      try transaction.put(object)
    }
    store.close()
    let rows = try await directory.lines("Row", of: "named") {
      $0.rows = .groups(by: "count", [.count])
    }
    #expect(rows == "count,count() 7,1")
  }
}
