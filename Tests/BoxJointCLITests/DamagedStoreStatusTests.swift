import BoxModel
import TestSupport
import Testing

/// The exit statuses of commands on a store in which an entry of a relation has no twin.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct DamagedStoreStatusTests {
  private static func model(_ rank: PropertyType, name: String = "rank") throws -> String {
    try TestModel(
      .init(
        name: "Person", uid: 1001, fields: [.init(name, 2002, rank)],
        relations: [.init("friends", 4001, to: "Person")])
    ).text
  }

  private let directory: TemporaryDirectory

  init() async throws {
    directory = try TemporaryDirectory()
    try directory.write(Self.model(.int), to: "model.json")
    try directory.write(Self.model(.long), to: "heavy.json")
    try directory.write(Self.model(.int, name: "grade"), to: "light.json")
    try directory.write(
      """
      {"Person":{"id":11,"rank":1}}
      {"Person":{"id":12,"rank":2}}
      {"Person":{"id":13,"rank":3}}
      {"Person.friends":{"source":11,"targets":[12]}}

      """, to: "people.ndjson")
    try directory.write("{\"Person\":{\"id\":20,\"rank\":1}}\n", to: "more.ndjson")
    try await run("import", "--store", "sound", "--model", "model.json", "people.ndjson", status: 0)
    let whole = try directory.bytes(of: "sound/data.mdb")
    // Exactly the damage is meant that is in no page and in no record.
    for offset in whole.indices where whole[offset] == 12 && offset % 8 == 0 {
      var damaged = whole
      damaged[offset] = 13
      try directory.write(damaged, to: "data/data.mdb")
      let verified = try await runTool(["store", "verify", "data"], in: directory.path)
      if verified.text.contains("[BOX705 ") { return }
    }
    throw TestFailure("no byte is that of an entry")
  }

  @discardableResult
  private func run(_ arguments: String..., status: Int32) async throws -> ProcessRun {
    let run = try await runTool(arguments, in: directory.path)
    #expect(run.status == status, "\(arguments): \(run.text)\(run.messages)")
    return run
  }

  private static let advice = "; `boxjoint store verify data` finds all damage, "

  @Test func readersReportIt() async throws {
    let before = try directory.bytes(of: "data/data.mdb")
    let info = try await run("store", "info", "data", status: 65)
    // The sizes are there all the same.
    #expect(info.text.contains("Person"))
    #expect(info.messages.contains(Self.advice))
    try await run("store", "info", "data", "--format", "json", status: 65)
    try await run("store", "info", "sound", status: 0)
    for plan in [["store:data", "heavy.json"], ["heavy.json", "store:data"]] {
      let run = try await runTool(["plan"] + plan, in: directory.path)
      #expect(run.status == 65, "\(plan): \(run.text)")
      #expect(run.text.isEmpty, "\(plan): \(run.text)")
      #expect(run.messages.hasPrefix("boxjoint: data: "), "\(run.messages)")
      #expect(run.messages.contains(Self.advice))
    }
    try await run("plan", "store:sound", "light.json", "--target", "boxjoint", status: 0)
    try await run("dump", "diff", "store:data", "store:sound", status: 65)
    let second = try await run("dump", "diff", "store:sound", "store:data", status: 65)
    #expect(second.messages.hasPrefix("boxjoint: data: "), "\(second.messages)")
    #expect(try directory.bytes(of: "data/data.mdb") == before)
  }

  @Test(arguments: ["heavy.json", "light.json"])
  func itIsNotMigrated(model: String) async throws {
    let before = try directory.bytes(of: "data/data.mdb")
    for how in ["--yes", "--dry-run"] {
      let run = try await run("migrate", "--store", "data", "--to", model, how, status: 65)
      #expect(run.messages.contains(Self.advice))
      #expect(run.text.contains("step 1") == (how == "--yes"), "\(run.text)")
    }
    #expect(try directory.bytes(of: "data/data.mdb") == before)
    try await run("migrate", "--store", "sound", "--to", model, "--yes", status: 0)
  }

  @Test func itIsNotCompacted() async throws {
    let before = try directory.bytes(of: "data/data.mdb")
    let plain = try await run("store", "compact", "data", status: 65)
    #expect(plain.messages.contains(Self.advice))
    try await run("store", "compact", "data", "--purge", status: 65)
    #expect(try directory.bytes(of: "data/data.mdb") == before)
    try await run("store", "compact", "sound", status: 0)
  }

  /// A copy is what is needed before anything is mended.
  @Test func itIsCopiedAndThatIsSaid() async throws {
    let copied = try await run("store", "backup", "data", "copy", status: 1)
    #expect(copied.messages.contains(Self.advice))
    #expect(
      try directory.bytes(of: "copy/data.mdb").count == directory.bytes(of: "data/data.mdb").count)
    try await run("store", "verify", "copy", status: 1)
    try await run("store", "backup", "sound", "other", status: 0)
  }

  @Test func nothingIsImportedIntoIt() async throws {
    let before = try directory.bytes(of: "data/data.mdb")
    let model = ["--entity", "Person", "lines.ndjson"]
    try directory.write("{\"id\":20,\"rank\":1}\n", to: "lines.ndjson")
    let refused = try await runTool(["import", "--store", "data"] + model, in: directory.path)
    #expect(refused.status == 65, "\(refused.messages)")
    #expect(refused.messages.contains(Self.advice), "\(refused.messages)")
    let dry = try await runTool(
      ["import", "--store", "data", "--dry-run"] + model, in: directory.path)
    #expect(dry.status == 65)
    #expect(try directory.bytes(of: "data/data.mdb") == before)
    let trusted = try await runTool(
      ["import", "--store", "data", "--trust"] + model, in: directory.path)
    #expect(trusted.status == 0, "\(trusted.messages)")
  }

  /// One cause has one status: the file that the link leads to may be open under its own name.
  @Test func aLinkToADataFileIsRefusedAlike() async throws {
    try directory.write("", to: "link/.keep")
    let made = try await ProcessRun.of(
      "ln", ["-s", "../sound/data.mdb", "data.mdb"], in: directory.path(of: "link"))
    #expect(made.status == 0)
    try directory.write("{\"id\":20,\"rank\":1}\n", to: "lines.ndjson")
    for arguments in [
      ["store", "compact", "link"], ["migrate", "--store", "link", "--to", "heavy.json", "--yes"],
      ["migrate", "--store", "link", "--to", "light.json", "--yes"],
      ["import", "--store", "link", "--entity", "Person", "lines.ndjson"],
    ] {
      let run = try await runTool(arguments, in: directory.path)
      #expect(run.status == 2, "\(arguments): \(run.messages)")
      #expect(run.messages.contains("is a symbolic link"), "\(arguments): \(run.messages)")
    }
  }
}
