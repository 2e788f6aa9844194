import BoxDump
import BoxEngine
import BoxJSON
import BoxReport
import BoxStorage
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxStoreTool

/// Questions that cannot be answered.
struct QueryMistakeTests {
  private let directory: TemporaryDirectory

  init() async throws {
    directory = try TemporaryDirectory()
    try await directory.loadLibrary()
  }

  /// Each has one line that says what to do.
  @Test func namesThatDoNotExist() async throws {
    for (entity, change, message) in [
      ("Bok", { _ in }, "the store has no entity Bok; did you mean Book?"),
      ("Magazine", { _ in }, "the store has no entity Magazine; it has Author, Book, Reader"),
      ("Book", { $0.select("titel") }, "Book has no property titel; did you mean title?"),
      ("Book", { $0.select("autor.name") }, "Book has no relation autor; did you mean author?"),
      ("Book", { $0.select("author.nam") }, "Author has no property nam; did you mean name?"),
      ("Book", { $0.select("title", "title") }, "'title' is selected twice; name it once"),
      (
        "Book", { $0.order = [.init("titel")] }, "Book has no property titel; did you mean title?"
      ),
      ("Book", { $0.order = [.init("mood")] }, "Book.mood has the type floatVector, which has no"),
      (
        "Book", { $0.order = [.init("pages", ignoringCase: true)] },
        "Book.pages has the type int, and ignoringCase is for strings"
      ),
      (
        "Book", { $0.rows = .summary([.of(.sum, "title")]) },
        "Book.title has no numbers; sums, limits and means are for properties of numbers and dates"
      ),
      (
        "Book", { $0.rows = .groups(by: "genre", [.of(.max, "tags")]) },
        "Book.tags has no numbers"
      ),
      (
        "Book", { $0.rows = .groups(by: "gendre", [.count]) },
        "Book has no property gendre; did you mean genre?"
      ),
      (
        "Book",
        {
          $0.rows = .groups(by: "genre", [.count, .of(.sum, "pages")])
          $0.order = [.init("pages")]
        },
        "groups have no column 'pages' to order by; they have genre, count, sum(pages)"
      ),
      (
        "Book", { $0.rows = .summary([.of(.sum, "author")]) },
        "Book.author is a relation, and its ids have no sum; name a property of its target"
      ),
      (
        "Book", { $0.rows = .groups(by: "genre", [.of(.avg, "author.id")]) },
        "Author.id is the id, and ids have no sum"
      ),
      (
        "Reader", { $0.rows = .groups(by: "borrowed", [.count]) },
        "Reader.borrowed is a relation to many; name a property of its objects, such as borrowed.id"
      ),
      (
        "Reader", { $0.rows = .summary([.of(.sum, "borrowed")]) },
        "Reader.borrowed is a relation to many; name a property of its objects, such as borrowed.id"
      ),
      (
        "Reader", { $0.order = [.init("borrowed")] },
        "Reader.borrowed is a relation to many, which has no order; order by a property"
      ),
      (
        "Book", { $0.rows = .summary([.of(.sum, "pages"), .count, .of(.sum, "pages")]) },
        "'sum(pages)' is asked for twice; ask for it once"
      ),
      (
        "Book", { $0.rows = .groups(by: "genre", [.count, .of(.max, "year"), .of(.max, "year")]) },
        "'max(year)' is asked for twice; ask for it once"
      ),
      ("Book", { $0.nearest = NearestVector("title", [1]) }, "Book.title"),
      (
        "Book", { $0.nearest = NearestVector("mood", [1, 2]) },
        "the vector has 2 elements, and Book.mood has 3 in object 1; no object has one of that length"
      ),
      ("Book", { $0.nearest = NearestVector("moods", [1]) }, "Book has no property moods"),
    ] as [(String, (inout QueryRequest) -> Void, String)] {
      let run = try await directory.query(entity, change)
      #expect(run.outcome == .failed(.usage), "\(message): \(run.messages)\(run.text)")
      #expect(run.messages.hasPrefix("boxjoint: \(message)"), "\(run.messages)")
    }
  }

  @Test(arguments: [
    ("pages > ", 9, "expected a value"), ("titel == 'x'", 1, "Book has no property titel"),
    ("year > 1900 && pages == 'many'", 16, "Book.pages has the type int"),
    ("genre == novell", 10, ""), ("(pages > 1", 11, "expected"),
  ])
  func aConditionHasItsPlace(condition: String, column: Int, message: String) async throws {
    let run = try await directory.query("Book") { $0.condition = condition }
    let failure = try #require(run.failure)
    #expect(failure.kind == .usage)
    #expect(failure.remedy == .dump(.correctCondition))
    #expect(failure.position?.column == column, "\(failure.message)")
    #expect(failure.message.hasPrefix(message), "\(failure.message)")
    #expect(
      failure.excerpt == ["  " + condition, String(repeating: " ", count: column + 1) + "^"])
    // An export shows the same.
    let export = try await directory.export(to: "dump") {
      ($0.options.condition, $0.options.entities) = (condition, ["Book"])
    }
    #expect(export.failure?.excerpt == failure.excerpt, "\(export.messages)")
  }

  @Test func theCaretMarksThePlaceInALongCondition() {
    let quoted = String(repeating: "x", count: 300) + "\u{1B}\n日本 !"
    var failure = CommandFailure(.usage, "wrong", position: .init(line: 2, column: 4))
    failure.quoted = quoted
    #expect(failure.excerpt == ["  日本 !", "       ^"])
    failure.position = .init(line: 1, column: 301)
    #expect(failure.excerpt?[0].contains("\\u001b") == true)
    #expect(failure.excerpt.map { $0[0].displayWidth <= 102 } == true)
    failure.position = nil
    #expect(failure.excerpt == nil)
  }

  @Test(arguments: [
    ("", "empty part"), ("title,", "empty part"), ("title down", "instead of 'down'"),
    ("title nulls", "smallest, first, last, zero"), ("title nulls up", "after nulls one of"),
  ])
  func anOrderThatCannotBeRead(order: String, message: String) throws {
    do throws(CommandFailure) {
      _ = try [QueryOrder](order: order)
      Issue.record("\(order) was read")
    } catch {
      #expect(error.kind == .usage)
      #expect(error.message.contains(message), "\(error.message)")
    }
  }

  @Test func anOrderIsReadAsItIsPrinted() throws {
    let text = "title desc, name ignoringCase nulls last, id, sum(price) desc nulls zero"
    let order = try [QueryOrder](order: text)
    #expect(order.map(\.description).joined(separator: ", ") == text)
    #expect(
      try [QueryOrder](order: " title  ASC ,id DESC NULLS First") == [
        .init("title"), .init("id", descending: true, nulls: .first),
      ])
  }

  @Test func outputsThatAreInputs() async throws {
    for name in ["data/result.csv", "data/" + StoreFiles.dataName] {
      let run = try await directory.query("Book") { $0.output = directory.path(of: name) }
      #expect(run.outcome == .failed(.usage), "\(run.messages)")
      // The caller writes a plan there.
      var request = QueryRequest(directory.path(of: "data"), "Book")
      request.output = directory.path(of: name)
      #expect(throws: CommandFailure.self) { try request.explain(in: directory.place()) }
    }
    let run = try await directory.query("Book") {
      $0.catalogue = CatalogueChoice(directory.path(of: "converters.yml"))
      $0.output = directory.path(of: "converters.yml")
    }
    #expect(run.outcome == .failed(.usage), "\(run.messages)")
    #expect(try directory.text(of: "converters.yml").hasPrefix("properties:"))
    let gone = try await directory.query("Book") { $0.output = directory.path(of: "no/such/file") }
    #expect(gone.outcome == .failed(.inputOutput))
  }

  @Test func storesThatCannotBeRead() async throws {
    #expect(try await directory.query("Book", of: "nowhere").outcome == .failed(.inputOutput))
    #expect(directory.names() == ["converters.yml", "data", "library.ndjson", "model.json"])
    try directory.write("nothing", to: "file/" + StoreFiles.dataName)
    #expect(try await directory.query("Book", of: "file").outcome == .failed(.badInput))
  }

  /// A heavy migration holds the store for itself.
  @Test func aStoreThatIsHeldIsInUse() async throws {
    let lock = try StoreLock.exclusive(in: directory.path(of: "data"), fileMode: 0o600)
    let run = try await directory.query("Book")
    withExtendedLifetime(lock) {}
    #expect(run.outcome == .failed(.impossible), "\(run.messages)")
    #expect(run.messages.contains("try again later"), "\(run.messages)")
  }

  /// A name that a converter does not have gets no answer; with stored values it is not looked up.
  @Test func namesOfConvertersAreLookedUp() async throws {
    #expect(
      try await directory.lines("Book") {
        $0.condition = "genre in (crime, \"epic\")"
        $0.select("id")
      } == "id 10 11 12 13")
    let raw = try await directory.query("Book") {
      $0.condition = "genre == crime"
      $0.catalogue = nil
    }
    #expect(raw.outcome == .failed(.usage), "\(raw.text)")
    #expect(
      try await directory.lines("Book") {
        $0.condition = "genre == 4"
        $0.catalogue = nil
        $0.select("genre", distinct: true)
      } == "genre 4")
  }

  /// Rows in front of a damaged record may have been written, and a file is not.
  @Test func aDamagedRecordEndsTheAnswer() async throws {
    let path = "data/" + StoreFiles.dataName
    var bytes = try directory.bytes(of: path)
    let text = Array("Solaris".utf8)
    let places = bytes.indices.filter { bytes[$0...].starts(with: text) }
    #expect(!places.isEmpty)
    for place in places { bytes[place] ^= 1 }
    try directory.write(bytes, to: "damaged/" + StoreFiles.dataName)
    let run = try await directory.query("Book", of: "damaged") {
      $0.output = directory.path(of: "result.csv")
    }
    #expect(run.outcome == .failed(.badInput), "\(run.text)")
    #expect(run.messages.contains("Book"), "\(run.messages)")
    #expect(run.messages.contains("damaged` finds all damage"), "\(run.messages)")
    #expect(!directory.exists("result.csv"))
  }
}
