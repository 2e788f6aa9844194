import BoxJSON
import BoxMigration
import BoxModel
import TestSupport
import Testing

@testable import BoxJointCLI

/// `boxjoint plan` as its users run it.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built"))
struct PlanCommandTests {
  let sample: PlanSample
  var repository: TemporaryRepository { sample.repository }
  let file = PlanSample.file

  init() async throws { sample = try await PlanSample() }

  @Test func theGravestChangesComeFirstAndStop() async throws {
    let run = try await repository.tool("plan", file)
    #expect(run.status == 1 && run.messages == "")
    let lines = run.text.split(separator: "\n")
    #expect(lines[0].hasPrefix("CLASS"))
    #expect(lines[1].contains("data-loss") && lines[2].contains("data-loss"))
    #expect(lines[3].hasPrefix("open-failure") && lines[3].contains("int -> long"))
    #expect(run.text.contains("// objectbox: uid = 1003"))
    #expect(run.text.contains("release 2"))
    #expect(lines.last == "3 steps: 2 data-loss, 1 open-failure; 3 must not pass")
  }

  @Test func bothSidesCanComeFromAnywhere() async throws {
    let expected = try await repository.tool("plan", file)
    for arguments in [
      ["v1:" + file, file], ["show", "HEAD:" + file, file], ["--against", "v1", file],
      ["--against", "main"], [],
    ] {
      let run = try await runTool(
        ["plan"] + arguments, in: repository.path, environment: repository.environment)
      #expect(run.status == 1, "\(arguments): \(run.messages)")
      let same = expected.text.replacing("HEAD:", with: "")
      #expect(
        run.text.replacing("v1:", with: "").replacing("HEAD:", with: "").replacing(
          "main:", with: "")
          == same, "\(arguments)")
    }
    #expect(
      try await repository.tool("plan", file, file).only(
        0, "no changes: every store of the old model opens as it is\n"))
  }

  @Test func theGateIsWhatTheOptionOrTheConfigurationSays() async throws {
    #expect(try await repository.tool("plan", "--fail-on", "none", file).status == 0)
    #expect(try await repository.tool("plan", "--fail-on", "cost", file).status == 0)
    #expect(try await repository.tool("plan", "--fail-on", "data-lost", file).status == 64)
    try repository.write("plan:\n  fail-on: [cost]\n", to: ".boxjoint.yml")
    #expect(try await repository.tool("plan", file).status == 0)
    try repository.write("plan:\n  fail-on: [coast]\n", to: ".boxjoint.yml")
    let wrong = try await repository.tool("plan", file)
    #expect(
      wrong.status == 78 && wrong.messages.contains(".boxjoint.yml:2:13: 'coast' is no class"))
    try repository.write(
      "plan:\n  ignore: ['BOX302:Tag', 'BOX371']\n  severity: ['BOX317:Note.rank=warning']\n",
      to: ".boxjoint.yml")
    let run = try await repository.tool("plan", file)
    #expect(run.status == 0 && run.text.contains("; 2 left out"), "\(run.text)")
  }

  @Test(.enabled("needs jsonschema, as scripts/test has it", SchemaValidator.isAvailable))
  func theOutputFollowsItsSchema() async throws {
    for arguments in [
      ["plan", file], ["plan", file, file], ["plan", "--target", "boxjoint", file],
    ] {
      let run = try await runTool(
        arguments + ["--format", "json"], in: repository.path, environment: repository.environment)
      #expect(run.status < 2)
      #expect(
        try await SchemaValidator.violations(of: run.output, against: "plan.schema.json") == "")
    }
    let matrix = try await repository.tool("plan", "--all-tags", "--format", "json", file)
    #expect(
      try await SchemaValidator.violations(of: matrix.output, against: "plan-matrix.schema.json")
        == "")
    let history = try await repository.tool("history", "--format", "json", file)
    #expect(history.status == 0)
    #expect(
      try await SchemaValidator.violations(of: history.output, against: "history.schema.json") == ""
    )
  }

  @Test func severalOutputsAtOnce() async throws {
    let run = try await repository.tool(
      "plan", "--output", "json=p.json", "--output", "markdown=p.md", "--output", "sarif=p.sarif",
      "--output", "junit=p.xml", "--output", "html=p.html", "--output", "github=p.txt", file)
    #expect(run.status == 1)
    #expect(try repository.text(of: "p.md").hasPrefix("**Model change: Stopped.**"))
    #expect(try repository.text(of: "p.txt").contains("::error file=model.json,line="))
    #expect(try repository.text(of: "p.html").hasPrefix("<!DOCTYPE html>"))
    #expect(try repository.text(of: "p.sarif").contains("\"BOX317\""))
    #expect(try repository.text(of: "p.xml").contains("<failure"))
    let steps = try repository.text(of: "p.json")
    #expect(steps.contains("\"fingerprint\"") && steps.contains("\"line\""))
  }

  /// The approval counts once it is in the revision of the old version, and no sooner.
  @Test(.enabled("needs jsonschema, as scripts/test has it", SchemaValidator.isAvailable))
  func anApprovalIsReadFromTheBaseAndNotFromTheChange() async throws {
    let prints = try await fingerprints()
    #expect(prints.count == 3)
    for print in prints {
      let run = try await repository.tool("plan", "approve", print, "--reason", "agreed")
      #expect(run.status == 0, "\(run.messages)")
    }
    #expect(try await repository.tool("plan", "--against", "main", file).status == 1)
    // The approval goes into the base, the change does not.
    try await repository.git("add", ".boxjoint-approvals.json")
    try await repository.git("commit", "--quiet", "-m", "Approve")
    let run = try await repository.tool("plan", "--against", "main", file)
    #expect(run.status == 0 && run.text.contains("3 approved"), "\(run.text)")
    #expect(try await repository.tool("plan", "v1:" + file, file).status == 1)
    #expect(
      try await repository.tool("plan", "--approvals", "main", "v1:" + file, file).status == 0)
    // Another change of the same property is not what was approved.
    try repository.write(
      PlanSample.changed.text.replacing(
        "\"type\": 6\n        },\n        {\n          \"id\": \"5",
        with: "\"type\": 9\n        },\n        {\n          \"id\": \"5"), to: file)
    #expect(try await repository.tool("plan", "--against", "main", file).status == 1)
    let written = Array(try repository.text(of: ".boxjoint-approvals.json").utf8)
    #expect(
      try await SchemaValidator.violations(of: written, against: "approvals.schema.json") == "")
  }

  private func fingerprints() async throws -> [String] {
    let run = try await repository.tool("plan", "--format", "json", file)
    return run.text.split(separator: "\"").enumerated().filter { $0.element == "fingerprint" }
      .map { String(run.text.split(separator: "\"")[$0.offset + 2]) }
  }

  @Test func onlyWhatIsPlannedIsApproved() async throws {
    let other = "0123456789abcdef0123"
    for words in [["--against", "HEAD"], [file, "--against", "HEAD"], ["HEAD:" + file, file]] {
      let run = try await runTool(
        ["plan", "approve", other] + words + ["--reason", "r"], in: repository.path,
        environment: repository.environment)
      #expect(run.status == 2, "\(words): \(run.messages)")
      for print in try await fingerprints() { #expect(run.messages.contains(print)) }
      #expect(throws: (any Error).self) { try repository.text(of: ".boxjoint-approvals.json") }
    }
    let print = try #require(try await fingerprints().first)
    let planned = try await repository.tool(
      "plan", "approve", print, "--against", "HEAD", "--reason", "r")
    #expect(planned.status == 0 && planned.messages.isEmpty, "\(planned.messages)")
    // Nobody said which plan: the change may be on a branch that is not here.
    let unsaid = try await repository.tool("plan", "approve", other, "--reason", "r")
    #expect(unsaid.status == 0)
    #expect(unsaid.messages.hasPrefix("warning: no step of the plan has the fingerprint \(other)"))
  }

  @Test func anApprovalThatIsOverIsSaid() async throws {
    for print in try await fingerprints() {
      _ = try await repository.tool(
        "plan", "approve", print, "--reason", "r", "--author", "Ann", "--until", "2020-01-31")
    }
    try await repository.git("add", ".boxjoint-approvals.json")
    try await repository.git("commit", "--quiet", "-m", "Approve")
    let run = try await repository.tool("plan", "--against", "main", file)
    #expect(run.status == 1 && run.text.contains("by Ann, ended on 2020-01-31"), "\(run.text)")
  }

  @Test func theFixMakesARenameOfIt() async throws {
    let run = try await repository.tool("plan", "--fix", file)
    #expect(run.messages.contains("fixed: Note.createdAt: give the property the UID 1003"))
    #expect(!run.text.contains("probable-rename"))
    #expect(run.text.contains("property-renamed"))
    let facts = try ModelFacts(try repository.text(of: file))
    #expect(facts.pairs["Note.createdAt"] == "3:1003")
    let check = try await repository.tool("check", "--against", "v1", file)
    #expect(!check.text.contains("BOX12"), "\(check.text)")
  }

  @Test func everyReleasedVersionIsPlannedForthAndBack() async throws {
    try await repository.commit([file: PlanSample.changed.text])
    try await repository.git("tag", "v2")
    try await repository.git("tag", "other")
    let run = try await repository.tool("plan", "--all-tags", "v*", file)
    #expect(run.status == 1)
    #expect(
      run.text == """
        VERSION  TO model.json              AND BACK
        v1       data-loss (2 of 3 steps)   open-failure (3 of 5 steps)
        v2       the same                   the same

        """ || run.text.contains("v2       the same"), "\(run.text)")
    #expect(!run.text.contains("other"))
    let all = try await repository.tool("plan", "--all-tags", "--fail-on", "none", file)
    #expect(all.status == 0 && all.text.contains("other"), "\(all.messages)")
    let none = try await repository.tool("plan", "--all-tags", "x*", file)
    #expect(none.status == 74 && none.messages.contains("no tag matches 'x*'"))
    try repository.write(PlanSample.changed.text, to: "late.json")
    let late = try await repository.tool("plan", "--all-tags", "*", "late.json")
    #expect(late.status == 74 && late.messages.contains("has the file"))
  }

  /// Command lines that fail, and their statuses.
  static let failures: [(arguments: [String], status: Int32)] = [
    (["plan", "a", "b", "c"], 64), (["plan", "--against", "v1", "a", "b"], 64),
    (["plan", "--against", "nope", "model.json"], 74), (["plan", "none.json", "model.json"], 74),
    (["plan", "-", "-"], 64), (["plan", "text.txt", "model.json"], 65),
    (["plan", "approve", "xyz", "--reason", "r"], 64), (["plan", "approve"], 64),
    (["plan", "--all-tags", "--fix", "model.json"], 64), (["history", "none.json"], 64),
    (["lock", "check"], 74), (["diagram", "text.txt"], 65), (["diagram"], 64),
  ]

  @Test(arguments: failures.indices)
  func badInputIsOneError(_ index: Int) async throws {
    let (arguments, status) = Self.failures[index]
    try repository.write("no model", to: "text.txt")
    let before = try repository.text(of: file)
    let run = try await runTool(
      arguments, in: repository.path, environment: repository.environment)
    #expect(run.status == status, "\(run.messages)")
    #expect(run.output.isEmpty && !run.messages.isEmpty)
    #expect(try repository.text(of: file) == before)
  }

  @Test func aShallowCloneIsToldWhatToFetch() async throws {
    try await repository.commit([file: PlanSample.changed.text])
    let clone = try await TemporaryRepository(cloning: repository)
    let run = try await runTool(
      ["plan", "--against", "origin/release", file], in: clone.path, environment: clone.environment)
    #expect(run.status == 74)
    #expect(run.messages.contains("git fetch origin release:refs/remotes/origin/release"))
  }

  @Test func historyListsTheVersionsWithTheirClasses() async throws {
    try await repository.commit([file: PlanSample.changed.text], message: "Change")
    let run = try await repository.tool("history", file)
    #expect(run.status == 0)
    let lines = run.text.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[1].contains("data-loss") && lines[1].contains("main"))
    #expect(lines[2].contains("the first version") && lines[2].contains("v1"))
    let limited = try await repository.tool("history", "--limit", "1", file)
    #expect(limited.text.split(separator: "\n").count == 2)
    #expect(limited.text.contains("data-loss"))
  }

  @Test(.enabled("needs jsonschema, as scripts/test has it", SchemaValidator.isAvailable))
  func aLockedVersionCannotBeEdited() async throws {
    let run = try await repository.tool("lock", "v1:" + file, file)
    #expect(run.status == 0, "\(run.messages)")
    #expect(try await repository.tool("lock", "check").status == 0)
    try repository.write(PlanSample.released.text, to: file)
    let edited = try await repository.tool("lock", "check")
    #expect(edited.status == 1 && edited.text.contains("1 of 2 versions edited"))
    #expect(edited.messages.contains("the entity Note (uid 1000) was edited"))
    #expect(try await repository.tool("lock", file).status == 1)
    #expect(try await repository.tool("lock", "--replace", file).status == 0)
    #expect(try await repository.tool("lock", "check").status == 0)
    let written = Array(try repository.text(of: ".boxjoint-lock.json").utf8)
    #expect(try await SchemaValidator.violations(of: written, against: "lock.schema.json") == "")
  }

  @Test(arguments: ["mermaid", "graphviz", "svg"])
  func diagramsShowTheDifference(_ format: String) async throws {
    let run = try await repository.tool("diagram", "v1:" + file, file, "--format", format)
    #expect(run.status == 0)
    #expect(run.text.contains("- Tag") && run.text.contains("+ createdAt") || format == "mermaid")
    #expect(run.text.contains("removed") || format == "graphviz")
    if format == "svg" {
      let check = try await ProcessRun.of(
        "python3", ["-c", "import sys, xml.dom.minidom as m; m.parse(sys.stdin.buffer)"],
        input: run.output)
      #expect(check.status == 0, "\(check.messages)")
    }
  }
}
