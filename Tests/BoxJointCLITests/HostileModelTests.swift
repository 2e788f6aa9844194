import TestSupport
import Testing

/// The program on models that are made to cost time and memory, under limits of the system.
///
/// Each input is there at 1, 2 and 4 times a size. What grows by the square takes 16 times as long at
/// the last, and was ended by the limits before.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built"), .serialized)
struct HostileModelTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private struct Outcome {
    var status: Int32
    var seconds: Double
    var messages: String
  }

  /// Runs the program with 2 GB of addresses and 60 seconds of processor time.
  private func run(_ arguments: [String]) async throws -> Outcome {
    let script = """
      ulimit -v 2000000; ulimit -t 60; ulimit -c 0
      "$@" > /dev/null; status=$?; times >&2; exit $status
      """
    let program = try #require(Tool.path)
    let run = try await ProcessRun.of(
      "sh", ["-c", script, "sh", program] + arguments, in: folder.path)
    let lines = run.messages.split(separator: "\n")
    // The last line has the times of children: 0m0.010000s 0m0.020000s.
    let seconds = (lines.last ?? "").split(separator: " ").reduce(0.0) { sum, time in
      let parts = time.dropLast().split(separator: "m")
      return sum + (Double(parts.first ?? "") ?? 0) * 60 + (Double(parts.last ?? "") ?? 0)
    }
    return Outcome(
      status: run.status, seconds: seconds,
      messages: lines.dropLast(2).prefix(3).joined(separator: "\n"))
  }

  /// Runs a command at each size; it has to end by itself, and in time that grows with the size.
  private func expectBounded(
    _ size: Int, _ name: String, _ arguments: (Int) throws -> [String]
  ) async throws {
    var outcomes: [Outcome] = []
    for factor in [1, 2, 4] {
      let outcome = try await run(arguments(size * factor))
      #expect(outcome.status >= 0 && outcome.status < 126, "\(name) \(factor): \(outcome)")
      outcomes.append(outcome)
    }
    let (first, last) = (outcomes[0].seconds, outcomes[2].seconds)
    #expect(last <= 8 * first + 2, "\(name): \(outcomes.map(\.seconds))")
  }

  private func write(_ text: String, _ name: String) throws -> String {
    try folder.write(text.utf8, to: name)
    return name
  }

  // MARK: - Models

  private func entity(_ id: Int, _ name: String, uid: Int, _ properties: [String]) -> String {
    #"{"id":"\#(id):\#(uid)","lastPropertyId":"90000:\#(uid + 9)","name":"\#(name)","properties":["#
      + properties.joined(separator: ",") + "]}"
  }

  private func property(_ id: Int, _ uid: Int, _ name: String, type: Int, flags: Int) -> String {
    #"{"id":"\#(id):\#(uid)","name":"\#(name)","type":\#(type),"flags":\#(flags)}"#
  }

  /// A model without a line end.
  private func model(_ entities: [String], retired: String = "") -> String {
    #"{"entities":["# + entities.joined(separator: ",")
      + #"],"lastEntityId":"900000:7","lastIndexId":"0:0","lastRelationId":"0:0","#
      + #""lastSequenceId":"0:0","modelVersion":5,"modelVersionParserMinimum":5,"#
      + #""retiredEntityUids":[],"retiredIndexUids":[],"retiredPropertyUids":[\#(retired)],"#
      + #""retiredRelationUids":[],"version":1}"#
  }

  private func id(_ uid: Int) -> String { property(1, uid, "id", type: 6, flags: 1) }

  /// Entities with a fault in each property.
  private func faulty(_ count: Int) -> String {
    model(
      (1...count).map { i in
        entity(
          i, "E\(i)", uid: i * 1000,
          [
            property(1, i * 1000 + 1, "id", type: 6, flags: 0),
            property(2, i * 1000 + 2, "x", type: 77, flags: 1 << 25),
          ])
      })
  }

  /// One entity with many properties whose numbers, UIDs and names start somewhere.
  private func wide(_ count: Int, from start: Int, _ name: String) -> String {
    let properties = (1...count).map { i in
      property(start + i, 1_000_000 + start + i, "\(name)\(i)", type: 9, flags: 0)
    }
    return model([entity(1, "E", uid: 500, [id(501)] + properties)])
  }

  /// Entities of some names.
  private func entities(_ count: Int, uid: Int, _ name: (Int) -> String) -> String {
    model(
      [entity(900, "Base", uid: 77_000, [id(77_001)])]
        + (1...count).map { i in
          entity(1000 + i, name(i), uid: uid + i * 10, [id(uid + i * 10 + 1)])
        })
  }

  // MARK: - Commands

  @Test(arguments: ["text", "json", "github", "sarif", "junit", "markdown"])
  func checkOfOneLine(_ format: String) async throws {
    try await expectBounded(2_000, "check \(format)") { size in
      ["check", "--format", format, try write(faulty(size), "\(size).json")]
    }
  }

  @Test func checkOfWrongRetiredUIDs() async throws {
    try await expectBounded(20_000, "check retired") { size in
      let retired = (1...size).map { "-\($0)" }.joined(separator: ",")
      return ["check", try write(model([], retired: retired), "\(size).json")]
    }
  }

  @Test func checkOfALongName() async throws {
    try await expectBounded(4_000, "check name") { size in
      let properties = (1...size).map {
        property($0, 1000 + $0, "p\($0)", type: 77, flags: 1 << 25)
      }
      let name = String(repeating: "N", count: size * 40)
      let text = model([entity(1, name, uid: 500, properties)])
      return ["check", "--format", "json", try write(text, "\(size).json")]
    }
  }

  @Test(arguments: ["show", "diagram"])
  func oneModel(_ command: String) async throws {
    try await expectBounded(2_000, command) { size in
      [command, try write(faulty(size), "\(size).json")]
    }
  }

  @Test(arguments: [["plan", "show"], ["diff"], ["diagram"], ["check", "--against"]])
  func manyRemovedAndAddedProperties(_ command: [String]) async throws {
    try await expectBounded(2_000, command.joined(separator: " ")) { size in
      command + [
        try write(wide(size, from: 1, "p"), "old\(size).json"),
        try write(wide(size, from: 40_000, "q"), "new\(size).json"),
      ]
    }
  }

  @Test(arguments: [true, false])
  func planOfManyRemovedAndAddedEntities(_ isSameName: Bool) async throws {
    try await expectBounded(1_000, "plan entities \(isSameName)") { size in
      let new = entities(size, uid: 9_000_000) { isSameName ? "A" : "B\($0)" }
      return [
        "plan", "show",
        try write(entities(size, uid: 100_000) { isSameName ? "A" : "A\($0)" }, "old\(size).json"),
        try write(new, "new\(size).json"),
      ]
    }
  }

  @Test func planThatMendsManyRenames() async throws {
    try await expectBounded(500, "plan --fix") { size in
      [
        "plan", "show", "--fix",
        try write(entities(size, uid: 100_000) { "A\($0)" }, "old\(size).json"),
        try write(entities(size, uid: 9_000_000) { "A\($0)" }, "new\(size).json"),
      ]
    }
  }

  /// Both sides add entities of the same names: each pair becomes one.
  @Test func mergeOfEqualAdditions() async throws {
    try await expectBounded(1_000, "merge") { size in
      [
        "merge", "--base", try write(model([entity(900, "Base", uid: 77_000, [id(77_001)])]), "b"),
        "--ours", try write(entities(size, uid: 100_000) { "A\($0)" }, "ours\(size).json"),
        "--theirs", try write(entities(size, uid: 9_000_000) { "A\($0)" }, "theirs\(size).json"),
      ]
    }
  }

  /// Each side changes unknown keys of one entity: others than the other side, or all of them.
  @Test(arguments: [true, false])
  func mergeOfUnknownKeys(_ isContested: Bool) async throws {
    func text(_ size: Int, _ value: (Int) -> Int) -> String {
      let keys = (1...size).map { #""k\#($0)":\#(value($0))"# }.joined(separator: ",")
      return model([
        #"{"id":"1:500","lastPropertyId":"1:501","name":"E",\#(keys),"properties":[\#(id(501))]}"#
      ])
    }
    try await expectBounded(20_000, "merge keys \(isContested)") { size in
      let ours = text(size) { isContested || $0.isMultiple(of: 2) ? 1 : 0 }
      let theirs = text(size) { isContested || !$0.isMultiple(of: 2) ? 2 : 0 }
      return [
        "merge", "--base", try write(text(size) { _ in 0 }, "base\(size).json"),
        "--ours", try write(ours, "ours\(size).json"),
        "--theirs", try write(theirs, "theirs\(size).json"),
      ]
    }
  }

  @Test func catalogueOfMisspelledNames() async throws {
    try await expectBounded(1_000, "converters check") { size in
      let lines = (1...size).map { "  X\($0).y: hex\n" }.joined()
      let all = entities(size, uid: 100_000) { "A\($0)" }
      return [
        "converters", "check", try write(all, "\(size).json"), "--catalogue",
        try write("properties:\n" + lines, "\(size).yml"),
      ]
    }
  }

  @Test func catalogueWhoseTypesStandForMore() async throws {
    let cases = (1...2_000).map { "c\($0): \($0)" }.joined(separator: ", ")
    let uses = (1...2_000).map { "  E.p\($0): state\n" }.joined()
    let text = "types:\n  state: {type: enum, values: {\(cases)}}\nproperties:\n" + uses
    _ = try write(text, "converters.yml")
    let outcome = try await run(["converters", "check", "--catalogue", "converters.yml"])
    #expect(outcome.status == 65, "\(outcome)")
  }

  @Test func theLimitDoesNotChangeTheStatus() async throws {
    // Each entity has BOX124, BOX170 and BOX172; the last id adds BOX124, and BOX110 for its UID.
    let file = try write(faulty(500), "model.json")
    for limit in ["1", "300", "100000"] {
      let run = try await runTool(
        ["check", "--strict", "--max-findings", limit, file], in: folder.path)
      #expect(run.status == 1)
      #expect(run.text.hasSuffix("1,001 warnings, 501 notes in 1 file\n"), "\(run.text.suffix(99))")
    }
  }
}
