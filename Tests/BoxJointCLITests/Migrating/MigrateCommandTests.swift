import BoxEngine
import BoxJSON
import BoxModel
import BoxStorage
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// `boxjoint migrate` and `boxjoint plan verify` as their users run them.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct MigrateCommandTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try directory.write(Self.model(.int), to: "v1.json")
    try directory.write(Self.model(.long), to: "v2.json")
    try directory.write(Self.model(.string), to: "v3.json")
    let store = try ObjectStore.open(
      .directory(directory.path(of: "data")),
      model: ModelDocument(parsing: directory.bytes(of: "v1.json")))
    let tag = try store.entity(named: "Tag")
    try store.write { transaction in
      for number in 1...100 {
        var object = DynamicObject(tag)
        object["rank"] = .integer(Int64(number))
        try transaction.put(object)
      }
    }
  }

  /// A model with one property of a type.
  private static func model(_ rank: PropertyType) throws -> String {
    try model([.init("rank", 102, rank)])
  }

  private static func model(
    _ fields: [TestModel.Property], retired: [UID] = []
  ) throws -> String {
    try TestModel(.init(name: "Tag", uid: 100, fields: fields), retired: [.property: retired]).text
  }

  private func migrate(_ arguments: String...) async throws -> ProcessRun {
    try await runTool(["migrate", "--store", "data"] + arguments, in: directory.path)
  }

  private func value(_ id: UInt64) throws -> Value? {
    let store = try ObjectStore.open(.directory(directory.path(of: "data")))
    return try store.read { try $0.get(store.entity(named: "Tag"), id)?["rank"] }
  }

  @Test func saysWhatItWouldDoAndThenDoesIt() async throws {
    let before = try directory.bytes(of: "data/data.mdb")
    let dry = try await migrate("--to", "v2.json", "--dry-run")
    #expect(dry.status == 0, "\(dry.messages)")
    let copying = try await migrate("--to", "v2.json", "--dry-run", "--backup")
    #expect(
      copying.text.hasSuffix(
        "\nthe store is copied first, to a directory beside it\n"
          + "dry run: the migration works, and writes 100 objects\n"))
    #expect(
      dry.text == """
        effects on the data:
          Tag.rank property-type-changed: int -> long (100 values, 0 of them do not fit)
            converted, without loss

        step 1 of 1: the store -> v2 (heavy)

        this cannot be undone by opening the store with the earlier model
        the store is not copied first; pass --backup to copy it
        dry run: the migration works, and writes 100 objects

        """)
    #expect(try directory.bytes(of: "data/data.mdb") == before)
    #expect(directory.names().sorted() == ["data", "v1.json", "v2.json", "v3.json"])
    let unasked = try await migrate("--to", "v2.json")
    #expect(unasked.status == 64)
    #expect(unasked.messages.contains("pass --yes"))
    let done = try await migrate("--to", "v2.json", "--yes", "--backup")
    #expect(done.status == 0, "\(done.messages)")
    #expect(done.text.hasSuffix("done: 1 step, 100 objects written\n"))
    #expect(try value(7) == 7)
    let copy = try #require(directory.names().first { $0.hasPrefix("data-") })
    #expect(directory.exists(copy + "/data.mdb"))
    let again = try await migrate("--to", "v2.json", "--yes")
    #expect(again.text == "the store has that model already\n")
  }

  @Test(.promise(273)) func progressEndsWithTheLastObject() async throws {
    let run = try await migrate("--to", "v2.json", "--yes", "--progress", "json")
    #expect(run.status == 0, "\(run.messages)")
    let last = run.messages.split(separator: "\n").last
    #expect(
      last?.hasPrefix("{\"step\":\"step 1 of 1\",\"done\":100,\"total\":100,") == true,
      "\(run.messages)")
  }

  /// One run for each status; the rest is a call of the request in `BoxStoreToolTests`.
  @Test func everyFailureHasItsStatus() async throws {
    try directory.write("mappings: 3\n", to: "map.yml")
    try directory.write(Self.model([]), to: "v0.json")
    for (arguments, status) in [
      (["--to", "v9.json"], 74), (["--to", "v2.json", "--mapping", "map.yml"], 65),
      (["--to", "v0.json"], 2), (["--to", "v2.json", "--mapping", "none.yml"], 74),
    ] as [([String], Int32)] {
      let run = try await runTool(
        ["migrate", "--store", "data", "--yes"] + arguments, in: directory.path)
      #expect(run.status == status, "\(arguments): \(run.messages)")
      #expect(run.text.isEmpty)
    }
    #expect(
      try await runTool(["plan", "verify", "v1.json", "v2.json"], in: directory.path).status == 0)
    #expect(
      try await runTool(["plan", "verify", "v1.json", "none.json"], in: directory.path).status == 74
    )
    let alone = try await runTool(["plan", "--against", "HEAD", "store:data"], in: directory.path)
    #expect(alone.status == 64)
    #expect(alone.messages.contains("A store has no version in a revision"))
  }

  /// The dry run refuses what the run refuses, and lists every object.
  @Test func aDryRunListsTheObjectsThatFail() async throws {
    try directory.write(Self.model(.bool), to: "v4.json")
    try directory.write(
      "mappings: [{entities: [{transform: Tag, when: [{property: id, isNot: [7, 8]}], "
        + "properties: {rank: {from: rank}}}]}]\n", to: "map.yml")
    let before = try directory.bytes(of: "data/data.mdb")
    let arguments = ["--to", "v4.json", "--mapping", "map.yml"]
    func run(_ more: String...) async throws -> ProcessRun {
      try await runTool(
        ["migrate", "--store", "data"] + arguments + more, in: directory.path)
    }
    let dry = try await run("--dry-run")
    #expect(dry.status == 2)
    #expect(
      dry.messages
        == "boxjoint: data: 97 objects cannot be carried over, so the migration would fail\n")
    // Only 1 is a truth value, and 7 and 8 are left behind.
    let failing = (2...100).filter { $0 != 7 && $0 != 8 }.map {
      "  Tag \($0): the value \($0) of rank cannot be carried over: it is not a value of type bool\n"
    }
    #expect(
      dry.text.hasSuffix(
        "dry run: the step from the store to v4 fails\n" + failing.joined()), "\(dry.text)")
    let json = try await run("--dry-run", "--format", "json")
    #expect(json.status == 2)
    #expect(json.text.contains(#""failed": 97,"#), "\(json.text)")
    #expect(json.text.contains(#""failedStep": "the step from the store to v4""#))
    let real = try await run("--yes")
    #expect(real.status == 2)
    #expect(real.messages.contains("Tag 2: the value 2 of rank"), "\(real.messages)")
    #expect(try directory.bytes(of: "data/data.mdb") == before)
    #expect(!directory.names().contains { $0.hasPrefix("data.") || $0.hasPrefix("data-") })
  }

  /// A light step is tried out in a transaction that is undone: here values that are not unique.
  @Test func aDryRunTriesALightStep() async throws {
    try directory.write(
      Self.model([.init("rank", 102, .int), .init("name", 103, .string)]), to: "v5.json")
    let before = try directory.bytes(of: "data/data.mdb")
    let dry = try await migrate("--to", "v5.json", "--dry-run")
    #expect(dry.status == 0, "\(dry.messages)")
    #expect(dry.text.hasSuffix("dry run: the migration works\n"), "\(dry.text)")
    #expect(try directory.bytes(of: "data/data.mdb").prefix(8192) == before.prefix(8192))
    #expect(directory.names().sorted() == ["data", "v1.json", "v2.json", "v3.json", "v5.json"])
  }

  @Test func leavesAStoreInUseAlone() async throws {
    let held = try ObjectStore.open(.directory(directory.path(of: "data")))
    let run = try await migrate("--to", "v2.json", "--yes", "--backup")
    #expect(run.status == 2)
    // Before the plan, the question and the backup; and who it is, where the system tells.
    #expect(run.text == "")
    #expect(directory.names().allSatisfy { !$0.hasPrefix("data-") })
    #expect(run.messages.hasPrefix("boxjoint: data: the store is in use by "), "\(run.messages)")
    #expect(run.messages.contains("close every program"))
    #expect(!run.messages.contains("code"))
    #if os(Linux)
      #expect(run.messages.contains("process \(getpid())"), "\(run.messages)")
    #endif
    let dry = try await migrate("--to", "v2.json", "--dry-run", "--format", "json")
    #expect(dry.status == 0)
    #expect(dry.text.contains(#""inUse": true"#))
    #expect(dry.messages.hasPrefix("data: note: the store is in use by "), "\(dry.messages)")
    #expect(try held.read { try $0.get(held.entity(named: "Tag"), 7)?["rank"] } == 7)
  }

}
