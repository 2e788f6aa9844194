import BoxDump
import BoxEngine
import BoxModel
import BoxReport
import BoxStorage
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxStoreTool

/// Requests that show and change objects of the books of `docs/examples/library`.
struct EditRequestTests {
  private let directory: TemporaryDirectory

  init() async throws {
    directory = try TemporaryDirectory()
    try await directory.loadLibrary()
  }

  /// The id and some properties of a book, as comma-separated values.
  private func book(_ id: UInt64, _ paths: String...) async throws -> String {
    // A table of one column cannot have null.
    let isOne = paths.count == 1 && paths != ["id"]
    let row = try await directory.lines("Book") {
      $0.condition = "id == \(id)"
      $0.rows = .objects(select: (isOne ? ["id"] : []) + paths, isDistinct: false)
    }.split(separator: " ").dropFirst().joined(separator: " ")
    return isOne ? String(row.dropFirst("\(id),".count)) : row
  }

  // MARK: - Values

  @Test(arguments: [
    ("pages=301", "pages", "301"), ("year=-40", "year", "-40"), ("rating=4.5", "rating", "4.5"),
    ("rating=5", "rating", "5.0"), ("rating=NaN", "rating", "NaN"), ("year = null", "year", ""),
    ("title='a=b'", "title", "a=b"), ("title=\"\"", "title", "\"\""),
    ("genre=crime", "genre", "crime"),
    ("genre='crime'", "genre", "crime"), ("genre=5", "genre", "epic"),
    ("genre:=\"epic\"", "genre", "epic"),
    ("tags:=[]", "tags", "[]"), ("tags := [\"x\"]", "tags", "\"[\"\"x\"\"]\""),
    ("tags=null", "tags", ""),
    ("mood:=[0.5, 1]", "mood", "\"[0.5,1.0]\""), ("author=7", "author", "7"),
    ("author=null", "author", ""),
    ("`title`='x'", "title", "x"),
  ])
  func aValueIsSet(assignment: String, path: String, value: String) async throws {
    let run = try await directory.set("Book", .ids([1]), assignment)
    #expect(run.only(.success, "Book: 1 object changed\n"), "\(run.messages)")
    #expect(try await book(1, path) == value)
    #expect(try await book(1, "id") == "1")
    #expect(try await book(2, "title") == "The Dispossessed")
  }

  @Test func aDateIsSetAsInAConditionAndAsInADump() async throws {
    for (assignment, date) in [
      ("born=1800-02-03", "1800-02-03T00:00:00.000Z"),
      ("born=1800-02-03T04:05:06Z", "1800-02-03T04:05:06.000Z"),
      ("born=0", "1970-01-01T00:00:00.000Z"),
      ("born:=\"1914-08-09T00:00:00Z\"", "1914-08-09T00:00:00.000Z"),
    ] {
      let run = try await directory.set("Author", .ids([1]), assignment)
      #expect(run.outcome == .success, "\(run.messages)")
      let line = try await directory.lines("Author") {
        $0.condition = "id == 1"
        $0.rows = .objects(select: ["born"], isDistinct: false)
      }
      #expect(line == "born \(date)", "\(assignment)")
    }
  }

  /// A value that was set as in a condition is found by that condition.
  @Test func whatIsSetIsFound() async throws {
    var random = TestSeed.next()
    let texts = ["", "a", "it's", "a=b", "\\", "\"", "é\n", "null", "日本", ":=", "x'00'"]
    for _ in 0..<60 {
      let (entity, name, literal): (String, String, Condition.Literal)
      switch random.below(5) {
      case 0:
        let value = Int64(Int32(truncatingIfNeeded: random.next()) >> Int32(random.below(32)))
        (entity, name, literal) = ("Book", "pages", .integer(value))
      case 1:
        let value = random.pick([
          0.1, -0.0, 1e300, .nan, .infinity, -.infinity, .leastNonzeroMagnitude, 3,
        ])
        (entity, name, literal) = ("Book", "rating", .number(value))
      case 2: (entity, name, literal) = ("Author", "name", .string(random.pick(texts)))
      case 3:
        let genre = random.pick(["novel", "stories", "scienceFiction", "crime", "epic"])
        (entity, name, literal) = ("Book", "genre", random.oneIn(2) ? .name(genre) : .string(genre))
      default:
        let seconds = Int64(random.below(200_000_000_000)) - 60_000_000_000
        (entity, name, literal) = (
          "Author", "born",
          .date(seconds: seconds, nanoseconds: Int64(random.below(1000)) * 1_000_000)
        )
      }
      let run = try await directory.set(entity, .ids([2]), "\(name)=\(literal)")
      #expect(run.only(.success, "\(entity): 1 object changed\n"), "\(literal): \(run.messages)")
      let found = try await directory.lines(entity) {
        $0.condition = "id == 2 && \(name) == \(literal)"
        $0.select("id")
      }
      #expect(found == "id 2", "\(name)=\(literal)")
    }
  }

  // MARK: - Selections

  @Test func aConditionSelects() async throws {
    let run = try await directory.set(
      "Book", .condition("genre == crime"), "pages=1", "rating=null")
    #expect(run.only(.success, "Book: 2 objects changed\n"), "\(run.messages)")
    let changed = try await directory.lines("Book") {
      $0.condition = "pages == 1 && rating == nil"
      $0.select("id")
    }
    #expect(changed == "id 10 11")
    #expect(
      try await directory.remove("Book", .condition("pages == 1")).text
        == "Book: 2 objects removed\n")
    #expect(
      try await directory.remove("Book", .condition("pages == 1")).text
        == "Book: 0 objects removed\n")
    #expect(try await directory.remove("Reader", .all).text == "Reader: 4 objects removed\n")
  }

  /// The question comes before the change, with the number and some of the objects; another answer leaves
  /// everything as it was.
  @Test func usersWhoDidNotNameObjectsAreAsked() async throws {
    let before = try await directory.lines("Book") { _ in }
    var asked: [EditProposal] = []
    for selection in [ObjectSelection.all, .condition("pages > 300")] {
      let set = try await directory.set("Book", selection, "pages=1") {
        $0.confirm = { proposal in
          asked.append(proposal)
          throw CommandFailure(.impossible, "no")
        }
      }
      #expect(set.outcome == .failed(.impossible))
      let remove = try await directory.remove("Book", selection) {
        $0.confirm = { proposal in
          asked.append(proposal)
          throw CommandFailure(.impossible, "no")
        }
      }
      #expect(remove.messages == "boxjoint: no\n")
    }
    #expect(asked.map(\.count) == [13, 13, 3, 3])
    #expect(asked.map(\.action) == [.set, .remove, .set, .remove])
    #expect(asked.allSatisfy { $0.entity == "Book" })
    #expect(asked[0].examples.split(separator: "\n").count == 7)
    #expect(asked[2].examples.contains("Odyssey"))
    #expect(try await directory.lines("Book") { _ in } == before)
    // Nobody is asked about ids, about nothing, and about a dry run.
    for (selection, isDryRun) in [
      (ObjectSelection.ids([1]), false), (.condition("pages > 9999"), false), (.all, true),
    ] {
      let run = try await directory.set("Book", selection, "pages=304") {
        $0.isDryRun = isDryRun
        $0.confirm = { _ in throw CommandFailure(.impossible, "asked") }
      }
      #expect(run.outcome == .success, "\(run.messages)")
    }
    #expect(try await directory.lines("Book") { _ in } == before)
  }

  @Test func objectsThatChangeDuringTheQuestionAreLeftAlone() async throws {
    let data = directory.path(of: "data")
    let run = try await directory.remove("Book", .condition("pages > 300")) {
      $0.confirm = { _ in
        var other = SetRequest(data, "Book", .ids([1]), ["pages=2"])
        other.options.catalogue = nil
        _ = try other.run(in: Workspace(directory: self.directory.path))
      }
    }
    #expect(run.outcome == .failed(.impossible))
    #expect(run.messages.contains("the store has changed since"))
    #expect(try await directory.lines("Book") { $0.rows = .summary([.count]) } == "count 13")
  }

  // MARK: - Dry runs

  @Test func aDryRunShowsTheResultAndKeepsNothing() async throws {
    let before = try await directory.lines("Book") { _ in }
    func dry(_ options: inout EditOptions) { options.isDryRun = true }
    let set = try await directory.set(
      "Book", .condition("genre == crime"), "genre=epic", change: dry)
    #expect(
      set.text == """
        Book: 2 objects would be changed
        id  genre
        10  epic
        11  epic
        dry run: nothing was kept

        """)
    let remove = try await directory.remove("Book", .all, dry)
    #expect(remove.text.hasPrefix("Book: 13 objects would be removed\nid  title"))
    #expect(remove.text.hasSuffix("\n… 8 more\ndry run: nothing was kept\n"))
    let put = try await directory.put("Author", #"{"name":"X"}"#, #"{"name":"Y"}"#, change: dry)
    #expect(put.text.hasPrefix("Author: 2 objects would be added\nid  name  country  born\n 8  X"))
    let link = try await directory.link("Reader.borrowed", 4, 1, 2, change: dry)
    #expect(
      link.text == "Reader.borrowed: 2 entries would be added\ndry run: nothing was kept\n")
    #expect(try await directory.lines("Book") { _ in } == before)
    #expect(try await directory.lines("Author") { $0.rows = .summary([.count]) } == "count 7")
    #expect(
      try await directory.get("Reader", 4).text == #"{"id":4,"name":"Zoë","borrowed":[]}"# + "\n")
  }

  // MARK: - Relations

  @Test func entriesOfARelationAreAddedAndRemoved() async throws {
    #expect(
      try await directory.link("Reader.borrowed", 4, 1, 7, 1, 7, 1).text
        == "Reader.borrowed: 2 entries added\n")
    #expect(
      try await directory.get("Reader", 4).text == #"{"id":4,"name":"Zoë","borrowed":[1,7]}"# + "\n"
    )
    #expect(
      try await directory.link("Reader.borrowed", 4, 7, 9, 7, 9, isRemoval: true).text
        == "Reader.borrowed: 1 entry removed, 1 did not exist\n")
    #expect(
      try await directory.get("Reader", 4).text == #"{"id":4,"name":"Zoë","borrowed":[1]}"# + "\n")
    let put = try await directory.put("Reader", #"{"id":4,"borrowed":[2,"3"]}"#, mode: .upsert)
    #expect(put.text == "4\n", "\(put.messages)")
    #expect(
      try await directory.get("Reader", 4).text == #"{"id":4,"name":"Zoë","borrowed":[2,3]}"# + "\n"
    )
  }

  /// Objects can be put back as they are shown.
  @Test func shownObjectsArePutBack() async throws {
    for (entity, ids) in [("Book", 1...13), ("Author", 1...7), ("Reader", 1...4)] {
      for id in ids {
        let shown = try await directory.get(entity, UInt64(id))
        #expect(shown.outcome == .success, "\(shown.messages)")
        let put = try await directory.put(entity, shown.text, mode: .replace)
        #expect(put.text == "\(id)\n", "\(put.messages)")
        #expect(try await directory.get(entity, UInt64(id)).text == shown.text)
      }
    }
  }

  @Test func objectsAreShownForPeople() async throws {
    let run = try await directory.get("Reader", 4, 1, 4, format: .text)
    #expect(
      run.text == """
        id        4
        name      Zoë
        borrowed  []

        id        1
        name      Nora
        borrowed  [1,4,10]

        """)
    #expect(try await directory.get("Book", 13, format: .text).text.contains("\nyear    null\n"))
  }

  // MARK: - Damage

  /// A record whose checksum is wrong is removed by its id, and `verify` is content again.
  @Test func aDamagedObjectIsRemoved() async throws {
    let file = "data/" + StoreFiles.dataName
    var bytes = try directory.bytes(of: file)
    let text = Array("Invisible Cities".utf8)
    let place = try #require(bytes.firstRange(of: text)?.lowerBound)
    bytes[place] ^= 1
    try directory.write(bytes, to: file)
    func verify() throws -> [String] {
      try StoreVerification.report(directory.path(of: "data"), limit: 9, SilentObserver())
        .findings.compactMap(\.advice)
    }
    let advice = try verify()
    let command = "`boxjoint store remove \(directory.path(of: "data")) Book 4`"
    #expect(advice.first?.contains(command) == true, "\(advice)")
    let dry = try await directory.remove("Book", .ids([4])) { $0.isDryRun = true }
    #expect(
      dry.text == "Book: 1 object would be removed\ndry run: nothing was kept\n", "\(dry.messages)")
    #expect(try await directory.get("Book", 4).outcome == .failed(.badInput))
    #expect(try await directory.remove("Book", .ids([4])).text == "Book: 1 object removed\n")
    #expect(try verify().isEmpty)
  }
}

extension [UInt8] {
  fileprivate func firstRange(of part: [UInt8]) -> Range<Int>? {
    indices.first { $0 + part.count <= count && self[$0..<$0 + part.count].elementsEqual(part) }
      .map { $0..<$0 + part.count }
  }
}
