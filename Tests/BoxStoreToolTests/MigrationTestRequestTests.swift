import BoxDump
import BoxEngine
import BoxMigration
import BoxModel
import BoxStorage
import BoxWorkspace
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxStoreTool

/// Tests of the migrations from tags.
struct MigrationTestRequestTests {
  private let repository: TemporaryRepository

  private static func model(
    _ rank: PropertyType, _ more: TestModel.Property..., retired: [UID] = []
  ) throws -> String {
    try TestModel(
      .init(
        name: "Tag", uid: 100, fields: [.init("rank", 102, rank)] + more,
        relations: [.init("others", 900, to: "Tag")]),
      retired: [.property: retired]
    ).text
  }

  private static let name = TestModel.Property("name", 103, .string)

  /// Two releases: the first has a number, and the second a name too.
  init() async throws {
    repository = try await TemporaryRepository()
    try await repository.commit(["readme.txt": "no model yet"])
    try await repository.git("tag", "v0.9")
    try await repository.commit(["model.json": try Self.model(.int)])
    try await repository.git("tag", "v1.0")
    try await repository.commit(["model.json": try Self.model(.int, Self.name)])
    try await repository.git("tag", "v1.1")
    try repository.write(Self.model(.long, Self.name), to: "model.json")
  }

  private func run(
    _ observer: any WorkObserver = SilentObserver(),
    _ change: (inout MigrationTestRequest) -> Void = { _ in }
  ) async throws -> MigrationTestReport {
    var request = MigrationTestRequest()
    request.model = repository.path + "/model.json"
    change(&request)
    return try await request.run(in: repository.place(observer))
  }

  /// The failure of a test of fixtures in the surroundings of the repository.
  private func failure(
    _ fixtures: String..., change: (inout MigrationTestRequest) -> Void = { _ in }
  ) async -> CommandFailure? {
    await #expect(throws: CommandFailure.self) {
      try await run {
        $0.fixtures = fixtures.map(repository.surroundings.path(of:))
        change(&$0)
      }
    }
  }

  /// Writes a dump of a store with objects.
  @discardableResult
  private func writeDump(
    _ model: String, _ ranks: [Int64], of entity: String = "Tag", to name: String
  ) throws -> String {
    let store = try ObjectStore.open(
      .ownMemory(), model: ModelDocument(parsing: Array(model.utf8)))
    defer { store.close() }
    let tag = try store.entity(named: entity)
    try store.write { transaction in
      for rank in ranks {
        var object = DynamicObject(tag)
        object["rank"] = .integer(rank)
        try transaction.put(object)
      }
    }
    let output = DumpFile()
    try DumpExporter(store).export(to: output)
    try repository.surroundings.write(output.bytes, to: name)
    return repository.surroundings.path(of: name)
  }

  @Test func everyTagIsMigrated() async throws {
    let report = try await run()
    #expect(report.outcome == .success, "\(report.text(as: .text))")
    #expect(report.rows.map(\.version) == ["v1.0", "v1.1"])
    #expect(report.rows.map(\.outcome.kind) == [.heavy, .heavy])
    #expect(report.rows.allSatisfy { $0.outcome.objects == 20 })
    #expect(report.text(as: .text).hasSuffix("2 stores, all ok\n"))
  }

  @Test func aTagIsChosenByItsPattern() async throws {
    let report = try await run { $0.tags = "*.1" }
    #expect(report.rows.map(\.version) == ["v1.1"])
  }

  @Test func fixturesBelongToTagsByNameOrModel() async throws {
    // By its name, although the model is another one.
    try writeDump(try Self.model(.int), [1, 2, 3], to: "stores/v1.1.ndjson")
    // By its model.
    try writeDump(try Self.model(.int), [7], to: "stores/people.ndjson")
    try writeDump(try Self.model(.string), [], to: "stores/other.ndjson")
    let report = try await run { $0.fixtures = [repository.surroundings.path(of: "stores")] }
    #expect(report.outcome == .success, "\(report.text(as: .text))")
    #expect(report.rows.map(\.version) == ["v1.0", "v1.0", "v1.1"])
    #expect(report.rows.map(\.fixture) == ["people", "v1.1", "v1.1"])
    #expect(report.rows.map(\.outcome.objects) == [1, 3, 3])
  }

  @Test func aLossNeedsAnApproval() async throws {
    try repository.write(Self.model(.long, retired: [103]), to: "model.json")
    let report = try await run()
    #expect(report.outcome == .failed(.impossible))
    #expect(report.rows[0].problems.isEmpty)
    let loss = try #require(report.rows[1].losses.first)
    #expect(report.rows[1].outcome.disagreements.isEmpty)
    let approvals = """
      {"schemaVersion":1,"approvals":[{"fingerprint":"\(loss.fingerprint)","author":"Ann","reason":"nobody has names"}]}

      """
    try repository.write(approvals, to: ".boxjoint-approvals.json")
    // It counts once it is committed.
    #expect(try await run().outcome == .failed(.impossible))
    try await repository.git("add", ".boxjoint-approvals.json")
    try await repository.git(
      "commit", "--quiet", "--message", "approve", ".boxjoint-approvals.json")
    #expect(try await run().outcome == .success)
  }

  @Test func aRefusedStoreIsAProblem() async throws {
    try writeDump(try Self.model(.int, Self.name), [1, 300], to: "v1.1.ndjson")
    try repository.write(Self.model(.byte, Self.name), to: "model.json")
    let report = try await run {
      $0.tags = "v1.1"
      $0.fixtures = [repository.surroundings.path(of: "v1.1.ndjson")]
    }
    #expect(report.outcome == .failed(.impossible))
    #expect(report.rows[0].outcome.kind == nil)
    #expect(report.rows[0].problems.last?.hasPrefix("the store is refused: ") == true)
  }

  @Test func aMappingLeadsWhereNothingIsInferred() async throws {
    try repository.write(Self.model(.byte, Self.name), to: "model.json")
    try repository.write(
      #"{"mappings":[{"entities":[{"transform":"Tag","properties":{"rank":{"from":"rank"}}}]}]}"#,
      to: "mapping.json")
    let report = try await run { $0.mapping = repository.path + "/mapping.json" }
    #expect(report.rows.map(\.outcome.kind) == [.heavy, .heavy], "\(report.text(as: .text))")
    #expect(report.rows.allSatisfy { $0.outcome.disagreements.isEmpty })
  }

  /// An entity that a mapping names is compared where no step uses the mapping, and a note says so.
  @Test func aMappingThatNoStepUsesIsNoted() async throws {
    try repository.write(Self.model(.int, Self.name), to: "model.json")
    let mapping = repository.path + "/mapping.json"
    try repository.write(#"{"mappings":[{"entities":[{"copy":"Tag"}]}]}"#, to: "mapping.json")
    let observer = RecordingObserver()
    let report = try await run(observer) {
      $0.mapping = mapping
      $0.tags = "v1.1"
    }
    #expect(report.outcome == .success)
    #expect(report.rows.map(\.outcome.values) == [60])
    #expect(
      observer.lines
        == "\(mapping): note: no step of these migrations uses the mapping, so it has no effect")
    // A step of another tag uses it.
    let used = RecordingObserver()
    let both = try await run(used) { $0.mapping = mapping }
    #expect(both.rows.map(\.outcome.values) == [0, 60])
    #expect(!used.lines.contains("mapping"))
  }

  @Test func differencesCountMoreThanLosses() async throws {
    try repository.write(Self.model(.long, retired: [103]), to: "model.json")
    var report = try await run()
    #expect(report.outcome == .failed(.impossible))
    report.rows[0].outcome.disagreements = ["Tag.rank of object 1 is null, and 1 is expected"]
    #expect(report.outcome == .findings)
  }

  // MARK: - Formats

  @Test func formatsAgree() async throws {
    try repository.write(Self.model(.long, retired: [103]), to: "model.json")
    let report = try await run()
    if await SchemaValidator.isAvailable() {
      let json = Array(report.text(as: .json).utf8)
      #expect(
        try await SchemaValidator.violations(of: json, against: "migration-test.schema.json") == "")
    }
    let junit = report.text(as: .junit)
    #expect(junit.contains(#"tests="2" failures="1" errors="0""#))
    #expect(junit.split(separator: "<testcase").count == 3)
    let github = report.text(as: .github)
    #expect(github.hasPrefix("::error file="))
    #expect(github.split(separator: "\n").count { $0.hasPrefix("::") } == 1)
  }

  // MARK: - Bad input

  @Test func noTagMatches() async throws {
    let failure = await #expect(throws: CommandFailure.self) { try await run { $0.tags = "v1.2" } }
    #expect(failure?.kind == .usage)
    #expect(failure?.message.hasPrefix("no tag matches 'v1.2'; did you mean 'v1.") == true)
    let far = await #expect(throws: CommandFailure.self) { try await run { $0.tags = "release-*" } }
    #expect(far?.message == "no tag matches 'release-*'")
  }

  @Test func aTagWhoseModelIsNotValidIsAnError() async throws {
    let twice = try Self.model(.int, .init("again", 104, .int)).replacing(":104\"", with: ":102\"")
    for (number, text) in ["{", twice].enumerated() {
      let tag = "v1.2-\(number)"
      try await repository.commit(["model.json": text])
      try await repository.git("tag", tag)
      try repository.write(Self.model(.long, Self.name), to: "model.json")
      let failure = await failure()
      #expect(failure?.kind == .badInput)
      #expect(failure?.path?.hasPrefix(tag + ":") == true, "\(String(describing: failure))")
      try await repository.git("tag", "--delete", tag)
    }
  }

  @Test func aMappingThatDoesNotFitIsAnError() async throws {
    for (entities, words) in [
      (#"{"copy":"Nobody"}"#, "Nobody"),
      (
        #"{"transform":"Tag","ids":"new","properties":{"others":{"from":"others"}}}"#,
        "that get new ids"
      ),
      (#"{"transform":"Tag","properties":{"size":{"from":"rank"}}}"#, "size"),
    ] {
      try repository.write(#"{"mappings":[{"entities":[\#(entities)]}]}"#, to: "mapping.json")
      let mapping = repository.path + "/mapping.json"
      let failure = await failure { $0.mapping = mapping }
      #expect(failure?.kind == .badInput)
      #expect(failure?.path == mapping)
      #expect(failure?.position != nil)
      #expect(failure?.message.contains(words) == true, "\(String(describing: failure))")
      #expect(failure?.message.hasSuffix(", in the migration from v1.0") == true)
    }
    try repository.write(
      #"{"mappings":[{"from":"a","to":"b","entities":[{"copy":"Tag"}]}]}"#, to: "mapping.json")
    let unused = await failure { $0.mapping = repository.path + "/mapping.json" }
    #expect(unused?.kind == .badInput)
    #expect(unused?.message.contains("belongs to no step") == true)
  }

  /// A fixture whose objects a version would lose in silence.
  @Test func aFixtureOfAnotherModelIsAnError() async throws {
    let zoo = try TestModel(.init(name: "Zoo", uid: 700, fields: [.init("rank", 702, .int)])).text
    try writeDump(zoo, [1], of: "Zoo", to: "v1.0.ndjson")
    let foreign = await failure("v1.0.ndjson")
    #expect(foreign?.kind == .badInput)
    #expect(
      foreign?.message
        == "has the name of v1.0, whose model lacks Zoo; name the fixture after another tag, or after "
        + "none, and its model decides")
    // The objects of a later version.
    try writeDump(try Self.model(.int, Self.name), [1], to: "v1.0.ndjson")
    let later = await failure("v1.0.ndjson")
    #expect(later?.kind == .badInput)
    #expect(later?.message.contains("whose model lacks Tag.name;") == true)
    // By another name it is a fixture of the version that has its model.
    try writeDump(try Self.model(.int, Self.name), [1], to: "people.ndjson")
    let report = try await run { $0.fixtures = [repository.surroundings.path(of: "people.ndjson")] }
    #expect(report.rows.map(\.fixture) == [nil, "people"])
  }

  @Test func filesBesideFixturesAreLeftOut() async throws {
    let path = try writeDump(try Self.model(.int), [1, 2], to: "stores/v1.0.ndjson")
    try repository.surroundings.write("Stores of users.\n", to: "stores/README.md")
    try repository.surroundings.write("x", to: "stores/older/notes.txt")
    let stores = repository.surroundings.path(of: "stores")
    let observer = RecordingObserver()
    // The same file twice is one fixture.
    let report = try await run(observer) { $0.fixtures = [stores, stores + "/../stores", path] }
    #expect(report.rows.map(\.fixture) == ["v1.0", nil])
    for name in ["README.md", "older"] {
      let note = "is not a dump by its name (.ndjson, .jsonl or .json); it is left out"
      #expect(observer.lines.contains("\(stores)/\(name): note: \(note)"), "\(observer.lines)")
    }
    try repository.surroundings.write("", to: "empty/.keep")
    let empty = RecordingObserver()
    let none = try await run(empty) { $0.fixtures = [repository.surroundings.path(of: "empty")] }
    #expect(none.rows.map(\.fixture) == [nil, nil])
    #expect(empty.lines.contains("empty: note: there are no dumps in it"))
  }

  @Test func aStoreIsNotAFixture() async throws {
    let path = repository.surroundings.path(of: "data")
    try ObjectStore.open(
      .directory(path), model: ModelDocument(parsing: Array(Self.model(.int).utf8))
    ).close()
    let failure = await failure("data")
    #expect(failure?.kind == .badInput)
    #expect(
      failure?.message == "is a store, and not a dump; pass what an export of it has written")
  }

  @Test func aDamagedFixtureEndsTheCommandBeforeAnyStore() async throws {
    let path = try writeDump(try Self.model(.int), [1, 2, 3], to: "v1.0.ndjson")
    let whole = try repository.surroundings.bytes(of: "v1.0.ndjson")
    for damaged in [Array(whole.dropLast(60)), whole.map { $0 == UInt8(ascii: "3") ? 52 : $0 }] {
      try repository.surroundings.write(damaged, to: "v1.0.ndjson")
      let failure = await failure("v1.0.ndjson")
      #expect(failure?.kind == .badInput)
      #expect(failure?.path == path)
    }
    try repository.surroundings.write("{\"Tag\":{\"id\":1}}\n", to: "v1.0.ndjson")
    let failure = await failure("v1.0.ndjson")
    #expect(failure?.message == "is not a dump; pass what an export of a store has written")
  }

  @Test func aMissingFixtureIsAnError() async throws {
    #expect(await failure("missing.ndjson")?.kind == .inputOutput)
  }
}

/// A dump in memory.
private final class DumpFile: DumpOutput, DumpStream, @unchecked Sendable {
  private(set) var bytes: [UInt8] = []

  func open(_ name: String) -> any DumpStream { self }
  func write(_ bytes: UnsafeRawBufferPointer) { self.bytes.append(contentsOf: bytes) }
  func finish() {}
}
