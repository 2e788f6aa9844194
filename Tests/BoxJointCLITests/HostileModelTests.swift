import TestSupport
import Testing

/// The program on models that are made to cost time and memory, under limits of the system.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"), .serialized)
struct HostileModelTests {
  let runs: BoundedRuns
  private let models = HostileModels()

  init() throws { runs = try BoundedRuns() }

  @Test(arguments: ["text", "json", "github", "sarif", "junit", "markdown"])
  func checkOfOneLine(_ format: String) async throws {
    try await runs.expectBounded(2_000, "check \(format)") { size in
      ["check", "--format", format, try runs.write(models.faulty(size), "\(size).json")]
    }
  }

  @Test func checkOfWrongRetiredUIDs() async throws {
    try await runs.expectBounded(20_000, "check retired") { size in
      let retired = (1...size).map { "-\($0)" }.joined(separator: ",")
      return ["check", try runs.write(models.model([], retired: retired), "\(size).json")]
    }
  }

  @Test func checkOfALongName() async throws {
    try await runs.expectBounded(4_000, "check name") { size in
      let properties = (1...size).map {
        models.property($0, 1000 + $0, "p\($0)", type: 77, flags: 1 << 25)
      }
      let name = String(repeating: "N", count: size * 40)
      let text = models.model([models.entity(1, name, uid: 500, properties)])
      return ["check", "--format", "json", try runs.write(text, "\(size).json")]
    }
  }

  @Test(arguments: ["show", "diagram"])
  func oneModel(_ command: String) async throws {
    try await runs.expectBounded(2_000, command) { size in
      [command, try runs.write(models.faulty(size), "\(size).json")]
    }
  }

  @Test(arguments: [["plan", "show"], ["diff"], ["diagram"], ["check", "--against"]])
  func manyRemovedAndAddedProperties(_ command: [String]) async throws {
    try await runs.expectBounded(2_000, command.joined(separator: " ")) { size in
      command + [
        try runs.write(models.wide(size, from: 1, "p"), "old\(size).json"),
        try runs.write(models.wide(size, from: 40_000, "q"), "new\(size).json"),
      ]
    }
  }

  @Test(arguments: [true, false])
  func planOfManyRemovedAndAddedEntities(_ isSameName: Bool) async throws {
    try await runs.expectBounded(1_000, "plan entities \(isSameName)") { size in
      let new = models.entities(size, uid: 9_000_000) { isSameName ? "A" : "B\($0)" }
      return [
        "plan", "show",
        try runs.write(
          models.entities(size, uid: 100_000) { isSameName ? "A" : "A\($0)" }, "old\(size).json"),
        try runs.write(new, "new\(size).json"),
      ]
    }
  }

  @Test func planThatFixesManyRenames() async throws {
    try await runs.expectBounded(500, "plan --fix") { size in
      [
        "plan", "show", "--fix",
        try runs.write(models.entities(size, uid: 100_000) { "A\($0)" }, "old\(size).json"),
        try runs.write(models.entities(size, uid: 9_000_000) { "A\($0)" }, "new\(size).json"),
      ]
    }
  }

  /// Both sides add entities of the same names: each pair becomes one.
  @Test func mergeOfEqualAdditions() async throws {
    try await runs.expectBounded(1_000, "merge") { size in
      [
        "merge", "--base",
        try runs.write(
          models.model([models.entity(900, "Base", uid: 77_000, [models.id(77_001)])]), "b"),
        "--ours",
        try runs.write(models.entities(size, uid: 100_000) { "A\($0)" }, "ours\(size).json"),
        "--theirs",
        try runs.write(models.entities(size, uid: 9_000_000) { "A\($0)" }, "theirs\(size).json"),
      ]
    }
  }

  /// Keys that no generator writes, all of which differ.
  @Test(arguments: [["plan", "show"], ["diff"], ["check", "--against"]])
  func unknownKeys(_ command: [String]) async throws {
    try await runs.expectBounded(10_000, command.joined(separator: " ")) { size in
      command + [
        try runs.write(models.unknownKeys(size) { _ in 1 }, "old\(size).json"),
        try runs.write(models.unknownKeys(size) { _ in 2 }, "new\(size).json"),
      ]
    }
  }

  /// Each side changes unknown keys of one entity: others than the other side, or all of them.
  @Test(arguments: [true, false])
  func mergeOfUnknownKeys(_ isContested: Bool) async throws {
    try await runs.expectBounded(20_000, "merge keys \(isContested)") { size in
      let ours = models.unknownKeys(size) { isContested || $0.isMultiple(of: 2) ? 1 : 0 }
      let theirs = models.unknownKeys(size) { isContested || !$0.isMultiple(of: 2) ? 2 : 0 }
      return [
        "merge", "--base", try runs.write(models.unknownKeys(size) { _ in 0 }, "base\(size).json"),
        "--ours", try runs.write(ours, "ours\(size).json"),
        "--theirs", try runs.write(theirs, "theirs\(size).json"),
      ]
    }
  }

  /// Both sides gave every property another type.
  @Test(arguments: ["text", "json"])
  func manyConflicts(_ format: String) async throws {
    try await runs.expectBounded(1_000, "merge \(format)") { size in
      [
        "merge", "--format", format,
        "--base", try runs.write(models.wide(size, from: 1, "p"), "b"),
        "--ours", try runs.write(models.wide(size, from: 1, "p", type: 6), "o"),
        "--theirs", try runs.write(models.wide(size, from: 1, "p", type: 5), "t"),
      ]
    }
  }

  @Test func aNewlyGeneratedSide() async throws {
    try await runs.expectBounded(1_000, "merge --rematch") { size in
      let same = models.entities(size, uid: 100_000) { "A\($0)" }
      return [
        "merge", "--rematch", "--base", try runs.write(same, "b"), "--ours", "b",
        "--theirs",
        try runs.write(models.entities(size, uid: 90_000_000, base: 9) { "A\($0)" }, "t"),
      ]
    }
  }

  @Test func aMappingOfManyEntities() async throws {
    try await runs.expectBounded(1_000, "migrate") { size in
      let old = models.entities(size, uid: 100_000) { "A\($0)" }
      let new = models.entities(size, uid: 90_000_000) { "B\($0)" }
      let made = try await runTool(
        ["import", "--store", "\(size)", "--model", try runs.write(old, "old.json"), "-"],
        in: runs.directory.path)
      #expect(made.status == 0, "\(made.messages)")
      let lines = (1...size).map { "      - transform: A\($0)\n        to: B\($0)\n" }.joined()
      let mapping = "mappings:\n  - from: old\n    to: new\n    entities:\n" + lines
      return [
        "migrate", "--yes", "--store", "\(size)", "--to", try runs.write(new, "new.json"),
        "--mapping", try runs.write(mapping, "mapping.yml"),
      ]
    }
  }

  /// As many refusals as properties are one short message.
  @Test func manyRefusals() async throws {
    let model = try runs.write(models.wide(9_000, from: 1, "p"), "wide.json")
    let run = try await runTool(
      ["import", "--store", "s", "--model", model, "-"], in: runs.directory.path)
    #expect(run.status == 2)
    // p8000 to p9000 have no slot; five of them are named.
    #expect(run.messages.hasSuffix("; and 996 more\n"), "\(run.messages)")
  }

  @Test func catalogueOfMisspelledNames() async throws {
    try await runs.expectBounded(1_000, "converters check") { size in
      let lines = (1...size).map { "  X\($0).y: hex\n" }.joined()
      let all = models.entities(size, uid: 100_000) { "A\($0)" }
      return [
        "converters", "check", try runs.write(all, "\(size).json"), "--catalogue",
        try runs.write("properties:\n" + lines, "\(size).yml"),
      ]
    }
  }

  @Test func catalogueWhoseTypesStandForMore() async throws {
    let cases = (1...2_000).map { "c\($0): \($0)" }.joined(separator: ", ")
    let uses = (1...2_000).map { "  E.p\($0): state\n" }.joined()
    let text = "types:\n  state: {type: enum, values: {\(cases)}}\nproperties:\n" + uses
    _ = try runs.write(text, "converters.yml")
    let outcome = try await runs.run(["converters", "check", "--catalogue", "converters.yml"])
    #expect(outcome.status == 65, "\(outcome)")
  }

  @Test func theLimitDoesNotChangeTheStatus() async throws {
    // Each entity has BOX124, BOX170 and BOX172; the last id adds BOX124, and BOX110 for its UID.
    let file = try runs.write(models.faulty(500), "model.json")
    for limit in ["1", "300", "100000"] {
      let run = try await runTool(
        ["check", "--strict", "--max-findings", limit, file], in: runs.directory.path)
      #expect(run.status == 1)
      #expect(run.text.hasSuffix("1,001 warnings, 501 notes in 1 file\n"), "\(run.text.suffix(99))")
    }
  }
}
