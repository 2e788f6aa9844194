import BoxJSON
import BoxMigration
import BoxModel
import TestSupport
import Testing

@testable import BoxModelTool

/// `boxjoint plan` as its users run it.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct PlanCommandTests {
  let sample: PlanSample
  var repository: TemporaryRepository { sample.repository }
  let file = PlanSample.file

  init() async throws { sample = try await PlanSample() }

  @Test func theGravestChangesComeFirstAndStop() async throws {
    let run = try await repository.tool("plan", file)
    #expect(run.status == 1)
    #expect(run.messages == "")
    let lines = run.text.split(separator: "\n")
    #expect(lines[0].hasPrefix("CLASS"))
    #expect(lines[1].contains("data-loss"))
    #expect(lines[2].contains("data-loss"))
    #expect(lines[3].hasPrefix("open-failure"))
    #expect(lines[3].contains("int -> long"))
    #expect(run.text.contains("// objectbox: uid = 1003"))
    #expect(run.text.contains("release 2"))
    #expect(lines.last == "3 steps: 2 data-loss, 1 open-failure; 3 blocking")
  }

  /// The same as `plan show`, and with success where nothing changed.
  @Test func showIsTheDefault() async throws {
    let short = try await repository.tool("plan", "HEAD:" + file, file)
    let long = try await repository.tool("plan", "show", "HEAD:" + file, file)
    #expect(long.only(1, short.text))
    #expect(
      try await repository.tool("plan", file, file).only(
        0, "no changes: every store of the old model opens as it is\n"))
  }

  /// A path at which neither version has a model: with `--if-model` nothing is printed, and that is success.
  @Test func withoutAModelNothingIsPlannedIfAsked() async throws {
    try repository.write("{}\n", to: "none.json")
    #expect(try await repository.tool("plan", "none.json", "none.json").status == 65)
    let run = try await repository.tool("plan", "--if-model", "none.json")
    #expect(run.only(0, ""))
  }

  @Test(.promise(9)) func theGateIsWhatTheOptionSays() async throws {
    #expect(try await repository.tool("plan", "--fail-on", "none", file).status == 0)
    #expect(try await repository.tool("plan", "--fail-on", "data-lost", file).status == 64)
    // A variable that is not set does not open the gate.
    for empty in ["", " ", ",", "data-loss,"] {
      let run = try await repository.tool("plan", "--fail-on", empty, file)
      #expect(run.status == 64, "'\(empty)'")
      #expect(run.messages.contains("pass 'none'"), "'\(empty)'")
    }
    try repository.write("plan:\n  fail-on: [coast]\n", to: ".boxjoint.yml")
    let wrong = try await repository.tool("plan", file)
    #expect(wrong.status == 78)
    #expect(wrong.messages.contains(".boxjoint.yml:2:13: 'coast' is not a class"))
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
    #expect(try repository.text(of: "p.md").hasPrefix("**Model change: Blocked.**"))
    #expect(try repository.text(of: "p.txt").contains("::error file=model.json,line="))
    #expect(try repository.text(of: "p.html").hasPrefix("<!DOCTYPE html>"))
    #expect(try repository.text(of: "p.sarif").contains("\"BOX317\""))
    #expect(try repository.text(of: "p.xml").contains("<failure"))
    let steps = try repository.text(of: "p.json")
    #expect(steps.contains("\"fingerprint\""))
    #expect(steps.contains("\"line\""))
  }

  @Test func anApprovalEndsOnADayToCome() async throws {
    for day in ["2026-02-30", "2025-02-29", "2026-13-01", "2026-04-31", "2020-01-31", "tomorrow"] {
      let run = try await repository.tool(
        "plan", "approve", "0123456789abcdef0123", "--reason", "r", "--author", "Ann", "--until",
        day)
      #expect(run.status == 64, "\(day)")
    }
    #expect(!repository.surroundings.exists(repository.path + "/.boxjoint-approvals.json"))
  }

  @Test func anApprovalThatHoldsIsReplacedByForce() async throws {
    let files = ["HEAD:" + file, repository.path + "/" + file]
    let review = try await ChangeRequest(files).run(
      in: Workspace(git: GitClient(in: repository.path), directory: repository.path))
    let print = try #require(review?.plan.steps.first?.fingerprint)
    func approve(_ fingerprint: String, _ options: String...) async throws -> ProcessRun {
      try await runTool(
        ["plan", "approve", fingerprint, "--author", "Ann"] + options, in: repository.path,
        environment: repository.environment)
    }
    // Somebody may have it from a tool that prints capitals.
    let first = try await approve(print.uppercased(), "--reason", "first")
    #expect(first.status == 0, "\(first)")
    #expect(first.text.contains("\(print) is approved; it counts"), "\(first)")
    let before = try repository.text(of: ".boxjoint-approvals.json")
    let second = try await approve(print, "--reason", "second")
    #expect(second.status == 2)
    #expect(
      second.messages == """
        boxjoint: .boxjoint-approvals.json: \(print) is approved by Ann ('first'); pass --force to \
        replace that approval

        """)
    #expect(try repository.text(of: ".boxjoint-approvals.json") == before)
    let forced = try await approve(print, "--reason", "second", "--force")
    #expect(forced.status == 0)
    #expect(forced.text.contains("replacing the approval by Ann ('first')"))
    let list = try ApprovalList(
      parsing: Array(try repository.text(of: ".boxjoint-approvals.json").utf8))
    #expect(list.approvals.map(\.reason) == ["second"])
    #expect(list.approvals.map(\.fingerprint) == [print])
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
  }

  /// Command lines that fail, and their statuses.
  static let failures: [(arguments: [String], status: Int32)] = [
    (["plan", "a", "b", "c"], 64), (["plan", "--against", "v1", "a", "b"], 64),
    (["plan", "--against", "nope", "model.json"], 74), (["plan", "none.json", "model.json"], 74),
    (["plan", "-", "-"], 64), (["plan", "text.txt", "model.json"], 65),
    (["plan", "approve", "xyz", "--reason", "r"], 64), (["plan", "approve"], 64),
    (["plan", "--merge-base", "model.json"], 64),
    (["plan", "--all-tags", "--fix", "model.json"], 64), (["history", "none.json"], 64),
    (["plan", "--all-tags", "x*", "model.json"], 74), (["lock", "check"], 74),
    (["diagram", "text.txt"], 65), (["diagram"], 64),
  ]

  @Test(arguments: failures.indices)
  func badInputIsOneError(_ index: Int) async throws {
    let (arguments, status) = Self.failures[index]
    try repository.write("no model", to: "text.txt")
    let before = try repository.text(of: file)
    let run = try await runTool(
      arguments, in: repository.path, environment: repository.environment)
    #expect(run.status == status, "\(run.messages)")
    #expect(run.output.isEmpty)
    #expect(!run.messages.isEmpty)
    #expect(try repository.text(of: file) == before)
  }

  @Test func standardInputIsReadOnceAndHasNoName() async throws {
    #expect(try await repository.tool("check", "-", "-").status == 64)
    #expect(try await repository.tool("lock", "-").status == 64)
    for arguments in [["check", "--output", "json=-"], ["plan", "--output", "json=-"]] {
      let run = try await runTool(
        arguments + [file], in: repository.path, environment: repository.environment)
      #expect(run.status == 64)
      #expect(run.messages.contains("--format prints to standard output"))
    }
  }

  @Test(arguments: ["show", "diagram"])
  func aShallowCloneNamesWhatToFetch(_ command: String) async throws {
    try await repository.commit([file: PlanSample.changed.text])
    let shallow = try await TemporaryRepository(cloning: repository, options: ["--depth", "1"])
    let run = try await shallow.tool(command, "v1:" + file)
    #expect(run.status == 74, "\(run.messages)")
    #expect(run.messages.contains("'git fetch --unshallow'"), "\(run.messages)")
    #expect(run.messages.contains("'git fetch origin --tags'"), "\(run.messages)")
  }

  @Test func outsideOfARepositoryThereIsOneError() async throws {
    let directory = try TemporaryDirectory()
    try directory.write(PlanSample.changed.text, to: file)
    let run = try await runTool(
      ["plan", file], in: directory.path, environment: repository.environment)
    #expect(run.status == 74, "\(run.messages)")
    #expect(run.output.isEmpty, "\(run.messages)")
    #expect(
      run.messages
        == "boxjoint: there is no revision 'HEAD' here: this is not inside a git repository\n")
  }

  /// Commands that need a repository exit with 2 elsewhere.
  @Test func outsideOfARepositoryThereAreNoVersions() async throws {
    let directory = try TemporaryDirectory()
    try directory.write(PlanSample.changed.text, to: file)
    for arguments in [
      ["history", file], ["plan", "--all-tags", file],
      ["plan", "approve", "0123456789abcdef0123", "--reason", "r"],
    ] {
      let run = try await runTool(
        arguments, in: directory.path, environment: repository.environment)
      #expect(run.status == 2, "\(run.status) \(run.messages)")
      #expect(run.output.isEmpty, "\(run.status) \(run.messages)")
      #expect(!run.messages.contains(".git"), "\(run.messages)")
    }
    #expect(directory.names() == [file])
  }

  /// A clone of one commit knows no first version, and says so on standard error.
  @Test func historyPrintsTheVersions() async throws {
    let clone = try await TemporaryRepository(cloning: repository, options: ["--depth", "1"])
    let run = try await clone.tool("history", file)
    #expect(run.status == 0, "\(run.text)")
    #expect(run.text.contains("the first that was fetched"))
    #expect(run.messages.contains("'git fetch --unshallow' brings them"))
    let json = try await clone.tool("history", "--format", "json", file)
    #expect(json.text.contains(#""shallow": true"#))
    let limited = try await repository.tool("history", "--limit", "1", file)
    #expect(limited.text.split(separator: "\n").count == 2)
    #expect(limited.messages == "")
  }

  @Test(.enabled("needs jsonschema, as scripts/test has it", SchemaValidator.isAvailable))
  func aLockedVersionCannotBeEdited() async throws {
    let run = try await repository.tool("lock", "v1:" + file, file)
    #expect(run.status == 0, "\(run.messages)")
    #expect(try await repository.tool("lock", "check").status == 0)
    try repository.write(PlanSample.released.text, to: file)
    let edited = try await repository.tool("lock", "check")
    #expect(edited.status == 1)
    #expect(edited.text.contains("1 of 2 versions edited"))
    #expect(edited.messages.contains("the entity Note (uid 1000) was edited"))
    #expect(try await repository.tool("lock", file).status == 1)
    #expect(try await repository.tool("lock", "--replace", file).status == 0)
    #expect(try await repository.tool("lock", "check").status == 0)
    let written = Array(try repository.text(of: ".boxjoint-lock.json").utf8)
    #expect(try await SchemaValidator.violations(of: written, against: "lock.schema.json") == "")
    for arguments in [["lock", "--format", "json", file], ["lock", "check", "--format", "json"]] {
      let run = try await runTool(
        arguments, in: repository.path, environment: repository.environment)
      #expect(run.status == 0)
      #expect(
        try await SchemaValidator.violations(of: run.output, against: "lock-report.schema.json")
          == "")
    }
  }

  /// One that cannot be read does not hide that another was edited.
  @Test func everyLockedVersionIsLookedAt() async throws {
    try repository.write(PlanSample.released.text, to: "schemas/v1.json")
    try repository.write(PlanSample.released.text, to: "schemas/v2.json")
    try repository.write(PlanSample.released.text, to: "schemas/v3.json")
    #expect(
      try await repository.tool(
        "lock", "schemas/v1.json", "schemas/v2.json", "schemas/v3.json"
      ).status == 0)
    try repository.write("no model", to: "schemas/v1.json")
    try repository.write(PlanSample.changed.text, to: "schemas/v3.json")
    for directory in [".", "schemas"] {
      let run = try await repository.tool("lock", "check", in: directory)
      #expect(run.status == 65, "\(run.messages)")
      #expect(run.messages.contains("v1.json:1:"))
      #expect(run.messages.contains("v3.json: the entity Note (uid 1000) was edited"))
      #expect(
        run.text.hasSuffix(
          ".boxjoint-lock.json: 1 of 3 versions edited; 1 of 3 versions cannot be read\n"))
      let json = try await repository.tool("lock", "check", "--format", "json", in: directory)
      guard await SchemaValidator.isAvailable() else { continue }
      #expect(
        try await SchemaValidator.violations(of: json.output, against: "lock-report.schema.json")
          == "")
    }
    // From a directory below, the one lock at the top is written, with names from there.
    let written = try await repository.tool(
      "lock", "--replace", "v2.json", "v3.json", "v1:./../model.json", in: "schemas")
    #expect(written.status == 0, "\(written.messages)")
    let text = try repository.text(of: ".boxjoint-lock.json")
    #expect(text.contains(#""source": "v1:model.json""#), "\(text)")
    #expect(!repository.surroundings.exists(repository.path + "/schemas/.boxjoint-lock.json"))
    try repository.write(PlanSample.released.text, to: "schemas/v1.json")
    #expect(try await repository.tool("lock", "check", in: "schemas").status == 0)
    #expect(try await repository.tool("lock", "check").status == 0)
  }

  @Test(arguments: ["mermaid", "graphviz", "svg"])
  func diagramsArePrinted(_ format: String) async throws {
    let run = try await repository.tool("diagram", "v1:" + file, file, "--format", format)
    #expect(run.status == 0)
    #expect(run.text.contains("Tag"), "\(run.text)")
    #expect(run.messages.isEmpty, "\(run.messages)")
  }
}
