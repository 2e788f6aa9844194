import BoxDump
import BoxEngine
import BoxModel
import BoxStorage
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxStoreTool

/// The rows of queries about the books of `docs/examples/library`.
struct QueryRowsTests {
  private let directory: TemporaryDirectory

  init() async throws {
    directory = try TemporaryDirectory()
    try await directory.loadLibrary()
  }

  @Test(.promise(325)) func allPropertiesAreListedByDefault() async throws {
    let rows = try await directory.lines("Author") { $0.limit = 1 }
    #expect(rows == "id,name,country,born 1,Ursula K. Le Guin,US,1929-10-21T00:00:00.000Z")
  }

  @Test func aConditionAnOrderAndAPart() async throws {
    let rows = try await directory.lines("Book") {
      $0.condition = "genre == novel && pages > 200"
      $0.order = [.init("year", descending: true)]
      $0.select("id", "year")
    }
    #expect(rows == "id,year 5,1979 6,1957 7,1818")
    let part = try await directory.lines("Book") {
      $0.condition = "genre == novel && pages > 200"
      $0.order = [.init("year", descending: true)]
      $0.select("id")
      ($0.offset, $0.limit) = (1, 1)
    }
    #expect(part == "id 6")
    let behind = try await directory.lines("Book") {
      $0.select("id")
      $0.offset = 13
    }
    #expect(behind == "id")
    let none = try await directory.lines("Book") {
      $0.select("id")
      $0.limit = 0
    }
    #expect(none == "id")
  }

  /// The rows after an object, which need not be one of them.
  @Test func aPageBeginsAfterAnObject() async throws {
    func page(_ after: UInt64, _ change: (inout QueryRequest) -> Void = { _ in }) async throws
      -> String
    {
      try await directory.lines("Book") {
        $0.select("id")
        ($0.after, $0.limit) = (after, 3)
        change(&$0)
      }
    }
    #expect(try await page(4) == "id 5 6 7")
    #expect(try await page(4) { $0.condition = "genre == crime" } == "id 10 11")
    #expect(try await page(4) { $0.order = [.init("year", descending: true)] } == "id 1 3 9")
    #expect(
      try await page(4) { ($0.order, $0.offset) = ([.init("year", descending: true)], 2) }
        == "id 9 8 6")
    #expect(try await page(7) { $0.order = [.init("year", descending: true)] } == "id 12 13")
    #expect(try await page(13) == "id")
    // In the order of the ids an object that was removed has its place.
    #expect(try await page(99) == "id")
    #expect(try await page(99) { $0.order = [.init("id", descending: true)] } == "id 13 12 11")
    let unknown = try await directory.query("Book") {
      ($0.after, $0.order) = (99, [.init("year")])
      $0.output = directory.path(of: "page.csv")
    }
    #expect(unknown.outcome == .failed(.impossible), "\(unknown.messages)")
    #expect(unknown.messages.contains("there is no Book with id 99"), "\(unknown.messages)")
    #expect(!directory.names().contains("page.csv"))
    let groups = try await directory.query("Book") {
      ($0.after, $0.rows) = (1, .groups(by: "genre", [.count]))
    }
    #expect(groups.outcome == .failed(.usage), "\(groups.messages)")
  }

  /// A terminal counts the rows of the page alone.
  @Test func aTerminalCountsTheRestOfAPage() async throws {
    let run = try await directory.query("Book") {
      ($0.after, $0.format, $0.screen) = (4, .text, QueryScreen(width: 80, rows: 2))
      $0.order = [.init("year", descending: true)]
      $0.select("id")
    }
    #expect(run.text == "id\n 1\n 3\n… 8 more\n")
  }

  /// A relation to one that leads nowhere is null, and one to many is an array in the order of its ids.
  @Test func pathsFollowRelations() async throws {
    let authors = try await directory.query("Book") {
      $0.condition = "id >= 11"
      $0.format = .ndjson
      $0.select("title", "author.name", "author")
    }
    #expect(
      authors.text == """
        {"title":"Death on the Nile","author.name":"Agatha Christie","author":5}
        {"title":"Odyssey","author.name":"Homer","author":6}
        {"title":"Beowulf","author.name":null,"author":null}

        """)
    let readers = try await directory.query("Reader") {
      $0.format = .ndjson
      $0.select("name", "borrowed", "borrowed.title", "borrowed.author.country", "borrowed.tags")
      $0.condition = "id == 2 || id == 4"
    }
    #expect(
      readers.text == """
        {"name":"Émile","borrowed":[10,11],\
        "borrowed.title":["Murder on the Orient Express","Death on the Nile"],\
        "borrowed.author.country":["GB"],\
        "borrowed.tags":[["train","winter"],["river","journey"]]}
        {"name":"Zoë","borrowed":[],"borrowed.title":[],"borrowed.author.country":[],\
        "borrowed.tags":[]}

        """)
  }

  @Test func distinctRowsComeOnceWhereTheyComeFirst() async throws {
    let genres = try await directory.lines("Book") { $0.select("genre", distinct: true) }
    #expect(genres == "genre scienceFiction novel stories crime epic")
    let some = try await directory.lines("Book") {
      $0.select("genre", distinct: true)
      $0.order = [.init("id", descending: true)]
      ($0.offset, $0.limit) = (1, 2)
    }
    #expect(some == "genre crime stories")
    let countries = try await directory.lines("Book") {
      $0.select("author.country", "genre", distinct: true)
      $0.condition = "author.country == 'GB' || author.country == 'IT'"
    }
    #expect(countries == "author.country,genre IT,stories IT,novel GB,novel GB,crime")
  }

  @Test func valuesHaveTheFormsOfExports() async throws {
    func born(_ change: (inout QueryRequest) -> Void) async throws -> String {
      try await directory.lines("Author") {
        $0.condition = "id == 1"
        $0.select("id", "born")
        change(&$0)
      }
    }
    #expect(try await born { _ in } == "id,born 1,1929-10-21T00:00:00.000Z")
    #expect(try await born { $0.catalogue = nil } == "id,born 1,-1268524800000")
    #expect(
      try await born {
        $0.catalogue = nil
        $0.values.dates = .iso
      } == "id,born 1,1929-10-21T00:00:00.000Z")
    let quoted = try await directory.query("Reader") {
      $0.format = .ndjson
      $0.values.integers = .string
      $0.select("id", "borrowed")
      $0.limit = 1
    }
    #expect(quoted.text == "{\"id\":\"1\",\"borrowed\":[\"1\",\"4\",\"10\"]}\n")
  }

  /// The text of an object is that of a dump.
  @Test func objectsMatchTheDump() async throws {
    for entity in ["Author", "Book", "Reader"] {
      let export = try await directory.export(to: "dump-\(entity)") {
        $0.options.entities = [entity]
      }
      #expect(export.outcome == .success)
      let dumped = try directory.text(of: "dump-\(entity)").split(separator: "\n").dropFirst()
        .filter { $0.hasPrefix("{\"\(entity)\":") }
        .map { $0.dropFirst("{\"\(entity)\":".count).dropLast() }
      let listed = try await directory.query(entity) { $0.format = .ndjson }
      #expect(listed.text.split(separator: "\n") == dumped)
      #expect(!dumped.isEmpty)
    }
  }

  @Test func theNearestComeFirst() async throws {
    let near = try await directory.lines("Book") {
      $0.nearest = NearestVector("mood", [0.25, 1, 0])
      $0.select("id")
      $0.limit = 4
    }
    // By hand: 2 and 4 are at the vector; 1 is at √(2/16) and 5 at √(3/16).
    #expect(
      near == "id,distance 2,0.0 4,0.0 1,0.3535533905932738 5,0.4330127018922193")
    let some = try await directory.lines("Book") {
      $0.nearest = NearestVector("mood", [0.25, 1, 0])
      $0.select("id", "author.name")
      $0.condition = "author.name == 'Italo Calvino'"
      ($0.offset, $0.limit) = (1, 4)
    }
    #expect(some == "id,author.name,distance 5,Italo Calvino,0.4330127018922193")
    // The nearest of those that fulfil the condition; none of the two nearest of all does.
    let few = try await directory.lines("Book") {
      $0.nearest = NearestVector("mood", [0.25, 1, 0])
      $0.select("id")
      $0.condition = "id >= 8 && id <= 9"
      $0.limit = 2
    }
    #expect(few == "id,distance 8,0.5 9,0.5590169943749475")
    let ten = try await directory.lines("Book") {
      $0.nearest = NearestVector("mood", [0.25, 1, 0])
      $0.select("id")
    }
    #expect(ten.split(separator: " ").count == 11)
  }

  @Test func theModelChoosesTheDistance() async throws {
    let model = TestModel(
      .init(
        name: "Place", uid: 100,
        properties: [
          .id(),
          .init(name: "point", type: .floatVector, vectorIndex: #"{"distance-type": "Geo"}"#),
        ]))
    do {
      let store = try ObjectStore.open(
        .directory(directory.path(of: "places")), model: model.document())
      defer { store.close() }
      let places = try store.entity(named: "Place")
      try store.write { transaction in
        for point in [[0, 90], [0, 180], [90, 0]] as [[Float]] {
          var place = DynamicObject(places)
          place["point"] = .floats(point)
          try transaction.put(place)
        }
      }
    }
    let run = try await directory.query("Place", of: "places") {
      $0.nearest = NearestVector("point", [0, 0])
      $0.select("id")
    }
    // A quarter of the way round the Earth, and half of it: kilometers, and no root of them.
    let rows = run.text.split(whereSeparator: \.isNewline)
    #expect(rows.map { $0.prefix(8) } == ["id,dista", "1,10007.", "3,10007.", "2,20015."])
    let refused = try await directory.query("Place", of: "places") {
      $0.nearest = NearestVector("point", [0])
    }
    #expect(refused.messages.contains("a latitude and a longitude"))
  }

  @Test func aVectorIsReadFromAFile() async throws {
    try directory.write("[1, 0.5,-2e0]\n", to: "vector.json")
    let vector = try NearestVector("mood=@\(directory.path(of: "vector.json"))")
    #expect(vector == NearestVector("mood", [1, 0.5, -2]))
    #expect(try NearestVector("a=[18446744073709551615]").elements == [18_446_744_073_709_551_615])
    for (text, kind) in [
      ("mood", FailureKind.usage), ("mood=1", .usage), ("=[1]", .usage), ("mood=[1,]", .usage),
      ("mood=[\"a\"]", .usage), ("mood=@\(directory.path(of: "nowhere"))", .inputOutput),
      ("mood=@\(directory.path(of: "model.json"))", .badInput),
    ] {
      #expect(throws: CommandFailure.self) {
        do throws(CommandFailure) {
          _ = try NearestVector(text)
        } catch {
          #expect(error.kind == kind, "\(text): \(error.message)")
          throw error
        }
      }
    }
  }
}
