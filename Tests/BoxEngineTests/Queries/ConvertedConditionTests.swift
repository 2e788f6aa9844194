import BoxConvert
import BoxJSON
import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

/// Names of values in conditions, as the converters of a catalogue know them.
struct ConvertedConditionTests {
  private let store: ObjectStore
  private let entity: EntitySchema
  private let converters: ConditionConverters

  init() throws {
    let model = TestModel(
      .init(
        name: "Book", uid: 100,
        fields: [
          .init(name: "genre", type: .int, flags: .indexed), .init(name: "state", type: .string),
          .init(name: "moods", type: PropertyType(rawValue: 26)), .init(name: "year", type: .int),
        ]))
    store = try ObjectStore.open(.ownMemory(), model: try model.document())
    entity = try store.entity(named: "Book")
    converters = ConditionConverters(
      try Catalogue([
        "properties": [
          "Book.genre": ["type": "enum", "values": ["novel": 1, "poetry": 2]],
          "Book.state": ["type": "enum", "values": ["lent": "L", "here": "H"]],
          "Book.moods": [
            "type": "list", "of": ["type": "enum", "values": ["sad": 1, "glad": 2]],
          ],
        ]
      ]))
    try store.write { transaction in
      for number in 0..<9 {
        var object = DynamicObject(entity)
        object["genre"] = .integer(Int64(number % 3))
        object["state"] = .string(number % 2 == 0 ? "L" : "H")
        object["moods"] = .integers(number % 4 == 0 ? [1] : [2, 3])
        try transaction.put(object)
      }
    }
  }

  private func ids(_ text: String) throws -> [UInt64] {
    let query = try store.prepare(entity, try ConditionParser.parse(text), converters: converters)
    return try store.read { try $0.ids(query) }
  }

  @Test(arguments: [
    ("genre == novel", [2, 5, 8]), ("genre == \"novel\"", [2, 5, 8]), ("genre == 1", [2, 5, 8]),
    ("genre in (novel, poetry)", [2, 3, 5, 6, 8, 9]), ("genre != poetry", [1, 2, 4, 5, 7, 8]),
    ("state == lent", [1, 3, 5, 7, 9]), ("state startsWith \"L\"", [1, 3, 5, 7, 9]),
    ("moods contains sad", [1, 5, 9]), ("any(moods) == sad", [1, 5, 9]),
    ("any(moods) == 3", [2, 3, 4, 6, 7, 8]), ("`genre` == `novel`", [2, 5, 8]),
  ])
  func findsValuesByName(_ text: String, _ expected: [UInt64]) throws {
    #expect(try ids(text) == expected)
  }

  @Test(arguments: [
    ("genre == novle", 10, "\"novle\" is not a value of Book.genre; did you mean novel?"),
    (
      "genre in (poetry, x)", 19,
      "\"x\" is not a value of Book.genre; expected one of novel, poetry"
    ),
    ("state == L", 10, "\"L\" is not a value of Book.state; expected one of"),
    ("year == novel", 1, "write an integer, as in year > 30"),
  ])
  func refusesNamesThatNobodyKnows(_ text: String, _ column: Int, _ message: String) throws {
    let error = try #require(throws: ConditionError.self) { try ids(text) }
    #expect(error.position == JSONPosition(line: 1, column: column))
    #expect(error.message.contains(message), "\(error)")
  }

  /// Without converters a name is no value, and a string is the stored one.
  @Test func takesStoredValuesWithoutConverters() throws {
    let query = try store.prepare(entity, try ConditionParser.parse("state == \"L\""))
    #expect(try store.read { try $0.count(query) } == 5)
    #expect(throws: ConditionError.self) {
      try store.prepare(entity, try ConditionParser.parse("state == lent"))
    }
  }
}
