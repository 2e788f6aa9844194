import BoxEngine
import BoxModel
import BoxStorage
import TestSupport
import Testing

/// `boxjoint store` as its users run it.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built"))
struct StoreCommandTests {
  private let folder: TemporaryFolder

  init() async throws {
    folder = try TemporaryFolder()
    let document = try ModelDocument(parsing: Array(Self.model.utf8))
    let store = try ObjectStore.open(.directory(folder.path(of: "data")), model: document)
    let entity = try store.entity(named: "Tag")
    try store.write { transaction in
      for number in 1...1000 {
        var tag = DynamicObject(entity)
        tag["name"] = .string("tag \(number)")
        tag["rank"] = .integer(Int64(number % 10))
        try transaction.put(tag)
      }
    }
    try store.write { _ = try $0.remove(entity, 7) }
  }

  private func run(_ arguments: String...) async throws -> ProcessRun {
    try await runTool(["store"] + arguments, in: folder.path)
  }

  @Test func infoNamesEveryPartWithItsSize() async throws {
    let run = try await run("info", "data")
    #expect(run.status == 0)
    let lines = run.text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    #expect(lines.contains { $0.starts(with: ["Tag", "entity", "999"]) && $0.last == "1,000" })
    #expect(lines.contains { $0.starts(with: ["rank", "index", "999"]) && $0.last == "value" })
    #expect(lines.contains { $0.starts(with: ["readers", "0", "of", "126"]) })
  }

  @Test func infoAsJSONFollowsItsSchema() async throws {
    guard await SchemaValidator.isAvailable() else { return }
    let run = try await run("info", "data", "--format", "json")
    #expect(run.status == 0)
    #expect(
      try await SchemaValidator.violations(of: run.output, against: "store-info.schema.json") == "")
  }

  @Test func verifyFindsNothingAndThenTheByteThatChanged() async throws {
    let sound = try await run("verify", "data")
    #expect(sound.status == 0)
    #expect(sound.text == "no problems in 1 file\n")
    var bytes = try folder.bytes(of: "data/data.mdb")
    let text = Array("tag 500".utf8)
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: text) })
    bytes[place] ^= 1
    try folder.write(bytes, to: "data/data.mdb")
    let damaged = try await run("verify", "data")
    #expect(damaged.status == 1)
    #expect(damaged.text.hasPrefix("data: error: Tag 500 is damaged"))
    #expect(damaged.text.contains("[BOX702 damaged-record]"))
  }

  @Test func progressIsLinesOfJSONWhenAskedFor() async throws {
    let run = try await run("verify", "data", "--progress", "json")
    let lines = run.messages.split(separator: "\n")
    #expect(lines.first?.hasPrefix("{\"step\":\"checking pages\",") == true)
    // The objects and the entries of the index, all of them.
    #expect(
      lines.last?.hasPrefix("{\"step\":\"checking entries\",\"done\":1998,\"total\":1998,") == true)
    #expect(lines.allSatisfy { $0.hasPrefix("{\"step\":") && $0.hasSuffix("}") })
    #expect(try await self.run("verify", "data").messages == "")
  }

  @Test func aBackupIsAStoreOfItsOwnAndNeverReplacesOne() async throws {
    #expect(try await run("backup", "data", "copy").status == 0)
    #expect(try await run("verify", "copy").status == 0)
    #expect(try contents("copy") == contents("data"))
    let again = try await run("backup", "data", "copy")
    #expect(again.status == 2)
    #expect(again.messages == "boxjoint: copy: there is a store already; name another folder\n")
  }

  @Test func compactingKeepsEveryObjectAndFreesPages() async throws {
    let before = try contents("data")
    let run = try await run("compact", "data")
    #expect(run.status == 0)
    #expect(run.text.hasSuffix(" now\n"))
    #expect(try contents("data") == before)
    #expect(folder.names(in: "data") == ["data.mdb", "lock.mdb", "store.lock"])
  }

  @Test func compactingAnOpenStoreIsRefused() async throws {
    let store = try ObjectStore.open(.directory(folder.path(of: "data")))
    let run = try await run("compact", "data")
    #expect(run.status == 2)
    #expect(run.messages.contains("close every program that has the store open"))
    #expect(store.entities.count == 1)
  }

  @Test(arguments: ["info", "verify", "compact"])
  func whatIsNoStoreIsOneLine(_ command: String) async throws {
    try folder.write("hello", to: "file")
    try folder.write(String(repeating: "x", count: 9000), to: "other/data.mdb")
    let expected: [(name: String, statuses: [Int32])] = [
      ("none", [74]), ("file", [65, 74]), ("other", [1, 65]),
    ]
    for (name, statuses) in expected {
      let run = try await run(command, name)
      #expect(statuses.contains(run.status))
      #expect(run.status == 1 || run.messages.split(separator: "\n").count == 1)
      #expect(run.status == 1 || run.messages.hasPrefix("boxjoint: \(name): "))
    }
    #expect(try folder.text(of: "file") == "hello")
  }

  /// Every object of a store, as text.
  private func contents(_ name: String) throws -> [String] {
    var options = StoreOptions()
    options.storage.isReadOnly = true
    let store = try ObjectStore.open(.directory(folder.path(of: name)), options: options)
    var objects: [String] = []
    try store.read { transaction in
      for entity in store.entities {
        try transaction.visitObjects(entity) { object in
          objects.append("\(entity.name) \(object.id) \(object.values)")
          return .next
        }
      }
    }
    return objects
  }

  private static let model = #"""
    {
      "entities": [
        {
          "id": "1:1000", "lastPropertyId": "3:1004", "name": "Tag",
          "properties": [
            { "id": "1:1001", "name": "id", "type": 6, "flags": 1 },
            { "id": "2:1002", "name": "name", "type": 9 },
            { "id": "3:1004", "name": "rank", "type": 6, "flags": 8, "indexId": "1:1003" }
          ],
          "relations": []
        }
      ],
      "lastEntityId": "1:1000", "lastIndexId": "1:1003", "lastRelationId": "0:0",
      "lastSequenceId": "0:0", "modelVersion": 5, "modelVersionParserMinimum": 5,
      "retiredEntityUids": [], "retiredIndexUids": [], "retiredPropertyUids": [],
      "retiredRelationUids": [], "version": 1
    }
    """#
}
