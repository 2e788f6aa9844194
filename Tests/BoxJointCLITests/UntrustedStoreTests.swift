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

/// Stores that somebody else may have made.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct UntrustedStoreTests {
  private let directory: TemporaryDirectory

  init() async throws {
    directory = try TemporaryDirectory()
    try directory.write(SampleModels.sound, to: "model.json")
    try Self.makeStore(directory.path(of: "data"))
  }

  private static func makeStore(_ path: String) throws {
    let document = try ModelDocument(parsing: Array(SampleModels.sound.utf8))
    let store = try ObjectStore.open(.directory(path), model: document)
    let entity = try store.entity(named: "Ant")
    try store.write { for _ in 1...500 { try $0.put(DynamicObject(entity)) } }
  }

  /// Changes the number that a page in use has in its header, which LMDB happens not to need.
  private func damage() throws {
    let sound = try directory.bytes(of: "data/data.mdb")
    let damaged = try #require(
      try (2..<sound.count / 4096).lazy.map { page in
        var bytes = sound
        bytes[page * 4096 + 1] ^= 0x40
        return bytes
      }.first { try !PageWalker(PageSource($0)).walk().isSound })
    try directory.write(damaged, to: "data/data.mdb")
  }

  private static let commands = [
    "store info data", "store backup data copy", "store compact data", "export --store data",
    "plan store:data model.json", "migrate --store data --to model.json --dry-run",
    "dump diff dump.ndjson store:data", "import --store data --entity Ant ants.ndjson",
    "import --store data --entity Ant ants.ndjson --dry-run",
    "converters scan --store data --catalogue c.yml", "query data Ant", "query data Ant --explain",
    "store info data Ant", "store watch data Ant --timeout 1s", "store get data Ant 1",
    "store put data Ant {}",
    "store remove data Ant 1",
  ]

  @Test(arguments: commands) func aDamagedPageIsRefusedBeforeItIsMapped(command: String)
    async throws
  {
    let export = try await runTool(
      ["export", "--store", "data", "--output", "dump.ndjson"], in: directory.path)
    #expect(export.status == 0)
    try directory.write("properties: {}\n", to: "c.yml")
    try directory.write("{\"id\":900}\n", to: "ants.ndjson")
    try damage()
    let before = try directory.bytes(of: "data/data.mdb")
    let words = command.split(separator: " ").map(String.init)
    let run = try await runTool(words, in: directory.path)
    #expect(run.status == 65, "\(run.messages)")
    #expect(run.messages.contains(/damaged: page \d+/), "\(run.messages)")
    #expect(run.messages.contains("restore a backup"))
    #expect(try directory.bytes(of: "data/data.mdb") == before)
    #expect(!directory.exists("copy"))
    #expect(!directory.names().contains { $0.contains("dry-run") })
    let trusting = try await runTool(words + ["--trust"], in: directory.path)
    // What replaces a store or compares one verifies it, whatever is trusted.
    let verifies = command.hasPrefix("store compact") || command.hasPrefix("dump diff")
    #expect(verifies ? trusting.status == 65 : trusting.status <= 1, "\(trusting.messages)")
  }

  @Test func theCheckShowsHowFarItIs() async throws {
    let run = try await runTool(
      ["store", "info", "data", "--progress", "json"], in: directory.path)
    #expect(run.status == 0)
    #expect(run.messages.hasPrefix(#"{"step":"checking pages","#), "\(run.messages)")
    let trusting = try await runTool(
      ["store", "info", "data", "--progress", "json", "--trust"], in: directory.path)
    #expect(trusting.messages == "")
    #expect(trusting.text == run.text)
  }

  /// A change can replace a model file that CI plans with a directory, which is not opened.
  @Test func aModelThatBecameADirectoryIsNotOpened() async throws {
    let repository = try await TemporaryRepository()
    let file = "objectbox-model.json"
    let place = repository.path + "/" + file
    func tool(_ arguments: [String]) async throws -> ProcessRun {
      try await runTool(arguments, in: repository.path, environment: repository.environment)
    }
    try await repository.commit([file: SampleModels.sound])
    try await repository.git("rm", "--quiet", file)
    try Self.makeStore(place)
    for name in ["lock.mdb", "store.lock"] { unlink(place + "/" + name) }
    try await repository.git("add", "--all")
    let before = DirectorySnapshot(of: place)
    for arguments in [
      ["--against", "main", file], ["--against", "main", "--if-model", file], [file, file],
      ["main:\(file)", file],
    ] {
      let run = try await tool(["plan"] + arguments)
      #expect(run.status == 74, "\(arguments): \(run.messages)")
      #expect(run.messages.contains("this is a directory, not a file"), "\(run.messages)")
      #expect(run.output.isEmpty)
    }
    for command in [["check"], ["show"], ["diff"], ["lock", "write"], ["diagram"]] {
      let run = try await tool(command + [file])
      #expect(run.status != 0, "\(command)")
    }
    #expect(before.changes(to: DirectorySnapshot(of: place)).isEmpty)
    let named = try await tool(["plan", "store:\(file)", "HEAD:\(file)"])
    #expect(named.status == 0, "\(named.messages)")
  }

  @Test func aDirectoryIsADumpUnlessItIsNamedAsAStore() async throws {
    let export = try await runTool(
      ["export", "--store", "data", "--shape", "directory", "--output", "dump"], in: directory.path)
    #expect(export.status == 0)
    try directory.write(directory.bytes(of: "data/data.mdb"), to: "dump/data.mdb")
    let same = try await runTool(["dump", "diff", "dump", "store:data"], in: directory.path)
    #expect(same.status == 0, "\(same.messages)")
    #expect(!directory.exists("dump/lock.mdb"))
    let unnamed = try await runTool(["dump", "diff", "dump", "data"], in: directory.path)
    #expect(unnamed.status == 65)
    #expect(
      unnamed.messages == "boxjoint: data: this is not a dump; name a store as store:data\n")
  }
}
