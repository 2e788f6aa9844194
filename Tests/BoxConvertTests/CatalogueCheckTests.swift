import BoxConvert
import BoxJSON
import BoxModel
import BoxReport
import Testing

/// The findings of `converters check`, rule by rule.
struct CatalogueCheckTests {
  private static let model: Model = {
    var model = Model()
    var user = Entity(pair: IDPair(id: 1, uid: 1000), name: "User")
    user.properties = [
      Property(pair: IDPair(id: 1, uid: 1001), name: "id", type: .long, flags: .id),
      Property(pair: IDPair(id: 2, uid: 1002), name: "role", type: .byte),
      Property(pair: IDPair(id: 3, uid: 1003), name: "name", type: .string),
    ]
    user.relations = [Relation(pair: IDPair(id: 1, uid: 1100), name: "tags", target: tag.pair)]
    model.entities = [user, tag]
    return model
  }()

  private static let tag: Entity = {
    var tag = Entity(pair: IDPair(id: 2, uid: 2000), name: "Tag")
    tag.properties = [
      Property(pair: IDPair(id: 1, uid: 2001), name: "id", type: .long, flags: .id),
      Property(pair: IDPair(id: 2, uid: 2002), name: "key", type: .string, flags: .unique),
      Property(pair: IDPair(id: 3, uid: 2003), name: "label", type: .string),
    ]
    return tag
  }()

  private func check(_ catalogue: JSONValue, lock: ConverterLock? = nil) throws -> [String] {
    try Catalogue(catalogue).check(model: Self.model, lock: lock, path: "c.yml").map(\.rule.id)
  }

  private func check(_ property: String, _ definition: JSONValue) throws -> [String] {
    try check(["properties": .object([JSONValue.Member(property, definition)])])
  }

  @Test func aSoundCatalogueHasNoFinding() throws {
    let found = try check([
      "properties": ["User.role": ["type": "enum", "values": ["a": 1]]],
      "mappings": ["User": ["relations": ["tags": ["from": "/t", "to": "Tag", "key": "key"]]]],
    ])
    #expect(found == [])
  }

  @Test(
    arguments: [
      ("Usr.role", "date", ["BOX802"]), ("User.rol", "date", ["BOX803"]),
      ("User.role", "uuid", ["BOX804"]), ("User.id", "uuid", ["BOX804"]),
      ("User.role", ["type": "enum", "values": ["a": 128]], ["BOX805"]),
      ("User.role", ["type": "enum", "values": ["a": "x"]], ["BOX805"]),
      ("User.role", ["type": "enum", "values": ["a": 1, "b": 1]], ["BOX806"]),
      ("User.role", ["type": "enum", "values": ["a": 1], "retired": ["a": 1]], ["BOX806"]),
      ("User.role", ["type": "enum", "values": ["a": 1], "retired": ["a": 2]], ["BOX807"]),
      (
        "User.role", ["type": "enum", "values": ["a": 1, "b": 2], "aliases": ["a": "b"]], ["BOX807"]
      ),
      ("User.role", ["type": "enum", "values": ["a": 1], "default": "b"], ["BOX808"]),
      (
        "User.role", ["type": "enum", "values": ["a": 1], "default": "a", "unknown": "default"],
        ["BOX809"]
      ),
      ("User.role", ["type": "registered", "name": "x"], ["BOX810"]),
    ] as [(String, JSONValue, [String])])
  func eachRuleFindsItsMistake(_ property: String, _ definition: JSONValue, _ rules: [String])
    throws
  {
    #expect(try check(property, definition) == rules)
  }

  @Test(
    arguments: [
      (["properties": ["nam": "/n"]], ["BOX803"]), (["rest": "r"], ["BOX803"]),
      (["relations": ["tag": ["from": "/t", "to": "Tag", "key": "key"]]], ["BOX803"]),
      (["relations": ["tags": ["from": "/t", "to": "User", "key": "name"]]], ["BOX811"]),
      (["relations": ["tags": ["from": "/t", "to": "Tag", "key": "label"]]], ["BOX812"]),
      (["relations": ["tags": ["from": "/t", "to": "Tag", "key": "x"]]], ["BOX803"]),
    ] as [(JSONValue, [String])])
  func mappingsAreChecked(_ mapping: JSONValue, _ rules: [String]) throws {
    #expect(try check(["mappings": ["User": mapping]]) == rules)
  }

  @Test func findingsHavePlaces() throws {
    let text = """
      {"properties": {
        "User.role": {"type": "enum", "values": {"a": 1,
          "b": 300}}
      }}
      """
    let document = try JSONDocument(parsing: Array(text.utf8))
    let catalogue = try Catalogue(CatalogueNode(document.root, in: document))
    let found = catalogue.check(model: Self.model, path: "c.json")
    #expect(found.map(\.rule.id) == ["BOX805"])
    #expect(found.first?.region?.line == 3)
    #expect(found.first?.region?.column == 5)
  }

  // MARK: - The lock

  private static let before: JSONValue = [
    "type": "enum", "values": ["a": 1, "b": 2], "retired": ["r": 3],
  ]

  @Test(
    arguments: [
      (before, []),
      // Nothing protects the new one yet.
      (["type": "enum", "values": ["a": 1, "b": 2, "c": 4], "retired": ["r": 3]], ["BOX828"]),
      (["type": "enum", "values": ["a": 1], "retired": ["r": 3, "b": 2]], []),
      (["type": "enum", "values": ["a": 1, "b": 2, "r": 3]], []),
      (["type": "enum", "values": ["a": 1], "retired": ["r": 3]], ["BOX821"]),
      (["type": "enum", "values": ["a": 1, "b": 5], "retired": ["r": 3]], ["BOX822"]),
      (["type": "enum", "values": ["a": 2, "b": 1], "retired": ["r": 3]], ["BOX822", "BOX822"]),
      (["type": "enum", "values": ["a": 1, "c": 2], "retired": ["r": 3]], ["BOX823"]),
      (
        [
          "type": "enum", "values": ["a": 1, "c": 2], "retired": ["r": 3], "aliases": ["b": "c"],
        ], []
      ),
      (["type": "enum", "values": ["a": 1, "b": 2, "c": 3]], ["BOX824"]),
      // Under another name a retired value would come back as that name.
      (["type": "enum", "values": ["a": 1, "b": 2], "retired": ["q": 3]], ["BOX824"]),
      (["type": "enum", "values": ["a": 1], "retired": ["r": 3, "q": 2]], ["BOX824"]),
      (
        [
          "type": "enum", "values": ["a": 1, "b": 2], "retired": ["q": 3], "aliases": ["r": "b"],
        ], ["BOX824"]
      ),
      (["type": "enum", "values": ["a": 1, "b": 2]], ["BOX825"]),
      (["type": "boolean"], ["BOX826"]),
    ] as [(JSONValue, [String])])
  func theLockSeesWhatChanged(_ after: JSONValue, _ rules: [String]) throws {
    let lock = ConverterLock(try Catalogue(["properties": ["User.role": Self.before]]))
    #expect(try check(["properties": ["User.role": after]], lock: lock) == rules)
  }

  @Test(
    arguments: [
      (["x": 1, "y": 2], [:], [:], []), (["x": 1], [:], [:], ["BOX821"]),
      (["x": 1], ["y": 2], [:], []), (["x": 1, "z": 2], [:], [:], ["BOX823"]),
      (["x": 1, "z": 2], [:], ["y": "z"], []), (["x": 2, "y": 1], [:], [:], ["BOX822", "BOX822"]),
    ] as [(JSONValue, JSONValue, JSONValue, [String])])
  func theLockSeesWhatBecameOfOptions(
    _ values: JSONValue, _ retired: JSONValue, _ aliases: JSONValue, _ rules: [String]
  ) throws {
    let before: JSONValue = ["type": "options", "values": ["x": 1, "y": 2]]
    let lock = ConverterLock(try Catalogue(["properties": ["User.role": before]]))
    var after: [JSONValue.Member] = [
      JSONValue.Member("type", "options"), JSONValue.Member("values", values),
      JSONValue.Member("aliases", aliases),
    ]
    if retired != [:] { after.append(JSONValue.Member("retired", retired)) }
    #expect(try check(["properties": ["User.role": .object(after)]], lock: lock) == rules)
  }

  @Test func theLockSeesWhatCameAndWent() throws {
    let lock = ConverterLock(try Catalogue(["properties": ["User.role": Self.before]]))
    #expect(try check(["properties": ["User.name": "url"]], lock: lock) == ["BOX827", "BOX828"])
  }

  @Test func theLockSeesWhatIsInside() throws {
    func lock(_ definition: JSONValue) throws -> ConverterLock {
      ConverterLock(try Catalogue(["properties": ["User.name": definition]]))
    }
    let list: JSONValue = ["type": "list", "separator": ","]
    let other: JSONValue = ["type": "list", "separator": ";"]
    #expect(try check(["properties": ["User.name": other]], lock: lock(list)) == ["BOX826"])
    #expect(try check(["properties": ["User.name": list]], lock: lock(list)) == [])
  }

  @Test func aLockComesBackFromItsText() throws {
    var members: [JSONValue.Member] = []
    for (number, sample) in BuiltInConverter.all.enumerated() {
      members.append(JSONValue.Member("E.p\(number)", sample.definition))
    }
    let lock = ConverterLock(try Catalogue(["properties": .object(members)]))
    let document = try JSONDocument(parsing: Array(lock.text.utf8))
    #expect(try ConverterLock(CatalogueNode(document.root, in: document)) == lock)
  }

  @Test(arguments: [
    "[]", "{}", #"{"schemaVersion": 2}"#, #"{"schemaVersion": 1, "properties": 1}"#,
  ])
  func whatIsNoLockIsRefused(_ text: String) throws {
    let document = try JSONDocument(parsing: Array(text.utf8))
    #expect(throws: CatalogueError.self) {
      try ConverterLock(CatalogueNode(document.root, in: document))
    }
  }
}
