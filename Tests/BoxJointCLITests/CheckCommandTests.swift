import TestSupport
import Testing

@testable import BoxJointCLI
@testable import BoxModelTool

/// `boxjoint check` as its users run it.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct CheckCommandTests {
  let repository: TemporaryRepository

  init() async throws { repository = try await TemporaryRepository() }

  private func check(_ arguments: String..., input: String = "") async throws -> ProcessRun {
    try await runTool(
      ["check"] + arguments, in: repository.path, environment: repository.environment,
      input: Array(input.utf8))
  }

  @Test func aSoundFileIsFine() async throws {
    try repository.write(SampleModels.sound, to: "m.json")
    let run = try await check("m.json")
    #expect(run.only(0, "no problems in 1 file\n"))
    #expect(try await check("--quiet", "m.json").only(0, ""))
  }

  @Test func anErrorIsShownWithItsLine() async throws {
    try repository.write(SampleModels.fixable, to: "m.json")
    let run = try await check("m.json")
    #expect(run.status == 1)
    // The value of lastEntityId stands in line 32, from column 19.
    #expect(run.text.hasPrefix("m.json:32:19: error: "))
    #expect(run.text.contains("\n    \"lastEntityId\": \"1:1000\",\n"))
    #expect(run.text.contains("[BOX121 last-id-too-low]"))
  }

  @Test func fixChangesTheFileAndListsTheFixes() async throws {
    try repository.write(SampleModels.fixable, to: "m.json")
    let run = try await check("--fix", "m.json")
    #expect(run.status == 0)
    #expect(run.text == "no problems in 1 file\n")
    #expect(run.messages == "m.json: fixed: set lastEntityId to \"2:2000\" [BOX121]\n")
    #expect(try repository.text(of: "m.json") == SampleModels.sound)
    let again = try await check("--fix", "m.json")
    #expect(again.only(0, "no problems in 1 file\n"))
  }

  @Test func fixOfStandardInputIsAFilter() async throws {
    let run = try await check("--fix", "-", input: SampleModels.fixable)
    #expect(run.status == 0)
    #expect(run.text == SampleModels.sound)
    #expect(run.messages.hasSuffix("\nno problems in 1 file\n"))
    let broken = try await check("--fix", "-", input: "{")
    #expect(broken.status == 65)
    #expect(broken.output.isEmpty == false)
  }

  @Test func aFixThatDoesNotFitLeavesTheFileAsItWas() async throws {
    let long = String(repeating: "x", count: 3000)
    let text = SampleModels.fixable.replacingFirst("{\n", "{\n  \"_note1\": \"\(long)\",\n")
    try repository.write(text, to: "m.json")
    let run = try await ProcessRun.of(
      "sh", ["-c", #"ulimit -f 1; exec "$0" check --fix m.json"#, Tool.path ?? ""],
      in: repository.path, environment: repository.environment)
    #expect(run.status == 74)
    #expect(run.messages.contains("m.json: cannot be written"))
    #expect(try repository.text(of: "m.json") == text)
    #expect(!repository.surroundings.names(in: repository.path).contains { $0.hasSuffix(".tmp") })
  }

  @Test func withoutAFileARepositoryIsNeeded() async throws {
    let directory = try TemporaryDirectory()
    let run = try await runTool(["check"], in: directory.path, environment: repository.environment)
    #expect(run.status == 2)
    #expect(
      run.messages == "boxjoint: this is not inside a git repository; name the files\n")
  }

  @Test func withoutAFileTheTrackedModelsAreChecked() async throws {
    let none = try await check()
    #expect(none.status == 64)
    #expect(none.messages.contains("no file that git tracks"))
    try await repository.commit([
      "sub/model-App.json": SampleModels.fixable, "model.json": "{\"layers\": []}",
      "sub/deep/objectbox-model.json": SampleModels.sound, "other.json": "{",
    ])
    let run = try await runTool(
      ["check"], in: repository.path + "/sub", environment: repository.environment)
    #expect(run.status == 1)
    #expect(run.text.hasPrefix("model-App.json:32:19: error: "))
    #expect(run.text.contains("in 1 of 2 files"))
  }

  @Test func anUnknownRuleIsAMistakeOfTheConfiguration() async throws {
    try repository.write(SampleModels.fixable, to: "m.json")
    try repository.write("check:\n  ignore: [BOX999]\n", to: ".boxjoint.yml")
    let run = try await check("m.json")
    #expect(run.status == 78)
    #expect(
      run.messages == "boxjoint: .boxjoint.yml:2:12: there is no rule 'BOX999'\n")
  }

  @Test func standardInputIsComparedWithARevision() async throws {
    try await repository.commit(["sub/m.json": SampleModels.sound])
    let renumbered = SampleModels.model(lastEntityID: "3:2000", secondID: 3)
    #expect(try await check("--against", "HEAD:sub/m.json", "-", input: renumbered).status == 1)
    #expect(try await check("--against", "gone:m.json", "-", input: renumbered).status == 74)
    #expect(try await check("--against", "main", "-").status == 64)
  }

  @Test func reportsGoToSeveralPlaces() async throws {
    try repository.write(SampleModels.fixable, to: "m.json")
    let run = try await check(
      "--output", "json=a.json", "--output", "sarif=b.sarif", "--format", "github", "m.json")
    #expect(run.status == 1)
    #expect(run.text.hasPrefix("::error file=m.json,line=32,col=19,"))
    #expect(try repository.text(of: "a.json").hasPrefix("{\n  \"schemaVersion\": 1,\n"))
    #expect(try repository.text(of: "b.sarif").contains("\"2.1.0\""))
    let unknown = try await check("--output", "yaml=x", "m.json")
    #expect(unknown.status == 64)
    for format in ["text", "json", "github", "sarif", "junit", "markdown"] {
      #expect(unknown.messages.contains("\(format)=PATH"), "\(unknown.messages)")
    }
    #expect(try await check("--output", "json=no/such/directory", "m.json").status == 74)
  }

  @Test(.enabled("needs jsonschema, as scripts/test has it", SchemaValidator.isAvailable))
  func theJSONReportFollowsItsSchema() async throws {
    try repository.write(SampleModels.fixable, to: "m.json")
    try repository.write(SampleModels.conflicted, to: "c.json")
    let run = try await check("--format", "json", "m.json", "c.json")
    #expect(run.status == 65)
    #expect(
      try await SchemaValidator.violations(of: run.output, against: "findings.schema.json") == "")
  }

  @Test func aReaderThatGoesAwayIsNotAnError() async throws {
    try repository.write(SampleModels.fixable, to: "m.json")
    let run = try await ProcessRun.of(
      "bash", ["-c", #"{ "$0" check m.json m.json; echo "$?" >&2; } | true"#, Tool.path ?? ""],
      in: repository.path)
    #expect(["141\n", "1\n"].contains(run.messages))
  }

  @Test func aRuleIsExplained() async throws {
    let run = try await runTool(["check", "--explain", "box106"], in: repository.path)
    #expect(run.status == 0)
    #expect(
      run.text.hasPrefix(
        "BOX106 raw-tab\nControl characters in strings are escaped. Severity: warning.\nWhy: "))
    #expect(
      run.text.hasSuffix("\nWhat to do: Write it as `\\t`.\n`--fix` writes `\\t`.\n"), "\(run.text)"
    )
    let unknown = try await runTool(["check", "--explain", "raw-tba"], in: repository.path)
    #expect(unknown.status == 64)
    #expect(unknown.messages.contains("did you mean 'raw-tab'?"), "\(unknown.messages)")
    let file = try await runTool(["check", "--explain", "BOX106", "m.json"], in: repository.path)
    #expect(file.status == 64)
  }

  @Test func aFileOfRulesIsForOneModel() async throws {
    try repository.write(SampleModels.sound, to: "m.json")
    try repository.write("{\"rules\":1,\"declarations\":[\n]}\n", to: "r.json")
    #expect(try await check("--rules", "r.json", "m.json").status == 0)
    for run in [
      try await check("--rules", "r.json"),
      try await check("--rules", "r.json", "m.json", "m.json"),
    ] {
      #expect(run.status == 64)
      #expect(run.messages.contains("--rules needs one named model."), "\(run.messages)")
    }
    #expect(try await check("--rules", "-", "-").status == 64)
    for run in [
      try await repository.tool("show", "--rules", "-", "-"),
      try await repository.tool("diff", "--rules", "-", "-", "m.json"),
    ] {
      #expect(run.status == 64)
      #expect(run.messages.contains("Standard input can be read only once."), "\(run.messages)")
    }
  }
}

extension ProcessRun {
  /// Whether the process ended with a status, printed a text and said nothing on standard error.
  func only(_ status: Int32, _ text: String) -> Bool {
    self.status == status && self.text == text && messages.isEmpty
  }
}
