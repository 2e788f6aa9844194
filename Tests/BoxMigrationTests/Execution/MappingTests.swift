import BoxConvert
import BoxJSON
import BoxModel
import TestSupport
import Testing

@testable import BoxMigration

/// A mapping that does not fit is told by its place, before anything is done.
struct MappingTests {
  private static func old() throws -> ModelDocument {
    try TestModel(
      .init(
        name: "Person", uid: 100,
        fields: [
          .init("name", 110, .string), .init("age", 111, .string),
          .init("boss", 112, .relation, target: "Person"),
        ], relations: [.init("friends", 190, to: "Person")]),
      .init(name: "Customer", uid: 200, fields: [.init("name", 210, .string)]),
      .init(name: "Tag", uid: 300, fields: [.init("text", 310, .string)])
    ).document()
  }

  private static func new() throws -> ModelDocument {
    try TestModel(
      .init(
        name: "Person", uid: 100,
        fields: [
          .init("name", 110, .string), .init("age", 113, .int),
          .init("boss", 112, .relation, target: "Person"),
        ], relations: [.init("friends", 190, to: "Person")]),
      .init(name: "Label", uid: 400, fields: [.init("text", 410, .string)]),
      retired: [.entity: [200, 300], .property: [111]]
    ).document()
  }

  private static let relations: [(String, String)] =
    [
      (#""name": {"from": "boss.nam"}"#, "'Person' has no property 'nam'; it has: id, name"),
      (#""name": {"from": "chief.name"}"#, "'Person' has no relation 'chief'; it has: boss"),
      (#""name": {"from": "age.name"}"#, "'Person.age' is not a relation"),
      (
        #""name": {"from": "friends.name"}"#,
        "'Person.friends' is a relation to many, and a path goes over relations to one"
      ),
      (
        #""name": {"from": "friends"}"#,
        "'friends' has objects, and 'Person.name' is not a relation"
      ),
      (
        #""name": {"from": "name", "unfit": "first"}"#,
        "'unfit: first' is for the objects of a relation"
      ),
      (
        #""boss": {"from": "friends", "read": "uuid"}"#,
        "'Person.boss' takes an object, which no converter reads or writes"
      ),
      (
        #""friends": {"from": "boss", "unfit": "null"}"#,
        "'Person.friends' is a relation to many, whose rule has 'from' or 'backlink' and nothing else"
      ),
      (#""friends": {"value": 1}"#, "'Person.friends' is a relation to many, whose rule has"),
      (#""friends": {"from": "name"}"#, "'Person.name' is not a relation"),
      (
        #""friends": {"backlink": "boss"}"#,
        "'backlink' needs a relation of the old model to 'Person'"
      ),
      (#""friends": {"backlink": "Tag.text"}"#, "'Tag.text' is not a relation to 'Person'"),
      (#""name": {"from": "name"}, "NAME": {"value": "x"}"#, "'Person.NAME' has two rules"),
    ].map { (#"{"transform": "Person", "properties": {"age": {"value": 1}, \#($0)}}"#, $1) }
    + [
      (
        #"{"transform": "Person", "when": [{"property": "friends", "is": 3}], "properties": {"age": {"value": 1}}}"#,
        "'Person.friends' is a relation to many, which is null or is not"
      ),
      (
        #"{"transform": "Person", "when": [{"property": "boss.size", "is": 3}], "properties": {"age": {"value": 1}}}"#,
        "'Person' has no property 'size'"
      ),
    ]

  private func problems(_ entities: String) throws -> [String] {
    let mapping = try MigrationStore.mappings("{\"mappings\": [{\"entities\": [\n\(entities)\n]}]}")
    return try MappingResolver(
      from: Self.old().model, to: Self.new().model, mapping[0]
    ).problems.map(\.description)
  }

  @Test(
    arguments: [
      (#"{"delete": "Persn"}"#, "line 2, column 12: the old model has no entity 'Persn'"),
      (#"{"insert": "Tag"}"#, "line 2, column 12: the new model has no entity 'Tag'"),
      (#"{"copy": "Tag"}"#, "line 2, column 10: the new model has no entity with the UID of 'Tag'"),
      (
        #"{"copy": "Tag", "to": "Lable"}"#, "line 2, column 10: the new model has no entity 'Lable'"
      ),
      ("{\"delete\": \"Tag\"},\n{\"delete\": \"tag\"}", "line 3, column 12: 'tag' occurs twice"),
      (
        #"{"copy": "Customer", "to": "Person"}"#,
        "line 2, column 10: 'Person' and 'Customer' both become 'Person' with the ids that they have"
      ),
      (
        #"{"insert": "Label"}, {"copy": "Tag", "to": "Label"}"#,
        "line 2, column 31: 'Label' is declared empty"
      ),
      (
        #"{"transform": "Person", "properties": {"nam": {"from": "name"}}}"#,
        "line 2, column 40: 'Person' has no property 'nam' to give a value"
      ),
      (
        #"{"transform": "Person", "properties": {"age": {"from": "years"}}}"#,
        "line 2, column 40: 'Person' has no property 'years'; it has: id, name, age, boss"
      ),
      (
        #"{"transform": "Person", "properties": {"age": {"value": "old"}}}"#,
        "line 2, column 57: 'old' is not a value of 'Person.age'"
      ),
      (
        #"{"transform": "Person", "when": [{"property": "age", "is": 3}]}"#,
        "line 2, column 47: 3 is not a value of 'Person.age'"
      ),
      (
        #"{"transform": "Person", "when": [{"property": "size", "is": 3}]}"#,
        "line 2, column 47: 'Person' has no property 'size'"
      ),
      (
        #"{"transform": "Person", "properties": {"age": {"from": "age", "read": {"type": "uuuid"}}}}"#,
        "line 2, column"
      ),
      (
        #"{"transform": "Person", "properties": {"age": {"from": "age", "write": "uuid"}}}"#,
        "line 2, column 72: 'Person.age': a converter of type uuid does not fit"
      ),
      (
        #"{"transform": "Person", "make": [{}, {}]}"#,
        "'Person' becomes 'Person' twice, with the same id"
      ),
      (
        #"{"transform": "Person", "ids": "new"}"#,
        "'Person.boss' cannot follow objects that get new ids"
      ),
    ] + relations)
  func tellsWhatDoesNotFit(_ entities: String, _ expected: String) throws {
    let found = try problems(entities)
    #expect(found.count == 1, "\(found)")
    #expect(found.contains { $0.contains(expected) }, "\(found)")
  }

  @Test(arguments: [
    (#"[]"#, "a file of mappings must be a mapping of keys to values"),
    (#"{}"#, "a file of mappings needs the key 'mappings'"),
    (#"{"mappings": []}"#, "'mappings' is empty"),
    (#"{"mappings": [{}]}"#, "a mapping names no entity"),
    (#"{"mappings": [{"entities": [{}]}]}"#, "an entity needs one of the keys"),
    (
      #"{"mappings": [{"entities": [{"delete": "A", "copy": "B"}]}]}"#,
      "an entity needs one of the keys"
    ),
    (#"{"mappings": [{"entities": [{"delete": "A", "to": "B"}]}]}"#, "'delete' has no 'to'"),
    (#"{"mappings": [{"entities": [{"transform": "A", "make": []}]}]}"#, "'make' is empty"),
    (
      #"{"mappings": [{"entities": [{"transform": "A", "ids": "old"}]}]}"#,
      "'ids' must be one of same, shifted, new"
    ),
    (
      #"{"mappings": [{"entities": [{"transform": "A", "properties": {"b": {}}}]}]}"#,
      "a rule for a property needs one of the keys from, backlink, value"
    ),
    (
      #"{"mappings": [{"entities": [{"transform": "A", "properties": {"b": {"value": 1, "from": "c"}}}]}]}"#,
      "'from' and 'value' do not go together"
    ),
    (
      #"{"mappings": [{"entities": [{"transform": "A", "properties": {"b": {"backlink": "C.d", "from": "c"}}}]}]}"#,
      "'from' and 'backlink' do not go together"
    ),
    (
      #"{"types": {"Level": "uuid"}, "mappings": [{"entities": [{"delete": "A"}]}]}"#,
      "no 'read' or 'write' uses the type 'Level'"
    ),
    (
      #"{"mappings": [{"entities": [{"transform": "A", "when": [{"property": "b"}]}]}]}"#,
      "a condition needs one of the keys is, isNot"
    ),
  ])
  func tellsWhatIsNoMapping(_ text: String, _ expected: String) throws {
    do {
      _ = try MigrationStore.mappings(text)
      Issue.record("\(text) was taken")
    } catch let error as CatalogueError {
      #expect(error.message.contains(expected), "\(error.message)")
      #expect(error.position != nil)
    }
  }

  @Test func infersOnlyWhatLosesNothing() throws {
    let resolver = MappingResolver(from: try Self.old().model, to: try Self.new().model, nil)
    #expect(resolver.problems.isEmpty)
    #expect(resolver.result.sources.map(\.entity) == [100])
    let narrowed = try TestModel(
      .init(name: "Person", uid: 100, fields: [.init("name", 110, .long)])
    ).document()
    let found = MappingResolver(from: try Self.old().model, to: narrowed.model, nil).problems
    #expect(
      found.map(\.message).contains { $0.contains("changes from string to long") }, "\(found)")
  }
}
