import BoxDump
import BoxEngine
import BoxModel
import BoxReport
import BoxStorage
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxStoreTool

/// Changes that are refused: each has messages that say what to do, and none changes anything.
struct EditMistakeTests {
  private let directory: TemporaryDirectory

  init() async throws {
    directory = try TemporaryDirectory()
    try await directory.loadLibrary()
  }

  /// Everything in the store.
  private func content() async throws -> String {
    let export = try await directory.export(to: "dump.ndjson")
    #expect(export.outcome == .success, "\(export.messages)")
    return try directory.text(of: "dump.ndjson").split(separator: "\n").dropFirst().joined()
  }

  private func expect(
    _ kind: FailureKind, _ messages: String..., of run: () async throws -> RequestRun
  ) async throws {
    let before = try await content()
    let run = try await run()
    #expect(run.outcome == .failed(kind), "\(run.messages)\(run.text)")
    #expect(run.text.isEmpty)
    #expect(run.messages == messages.map { "boxjoint: \($0)\n" }.joined())
    #expect(try await content() == before)
  }

  @Test(arguments: [
    ("titel=1", "titel=1: Book has no property titel; did you mean title?"),
    ("id=3", "id=3: the id of an object never changes"),
    (
      "pages=many",
      "pages=many: Book.pages: expected an integer from -2147483648 to 2147483647, found \"many\""
    ),
    (
      "pages=3000000000",
      "pages=3000000000: Book.pages: expected an integer from -2147483648 to 2147483647, found 3000000000"
    ),
    ("title=Hello", "title=Hello: Book.title is a string; write \"title='Hello'\""),
    (
      "title=2024-01-01",
      "title=2024-01-01: Book.title has the type string and cannot be 2024-01-01T00:00:00Z; write \"title='2024-01-01T00:00:00Z'\""
    ),
    (
      "title=x'00'",
      "title=x'00': Book.title has the type string and cannot be x'00'; write \"title='…'\""
    ),
    ("genre=novell", "genre=novell: \"novell\" is not a value of Book.genre; did you mean novel?"),
    (
      "tags='x'",
      "tags='x': Book.tags: expected an array of strings, found \"x\"; write tags:= and JSON"
    ),
    ("tags=[1]", "tags=[1]: expected a single value; write tags:= before JSON and found \"[\""),
    ("tags:=[1]", "tags:=[1]: Book.tags: expected an array of strings, found [1]"),
    ("pages", "pages: expected \"=\" or \":=\" after the name and found the end"),
    ("pages==3", "pages==3: expected \"=\" or \":=\" after the name and found \"==\""),
    ("pages=3 4", "pages=3 4: expected the end of the value; put a string in quotes and found 4"),
    ("author=99", "Book.author: there is no Author with id 99"),
  ])
  func aNewValueThatDoesNotFit(assignment: String, message: String) async throws {
    try await expect(assignment == "author=99" ? .impossible : .usage, message) {
      try await directory.set("Book", .ids([1]), assignment)
    }
  }

  @Test func allProblemsAreListed() async throws {
    try await expect(
      .usage, "titel=1: Book has no property titel; did you mean title?",
      "pages=2: Book.pages is set twice",
      "condition:1:1: Book has no property page; did you mean pages?",
      "Book.author: there is no Author with id 99", "nothing was changed: 4 problems"
    ) {
      try await directory.set(
        "Book", .condition("page > 1"), "titel=1", "pages=1", "pages=2", "author=99")
    }
    try await expect(
      .badInput,
      "JSON 2:2:2: expected an object",
      "JSON 1:1:17: Book.pages: expected an integer from -2147483648 to 2147483647, found \"x\"",
      "JSON 1:1:21: Book has no property titel; did you mean title?",
      "nothing was changed: 3 problems"
    ) {
      try await directory.put(
        "Book", #"{"id":8,"pages":"x","titel":3}"#, "[{\"title\":\"t\"},\n 4]")
    }
  }

  @Test func namesThatDoNotExist() async throws {
    try await expect(.usage, "the store has no entity Bok; did you mean Book?") {
      try await directory.remove("Bok", .all)
    }
    try await expect(.impossible, "there is no Book with id 98, 99") {
      try await directory.set("Book", .ids([1, 99, 98]), "pages=1")
    }
    try await expect(.impossible, "there is no Book with id 98") {
      try await directory.remove("Book", .ids([1, 98]))
    }
    for (relation, message) in [
      ("Reader", "'Reader' is not a relation; write Entity.relation, such as Person.friends"),
      ("Reader.borowed", "Reader has no relation borowed; did you mean borrowed?"),
      ("Reader.name", "Reader.name is a property and not a relation to many"),
      ("Book.author", "Book.author is a relation to one; `boxjoint store set` changes it"),
      ("Author.x", "Author has no relation x; it has none"),
    ] {
      try await expect(.usage, message) { try await directory.link(relation, 1, 2) }
    }
    try await expect(
      .impossible, "there is no Reader with id 9", "there is no Book with id 77, 78",
      "nothing was changed: 2 problems"
    ) { try await directory.link("Reader.borrowed", 9, 1, 78, 77) }
    let get = try await directory.get("Book", 1, 77)
    #expect(get.outcome == .failed(.impossible))
    #expect(get.text.isEmpty)
    #expect(get.messages == "boxjoint: there is no Book with id 77\n")
  }

  @Test(arguments: [
    (ImportMode.insert, #"{"id":8}"#, "JSON:1:1: Book 8 exists already"),
    (.update, #"{"id":77}"#, "JSON:1:1: there is no Book with id 77"),
    (
      .update, #"{"title":"x"}"#,
      "JSON:1:1: Book cannot be updated without an id; give its id, or insert it"
    ),
    (
      .replace, #"{"id":77}"#,
      "JSON:1:1: Book 77 was never assigned as an id (the last is 13); leave out its id to give it the next one"
    ),
    (.insert, #"{"author":99}"#, "Book.author: there is no Author with id 99"),
  ])
  func anObjectThatTheModeDoesNotAllow(mode: ImportMode, object: String, message: String)
    async throws
  {
    try await expect(.impossible, message) {
      try await directory.put("Book", object, mode: mode)
    }
  }

  @Test func malformedJSON() async throws {
    for (text, place) in [
      ("{", "JSON:1:2"), ("{\"a\":1,}", "JSON:1:8"), ("", "JSON:1:1"), ("7", "JSON:1:1"),
      ("{\"title\":\"a\"}\n{\"title\":", "JSON:2:10"),
      ("{\"title\":\"a\",\"title\":\"b\"}", "JSON:1:14"),
      ("{\"id\":0}", "JSON:1:7"), ("{\"id\":-1}", "JSON:1:7"),
      ("{\"id\":9223372036854775808}", "JSON:1:7"),
    ] {
      let before = try await content()
      let run = try await directory.put("Book", text)
      #expect(run.outcome == .failed(.badInput), "\(text): \(run.messages)")
      #expect(run.messages.hasPrefix("boxjoint: \(place): "), "\(text): \(run.messages)")
      #expect(try await content() == before)
    }
    try await expect(
      .badInput, "JSON:1:13: Reader.borrowed: expected an array of ids, found [1,0]"
    ) { try await directory.put("Reader", #"{"borrowed":[1,0]}"#) }
    try await expect(.impossible, "JSON:1:1: Reader.borrowed: there is no Book with id 77") {
      try await directory.put("Reader", #"{"borrowed":[1,77]}"#)
    }
  }

  // MARK: - Unique values

  /// A store of codes, each of which is unique; of the second entity the last one counts.
  private func codes() async throws {
    let model = TestModel(
      .init(
        name: "Tag", uid: 1000, fields: [.init("code", 1010, .string, [.unique, .indexHash])]),
      .init(
        name: "Slot", uid: 2000,
        fields: [.init("code", 2010, .int, [.unique, .uniqueOnConflictReplace, .indexed])]))
    directory.removeEverything("data")
    directory.removeEverything("converters.yml")
    try ObjectStore.open(.directory(directory.path(of: "data")), model: model.document()).close()
    #expect(
      try await directory.put("Tag", #"[{"code":"a"},{"code":"b"},{"code":null},{}]"#).text
        == "1\n2\n3\n4\n")
    #expect(
      try await directory.put("Slot", #"[{"code":1},{"code":2},{"code":3}]"#).text == "1\n2\n3\n")
  }

  @Test func aUniqueValueThatIsViolatedHalfWay() async throws {
    try await codes()
    let taken = "Tag.code is unique, and Tag 1 has the value string(\"a\") already"
    for run: () async throws -> RequestRun in [
      { try await directory.put("Tag", #"[{"code":"c"},{"code":"a"},{"code":"d"}]"#) },
      { try await directory.set("Tag", .ids([2, 3, 4]), "code='a'") },
      { try await directory.set("Tag", .all, "code='x'") },
    ] {
      let before = try await content()
      let result = try await run()
      #expect(result.outcome == .failed(.impossible))
      #expect(result.messages.contains("Tag.code is unique, and Tag 1 has the value"), "\(taken)")
      #expect(try await content() == before)
    }
  }

  @Test func anObjectThatGivesWayIsCounted() async throws {
    try await codes()
    let set = try await directory.set("Slot", .ids([1]), "code=2")
    #expect(
      set.text
        == "Slot: 1 object changed, 1 object removed, as their unique value belongs to another one now\n"
    )
    let put = try await directory.put("Slot", #"{"code":3}"#) { $0.isDryRun = true }
    #expect(
      put.text.hasPrefix("Slot: 1 object would be added, 1 object would be removed, as their"))
    #expect(try await directory.put("Slot", #"{"code":3}"#).text == "4\n")
    #expect(try await directory.lines("Slot") { $0.select("id", "code") } == "id,code 1,2 4,3")
  }
}
