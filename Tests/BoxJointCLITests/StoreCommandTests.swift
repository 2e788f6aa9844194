import BoxEngine
import BoxModel
import BoxStorage
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

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

  @Test(.enabled("needs jsonschema, as scripts/test has it", SchemaValidator.isAvailable))
  func infoAsJSONFollowsItsSchema() async throws {
    let run = try await run("info", "data", "--format", "json")
    #expect(run.status == 0)
    #expect(
      try await SchemaValidator.violations(of: run.output, against: "store-info.schema.json") == "")
  }

  @Test func verifyFindsNothingAndThenTheByteThatChanged() async throws {
    let sound = try await run("verify", "data")
    #expect(sound.status == 0)
    #expect(sound.text == "no problems in 1 store\n")
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
    #expect(again.messages == "boxjoint: copy: there is a store already; name another directory\n")
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

  /// One check comes before all else, so the words are the same and nothing is made.
  @Test(arguments: [["info"], ["verify"], ["backup"], ["compact"]])
  func whatIsNoStoreIsOneLine(_ command: [String]) async throws {
    try folder.write("hello", to: "file")
    try folder.write(String(repeating: "x", count: 9000), to: "noise/data.mdb")
    try folder.write("", to: "empty/data.mdb")
    try folder.write("x", to: "other/thing")
    let expected: [(name: String, status: Int32, words: String)] = [
      ("none", 74, "there is no store in none"), ("other", 74, "there is no store in other"),
      ("file", 65, "file is a file; a store is a directory that holds data.mdb and lock.mdb"),
      ("noise", 65, "noise/data.mdb is not a data file of LMDB on a machine like this one"),
      ("empty", 65, "empty/data.mdb is empty: no store was made in it yet"),
    ]
    for (name, status, words) in expected {
      let arguments = ["store"] + command + [name] + (command == ["backup"] ? ["target"] : [])
      let run = try await runTool(arguments, in: folder.path)
      #expect(run.status == status, "\(name)")
      #expect(run.output.isEmpty)
      #expect(run.messages.hasPrefix("boxjoint: \(name): \(words)"), "\(run.messages)")
      #expect(run.messages.split(separator: "\n").count == 1)
    }
    #expect(try folder.text(of: "file") == "hello")
    #expect(try folder.bytes(of: "noise/data.mdb").count == 9000)
    #expect(try folder.bytes(of: "empty/data.mdb").isEmpty)
    #expect(["noise", "empty", "other"].map { folder.names(in: $0).count } == [1, 1, 1])
    #expect(!folder.exists("target"))
    #expect(!folder.exists("none"))
  }

  // MARK: - Permissions

  private func mode(_ name: String) throws -> mode_t {
    var attributes = stat()
    if stat(folder.path(of: name), &attributes) != 0 { throw TestFailure("there is no \(name)") }
    return attributes.st_mode & 0o777
  }

  @Test func permissionsAreThoseOfTheOriginal() async throws {
    chmod(folder.path(of: "data/data.mdb"), 0o660)
    let backup = try await ProcessRun.of(
      "sh", ["-c", #"umask 022; exec "$0" store backup data copy"#, Tool.path ?? ""],
      in: folder.path)
    #expect(backup.status == 0)
    #expect(try mode("copy/data.mdb") == 0o660)
    #expect(try await run("info", "copy").status == 0)
    #expect(try mode("copy/lock.mdb") == 0o660)
    #expect(try await run("compact", "data").status == 0)
    #expect(try await run("info", "data").status == 0)
    for name in ["data.mdb", "lock.mdb"] { #expect(try mode("data/" + name) == 0o660, "\(name)") }
  }

  /// A folder that cannot be written, for a user who is not root.
  @Test(arguments: ["info", "verify", "backup"])
  func aStoreThatIsReadWithoutLocksIsSaidToBe(_ command: String) async throws {
    for name in ["lock.mdb", "store.lock"] { unlink(folder.path(of: "data/" + name)) }
    chmod(folder.path, 0o777)
    chmod(folder.path(of: "data"), 0o555)
    chmod(folder.path(of: "data/data.mdb"), 0o444)
    defer { chmod(folder.path(of: "data"), 0o755) }
    var line = [Tool.path ?? "", "store", command, "data"]
    if command == "backup" { line.append("copy") }
    if geteuid() == 0 {
      line = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] + line
    }
    let run = try await ProcessRun.of(line[0], Array(line.dropFirst()), in: folder.path)
    #expect(run.status == 0, "\(run.messages)")
    #expect(run.messages.hasPrefix("boxjoint: data: warning: "), "\(run.messages)")
    #expect(run.messages.hasSuffix(" [BOX653 opened-without-locks]\n"), "\(run.messages)")
    #expect(folder.names(in: "data") == ["data.mdb"])
  }

  // MARK: - Backups

  @Test func theFoldersOfABackupAreMade() async throws {
    let run = try await run("backup", "data", "backups/2026-11-21/")
    #expect(run.status == 0, "\(run.messages)")
    #expect(try contents("backups/2026-11-21") == contents("data"))
  }

  @Test func aBackupThatFailsLeavesNothingAndNamesTheTarget() async throws {
    let run = try await ProcessRun.of(
      "sh", ["-c", #"ulimit -f 8; exec "$0" store backup data backups/new"#, Tool.path ?? ""],
      in: folder.path)
    #expect(run.status == 74)
    #expect(
      run.messages
        == "boxjoint: backups/new: cannot be written: there is no space left; make room and try "
        + "again\n")
    #expect(!folder.exists("backups"))
  }

  @Test(arguments: [["compact", "data"], ["backup", "data", "copy"]])
  func progressEndsWithAll(_ arguments: [String]) async throws {
    let run = try await runTool(["store"] + arguments + ["--progress", "json"], in: folder.path)
    #expect(run.status == 0)
    var attributes = stat()
    #expect(stat(folder.path(of: (arguments.last ?? "") + "/data.mdb"), &attributes) == 0)
    let last = run.messages.split(separator: "\n").last ?? ""
    let size = attributes.st_size
    #expect(last.contains("\"done\":\(size),\"total\":\(size),"), "\(run.messages)")
  }

  @Test func aLinkToADataFileIsNotCompacted() async throws {
    try folder.write("", to: "linked/.keep")
    symlink("../data/data.mdb", folder.path(of: "linked/data.mdb"))
    let before = try folder.bytes(of: "data/data.mdb")
    let run = try await run("compact", "linked")
    #expect(run.status == 2)
    #expect(run.messages.contains("linked/data.mdb is a symbolic link"))
    #expect(try folder.bytes(of: "data/data.mdb") == before)
  }

  // MARK: - Readers

  /// A reader of this process, which is another one than the program's.
  @Test(.enabled("needs jsonschema, as scripts/test has it", SchemaValidator.isAvailable))
  func theOldestReaderIsNamedWithWhatItHolds() async throws {
    let path = folder.path(of: "data")
    let storage = try StorageLocation.directory(path).open(StorageOptions())
    let reading = try storage.beginRead()
    let seen = try storage.status().lastTransaction
    let store = try ObjectStore.open(.directory(path))
    let tag = try store.entity(named: "Tag")
    for round in 1...30 {
      try store.write { transaction in
        for id in 100...200 as ClosedRange<UInt64> {
          var object = DynamicObject(tag)
          object.id = id
          object["name"] = .string("round \(round)")
          try transaction.put(object)
        }
      }
    }
    let text = try await run("info", "data")
    let line = try #require(text.text.split(separator: "\n").first { $0.hasPrefix("readers ") })
    #expect(
      line.hasPrefix(
        "readers  1 of 126; process \(getpid()) reads a state that is 30 transactions old, and keeps "
      ), "\(line)")
    #expect(line.hasSuffix(" of free pages from being used again"), "\(line)")
    #expect(!line.contains("keeps 0 bytes"))
    let json = try await run("info", "data", "--format", "json")
    #expect(json.text.contains("\"process\": \(getpid())"), "\(json.text)")
    #expect(json.text.contains("\"transaction\": \(seen)"), "\(json.text)")
    #expect(!json.text.contains("\"heldBytes\": 0,"))
    #expect(
      try await SchemaValidator.violations(of: json.output, against: "store-info.schema.json")
        == "")
    reading.abort()
    let after = try await run("info", "data", "--format", "json")
    #expect(after.text.contains("\"heldBytes\": 0,"), "\(after.text)")
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
