import BoxEngine
import BoxJSON
import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxJointCLI
@testable import BoxTool

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// `boxjoint migrate` and `boxjoint plan verify` as their users run them.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built"))
struct MigrateCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Self.model(.int), to: "v1.json")
    try folder.write(Self.model(.long), to: "v2.json")
    try folder.write(Self.model(.string), to: "v3.json")
    let store = try ObjectStore.open(
      .directory(folder.path(of: "data")),
      model: ModelDocument(parsing: folder.bytes(of: "v1.json")))
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
    try await runTool(["migrate", "--store", "data"] + arguments, in: folder.path)
  }

  private func value(_ id: UInt64) throws -> Value? {
    let store = try ObjectStore.open(.directory(folder.path(of: "data")))
    return try store.read { try $0.get(store.entity(named: "Tag"), id)?["rank"] }
  }

  /// A plan is made between stores as between files; only the data of the old one counts.
  @Test func plansBetweenStores() async throws {
    _ = try ObjectStore.open(
      .directory(folder.path(of: "newer")),
      model: ModelDocument(parsing: folder.bytes(of: "v2.json")))
    let files = try await runTool(
      ["plan", "v1.json", "v2.json", "--format", "json"], in: folder.path)
    let stores = try await runTool(
      ["plan", "store:data", "store:newer", "--format", "json"], in: folder.path)
    #expect(stores.status == 1, "\(stores.messages)")
    #expect(files.status == 1, "\(stores.messages)")
    func steps(_ run: ProcessRun) throws -> [String] {
      let json = try JSONDocument(parsing: Array(run.text.utf8))
      let steps = try #require(json.value(forKey: "steps", in: json.root))
      return try json.elements(of: steps).map { step in
        json.text(of: try #require(json.value(forKey: "rule", in: step)))
          + json.text(of: try #require(json.value(forKey: "before", in: step)))
          + json.text(of: try #require(json.value(forKey: "after", in: step)))
      }
    }
    #expect(try steps(stores) == steps(files))
    let text = try await runTool(["plan", "store:data", "store:newer"], in: folder.path)
    #expect(text.text.contains("100 values"), "\(text.text)")
    let alone = try await runTool(["plan", "--against", "HEAD", "store:newer"], in: folder.path)
    #expect(alone.status == 64)
    #expect(alone.messages.contains("A store has no version in a revision"))
    let fixed = try await runTool(["plan", "store:data", "store:newer", "--fix"], in: folder.path)
    #expect(fixed.status == 1, "nothing can be fixed: \(fixed.messages)")
  }

  @Test func saysWhatItWouldDoAndThenDoesIt() async throws {
    let before = try folder.bytes(of: "data/data.mdb")
    let dry = try await migrate("--to", "v2.json", "--dry-run")
    #expect(dry.status == 0, "\(dry.messages)")
    #expect(
      dry.text == """
        effects on the data:
          Tag.rank property-type-changed: int -> long (100 values, 0 of them do not fit)
            converted, without loss

        step 1 of 1: the store -> v2 (heavy)

        this cannot be undone by opening the store with the model before
        no copy is made; --backup makes one first

        """)
    #expect(try folder.bytes(of: "data/data.mdb") == before)
    let unasked = try await migrate("--to", "v2.json")
    #expect(unasked.status == 64)
    #expect(unasked.messages.contains("pass --yes"))
    let done = try await migrate("--to", "v2.json", "--yes", "--backup")
    #expect(done.status == 0, "\(done.messages)")
    #expect(done.text.hasSuffix("done: 1 step, 100 objects written\n"))
    #expect(try value(7) == 7)
    let copy = try #require(folder.names().first { $0.hasPrefix("data-") })
    #expect(folder.exists(copy + "/data.mdb"))
    let again = try await migrate("--to", "v2.json", "--yes")
    #expect(again.text == "the store has that model already\n")
  }

  @Test(.enabled("needs jsonschema, as scripts/test has it", SchemaValidator.isAvailable))
  func goesByAVersionAndAMapping() async throws {
    try folder.write(
      """
      mappings:
        - from: v2
          to: v3
          entities:
            - transform: Tag
              when: [{property: rank, isNot: [13]}]
              properties:
                rank: {from: rank}
      """, to: "map.yml")
    let pending = try await migrate(
      "--via", "v2.json", "--to", "v3.json", "--mapping", "map.yml", "--dry-run")
    #expect(pending.status == 0, "\(pending.messages)")
    #expect(pending.text.contains("step 1 of 2: the store -> v2 (heavy)\n"))
    #expect(pending.text.contains("step 2 of 2: v2 -> v3 (heavy, by a mapping)\n"))
    #expect(pending.text.contains("    carried over as the mapping says\n"))
    #expect(pending.text.contains("this cannot be undone: what is not carried over is gone\n"))
    let run = try await migrate(
      "--via", "v2.json", "--to", "v3.json", "--mapping", "map.yml", "--yes", "--format", "json")
    #expect(run.status == 0, "\(run.messages)")
    #expect(try value(7) == "7")
    #expect(try value(13) == nil)
    #expect(
      try await SchemaValidator.violations(of: run.output, against: "migration.schema.json") == "")
  }

  @Test func namesThePlaceOfAMistake() async throws {
    try folder.write("mappings:\n  - entities:\n      - delete: Tagg\n", to: "map.yml")
    let unknown = try await migrate("--to", "v2.json", "--mapping", "map.yml", "--yes")
    #expect(unknown.status == 65)
    #expect(
      unknown.messages.hasPrefix("boxjoint: map.yml:3:17: the old model has no entity 'Tagg'"))
    try folder.write("mappings: {}\n", to: "map.yml")
    let shape = try await migrate("--to", "v2.json", "--mapping", "map.yml", "--yes")
    #expect(shape.status == 65)
    #expect(shape.messages.hasPrefix("boxjoint: map.yml:1:11: 'mappings' must be a list"))
    let twice = try await migrate("--via", "v2.json", "--to", "./v2.json", "--yes")
    #expect(twice.status == 65)
    #expect(twice.messages.contains("./v2.json: v2.json is the same file"))
    let missing = try await migrate("--to", "v9.json", "--yes")
    #expect(missing.status == 74)
    let none = try await runTool(
      ["migrate", "--store", "nowhere", "--to", "v2.json", "--yes"], in: folder.path)
    #expect(none.status == 74)
    #expect(!folder.exists("nowhere"))
  }

  /// A mapping whose step is over is checked all the same, and that it does nothing is said.
  @Test(arguments: ["", "from: v1\n    to: v2\n    ", "to: v2\n    "])
  func aMappingForAStepThatIsOver(_ names: String) async throws {
    func write(_ entities: String) throws {
      try folder.write("mappings:\n  - \(names)entities:\n      - \(entities)\n", to: "map.yml")
    }
    #expect(try await migrate("--to", "v2.json", "--yes").status == 0)
    try write("copy: Tag")
    let fitting = try await migrate("--to", "v2.json", "--mapping", "map.yml", "--yes")
    #expect(fitting.status == 0, "\(fitting.messages)")
    #expect(fitting.text == "the store has that model already\n")
    #expect(
      fitting.messages
        == "map.yml: note: no step that the store needs has a mapping, so nothing of it is applied\n"
    )
    for wrong in ["insert: Tagg", "{copy: Tag, to: Label}"] {
      try write(wrong)
      let run = try await migrate("--to", "v2.json", "--mapping", "map.yml", "--yes")
      #expect(run.status == 65, "\(wrong): \(run.text)")
      #expect(
        run.messages.hasPrefix("boxjoint: map.yml:"),
        "\(run.messages)")
      #expect(
        run.messages.contains("has no entity"),
        "\(run.messages)")
    }
    // With the model that it starts from at hand, all of it is checked.
    try folder.write(
      "mappings:\n  - from: v1\n    to: v2\n    entities:\n      - delete: Tagg\n", to: "map.yml")
    let start = try await migrate(
      "--via", "v1.json", "--to", "v2.json", "--mapping", "map.yml", "--yes")
    #expect(start.status == 65)
    #expect(start.messages.contains("the old model has no entity 'Tagg'"), "\(start.messages)")
    try folder.write("mappings: 3\n", to: "map.yml")
    #expect(
      try await migrate("--to", "v2.json", "--mapping", "map.yml", "--yes").status == 65)
    #expect(
      try await migrate("--to", "v2.json", "--mapping", "none.yml", "--yes").status == 74)
  }

  @Test func saysWhatIsHiddenAndWhatIsGone() async throws {
    try folder.write(
      Self.model([], retired: [102]), to: "less.json")
    let hidden = try await migrate("--to", "less.json", "--dry-run", "--backup")
    #expect(hidden.status == 0, "\(hidden.messages)")
    #expect(hidden.text.contains("Tag.rank property-removed: "))
    #expect(!hidden.text.contains("gone for good"))
    #expect(hidden.text.contains("step 1 of 1: the store -> less (light)\n"))
    #expect(hidden.text.contains("the store is copied first, to a directory beside it\n"))
    let purged = try await migrate("--to", "less.json", "--dry-run", "--purge")
    #expect(purged.text.contains("    gone for good\n"))
    #expect(purged.text.contains("this cannot be undone: what is not carried over is gone\n"))
  }

  /// The names in a mapping for the ends of its step are never guessed: it is used, or it is an
  /// error.
  @Test func aMappingIsUsedOrRefused() async throws {
    let before = try folder.bytes(of: "data/data.mdb")
    func write(from: String, to: String) throws {
      try folder.write(
        """
        mappings:
          - from: \(from)
            to: \(to)
            entities:
              - transform: Tag
                properties:
                  rank: {value: 5}
        """, to: "map.yml")
    }
    for (from, to) in [("v1", "v9"), ("v2", "v3")] {
      try write(from: from, to: to)
      let run = try await migrate("--to", "v2.json", "--mapping", "map.yml", "--yes")
      #expect(run.status == 65, "\(run.text)")
      #expect(
        run.messages.contains(
          "the mapping from \(from) to \(to) belongs to no step of this migration; its versions "
            + "are: the store, v2"), "\(run.messages)")
      #expect(try folder.bytes(of: "data/data.mdb") == before)
    }
    try write(from: "v1", to: "v2")
    let run = try await migrate("--to", "v2.json", "--mapping", "map.yml", "--yes")
    #expect(run.status == 0, "\(run.messages)")
    #expect(run.text.contains("    gone for good\n"), "\(run.text)")
    #expect(run.text.contains("step 1 of 1: the store -> v2 (heavy, by a mapping)"))
    #expect(try value(7) == 5)
  }

  @Test func filesOfOneNameAreToldApartByTheirFolders() async throws {
    try folder.write(Self.model(.long), to: "v2/model.json")
    try folder.write(Self.model(.string), to: "v3/model.json")
    try folder.write(
      """
      mappings:
        - from: v2/model
          to: v3/model
          entities:
            - transform: Tag
              properties:
                rank: {from: rank, default: none}
      """, to: "map.yml")
    let run = try await migrate(
      "--via", "v2/model.json", "--to", "v3/model.json", "--mapping", "map.yml", "--yes")
    #expect(run.status == 0, "\(run.messages)")
    #expect(run.text.contains("step 2 of 2: v2/model -> v3/model (heavy, by a mapping)"))
    #expect(try value(7) == "7")
    #expect(MigrationFiles.names(["a/m.json", "b/m.json", "c.json"]) == ["a/m", "b/m", "c"])
    #expect(MigrationFiles.names(["x/a/m.json", "y/a/m.json"]) == ["x/a/m", "y/a/m"])
    #expect(MigrationFiles.names(["m.json", "./b/m.json"]) == ["m", "b/m"])
    #expect(MigrationFiles.names(["/b/m.json", "b/m.json"]) == ["/b/m.json", "b/m.json"])
  }

  @Test func theDryRunHoldsThePlan() async throws {
    let run = try await migrate("--to", "v2.json", "--dry-run", "--format", "json")
    #expect(run.status == 0, "\(run.messages)")
    #expect(run.text.contains(#""property-type-changed""#))
    #expect(run.text.contains(#""inUse": false"#))
    let again = try await migrate("--to", "v1.json", "--dry-run", "--format", "json")
    #expect(!again.text.contains(#""plan""#))
    guard await SchemaValidator.isAvailable() else { return }
    for output in [run.output, again.output] {
      #expect(
        try await SchemaValidator.violations(of: output, against: "migration.schema.json") == "")
    }
    let plan = try await ProcessRun.of(
      "python3", ["-c", "import json, sys; print(json.dumps(json.load(sys.stdin)['plan']))"],
      input: run.output)
    #expect(
      try await SchemaValidator.violations(of: plan.output, against: "plan.schema.json") == "")
  }

  @Test func progressEndsWithTheLastObject() async throws {
    let run = try await migrate("--to", "v2.json", "--yes", "--progress", "json")
    #expect(run.status == 0, "\(run.messages)")
    let last = run.messages.split(separator: "\n").last
    #expect(
      last?.hasPrefix("{\"step\":\"step 1 of 1\",\"done\":100,\"total\":100,") == true,
      "\(run.messages)")
  }

  @Test func aModelThatIsNotSoundIsNamedWithItsPlace() async throws {
    // Two properties with one UID.
    let rank = TestModel.Property("rank", 102, .int)
    let text = try Self.model([rank, rank])
    try folder.write(text, to: "odd.json")
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let second = try #require(lines.lastIndex { $0.contains(":102\"") }) + 1
    for arguments in [
      ["plan", "verify", "v1.json", "odd.json"], ["plan", "verify", "odd.json", "v1.json"],
      ["migrate", "--store", "data", "--to", "odd.json", "--dry-run"],
    ] {
      let run = try await runTool(arguments, in: folder.path)
      #expect(run.status == 65)
      #expect(
        run.messages.hasPrefix("boxjoint: odd.json:\(second):"), "\(arguments): \(run.messages)")
      #expect(run.messages.contains("the model does not pass the check: "))
    }
  }

  @Test func whatIsNoStoreIsSaidAsByTheCommandsOfStores() async throws {
    try folder.write("x", to: "other/thing")
    for (name, status, words) in [
      ("v1.json", 65, "v1.json is a file; a store is a directory that holds data.mdb and lock.mdb"),
      ("other", 74, "there is no store in other"), ("none", 74, "there is no store in none"),
    ] as [(String, Int32, String)] {
      let run = try await runTool(
        ["migrate", "--store", name, "--to", "v2.json", "--yes"], in: folder.path)
      #expect(run.status == status)
      #expect(run.messages.hasPrefix("boxjoint: \(name): \(words)"), "\(run.messages)")
    }
    #expect(folder.names(in: "other") == ["thing"])
  }

  @Test func aStoreThatIsNewerThanTheModelIsNotTakenBack() async throws {
    try folder.write(
      Self.model([]), to: "v0.json")
    let before = try folder.bytes(of: "data/data.mdb")
    for more in [["--yes"], ["--dry-run"], ["--yes", "--purge"]] {
      let run = try await runTool(
        ["migrate", "--store", "data", "--to", "v0.json"] + more, in: folder.path)
      #expect(run.status == 2)
      #expect(run.text == "")
      #expect(
        run.messages.hasPrefix("boxjoint: data: the store is newer than the model: the property "),
        "\(run.messages)")
      #expect(try folder.bytes(of: "data/data.mdb") == before)
    }
  }

  @Test func modelsComeFromGitToo() async throws {
    let repository = try await TemporaryRepository()
    try await repository.commit(["model.json": try Self.model(.int)])
    try repository.write(Self.model(.long), to: "model.json")
    let verified = try await runTool(
      ["plan", "verify", "HEAD:model.json", "model.json"], in: repository.path,
      environment: repository.environment)
    #expect(verified.status == 0, "\(verified.messages)")
    #expect(verified.text.hasPrefix("carried out as a heavy step"))
    let store = folder.path(of: "data")
    let migrated = try await runTool(
      ["migrate", "--store", store, "--to", "HEAD:model.json", "--dry-run"], in: repository.path,
      environment: repository.environment)
    #expect(migrated.status == 0, "\(migrated.messages)")
    #expect(migrated.text == "the store has that model already\n")
  }

  @Test func leavesAStoreInUseAlone() async throws {
    let held = try ObjectStore.open(.directory(folder.path(of: "data")))
    let run = try await migrate("--to", "v2.json", "--yes", "--backup")
    #expect(run.status == 2)
    // Before the plan, the question and the backup; and who it is, where the system tells.
    #expect(run.text == "")
    #expect(folder.names().allSatisfy { !$0.hasPrefix("data-") })
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

  @Test func verifiesAPlan() async throws {
    let run = try await runTool(["plan", "verify", "v1.json", "v2.json"], in: folder.path)
    #expect(run.status == 0, "\(run.messages)")
    #expect(run.text.hasPrefix("carried out as a heavy step; 20 values of 20 objects compared"))
    let refused = try await runTool(["plan", "verify", "v3.json", "v1.json"], in: folder.path)
    #expect(refused.status == 0, "\(refused.messages)")
    #expect(refused.text.hasPrefix("refused, as planned"))
    let json = try await runTool(
      ["plan", "verify", "v1.json", "v2.json", "--format", "json"], in: folder.path)
    #expect(json.status == 0)
    guard await SchemaValidator.isAvailable() else { return }
    #expect(
      try await SchemaValidator.violations(
        of: json.output, against: "plan-verification.schema.json")
        == "")
  }
}
