import BoxEngine
import BoxModel
import BoxStorage
import TestSupport
import Testing

/// Commands on stores where the system gives them few descriptors or little address space.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct FewResourcesTests {
  private static func model(_ rank: PropertyType) throws -> String {
    try TestModel(.init(name: "Person", uid: 1001, fields: [.init("rank", 2002, rank)])).text
  }

  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try directory.write(Self.model(.int), to: "model.json")
    try directory.write(Self.model(.long), to: "heavy.json")
    try directory.write("{\"Person\":{\"id\":1,\"rank\":7}}\n", to: "people.ndjson")
    let store = try ObjectStore.open(
      .directory(directory.path(of: "data")),
      model: ModelDocument(parsing: directory.bytes(of: "model.json")))
    let person = try store.entity(named: "Person")
    try store.write { transaction in
      for rank in 1...100 {
        var object = DynamicObject(person)
        object["rank"] = .integer(Int64(rank))
        try transaction.put(object)
      }
    }
  }

  private func run(under limit: String, _ arguments: [String]) async throws -> ProcessRun {
    let tool = try #require(Tool.path)
    return try await ProcessRun.of(
      "sh", ["-c", "ulimit -c 0; \(limit); exec \"$0\" \"$@\"", tool] + arguments,
      in: directory.path)
  }

  /// Either all goes well, or one line says why not, and nothing is left of the attempt.
  @Test(
    arguments: [
      ["store", "backup", "data", "copy"], ["store", "compact", "data"],
      ["migrate", "--store", "data", "--to", "heavy.json", "--yes", "--backup"],
    ], 4...12)
  func fewDescriptors(_ arguments: [String], _ count: Int) async throws {
    let before = try directory.bytes(of: "data/data.mdb")
    let run = try await run(under: "ulimit -n \(count)", arguments)
    // A migration says first where the copy is.
    let lines = run.messages.split(separator: "\n").filter {
      !$0.hasPrefix("the store is copied to ")
    }
    let isRefused = run.status == 74 && lines.count == 1 && lines[0].hasPrefix("boxjoint: ")
    #expect(run.status == 0 || isRefused, "\(count): \(run.status) \(run.messages)")
    for name in directory.names() {
      #expect(!directory.exists(name + "/data.mdb.new"))
      #expect(!directory.exists(name + "/rebuild.new"))
    }
    if run.status == 0 { return }
    #expect(try directory.bytes(of: "data/data.mdb") == before)
    if arguments[0] == "store" { #expect(!directory.exists("copy")) }
  }

  #if os(Linux)
    /// The default size of a store is larger than any of these limits.
    @Test(arguments: [1_000_000, 2_000_000, 4_000_000])
    func littleAddressSpace(_ kilobytes: Int) async throws {
      let limit = "ulimit -v \(kilobytes)"
      let export = try await run(under: limit, ["export", "--store", "data"])
      #expect(export.status == 0, "\(export.messages)")
      let expected = try await runTool(["export", "--store", "data"], in: directory.path)
      #expect(expected.status == 0)
      #expect(export.output == expected.output)
      let made = try await run(
        under: limit, ["import", "--store", "new", "--model", "model.json", "people.ndjson"])
      #expect(made.status == 0, "\(made.messages)")
      let compacted = try await run(under: limit, ["store", "compact", "data"])
      #expect(compacted.status == 0, "\(compacted.messages)")
      let migrated = try await run(
        under: limit, ["migrate", "--store", "data", "--to", "heavy.json", "--yes"])
      #expect(migrated.status == 0, "\(migrated.messages)")
    }

    /// An import into a new store that has no room for its map leaves neither files nor directories.
    @Test(arguments: Array(stride(from: 100_000, through: 500_000, by: 25_000)))
    func noAddressSpace(_ kilobytes: Int) async throws {
      let run = try await run(
        under: "ulimit -v \(kilobytes)",
        ["import", "--store", "new/store", "--model", "model.json", "people.ndjson"])
      // The program and its libraries may be larger than that.
      #expect([0, 74, 127].contains(run.status), "\(run.status) \(run.messages)")
      if run.status != 0 { #expect(!directory.exists("new")) }
    }
  #endif
}
