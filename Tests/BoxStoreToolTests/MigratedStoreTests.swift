import BoxEngine
import BoxJSON
import BoxMigration
import BoxModel
import BoxReport
import BoxStorage
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxStoreTool

/// Migrations with their files and mappings, and plans of stores.
struct MigratedStoreTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try directory.write(Self.model(.int), to: "v1.json")
    try directory.write(Self.model(.long), to: "v2.json")
    try directory.write(Self.model(.string), to: "v3.json")
    let store = try ObjectStore.open(
      .directory(directory.path(of: "data")),
      model: ModelDocument(parsing: directory.bytes(of: "v1.json")))
    defer { store.close() }
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

  private func value(_ id: UInt64) throws -> Value? {
    let store = try ObjectStore.open(.directory(directory.path(of: "data")))
    defer { store.close() }
    return try store.read { try $0.get(store.entity(named: "Tag"), id)?["rank"] }
  }

  /// A plan is made between stores as between files; only the data of the old one counts.
  @Test func plansBetweenStores() async throws {
    let newer = try ObjectStore.open(
      .directory(directory.path(of: "newer")),
      model: ModelDocument(parsing: directory.bytes(of: "v2.json")))
    newer.close()
    let files = try await plan("v1.json", "v2.json")
    let stores = try await plan("store:data", "store:newer")
    #expect(stores.isBlocked)
    #expect(files.isBlocked)
    func steps(_ review: PlanReview) throws -> [String] {
      let json = try JSONDocument(parsing: Array(review.json.displayText.utf8))
      let steps = try #require(json.value(forKey: "steps", in: json.root))
      return try json.elements(of: steps).map { step in
        json.text(of: try #require(json.value(forKey: "rule", in: step)))
          + json.text(of: try #require(json.value(forKey: "before", in: step)))
          + json.text(of: try #require(json.value(forKey: "after", in: step)))
      }
    }
    #expect(try steps(stores) == steps(files))
    let text = stores.render(.text, tool: .boxjoint)
    #expect(text.contains("100 values"), "\(text)")
    #expect(try await plan("store:data", "store:newer", fixes: true).isBlocked)
  }

  private func plan(_ old: String, _ new: String, fixes: Bool = false) async throws -> PlanReview {
    var request = ChangeRequest([directory.here(old), directory.here(new)])
    request.fixes = fixes
    return try #require(try await request.run(in: directory.place()))
  }

  @Test(.enabled("needs jsonschema, as scripts/test has it", SchemaValidator.isAvailable))
  func goesByAVersionAndAMapping() async throws {
    try directory.write(
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
    let pending = try await directory.migrate(
      to: "v3.json", via: "v2.json", mapping: "map.yml", isDryRun: true)
    #expect(pending.outcome == .success, "\(pending.messages)")
    #expect(pending.text.contains("step 1 of 2: the store -> v2 (heavy)\n"))
    #expect(pending.text.contains("step 2 of 2: v2 -> v3 (heavy, by a mapping)\n"))
    #expect(pending.text.contains("    carried over as the mapping says\n"))
    #expect(pending.text.contains("this cannot be undone: data that is not carried over is lost\n"))
    var request = migration(to: "v3.json")
    request.intermediate = [directory.path(of: "v2.json")]
    request.mapping = directory.path(of: "map.yml")
    let done = try await request.prepare(in: directory.place()).carryOut(SilentObserver())
    #expect(try value(7) == "7")
    #expect(try value(13) == nil)
    #expect(try await violations(of: done.json, against: "migration") == "")
  }

  @Test func namesThePlaceOfAMistake() async throws {
    try directory.write("mappings:\n  - entities:\n      - delete: Tagg\n", to: "map.yml")
    let unknown = try await directory.migrate(to: "v2.json", mapping: "map.yml")
    #expect(unknown.outcome == .failed(.badInput))
    #expect(
      unknown.messages.hasPrefix("boxjoint: map.yml:3:17: the old model has no entity 'Tagg'"))
    try directory.write("mappings: {}\n", to: "map.yml")
    let shape = try await directory.migrate(to: "v2.json", mapping: "map.yml")
    #expect(shape.outcome == .failed(.badInput))
    #expect(shape.messages.hasPrefix("boxjoint: map.yml:1:11: 'mappings' must be a list"))
    let twice = try await directory.migrate(to: "./v2.json", via: "v2.json")
    #expect(twice.outcome == .failed(.badInput))
    #expect(twice.messages.contains("./v2.json: v2.json is the same file"))
    let missing = try await directory.migrate(to: "v9.json")
    #expect(missing.outcome == .failed(.inputOutput))
    let none = try await directory.migrate("nowhere", to: "v2.json")
    #expect(none.outcome == .failed(.inputOutput))
    #expect(!directory.exists("nowhere"))
  }

  /// A mapping whose step is over is checked all the same, and a note names it.
  @Test(arguments: ["", "from: v1\n    to: v2\n    ", "to: v2\n    "])
  func aMappingForAStepThatIsOver(_ names: String) async throws {
    func write(_ entities: String) throws {
      try directory.write("mappings:\n  - \(names)entities:\n      - \(entities)\n", to: "map.yml")
    }
    #expect(try await directory.migrate(to: "v2.json").outcome == .success)
    try write("copy: Tag")
    let fitting = try await directory.migrate(to: "v2.json", mapping: "map.yml")
    #expect(fitting.outcome == .success, "\(fitting.messages)")
    #expect(fitting.text == "the store has that model already\n")
    #expect(
      fitting.messages
        == "map.yml: note: no step of this migration uses the mapping, so it has no effect\n"
    )
    for wrong in ["insert: Tagg", "{copy: Tag, to: Label}"] {
      try write(wrong)
      let run = try await directory.migrate(to: "v2.json", mapping: "map.yml")
      #expect(run.outcome == .failed(.badInput), "\(wrong): \(run.text)")
      #expect(
        run.messages.hasPrefix("boxjoint: map.yml:"),
        "\(run.messages)")
      #expect(
        run.messages.contains("has no entity"),
        "\(run.messages)")
    }
    // With the model that it starts from at hand, all of it is checked.
    try directory.write(
      "mappings:\n  - from: v1\n    to: v2\n    entities:\n      - delete: Tagg\n", to: "map.yml")
    let start = try await directory.migrate(to: "v2.json", via: "v1.json", mapping: "map.yml")
    #expect(start.outcome == .failed(.badInput))
    #expect(start.messages.contains("the old model has no entity 'Tagg'"), "\(start.messages)")
    try directory.write("mappings: 3\n", to: "map.yml")
    #expect(
      try await directory.migrate(to: "v2.json", mapping: "map.yml").outcome == .failed(.badInput))
    #expect(
      try await directory.migrate(to: "v2.json", mapping: "none.yml").outcome
        == .failed(.inputOutput))
  }

  @Test func hiddenAndLostDataIsNamed() async throws {
    try directory.write(
      Self.model([], retired: [102]), to: "less.json")
    let hidden = try await directory.migrate(to: "less.json", isDryRun: true)
    #expect(hidden.outcome == .success, "\(hidden.messages)")
    #expect(hidden.text.contains("Tag.rank property-removed: "))
    #expect(!hidden.text.contains("gone for good"))
    #expect(hidden.text.contains("step 1 of 1: the store -> less (light)\n"))
    let purged = try await directory.migrate(to: "less.json", isDryRun: true) {
      $0.freesHiddenData = true
    }
    #expect(purged.text.contains("    gone for good\n"))
    #expect(purged.text.contains("this cannot be undone: data that is not carried over is lost\n"))
  }

  /// The names in a mapping for the ends of its step are never guessed: it is used, or it is an
  /// error.
  @Test func aMappingIsUsedOrRefused() async throws {
    let before = try directory.bytes(of: "data/data.mdb")
    func write(from: String, to: String) throws {
      try directory.write(
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
      let run = try await directory.migrate(to: "v2.json", mapping: "map.yml")
      #expect(run.outcome == .failed(.badInput), "\(run.text)")
      #expect(
        run.messages.contains(
          "the mapping from \(from) to \(to) belongs to no step of this migration; its versions "
            + "are: the store, v2"), "\(run.messages)")
      #expect(try directory.bytes(of: "data/data.mdb") == before)
    }
    try write(from: "v1", to: "v2")
    let run = try await directory.migrate(to: "v2.json", mapping: "map.yml")
    #expect(run.outcome == .success, "\(run.messages)")
    #expect(run.text.contains("    gone for good\n"), "\(run.text)")
    #expect(run.text.contains("step 1 of 1: the store -> v2 (heavy, by a mapping)"))
    #expect(try value(7) == 5)
  }

  @Test func filesOfOneNameAreDistinguishedByTheirDirectories() async throws {
    try directory.write(Self.model(.long), to: "v2/model.json")
    try directory.write(Self.model(.string), to: "v3/model.json")
    try directory.write(
      """
      mappings:
        - from: v2/model
          to: v3/model
          entities:
            - transform: Tag
              properties:
                rank: {from: rank, default: none}
      """, to: "map.yml")
    let run = try await directory.migrate(
      to: "v3/model.json", via: "v2/model.json", mapping: "map.yml")
    #expect(run.outcome == .success, "\(run.messages)")
    #expect(run.text.contains("step 2 of 2: v2/model -> v3/model (heavy, by a mapping)"))
    #expect(try value(7) == "7")
    #expect(MigrationFiles.names(["a/m.json", "b/m.json", "c.json"]) == ["a/m", "b/m", "c"])
    #expect(MigrationFiles.names(["x/a/m.json", "y/a/m.json"]) == ["x/a/m", "y/a/m"])
    #expect(MigrationFiles.names(["m.json", "./b/m.json"]) == ["m", "b/m"])
    #expect(MigrationFiles.names(["/b/m.json", "b/m.json"]) == ["/b/m.json", "b/m.json"])
  }

  @Test func theDryRunHoldsThePlan() async throws {
    func outlook(_ target: String) async throws -> JSONValue {
      var request = migration(to: target)
      request.isDryRun = true
      return try await request.prepare(in: directory.place()).report().json
    }
    let outlooks = [try await outlook("v2.json"), try await outlook("v1.json")]
    #expect(outlooks[0].displayText.contains(#""property-type-changed""#))
    #expect(outlooks[0].displayText.contains(#""inUse": false"#))
    #expect(!outlooks[1].displayText.contains(#""plan""#))
    guard await SchemaValidator.isAvailable() else { return }
    for outlook in outlooks {
      #expect(try await violations(of: outlook, against: "migration") == "")
    }
    let plan = try await ProcessRun.of(
      "python3", ["-c", "import json, sys; print(json.dumps(json.load(sys.stdin)['plan']))"],
      input: Array(outlooks[0].displayText.utf8))
    #expect(
      try await SchemaValidator.violations(of: plan.output, against: "plan.schema.json") == "")
  }

  private func migration(to target: String) -> MigrationRequest {
    MigrationRequest(directory.path(of: "data"), to: directory.path(of: target))
  }

  private func violations(of json: JSONValue, against schema: String) async throws -> String {
    try await SchemaValidator.violations(
      of: Array(json.displayText.utf8), against: schema + ".schema.json")
  }

  @Test func aModelThatIsNotSoundIsNamedWithItsPlace() async throws {
    // Two properties with one UID.
    let rank = TestModel.Property("rank", 102, .int)
    let text = try Self.model([rank, rank])
    try directory.write(text, to: "odd.json")
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let second = try #require(lines.lastIndex { $0.contains(":102\"") }) + 1
    for run in [
      try await verifyPlan("v1.json", "odd.json"), try await verifyPlan("odd.json", "v1.json"),
      try await directory.migrate(to: "odd.json", isDryRun: true),
    ] {
      #expect(run.outcome == .failed(.badInput))
      #expect(run.messages.hasPrefix("boxjoint: odd.json:\(second):"), "\(run.messages)")
      #expect(run.messages.contains("the model does not pass the check: "))
    }
  }

  private func verifyPlan(_ old: String, _ new: String) async throws -> RequestRun {
    try await directory.run { place in
      let request = VerificationRequest(from: directory.here(old), to: directory.here(new))
      let report = try await request.run(in: place)
      return (report.disagreements.isEmpty ? .success : .findings, report.text)
    }
  }

  @Test func aDirectoryThatIsNotAStoreIsRefusedAsByTheCommandsOfStores() async throws {
    try directory.write("x", to: "other/thing")
    for (name, kind, words) in [
      (
        "v1.json", .badInput,
        "v1.json is a file; a store is a directory that holds data.mdb and lock.mdb"
      ),
      ("other", .inputOutput, "there is no store in other"),
      ("none", .inputOutput, "there is no store in none"),
    ] as [(String, FailureKind, String)] {
      let run = try await directory.migrate(name, to: "v2.json")
      #expect(run.outcome == .failed(kind))
      #expect(run.messages.hasPrefix("boxjoint: \(name): \(words)"), "\(run.messages)")
    }
    #expect(directory.names(in: "other") == ["thing"])
  }

  @Test func aStoreThatIsNewerThanTheModelIsNotTakenBack() async throws {
    try directory.write(
      Self.model([]), to: "v0.json")
    let before = try directory.bytes(of: "data/data.mdb")
    for (isDryRun, purges) in [(false, false), (true, false), (false, true)] {
      let run = try await directory.migrate(to: "v0.json", isDryRun: isDryRun) {
        $0.freesHiddenData = purges
      }
      #expect(run.outcome == .failed(.impossible))
      #expect(run.text == "")
      #expect(
        run.messages.hasPrefix("boxjoint: data: the store is newer than the model: the property "),
        "\(run.messages)")
      #expect(try directory.bytes(of: "data/data.mdb") == before)
    }
  }

  @Test func modelsComeFromGitToo() async throws {
    let repository = try await TemporaryRepository()
    try await repository.commit(["model.json": try Self.model(.int)])
    try repository.write(Self.model(.long), to: "model.json")
    let request = VerificationRequest(from: "HEAD:model.json", to: repository.path + "/model.json")
    let verified = try await request.run(in: repository.place())
    #expect(verified.disagreements.isEmpty)
    #expect(verified.text.hasPrefix("carried out as a heavy step"))
    var dry = MigrationRequest(directory.path(of: "data"), to: "HEAD:model.json")
    dry.isDryRun = true
    let migrated = try await dry.prepare(in: repository.place())
    #expect(migrated.text == "the store has that model already\n")
  }

  @Test func verifiesAPlan() async throws {
    let run = try await verifyPlan("v1.json", "v2.json")
    #expect(run.outcome == .success, "\(run.messages)")
    #expect(run.text.hasPrefix("carried out as a heavy step; 20 values of 20 objects compared"))
    let refused = try await verifyPlan("v3.json", "v1.json")
    #expect(refused.outcome == .success, "\(refused.messages)")
    #expect(refused.text.hasPrefix("refused, as planned"))
    guard await SchemaValidator.isAvailable() else { return }
    let request = VerificationRequest(
      from: directory.here("v1.json"), to: directory.here("v2.json"))
    let report = try await request.run(in: directory.place())
    #expect(try await violations(of: report.json, against: "plan-verification") == "")
  }
}
