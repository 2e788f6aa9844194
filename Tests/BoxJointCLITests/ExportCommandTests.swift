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

/// The streams and statuses of `boxjoint export`, `boxjoint dump verify` and `boxjoint dump diff`.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct ExportCommandTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    let document = try ModelDocument(parsing: Array(Self.model.utf8))
    let store = try ObjectStore.open(.directory(directory.path(of: "data")), model: document)
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
    try await runTool(arguments, in: directory.path)
  }

  /// A stream that the caller has closed is not a file of the store that is opened next.
  @Test(arguments: ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
  func closedStreamsReachNoFile(redirection: String) async throws {
    let files = ["data/data.mdb", "data/store.lock"]
    let before = try files.map { try directory.bytes(of: $0) }
    let run = try await ProcessRun.of(
      "/bin/sh", ["-c", #"exec "$0" export --store data \#(redirection)"#, Tool.path ?? ""],
      in: directory.path)
    // What cannot be printed is an error, and input is not needed.
    #expect(run.status == (redirection.contains(" >&-") || redirection.hasPrefix(">") ? 74 : 0))
    #expect(try files.map { try directory.bytes(of: $0) } == before)
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
    #expect(directory.names() == ["data"])
    let directoryOnly = try await run(
      "export", "--store", "data", "--shape", "directory", "--output", "-")
    #expect(directoryOnly.status == 64)
    #expect(directoryOnly.messages.contains("needs --output"))
  }

  @Test func aMistakeOnTheCommandLineIsOneLineAndAStatus() async throws {
    for (arguments, status, message) in [
      (["--where", "Tag.rnk > 3"], 64, "--where:1:1: Tag has no property rnk"),
      (["--redact", "Tag.name=sha"], 64, "write Entity.property=null, =mask or =hash"),
      (["--shape", "tree"], 64, "tree"),
      (["--shape", "directory"], 64, "needs --output"),
      (["--output", "no/such/directory.ndjson"], 74, "no/such/directory.ndjson"),
    ] as [([String], Int32, String)] {
      let run = try await runTool(["export", "--store", "data"] + arguments, in: directory.path)
      #expect(run.status == status, "\(run.messages)")
      #expect(run.messages.contains(message), "\(run.messages)")
    }
    #expect(directory.names() == ["data"])
  }

  /// The statuses of the commands on dumps.
  @Test func dumpsHaveTheirStatuses() async throws {
    #expect(try await run("export", "--store", "data", "--output", "dump").status == 0)
    #expect(try await run("dump", "verify", "dump").status == 0)
    #expect(try await run("dump", "diff", "dump", "store:data").status == 0)
    let text = try directory.text(of: "dump")
    try directory.write(text.replacing("\"tag 500\"", with: "\"tag 5OO\""), to: "dump")
    #expect(try await run("dump", "verify", "dump").status == 1)
    let json = try await run("dump", "diff", "dump", "store:data", "--format", "json")
    #expect(json.status == 1)
    #expect(json.text.hasPrefix("{"))
    #expect(try await run("dump", "verify", "data/data.mdb").status == 65)
  }
}
