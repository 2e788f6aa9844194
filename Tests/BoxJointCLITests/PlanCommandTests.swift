import BoxJSON
import BoxMigration
import BoxModel
import TestSupport
import Testing

@testable import BoxTool

/// `boxjoint plan` as its users run it.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built"))
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
    // Retired UIDs concern the next build, and no store: 'diff' shows them.
    var retired = PlanSample.changed
    retired.retiredEntities.append(987_654)
    try repository.write(retired.text, to: "retired.json")
    let plan = try await repository.tool("plan", file, "retired.json")
    #expect(plan.status == 0)
    #expect(plan.text.hasPrefix("no changes that matter to a store: "))
  }

  @Test func beforeTheFirstCommitEveryElementIsNew() async throws {
    let repository = try await TemporaryRepository()
    try repository.write(PlanSample.released.text, to: file)
    let run = try await repository.tool("plan", "--against", "HEAD", file)
    #expect(run.status == 0, "\(run.messages)")
    #expect(run.messages.hasSuffix("there is no such file in HEAD, so every element is new\n"))
    #expect(run.text.contains("entity-added"))
    #expect(try await repository.tool("plan", "--against", "main", file).status == 74)
  }

  @Test func theGateIsWhatTheOptionOrTheConfigurationSays() async throws {
    #expect(try await repository.tool("plan", "--fail-on", "none", file).status == 0)
    #expect(try await repository.tool("plan", "--fail-on", "cost", file).status == 0)
    #expect(try await repository.tool("plan", "--fail-on", "data-lost", file).status == 64)
    // A variable that is not set does not open the gate.
    for empty in ["", " ", ",", "data-loss,"] {
      let run = try await repository.tool("plan", "--fail-on", empty, file)
      #expect(run.status == 64, "'\(empty)'")
      #expect(run.messages.contains("say none"), "'\(empty)'")
      if empty.contains(",") { continue }
      let variable = try await repository.tool(
        "plan", file, environment: ["BOXJOINT_PLAN_FAIL_ON": empty])
      #expect(variable.status == 1)
    }
    try repository.write("plan:\n  fail-on: [cost]\n", to: ".boxjoint.yml")
    #expect(try await repository.tool("plan", file).status == 0)
    try repository.write("plan:\n  fail-on: [coast]\n", to: ".boxjoint.yml")
    let wrong = try await repository.tool("plan", file)
    #expect(wrong.status == 78)
    #expect(wrong.messages.contains(".boxjoint.yml:2:13: 'coast' is not a class"))
    try repository.write(
      "plan:\n  ignore: ['BOX302:Tag', 'BOX371']\n  severity: ['BOX317:Note.rank=warning']\n",
      to: ".boxjoint.yml")
    let run = try await repository.tool("plan", file)
    #expect(run.status == 0, "\(run.text)")
    #expect(run.text.contains("; 2 left out"), "\(run.text)")
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
    #expect(steps.contains("\"fingerprint\""))
    #expect(steps.contains("\"line\""))
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
    #expect(run.status == 0, "\(run.text)")
    #expect(run.text.contains("3 approved"), "\(run.text)")
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
    #expect(planned.status == 0, "\(planned.messages)")
    #expect(planned.messages.isEmpty, "\(planned.messages)")
    // Nobody said which plan: the change may be on a branch that is not here.
    let unsaid = try await repository.tool("plan", "approve", other, "--reason", "r")
    #expect(unsaid.status == 0)
    #expect(unsaid.messages.hasPrefix("warning: no step of the plan has the fingerprint \(other)"))
  }

  @Test func anApprovalThatIsOverIsSaid() async throws {
    let prints = try await fingerprints()
    for day in ["2026-02-30", "2025-02-29", "2026-13-01", "2026-04-31", "2020-01-31", "tomorrow"] {
      let run = try await repository.tool(
        "plan", "approve", prints[0], "--reason", "r", "--author", "Ann", "--until", day)
      #expect(run.status == 64, "\(day)")
    }
    #expect(!repository.surroundings.exists(repository.path + "/.boxjoint-approvals.json"))
    // As time has left it.
    let list = ApprovalList(
      prints.map {
        Approval(fingerprint: $0, reason: "r", author: "Ann", until: "2020-01-31", file: file)
      })
    try repository.write(list.text, to: ".boxjoint-approvals.json")
    try await repository.git("add", ".boxjoint-approvals.json")
    try await repository.git("commit", "--quiet", "-m", "Approve")
    let run = try await repository.tool("plan", "--against", "main", file)
    #expect(run.status == 1, "\(run.text)")
    #expect(run.text.contains("by Ann, ended on 2020-01-31"), "\(run.text)")
    // The line of the step and the last line name it too, and so does the page.
    #expect(run.text.contains("(approval ended on 2020-01-31)"), "\(run.text)")
    let last = run.text.split(separator: "\n").last ?? ""
    #expect(last.contains(" approval"), "\(run.text)")
    #expect(last.contains(" ended; "), "\(run.text)")
    let page = try await repository.tool("plan", "--against", "main", "--format", "html", file)
    #expect(page.text.contains("by Ann, ended on 2020-01-31; approve the step again"))
    // What approves nothing is renewed without more ado.
    let renewed = try await repository.tool("plan", "approve", prints[0], "--reason", "still")
    #expect(renewed.status == 0, "\(renewed.messages)")
    #expect(
      renewed.text.contains(
        "in the place of the approval by Ann ('r', which ended on 2020-01-31)"), "\(renewed.text)")
  }

  @Test func anApprovalThatHoldsIsReplacedByForce() async throws {
    let print = try #require(try await fingerprints().first)
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
    #expect(forced.text.contains("in the place of the approval by Ann ('first')"))
    let list = try ApprovalList(
      parsing: Array(try repository.text(of: ".boxjoint-approvals.json").utf8))
    #expect(list.approvals.map(\.reason) == ["second"])
    #expect(list.approvals.map(\.fingerprint) == [print])
  }

  @Test func capitalsInTheFileOfApprovalsCount() async throws {
    let list = ApprovalList(
      try await fingerprints().map {
        Approval(fingerprint: $0.uppercased(), reason: "r", author: "Ann")
      })
    try repository.write(list.text, to: ".boxjoint-approvals.json")
    try await repository.git("add", ".boxjoint-approvals.json")
    try await repository.git("commit", "--quiet", "-m", "Approve")
    let run = try await repository.tool("plan", "--against", "main", file)
    #expect(run.status == 0, "\(run.text)")
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
    #expect(all.status == 0, "\(all.messages)")
    #expect(all.text.contains("other"), "\(all.messages)")
    let none = try await repository.tool("plan", "--all-tags", "x*", file)
    #expect(none.status == 74)
    #expect(none.messages.contains("no tag matches 'x*'"))
    try repository.write(PlanSample.changed.text, to: "late.json")
    let late = try await repository.tool("plan", "--all-tags", "*", "late.json")
    #expect(late.status == 74)
    #expect(late.messages.contains("has the file"))
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
    #expect(run.output.isEmpty)
    #expect(!run.messages.isEmpty)
    #expect(try repository.text(of: file) == before)
  }

  @Test func aShallowCloneIsToldWhatToFetch() async throws {
    try await repository.commit([file: PlanSample.changed.text])
    let clone = try await TemporaryRepository(cloning: repository)
    let run = try await runTool(
      ["plan", "--against", "origin/release", file], in: clone.path, environment: clone.environment)
    #expect(run.status == 74)
    #expect(run.messages.contains("git fetch origin release:refs/remotes/origin/release"))
    // Wherever a revision is read.
    let shallow = try await TemporaryRepository(cloning: repository, options: ["--depth", "1"])
    try shallow.write(
      LockFile([.init(source: "v1:" + file, lock: ModelLock([]))]).text, to: ".boxjoint-lock.json")
    for arguments in [
      ["plan", "v1:" + file, file], ["diagram", "v1:" + file], ["show", "v1:" + file],
      ["lock", "--lock", "l.json", "v1:" + file], ["lock", "check"],
      ["plan", "--against", "v1", file], ["plan", "HEAD~1:" + file, file],
    ] {
      let run = try await runTool(
        arguments, in: shallow.path, environment: shallow.environment)
      #expect(run.status == 74, "\(arguments): \(run.messages)")
      #expect(run.messages.contains("'git fetch --unshallow'"), "\(arguments): \(run.messages)")
      #expect(
        run.messages.contains("'git fetch origin --tags'") == !arguments.contains("HEAD~1:" + file))
    }
  }

  /// Changes of others after a branch began are not a part of its change.
  @Test func aBranchThatIsBehindIsPlannedFromWhereItBegan() async throws {
    try await repository.git("checkout", "--quiet", file)
    try await repository.git("switch", "--quiet", "--create", "feature")
    try await repository.commit(["other.txt": "1"])
    try await repository.git("switch", "--quiet", "main")
    var grown = PlanSample.released
    grown.entities.append(SmallModel.Entity(id: 3, uid: 3000, name: "Later"))
    try await repository.commit([file: grown.text], message: "Later")
    try await repository.git("switch", "--quiet", "feature")
    // The tip of main has an entity that the branch never had.
    #expect(try await repository.tool("plan", "--against", "main", file).status == 1)
    let run = try await repository.tool("plan", "--against", "main", "--merge-base", file)
    #expect(run.status == 0, "\(run.text)\(run.messages)")
    #expect(run.text.hasPrefix("no changes"), "\(run.text)\(run.messages)")
    #expect(try await repository.tool("plan", "--merge-base", file).status == 64)
    // Its own change is stopped, until the tip of main has the approval.
    try repository.write(PlanSample.changed.text, to: file)
    let own = try await repository.tool(
      "plan", "--against", "main", "--merge-base", "--format", "json", file)
    #expect(own.status == 1)
    let prints = own.text.split(separator: "\"").enumerated().filter { $0.element == "fingerprint" }
      .map { String(own.text.split(separator: "\"")[$0.offset + 2]) }
    try await repository.git("checkout", "--quiet", file)
    try await repository.git("switch", "--quiet", "main")
    try await repository.commit([
      ".boxjoint-approvals.json": ApprovalList(
        prints.map { Approval(fingerprint: $0, reason: "r", author: "Ann") }
      ).text
    ])
    try await repository.git("switch", "--quiet", "feature")
    try repository.write(PlanSample.changed.text, to: file)
    #expect(
      try await repository.tool("plan", "--against", "main", "--merge-base", file).status == 0)
    try await repository.git("checkout", "--quiet", "--orphan", "alone")
    try await repository.commit()
    let none = try await repository.tool("plan", "--against", "main", "--merge-base", file)
    #expect(none.status == 74)
    #expect(none.messages.contains("have no common commit"))
  }

  /// Git ends at once there, and does not read what it is asked.
  @Test func outsideOfARepositoryThereIsOneError() async throws {
    let folder = try TemporaryFolder()
    try folder.write(PlanSample.changed.text, to: file)
    for _ in 0..<15 {
      for arguments in [["plan", "--against", "HEAD", file], ["plan", file]] {
        let run = try await runTool(
          arguments, in: folder.path, environment: repository.environment)
        #expect(run.status == 74, "\(run.status) \(run.messages)")
        #expect(run.output.isEmpty, "\(run.status) \(run.messages)")
        #expect(
          run.messages
            == "boxjoint: there is no revision 'HEAD' here: this is not inside a git repository\n")
      }
    }
  }

  /// A hosting site knows the file under review, and no `v1:model.json`.
  @Test func reportsStandInTheFileUnderReview() async throws {
    let github = try await repository.tool("plan", "--against", "v1", "--format", "github", file)
    let annotations = github.text.split(separator: "\n").filter { $0.hasPrefix("::") }
    #expect(annotations.count == 3)
    #expect(
      annotations.allSatisfy { $0.contains(" file=\(file),line=") }, "\(github.text)")
    #expect(annotations.contains { $0.contains("BOX302") })
    let sarif = try await repository.tool("plan", "--against", "v1", "--format", "sarif", file)
    #expect(!sarif.text.contains("v1%3A"))
    // A property stands at the entity that it was taken out of.
    var fewer = PlanSample.released
    fewer.entities[0].properties.removeAll { $0.name == "rank" }
    fewer.entities[0].lastProperty = (4, 1004)
    fewer.retiredProperties = [1004]
    try repository.write(fewer.text, to: file)
    let removed = try await repository.tool("plan", "--against", "v1", "--format", "github", file)
    let lines = fewer.text.split(separator: "\n", omittingEmptySubsequences: false)
    let line = try #require(lines.firstIndex { $0.contains("\"id\": \"1:1000\"") }) + 1
    #expect(removed.text.contains(" file=\(file),line=\(line),"), "\(removed.text)")
  }

  /// Commands that need a repository exit with 2 elsewhere.
  @Test func outsideOfARepositoryThereAreNoVersions() async throws {
    let folder = try TemporaryFolder()
    try folder.write(PlanSample.changed.text, to: file)
    for arguments in [
      ["history", file], ["plan", "--all-tags", file],
      ["plan", "approve", "0123456789abcdef0123", "--reason", "r"],
    ] {
      let run = try await runTool(
        arguments, in: folder.path, environment: repository.environment)
      #expect(run.status == 2, "\(run.status) \(run.messages)")
      #expect(run.output.isEmpty, "\(run.status) \(run.messages)")
      #expect(!run.messages.contains(".git"), "\(run.messages)")
    }
    #expect(folder.names() == [file])
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
    for folder in [".", "schemas"] {
      let run = try await repository.tool("lock", "check", in: folder)
      #expect(run.status == 65, "\(run.messages)")
      #expect(run.messages.contains("v1.json:1:"))
      #expect(run.messages.contains("v3.json: the entity Note (uid 1000) was edited"))
      #expect(
        run.text.hasSuffix(
          ".boxjoint-lock.json: 1 of 3 versions edited; 1 of 3 versions cannot be read\n"))
      let json = try await repository.tool("lock", "check", "--format", "json", in: folder)
      guard await SchemaValidator.isAvailable() else { continue }
      #expect(
        try await SchemaValidator.violations(of: json.output, against: "lock-report.schema.json")
          == "")
    }
    // From a folder below, the one lock at the top is written, with names from there.
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
