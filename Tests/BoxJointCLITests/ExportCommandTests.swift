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

/// `boxjoint export`, `boxjoint dump verify` and `boxjoint dump diff` as their users run them.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built"))
struct ExportCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let document = try ModelDocument(parsing: Array(Self.model.utf8))
    let store = try ObjectStore.open(.directory(folder.path(of: "data")), model: document)
    let tag = try store.entity(named: "Tag")
    try store.write { transaction in
      for number in 1...1000 {
        var object = DynamicObject(tag)
        object["name"] = .string("tag \(number)")
        object["rank"] = .integer(Int64(number % 10))
        try transaction.put(object)
      }
    }
  }

  private static let model = """
    {"entities":[{"id":"1:1001","lastPropertyId":"3:1013","name":"Tag","properties":[
      {"id":"1:1011","name":"id","type":6,"flags":1},
      {"id":"2:1012","name":"name","type":9,"indexId":"1:3001","flags":2080},
      {"id":"3:1013","name":"rank","type":5}],"relations":[]}],
    "lastEntityId":"1:1001","lastIndexId":"1:3001","lastRelationId":"0:0","lastSequenceId":"0:0",
    "modelVersion":5,"modelVersionParserMinimum":5,"retiredEntityUids":[],"retiredIndexUids":[],
    "retiredPropertyUids":[],"retiredRelationUids":[],"version":1}
    """

  private func run(_ arguments: String...) async throws -> ProcessRun {
    try await runTool(arguments, in: folder.path)
  }

  /// A stream that the caller has closed is not a file of the store that is opened next.
  @Test(arguments: ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
  func closedStreamsReachNoFile(redirection: String) async throws {
    let files = ["data/data.mdb", "data/store.lock"]
    let before = try files.map { try folder.bytes(of: $0) }
    let run = try await ProcessRun.of(
      "/bin/sh", ["-c", #"exec "$0" export --store data \#(redirection)"#, Tool.path ?? ""],
      in: folder.path)
    // What cannot be printed is an error, and input is not needed.
    #expect(run.status == (redirection.contains(" >&-") || redirection.hasPrefix(">") ? 74 : 0))
    #expect(try files.map { try folder.bytes(of: $0) } == before)
  }

  @Test func standardOutputIsTheDumpAndNothingElse() async throws {
    let plain = try await run("export", "--store", "data", "--limit", "2")
    #expect(plain.status == 0)
    #expect(plain.messages.isEmpty)
    let lines = plain.text.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines[1] == #"{"Tag":{"id":1,"name":"tag 1","rank":1}}"#)
    let named = try await run("export", "--store", "data", "--limit", "2", "--output", "-")
    #expect(named.text == plain.text)
    #expect(folder.names() == ["data"])
    let folderOnly = try await run(
      "export", "--store", "data", "--shape", "directory", "--output", "-")
    #expect(folderOnly.status == 64)
    #expect(folderOnly.messages.contains("needs --output"))
  }

  @Test(arguments: ["dump.ndjson", "dump.ndjson.gz", "dump.zst"])
  func filesArePrivateAndWhole(_ name: String) async throws {
    let export = try await run("export", "--store", "data", "--output", name)
    #expect(export.status == 0)
    #expect(export.text == "exported 1,000 objects of 1 entity to \(name)\n")
    var attributes = stat()
    #expect(stat(folder.path(of: name), &attributes) == 0)
    #expect(attributes.st_mode & 0o777 == 0o600)
    let verify = try await run("dump", "verify", name)
    #expect(verify.status == 0)
    #expect(verify.text.contains("is whole: 1,000 objects of 1 entity"))
    let diff = try await run("dump", "diff", name, "store:data")
    #expect(diff.status == 0)
    #expect(diff.text == "no differences\n")
    // No temporary file is left.
    #expect(folder.names() == ["data", name])
  }

  @Test func aReplacedFileKeepsItsPermissions() async throws {
    try folder.write("old", to: "dump.ndjson")
    chmod(folder.path(of: "dump.ndjson"), 0o640)
    #expect(try await run("export", "--store", "data", "--output", "dump.ndjson").status == 0)
    var attributes = stat()
    stat(folder.path(of: "dump.ndjson"), &attributes)
    #expect(attributes.st_mode & 0o777 == 0o640)
    #expect(attributes.st_size > 10_000)
  }

  @Test func foldersAreMadeOrEmpty() async throws {
    let arguments = ["export", "--store", "data", "--shape", "directory", "--output", "dump"]
    let first = try await runTool(arguments + ["--compress", "gz"], in: folder.path)
    #expect(first.status == 0)
    #expect(folder.names(in: "dump") == ["Tag.ndjson.gz", "manifest.json"])
    #expect(try await run("dump", "verify", "dump").status == 0)
    let second = try await runTool(arguments, in: folder.path)
    #expect(second.status == 2)
    #expect(second.messages.contains("there is something in the directory"))
    #expect(folder.names(in: "dump") == ["Tag.ndjson.gz", "manifest.json"])
  }

  @Test func whatIsWrongIsOneLineAndAStatus() async throws {
    for (arguments, status, message) in [
      (["--where", "Tag.rnk > 3"], 64, "--where:1:1: Tag has no property rnk"),
      (["--where", "rank > "], 64, "--where:1:8: expected a value"),
      (["--entities", "Tags"], 64, "the store has no entity Tags; it has Tag"),
      (["--redact", "Tag.name=sha"], 64, "write Entity.property=null, =mask or =hash"),
      (["--redact", "Tag.rank=hash"], 64, "hash is for strings"),
      (["--shape", "tree"], 64, "tree"),
      (["--shape", "directory"], 64, "needs --output"),
      (["--output", "no/such/folder.ndjson"], 74, "no/such/folder.ndjson"),
      (["--output", "."], 74, "this is a directory"),
    ] as [([String], Int32, String)] {
      let run = try await runTool(["export", "--store", "data"] + arguments, in: folder.path)
      #expect(run.status == status, "\(run.messages)")
      #expect(run.messages.contains(message), "\(run.messages)")
    }
    #expect(try await run("export", "--store", "nowhere").status == 74)
    #expect(folder.names() == ["data"])
  }

  @Test func redactionOfAUniquePropertyWarns() async throws {
    let run = try await run("export", "--store", "data", "--redact", "Tag.name=mask")
    #expect(run.status == 0)
    #expect(run.messages.hasPrefix("boxjoint: warning: Tag.name is unique"))
    #expect(!run.text.contains("tag 1"))
  }

  @Test func aChangedDumpIsFoundAndCompared() async throws {
    #expect(try await run("export", "--store", "data", "--output", "dump").status == 0)
    let text = try folder.text(of: "dump")
    try folder.write(text.replacing("\"tag 500\"", with: "\"tag 5OO\""), to: "dump")
    let verify = try await run("dump", "verify", "dump")
    #expect(verify.status == 1)
    #expect(verify.text.contains("the checksum of the dump is wrong"))
    let diff = try await run("dump", "diff", "dump", "store:data")
    #expect(diff.status == 1)
    #expect(
      diff.text == """
        ~ Tag 500
            name: "tag 5OO" -> "tag 500"
        Tag: 0 added, 0 removed, 1 changed, 999 the same

        """)
    let lines = text.split(separator: "\n")
    try folder.write(
      lines[..<20].joined(separator: "\n") + "\n" + lines[20].prefix(20), to: "cut")
    let cut = try await run("dump", "verify", "cut")
    #expect(cut.status == 1)
    #expect(cut.text.contains("the dump is cut off"))
    #expect(try await run("dump", "diff", "cut", "store:data").status == 65)
    #expect(try await run("dump", "verify", "data/data.mdb").status == 65)
  }

  @Test(.enabled("needs jsonschema, as scripts/test has it", SchemaValidator.isAvailable))
  func jsonFollowsItsSchemas() async throws {
    #expect(try await run("export", "--store", "data", "--output", "dump").status == 0)
    let lines = try folder.text(of: "dump").split(separator: "\n")
    for line in [lines[0], lines[1], lines[1001]] {
      let found = try await SchemaValidator.violations(
        of: Array(line.utf8), against: "dump-line.schema.json")
      #expect(found == "")
    }
    let verify = try await run("dump", "verify", "dump", "--format", "json")
    #expect(
      try await SchemaValidator.violations(of: verify.output, against: "dump-verify.schema.json")
        == "")
    try folder.write(try folder.text(of: "dump").replacing("tag 7\"", with: "t\""), to: "other")
    let diff = try await run("dump", "diff", "dump", "other", "--format", "json")
    #expect(diff.status == 1)
    #expect(
      try await SchemaValidator.violations(of: diff.output, against: "dump-diff.schema.json") == "")
    let arguments = ["export", "--store", "data", "--shape", "directory", "--output", "folder"]
    #expect(try await runTool(arguments, in: folder.path).status == 0)
    #expect(
      try await SchemaValidator.violations(
        of: folder.bytes(of: "folder/manifest.json"), against: "dump-manifest.schema.json") == "")
  }
}
