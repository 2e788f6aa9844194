import BoxConvert
import BoxDump
import BoxEngine
import BoxJSON
import TestSupport
import Testing

/// Nothing of an element that is rejected stays: no object, no id, and nothing that relates to it.
struct RejectedElementTests {
  private let ann = #"{"id":1,"email":"ann","name":"Ann","age":30,"friend":null}"#

  private func fixture() throws -> (ImportFixture, ObjectStore) {
    let fixture = try ImportFixture()
    let store = try fixture.open("store")
    try fixture.load(text: ann, into: store) { $0.entity = "Person" }
    return (fixture, store)
  }

  /// The first is rejected, as its email is there; the second gets the id that it would have had.
  private let lines = [
    #"{"id":5,"email":"ann"}"#, #"{"id":6,"email":"bob"}"#,
    #"{"id":7,"email":"cid","friend":5}"#,
  ]

  @Test(arguments: DanglingPolicy.allCases, [1, 100])
  func relationsToIt(_ policy: DanglingPolicy, _ batch: Int) throws {
    let (fixture, store) = try fixture()
    let summary = try fixture.load(text: lines.joined(separator: "\n"), into: store) {
      $0.entity = "Person"
      $0.ids = .new
      $0.dangling = policy
      $0.batch = batch
      $0.maximumErrors = 9
    }
    #expect(summary.rejected == (policy == .fail ? 2 : 1))
    #expect(summary.dangling == (policy == .fail ? 0 : 1))
    #expect(
      try fixture.people(store) == [
        ann, #"{"id":2,"email":"bob","name":null,"age":null,"friend":null}"#,
        #"{"id":3,"email":"cid","name":null,"age":null,"friend":null}"#,
      ])
  }

  @Test func anElementWithAFixedIDIsAnotherObject() throws {
    let (fixture, store) = try fixture()
    let text = (lines + [#"{"id":5,"email":"eve"}"#]).joined(separator: "\n")
    let summary = try fixture.load(text: text, into: store) {
      $0.entity = "Person"
      $0.ids = .new
      $0.mode = .upsert
      $0.maximumErrors = 9
    }
    #expect(summary.entities.map { [$0.inserted, $0.updated] } == [[3, 0]])
    #expect(summary.repeated == 0)
    #expect(
      try fixture.people(store) == [
        ann, #"{"id":2,"email":"bob","name":null,"age":null,"friend":null}"#,
        #"{"id":3,"email":"cid","name":null,"age":null,"friend":4}"#,
        #"{"id":4,"email":"eve","name":null,"age":null,"friend":null}"#,
      ])
  }

  /// A rejected element does not count as one of several elements for an object.
  @Test func itIsNotARepetition() throws {
    let (fixture, store) = try fixture()
    let text = [
      #"{"id":2,"email":"bob","age":1}"#, #"{"id":2,"email":"ann","age":2}"#,
      #"{"id":1,"email":"bob"}"#, #"{"id":1,"age":31}"#,
    ].joined(separator: "\n")
    let summary = try fixture.load(text: text, into: store) {
      $0.entity = "Person"
      $0.mode = .upsert
      $0.maximumErrors = 9
    }
    #expect(summary.rejected == 2)
    #expect(summary.repeated == 0)
    #expect(
      try fixture.people(store) == [
        #"{"id":1,"email":"ann","name":"Ann","age":31,"friend":null}"#,
        #"{"id":2,"email":"bob","name":null,"age":1,"friend":null}"#,
      ])
  }

  @Test(arguments: ImportIDs.allCases, DanglingPolicy.allCases)
  func anObjectThatIsItsOwnTarget(_ ids: ImportIDs, _ policy: DanglingPolicy) throws {
    let (fixture, store) = try fixture()
    let summary = try fixture.load(text: #"{"id":5,"email":"bob","friend":5}"#, into: store) {
      $0.entity = "Person"
      $0.ids = ids
      $0.dangling = policy
    }
    let id = ids == .new ? 2 : 5
    #expect(summary.dangling == 0)
    #expect(
      try fixture.people(store) == [
        ann, #"{"id":\#(id),"email":"bob","name":null,"age":null,"friend":\#(id)}"#,
      ])
  }

  /// Entries are rejected as they came, also those with a number that is the id of nothing.
  @Test func entriesWithLargeNumbers() throws {
    let (fixture, store) = try fixture()
    let targets = "9223372036854775808,18446744073709551615"
    let text = #"{"Person.friends":{"source":1,"targets":[\#(targets)]}}"#
    let summary = try fixture.load(text: text, into: store, rejects: fixture.path("bad")) {
      $0.dangling = .fail
      $0.maximumErrors = 1
    }
    #expect(summary.rejected == 1)
    #expect(try fixture.directory.text(of: "bad") == text + "\n")
  }

  /// Of a value that is missing a message shows nothing, and nothing of another object.
  @Test func aValueThatIsMissing() throws {
    let (fixture, store) = try fixture()
    let catalogue = try Catalogue([
      "properties": ["Person.name": ["type": "enum", "values": ["a", "b"], "missing": "fail"]]
    ])
    let text = #"{"Person":{"id":2,"name":"a"}}"# + "\n" + #"{"Person":{"id":3}}"#
    let refusal = try fixture.refusal(text, into: store) { $0.catalogue = catalogue }
    #expect(refusal?.message == "Person.name: expected a value, found nothing")
    #expect(refusal?.line == 2)
    #expect(refusal?.column == 11)
    let summary = try fixture.load(text: text, into: store, rejects: fixture.path("bad")) {
      $0.catalogue = catalogue
      $0.maximumErrors = 1
    }
    #expect(summary.rejected == 1)
    let reason = try fixture.directory.text(of: "bad.reasons")
    #expect(reason.contains(#""message":"expected a value, found nothing""#))
    #expect(!reason.contains(#""value":"#))
  }

  /// A value that a mapping takes from elsewhere is shown, and not the front of the element.
  @Test func aValueOfAMapping() throws {
    let (fixture, store) = try fixture()
    let catalogue = try Catalogue([
      "properties": ["Person.name": ["type": "enum", "values": ["a", "b"], "missing": "fail"]],
      "mappings": ["Person": ["properties": ["name": "/label"]]],
    ])
    let text = #"{"id":2,"label":"c"}"# + "\n" + #"{"id":3}"#
    let summary = try fixture.load(text: text, into: store, rejects: fixture.path("bad")) {
      $0.entity = "Person"
      $0.catalogue = catalogue
      $0.maximumErrors = 2
    }
    #expect(summary.rejected == 2)
    let reasons = try fixture.directory.text(of: "bad.reasons").split(separator: "\n")
    try #require(reasons.count == 2)
    #expect(reasons[0].contains(#"expected one of a, b, found \"c\" at /label"#))
    #expect(reasons[0].contains(#""value":"\"c\"""#))
    #expect(reasons[1].contains(#""message":"expected a value, found nothing""#))
    #expect(!reasons[1].contains(#""value":"#))
  }

  /// The place of a missing unique value is that of its object.
  @Test func aUniqueValueThatIsMissing() throws {
    let fixture = try ImportFixture()
    let store = try fixture.open("store")
    let catalogue = try Catalogue(["properties": ["Person.email": "json"]])
    let text = #"{"id":1,"email":1}"# + "\n" + #"{"id":2}"#
    try fixture.load(text: text, into: store) {
      $0.entity = "Person"
      $0.catalogue = catalogue
    }
    #expect(
      try fixture.people(store) == [
        #"{"id":1,"email":"1","name":null,"age":null,"friend":null}"#,
        #"{"id":2,"email":null,"name":null,"age":null,"friend":null}"#,
      ])
  }

  /// Targets that are found by a value are made where they are missing, but not for nothing.
  @Test func targetsThatAreMadeWithIt() throws {
    let (fixture, store) = try fixture()
    let catalogue = try Catalogue([
      "mappings": [
        "Person": ["relations": ["friend": ["from": "/knows", "to": "Person", "key": "email"]]]
      ]
    ])
    let text = [
      #"{"email":"ann","knows":"zoe"}"#, #"{"email":"bob","knows":"zoe"}"#,
      #"{"email":"cid","knows":"cid"}"#, #"{"email":"dan","knows":"ann"}"#,
    ].joined(separator: "\n")
    let summary = try fixture.load(text: text, into: store) {
      $0.entity = "Person"
      $0.catalogue = catalogue
      $0.maximumErrors = 9
    }
    #expect(summary.rejected == 1)
    #expect(summary.entities.map { [$0.inserted, $0.updated] } == [[4, 0]])
    #expect(
      try fixture.people(store) == [
        ann, #"{"id":2,"email":"bob","name":null,"age":null,"friend":3}"#,
        #"{"id":3,"email":"zoe","name":null,"age":null,"friend":null}"#,
        #"{"id":4,"email":"cid","name":null,"age":null,"friend":4}"#,
        #"{"id":5,"email":"dan","name":null,"age":null,"friend":1}"#,
      ])
    #expect(try store.verify().isEmpty)
  }
}
