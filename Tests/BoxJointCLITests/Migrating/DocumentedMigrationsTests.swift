import BoxEngine
import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxModelTool

/// The mappings and command lines of `docs/migrating.md`, run as they stand there.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct DocumentedMigrationsTests {
  private static let page =
    "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    + "/docs/migrating.md"

  /// The fenced blocks of a language on the page, in order.
  private static func blocks(_ language: String) throws -> [String] {
    let text = String(decoding: try SourceFile.read(page).bytes, as: UTF8.self)
    let parts = text.split(separator: "```", omittingEmptySubsequences: false)
    return parts.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
      .filter { $0.hasPrefix(language + "\n") }.map { String($0.dropFirst(language.count + 1)) }
  }

  private typealias Entities = [(name: String, uid: UID, fields: [(String, PropertyType)])]

  /// A model; the UID of a property is that of its entity and its place.
  private static func model(
    _ entities: Entities, retiring retired: Entities = []
  ) throws -> String {
    func fields(_ entity: Entities.Element) -> [TestModel.Property] {
      entity.fields.enumerated().map {
        .init($0.element.0, entity.uid + UID($0.offset) + 2, $0.element.1)
      }
    }
    var described = TestModel(retired: [
      .entity: retired.map(\.uid),
      .property: retired.flatMap { entity in [entity.uid + 1] + fields(entity).compactMap(\.uid) },
    ])
    described.entities = entities.map { entity in
      var made = TestModel.Entity(name: entity.name, uid: entity.uid, fields: fields(entity))
      made.id = UInt32(entity.uid / 100)
      return made
    }
    return try described.text
  }

  private static let person: Entities.Element = (
    name: "Person", uid: 500,
    fields: [
      ("name", .string), ("isVeryOldAccount", .bool), ("level", .int), ("size", .long),
      ("city", .string),
    ]
  )
  private static let before: Entities = [
    (name: "Draft", uid: 100, fields: [("text", .string)]),
    (name: "Journal", uid: 200, fields: [("text", .string)]),
    (name: "Tag", uid: 300, fields: [("name", .string)]),
    (name: "Customer", uid: 400, fields: [("name", .string)]), person,
  ]
  private static let after: Entities = [
    before[1], (name: "Label", uid: 600, fields: [("name", .string)]),
    (
      name: "Contact", uid: 700,
      fields: [("name", .string), ("level", .string), ("rank", .int), ("size", .int)]
    ), (name: "Address", uid: 800, fields: [("city", .string)]),
  ]

  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    // The first version lacks the last property of a person.
    var first = Self.before
    first[4].fields.removeLast()
    try directory.write(Self.model(first), to: "v1.json")
    try directory.write(Self.model(Self.before), to: "v2.json")
    let gone = [Self.before[0], Self.before[2], Self.before[3], Self.before[4]]
    try directory.write(Self.model(Self.after, retiring: gone), to: "v3.json")
  }

  private func fill(_ model: String, _ objects: [(String, [String: Value])]) throws {
    let store = try ObjectStore.open(
      .directory(directory.path(of: "data")),
      model: ModelDocument(parsing: directory.bytes(of: model)))
    try store.write { transaction in
      for (entity, values) in objects {
        var object = DynamicObject(try store.entity(named: entity))
        for (name, value) in values { object[name] = value }
        try transaction.put(object)
      }
    }
  }

  /// All objects of an entity: the id and the values, without the id property.
  private func objects(_ entity: String) throws -> [[Value]] {
    let store = try ObjectStore.open(.directory(directory.path(of: "data")))
    let schema = try store.entity(named: entity)
    var all: [[Value]] = []
    try store.read { transaction in
      try transaction.visitObjects(schema) { object in
        all.append([.integer(Int64(object.id))] + object.values.dropFirst())
        return .next
      }
    }
    return all
  }

  private static let content: [(String, [String: Value])] = [
    ("Draft", ["text": "unfinished"]), ("Journal", ["text": "old"]), ("Tag", ["name": "red"]),
    ("Customer", ["name": "Cy"]), ("Customer", ["name": "Di"]),
    ("Person", ["name": "Ann", "isVeryOldAccount": true, "level": 9, "size": 3, "city": "Rome"]),
    ("Person", ["name": "Bo", "isVeryOldAccount": false, "level": 9, "size": 1_000_000_000_000]),
    ("Person", ["name": "Cleo", "size": 4, "city": "Oslo"]),
  ]

  @Test func everyMappingOfThePageIsOne() async throws {
    // The others are about relations, which this model has none of.
    let mappings = try Self.blocks("yaml").prefix(1)
    #expect(mappings.count == 1)
    for mapping in mappings {
      try fill("v2.json", Self.content)
      try directory.write(mapping, to: "v3.yml")
      let run = try await runTool(
        [
          "migrate", "--store", "data", "--via", "v2.json", "--to", "v3.json", "--mapping",
          "v3.yml",
          "--dry-run",
        ], in: directory.path)
      #expect(run.status == 0, "\(run.messages)")
      #expect(run.text.contains("(heavy, by a mapping)"))
    }
  }

  /// The commands of the page carry out its mapping, with the results that the page states.
  @Test func theCommandsOfThePageDoWhatItSays() async throws {
    try fill("v2.json", Self.content)
    try directory.write(try #require(try Self.blocks("yaml").first), to: "v3.yml")
    let lines = try #require(try Self.blocks("console").first).split(separator: "\n")
    #expect(lines.count == 2)
    let (dry, real) = (lines[0].split(separator: " "), lines[1].split(separator: " "))
    #expect(dry.starts(with: ["$", "boxjoint", "migrate"]))
    #expect(dry.contains("--dry-run"))
    // Without the mapping, what the new model lacks would only be hidden.
    let light = try await runTool(dry.dropFirst(2).map(String.init), in: directory.path)
    #expect(light.status == 0)
    #expect(light.text.contains("the store -> v3 (light)\n"))
    #expect(!light.text.contains("gone for good"))
    #expect(real.starts(with: ["$", "boxjoint", "migrate"]))
    #expect(real.contains("--backup"))
    let run = try await runTool(real.dropFirst(2).map(String.init), in: directory.path)
    #expect(run.status == 0, "\(run.messages)")
    #expect(try objects("Journal").isEmpty)
    #expect(try objects("Label") == [[1, "red"]])
    // Ann is too old; Bo is too large for an int, and Cleo has no level. Customers come above all
    // ids of persons.
    #expect(
      try objects("Contact") == [
        [2, "Bo", "high", 3, .null], [3, "Cleo", "low", 3, 4],
        [4, "Cy", .null, .null, .null], [5, "Di", .null, .null, .null],
      ])
    #expect(try objects("Address") == [[1, "Rome"], [2, "Oslo"]])
  }
}
