import BoxModel
import TestSupport
import Testing

/// `boxjoint migrate test` as its users run it.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct MigrateTestCommandTests {
  private let repository: TemporaryRepository

  private static func model(_ rank: PropertyType, retired: [UID] = []) throws -> String {
    let name = retired.isEmpty ? [TestModel.Property("name", 103, .string)] : []
    return try TestModel(
      .init(name: "Tag", uid: 100, fields: [.init("rank", 102, rank)] + name),
      retired: [.property: retired]
    ).text
  }

  init() async throws {
    repository = try await TemporaryRepository()
    try await repository.commit(["model.json": try Self.model(.int)])
    try await repository.git("tag", "v1.0")
  }

  private func run(_ arguments: String...) async throws -> ProcessRun {
    try await runTool(
      ["migrate", "test"] + arguments, in: repository.path, environment: repository.environment)
  }

  @Test func theStatusSaysWhatIsWrong() async throws {
    let same = try await run()
    #expect(same.status == 0, "\(same.messages)")
    #expect(same.text.hasSuffix("1 store, all ok\n"))
    try repository.write(Self.model(.long, retired: [103]), to: "model.json")
    let loss = try await run("model.json", "--tags", "v*")
    #expect(loss.status == 2, "\(loss.messages)")
    #expect(loss.text.contains("is not approved"))
    let tag = try await run("--tags", "v2.0")
    #expect(tag.status == 64)
    #expect(tag.messages == "boxjoint: no tag matches 'v2.0'; did you mean 'v1.0'?\n")
    try repository.write("{\"Tag\":{\"id\":1}}\n", to: "stores/v1.0.ndjson")
    let fixture = try await run("--fixtures", "stores")
    #expect(fixture.status == 65, "\(fixture.messages)")
    #expect(fixture.text.isEmpty)
    let objects = try await run("--objects", "0")
    #expect(objects.status == 64)
    let empty = try await run("--tags", "")
    #expect(empty.status == 64)
    #expect(empty.messages.contains("--tags must not be empty; '*' is for all."))
    // Elsewhere there are no tags.
    try repository.surroundings.write(Self.model(.int), to: "elsewhere/model.json")
    let elsewhere = try await runTool(
      ["migrate", "test", "model.json"], in: repository.surroundings.path(of: "elsewhere"),
      environment: repository.environment)
    #expect(elsewhere.status == 2, "\(elsewhere.messages)")
  }

  @Test func formatsAreForPrograms() async throws {
    let junit = try await run("--format", "junit")
    #expect(junit.status == 0)
    #expect(junit.text.hasPrefix("<?xml"))
    guard await SchemaValidator.isAvailable() else { return }
    let json = try await run("--format", "json")
    #expect(
      try await SchemaValidator.violations(of: json.output, against: "migration-test.schema.json")
        == "")
  }
}
