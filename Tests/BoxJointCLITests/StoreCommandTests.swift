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
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct StoreCommandTests {
  private let directory: TemporaryDirectory

  init() async throws {
    directory = try TemporaryDirectory()
    let document = try ModelDocument(parsing: Array(Self.model.utf8))
    let store = try ObjectStore.open(.directory(directory.path(of: "data")), model: document)
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
    try await runTool(["store"] + arguments, in: directory.path)
  }

  /// One run for each command and status; the rest is a call of the request in `BoxStoreToolTests`.
  @Test func everyCommandHasItsStatuses() async throws {
    for (arguments, status) in [
      (["info", "data"], 0), (["verify", "data"], 0), (["backup", "data", "copy"], 0),
      (["backup", "data", "copy"], 2), (["compact", "data"], 0), (["info", "none"], 74),
      (["verify", "none"], 74), (["backup", "none", "other"], 74), (["compact", "none"], 74),
      (["repair", "data"], 0), (["repair", "none"], 74),
    ] as [([String], Int32)] {
      let run = try await runTool(["store"] + arguments, in: directory.path)
      #expect(run.status == status, "\(arguments): \(run.messages)")
      #expect(run.output.isEmpty == (status != 0))
      #expect(run.messages.isEmpty == (status == 0))
    }
    var bytes = try directory.bytes(of: "data/data.mdb")
    let place = try #require(
      bytes.indices.first { bytes[$0...].starts(with: Array("tag 500".utf8)) })
    bytes[place] ^= 1
    try directory.write(bytes, to: "data/data.mdb")
    #expect(try await run("verify", "data").status == 1)
    for (arguments, end) in [
      (["repair", "data", "--dry-run"], "dry run: nothing was changed\n"),
      (["repair", "data"], "Z-1.mdb\n"),
    ] {
      let run = try await runTool(["store"] + arguments, in: directory.path)
      #expect(run.status == 1)
      #expect(run.text.contains("kept  lost\n"), "\(run.text)")
      #expect(run.text.contains("998     1\n"), "\(run.text)")
      #expect(run.text.hasSuffix(end), "\(run.text)")
    }
    #expect(try await run("verify", "data").status == 0)
    #expect(try await run("repair", "data").text == "no problems found\n")
    let kept = directory.names(in: "data/damaged")
    #expect(try kept.map { try directory.bytes(of: "data/damaged/\($0)") } == [bytes])
  }

  @Test func aFileThatIsNotAStoreIsNotReplaced() async throws {
    try directory.write("another program wrote this", to: "other/data.mdb")
    #expect(try await run("repair", "other").status == 65)
    #expect(directory.names(in: "other") == ["data.mdb"])
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

  @Test func compactingAnOpenStoreIsRefused() async throws {
    let store = try ObjectStore.open(.directory(directory.path(of: "data")))
    let run = try await run("compact", "data")
    #expect(run.status == 2)
    #expect(run.messages.contains("close every program that has the store open"))
    #expect(store.entities.count == 1)
  }

  // MARK: - Permissions

  private func mode(_ name: String) throws -> mode_t {
    var attributes = stat()
    if stat(directory.path(of: name), &attributes) != 0 { throw TestFailure("there is no \(name)") }
    return attributes.st_mode & 0o777
  }

  @Test func permissionsMatchTheOriginal() async throws {
    chmod(directory.path(of: "data/data.mdb"), 0o660)
    let backup = try await ProcessRun.of(
      "sh", ["-c", #"umask 022; exec "$0" store backup data copy"#, Tool.path ?? ""],
      in: directory.path)
    #expect(backup.status == 0)
    #expect(try mode("copy/data.mdb") == 0o660)
    #expect(try await run("info", "copy").status == 0)
    #expect(try mode("copy/lock.mdb") == 0o660)
    #expect(try await run("compact", "data").status == 0)
    #expect(try await run("info", "data").status == 0)
    for name in ["data.mdb", "lock.mdb"] { #expect(try mode("data/" + name) == 0o660, "\(name)") }
  }

  /// A directory that cannot be written, for a user who is not root.
  @Test(arguments: ["info", "verify", "backup"])
  func aStoreThatIsReadWithoutLocksIsSaidToBe(_ command: String) async throws {
    for name in ["lock.mdb", "store.lock"] { unlink(directory.path(of: "data/" + name)) }
    chmod(directory.path, 0o777)
    chmod(directory.path(of: "data"), 0o555)
    chmod(directory.path(of: "data/data.mdb"), 0o444)
    defer { chmod(directory.path(of: "data"), 0o755) }
    var line = [Tool.path ?? "", "store", command, "data"]
    if command == "backup" { line.append("copy") }
    if geteuid() == 0 {
      line = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] + line
    }
    let run = try await ProcessRun.of(line[0], Array(line.dropFirst()), in: directory.path)
    #expect(run.status == 0, "\(run.messages)")
    #expect(run.messages.hasPrefix("boxjoint: data: warning: "), "\(run.messages)")
    #expect(run.messages.hasSuffix(" [BOX653 opened-without-locks]\n"), "\(run.messages)")
    #expect(directory.names(in: "data") == ["data.mdb"])
  }

  // MARK: - Backups

  @Test func aBackupThatFailsLeavesNothingAndNamesTheTarget() async throws {
    let run = try await ProcessRun.of(
      "sh", ["-c", #"ulimit -f 8; exec "$0" store backup data backups/new"#, Tool.path ?? ""],
      in: directory.path)
    #expect(run.status == 74)
    #expect(
      run.messages
        == "boxjoint: backups/new: cannot be written: there is no space left; make room and try "
        + "again\n")
    #expect(!directory.exists("backups"))
  }

  // MARK: - Readers

  /// A reader of this process, which is another one than the program's.
  @Test(.enabled("needs jsonschema, as scripts/test has it", SchemaValidator.isAvailable))
  func theOldestReaderIsNamedWithWhatItHolds() async throws {
    let path = directory.path(of: "data")
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
