import BoxDump
import BoxEngine
import BoxModel
import BoxStorage
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxStoreTool

/// Objects with one value, as they are listed and removed, and what is refused.
struct DuplicatesRequestTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func people(_ flags: PropertyFlags, _ rows: [(code: Int64, boss: UInt64?)]) throws {
    let model = TestModel(
      .init(
        name: "Person", uid: 1000,
        fields: [
          .init("code", 1010, .int), .init("boss", 1020, .relation, flags, target: "Person"),
        ]
      ))
    let store = try ObjectStore.open(
      .directory(directory.path(of: "data")), model: model.document())
    defer { store.close() }
    let person = try #require(store.entities.first)
    try store.write { transaction in
      for row in rows {
        var object = DynamicObject(person)
        object["code"] = .integer(row.code)
        object["boss"] = row.boss.map { .unsigned($0) } ?? .null
        try transaction.put(object)
      }
    }
  }

  private func bosses() async throws -> String {
    try await directory.lines("Person") {
      $0.rows = .objects(select: ["id", "boss"], isDistinct: false)
    }
  }

  @Test func valuesAreShownByTheirConverters() async throws {
    try await directory.loadLibrary()
    let list = try await directory.duplicates("Book.genre") { $0.limit = 2 }
    #expect(
      list.only(
        .findings,
        """
        Book.genre: 5 values of several objects; 8 objects would be removed
        value           stays  goes
        scienceFiction      1  2, 8
        novel               3  5, 6, 7
        … 3 more

        """), "\(list.text)\(list.messages)")
    let raw = try await directory.duplicates("Book.genre") {
      ($0.limit, $0.keep, $0.options.catalogue) = (1, .newest, nil)
    }
    #expect(raw.text.contains(" 8  1, 2\n… 4 more\n"), "\(raw.text)")
    let first = try await directory.duplicates("Book.genre") {
      ($0.limit, $0.keep, $0.order) = (1, .first, [QueryOrder("rating", descending: true)])
    }
    #expect(first.text.contains("scienceFiction      2  1, 8\n"), "\(first.text)")
  }

  @Test(arguments: [
    ("Book", "'Book' is not a property; write Entity.property, such as Person.name"),
    ("Book.", "'Book.' is not a property; write Entity.property, such as Person.name"),
    ("Book.titel", "Book has no property titel; did you mean title?"),
    (
      "Book.title.x",
      "Book has no property title.x; it has id, title, year, genre, pages, rating, tags, mood, author"
    ),
    ("Book.id", "Book.id is the id, which no two objects have in common"),
    ("Book.tags", "Book.tags has the type stringVector, whose values cannot be unique"),
    ("Reader.borrowed", "Reader.borrowed is a relation to many and not a property"),
  ])
  func aNameThatCannotBeUnique(name: String, message: String) async throws {
    try await directory.loadLibrary()
    let run = try await directory.duplicates(name)
    #expect(run.outcome == .failed(.usage))
    #expect(run.failure?.message == message)
  }

  /// Relations to one are duplicates by their targets; no target is none.
  @Test func aRelationToOneIsCompared() async throws {
    try await directory.loadLibrary()
    let run = try await directory.duplicates("Book.author") { $0.limit = 1 }
    #expect(run.text.contains("1          1  2, 3\n"), "\(run.text)")
  }

  @Test func movedLinksMustNotMakeOtherValuesEqual() async throws {
    // The bosses of 4 and 5 become one.
    try people([], [(1, nil), (2, 1), (3, 1), (4, 2), (5, 3)])
    let before = try await bosses()
    let refused = try await directory.duplicates("Person.boss") {
      ($0.repoints, $0.removes) = (true, true)
    }
    #expect(refused.outcome == .failed(.impossible))
    #expect(refused.failure?.message.contains("Person 4, 5 have one value too") == true)
    #expect(try await bosses() == before)
    let run = try await directory.duplicates("Person.boss") { $0.removes = true }
    #expect(run.only(.success, "Person.boss: 1 object removed\n"), "\(run.messages)")
  }

  @Test(arguments: [PropertyFlags.unique, [.unique, .uniqueOnConflictReplace]])
  func aUniqueRelationRefersToOneObjectOnce(flags: PropertyFlags) async throws {
    try people(flags, [(1, nil), (1, nil), (3, 1), (4, 2)])
    let before = try await bosses()
    let refused = try await directory.duplicates("Person.code") {
      ($0.repoints, $0.removes) = (true, true)
    }
    #expect(refused.outcome == .failed(.impossible))
    #expect(refused.failure?.message.contains("Person.boss is unique, and Person 3") == true)
    #expect(try await bosses() == before)
  }

  @Test func whatWasAgreedToIsRemoved() async throws {
    try people([], [(1, nil), (1, nil), (3, nil)])
    let place = directory.path(of: "data")
    let run = try await directory.duplicates("Person.code") {
      $0.removes = true
      $0.options.confirm = { proposal in
        #expect(proposal.count == 1)
        #expect(proposal.examples.contains("1          1  2\n"))
        let store = try ObjectStore.open(.directory(place))
        defer { store.close() }
        let person = try #require(store.entities.first)
        try store.write { transaction in
          var object = DynamicObject(person)
          object["code"] = 3
          try transaction.put(object)
        }
      }
    }
    #expect(run.outcome == .failed(.impossible))
    #expect(run.messages.contains("the store has changed since"))
    let none = try await directory.duplicates("Person.code") {
      $0.removes = true
      $0.keep = .newest
    }
    #expect(none.only(.success, "Person.code: 2 objects removed\n"), "\(none.messages)")
    let asked = try await directory.duplicates("Person.code") {
      $0.removes = true
      $0.options.confirm = { _ in throw CommandFailure(.impossible, "asked") }
    }
    #expect(asked.only(.success, "Person.code: no two objects have one value\n"))
  }
}
