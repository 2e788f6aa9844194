import BoxMigration
import BoxModel
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxModelTool

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Versions that plans compare: files, revisions, branches and tags.
struct PlannedVersionsTests {
  private let repository: TemporaryRepository
  private let file = PlanSample.file

  init() async throws { repository = try await PlanSample().repository }

  @Test func bothSidesCanComeFromAnywhere() async throws {
    let expected = try await repository.plan(file).text.replacing("HEAD:", with: "")
    for run in [
      try await repository.plan("v1:" + file, file),
      try await repository.plan("HEAD:" + file, file),
      try await repository.plan(file, against: "v1"),
      try await repository.plan(file, against: "main"), try await repository.plan(),
    ] {
      #expect(run.outcome == .findings, "\(run.messages)")
      let text = ["v1:", "HEAD:", "main:"].reduce(run.text) { $0.replacing($1, with: "") }
      #expect(text == expected)
    }
    #expect(
      try await repository.plan(file, file).only(
        .success, "no changes: every store of the old model opens as it is\n"))
    // Retired UIDs concern the next build, and no store: 'diff' shows them.
    var retired = PlanSample.changed
    retired.retiredEntities.append(987_654)
    try repository.write(retired.text, to: "retired.json")
    let plan = try await repository.plan(file, "retired.json")
    #expect(plan.outcome == .success)
    #expect(plan.text.hasPrefix("no changes that matter to a store: "))
  }

  @Test func beforeTheFirstCommitEveryElementIsNew() async throws {
    let repository = try await TemporaryRepository()
    try repository.write(PlanSample.released.text, to: file)
    let run = try await repository.plan(file, against: "HEAD")
    #expect(run.outcome == .success, "\(run.messages)")
    #expect(run.messages.hasSuffix("there is no such file in HEAD, so every element is new\n"))
    #expect(run.text.contains("entity-added"))
    #expect(try await repository.plan(file, against: "main").outcome == .failed(.inputOutput))
  }

  @Test func theGateIsWhatTheSettingsSay() async throws {
    #expect(try await repository.plan(file) { $0.failOn = ["none"] }.outcome == .success)
    #expect(try await repository.plan(file) { $0.failOn = ["cost"] }.outcome == .success)
    // A variable that is not set does not open the gate.
    for empty in ["", " "] {
      let run = try await repository.plan(file, environment: ["BOXJOINT_PLAN_FAIL_ON": empty])
      #expect(run.outcome == .findings)
    }
    try repository.write("plan:\n  fail-on: [cost]\n", to: ".boxjoint.yml")
    #expect(try await repository.plan(file).outcome == .success)
    try repository.write("plan:\n  fail-on: [coast]\n", to: ".boxjoint.yml")
    let wrong = try await repository.plan(file)
    #expect(wrong.outcome == .failed(.badConfiguration))
    #expect(wrong.messages.contains(".boxjoint.yml:2:13: 'coast' is not a class"))
    try repository.write(
      "plan:\n  ignore: ['BOX302:Tag', 'BOX371']\n  severity: ['BOX317:Note.rank=warning']\n",
      to: ".boxjoint.yml")
    let run = try await repository.plan(file)
    #expect(run.outcome == .success, "\(run.text)")
    #expect(run.text.contains("; 2 left out"), "\(run.text)")
  }

  @Test func everyReleasedVersionIsPlannedForthAndBack() async throws {
    try await repository.commit([file: PlanSample.changed.text])
    try await repository.git("tag", "v2")
    try await repository.git("tag", "other")
    let run = try await repository.planAllTags(file, matching: "v*")
    #expect(run.outcome == .findings)
    #expect(run.text.contains("v2       the same"), "\(run.text)")
    #expect(!run.text.contains("other"))
    let all = try await repository.planAllTags(file) { $0.failOn = ["none"] }
    #expect(all.outcome == .success, "\(all.messages)")
    #expect(all.text.contains("other"), "\(all.messages)")
    let none = try await repository.planAllTags(file, matching: "x*")
    #expect(none.outcome == .failed(.inputOutput))
    #expect(none.messages.contains("no tag matches 'x*'"))
    try repository.write(PlanSample.changed.text, to: "late.json")
    let late = try await repository.planAllTags("late.json")
    #expect(late.outcome == .failed(.inputOutput))
    #expect(late.messages.contains("has the file"))
  }

  @Test func aShallowCloneNamesWhatToFetch() async throws {
    try await repository.commit([file: PlanSample.changed.text])
    let clone = try await TemporaryRepository(cloning: repository)
    let run = try await clone.plan(file, against: "origin/release")
    #expect(run.outcome == .failed(.inputOutput))
    #expect(run.messages.contains("git fetch origin release:refs/remotes/origin/release"))
    // Wherever a revision is read.
    let shallow = try await TemporaryRepository(cloning: repository, options: ["--depth", "1"])
    try shallow.write(
      LockFile([.init(source: "v1:" + file, lock: ModelLock([]))]).text, to: ".boxjoint-lock.json")
    for (run, isTag) in [
      (try await shallow.plan("v1:" + file, file), true),
      (
        try await shallow.run { place in
          _ = try await LockRequest(lock: shallow.path + "/l.json").write(
            ["v1:" + file], in: place)
          return (.success, "")
        }, true
      ),
      (
        try await shallow.run { place in
          if let failure = try await LockRequest().check(in: place).failure { throw failure }
          return (.success, "")
        }, true
      ),
      (try await shallow.plan(file, against: "v1"), true),
      (try await shallow.plan("HEAD~1:" + file, file), false),
    ] {
      #expect(run.outcome == .failed(.inputOutput), "\(run.messages)")
      #expect(run.messages.contains("'git fetch --unshallow'"), "\(run.messages)")
      #expect(run.messages.contains("'git fetch origin --tags'") == isTag)
    }
  }

  /// Changes of others after a branch began are not a part of its change.
  @Test func aBranchThatIsBehindIsPlannedFromWhereItBegan() async throws {
    func planOwn() async throws -> RequestRun {
      try await repository.plan(file, against: "main") { $0.usesMergeBase = true }
    }
    try await repository.git("checkout", "--quiet", file)
    try await repository.git("switch", "--quiet", "--create", "feature")
    try await repository.commit(["other.txt": "1"])
    try await repository.git("switch", "--quiet", "main")
    var grown = PlanSample.released
    grown.entities.append(SmallModel.Entity(id: 3, uid: 3000, name: "Later"))
    try await repository.commit([file: grown.text], message: "Later")
    try await repository.git("switch", "--quiet", "feature")
    // The tip of main has an entity that the branch never had.
    #expect(try await repository.plan(file, against: "main").outcome == .findings)
    let run = try await planOwn()
    #expect(run.outcome == .success, "\(run)")
    #expect(run.text.hasPrefix("no changes"), "\(run)")
    // Its own change is stopped, until the tip of main has the approval.
    try repository.write(PlanSample.changed.text, to: file)
    #expect(try await planOwn().outcome == .findings)
    var request = ChangeRequest([repository.here(file)], against: "main")
    request.usesMergeBase = true
    let own = try #require(try await request.run(in: repository.place()))
    try await repository.git("checkout", "--quiet", file)
    try await repository.git("switch", "--quiet", "main")
    try await repository.commit([
      ".boxjoint-approvals.json": ApprovalList(
        own.plan.steps.map { Approval(fingerprint: $0.fingerprint, reason: "r", author: "Ann") }
      ).text
    ])
    try await repository.git("switch", "--quiet", "feature")
    try repository.write(PlanSample.changed.text, to: file)
    #expect(try await planOwn().outcome == .success)
    try await repository.git("checkout", "--quiet", "--orphan", "alone")
    try await repository.commit()
    let none = try await planOwn()
    #expect(none.outcome == .failed(.inputOutput))
    #expect(none.messages.contains("have no common commit"))
  }

  /// Whoever plans after the file was deleted learns how it comes back.
  @Test func aLostFileIsNamedWithTheCommandThatFindsIt() async throws {
    #expect(unlink(repository.path + "/" + file) == 0)
    for run in [
      try await repository.plan(), try await repository.plan(file),
      try await repository.plan("HEAD:" + file, file),
    ] {
      #expect(run.failure?.kind == .inputOutput)
      #expect(
        run.messages
          == "boxjoint: \(file): the model file is missing, and HEAD has it; run `boxjoint recover`, "
          + "which finds it\n")
    }
    // A file that was never there was not lost.
    #expect(
      try await repository.plan("none.json").messages
        == "boxjoint: none.json: there is no such file\n"
    )
  }

  /// Git ends at once there, and does not read what it is asked.
  @Test func outsideOfARepositoryThereIsOneError() async throws {
    let directory = try TemporaryDirectory()
    try directory.write(PlanSample.changed.text, to: file)
    let place = Workspace(
      git: GitClient(in: directory.path, environment: repository.environment),
      directory: directory.path)
    for _ in 0..<15 {
      for against in ["HEAD", nil] {
        let failure = await #expect(throws: CommandFailure.self) {
          try await ChangeRequest([directory.path(of: file)], against: against).run(in: place)
        }
        #expect(failure?.kind == .inputOutput)
        #expect(
          failure?.line
            == "boxjoint: there is no revision 'HEAD' here: this is not inside a git repository")
      }
    }
  }

  /// A hosting site knows the file under review, and no `v1:model.json`.
  @Test func reportsStandInTheFileUnderReview() async throws {
    let github = try await repository.plan(file, against: "v1", format: .github)
    let annotations = github.text.split(separator: "\n").filter { $0.hasPrefix("::") }
    #expect(annotations.count == 3)
    #expect(
      annotations.allSatisfy { $0.contains(" file=\(file),line=") }, "\(github.text)")
    #expect(annotations.contains { $0.contains("BOX302") })
    let sarif = try await repository.plan(file, against: "v1", format: .sarif)
    #expect(!sarif.text.contains("v1%3A"))
    // A property stands at the entity that it was taken out of.
    var fewer = PlanSample.released
    fewer.entities[0].properties.removeAll { $0.name == "rank" }
    fewer.entities[0].lastProperty = (4, 1004)
    fewer.retiredProperties = [1004]
    try repository.write(fewer.text, to: file)
    let removed = try await repository.plan(file, against: "v1", format: .github)
    let lines = fewer.text.split(separator: "\n", omittingEmptySubsequences: false)
    let line = try #require(lines.firstIndex { $0.contains("\"id\": \"1:1000\"") }) + 1
    #expect(removed.text.contains(" file=\(file),line=\(line),"), "\(removed.text)")
  }
}
