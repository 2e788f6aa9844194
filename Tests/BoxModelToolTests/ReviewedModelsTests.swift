import BoxMigration
import BoxModel
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxModelTool
@testable import BoxWorkspace

/// Claims that a change under review cannot make about its base, its models and its approvals.
struct ReviewedModelsTests {
  private let repository: TemporaryRepository
  private let file = PlanSample.file
  private let base = "refs/heads/main"

  init() async throws {
    repository = try await PlanSample().repository
    try await repository.git("switch", "--quiet", "--create", "feature")
  }

  // MARK: - Names

  @Test func aTagByTheNameOfABranchDoesNotWin() async throws {
    try await repository.commit([file: PlanSample.changed.text])
    let clone = try await TemporaryRepository(cloning: repository, options: ["--branch=feature"])
    try await clone.git("tag", "origin/main")
    #expect(try await clone.plan(file, against: "refs/remotes/origin/main").outcome == .findings)
    let short = try await clone.plan(file, against: "origin/main")
    #expect(
      short.messages
        == "warning: 'origin/main' is ambiguous: git takes refs/tags/origin/main, and there is "
        + "refs/remotes/origin/main; name one in full\n")
    for variable in ["CI", "GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION"] {
      let job: [String: String?] = [variable: "true"]
      for base in ["origin/main", "origin/main~0", "origin/main^{commit}"] {
        let refused = try await clone.plan(file, against: base, environment: job)
        #expect(refused.outcome == .failed(.usage), "\(base)")
        #expect(
          refused.messages.contains("refs/tags/origin/main or refs/remotes/origin/main"),
          "\(refused.messages)")
      }
      let full = try await clone.plan(file, against: "refs/remotes/origin/main", environment: job)
      #expect(full.outcome == .findings)
    }
    // The full name of a branch that is not there is no tag.
    try await clone.git("tag", "refs/remotes/origin/gone")
    let gone = try await clone.plan(file, against: "refs/remotes/origin/gone")
    #expect(gone.outcome == .failed(.inputOutput), "\(gone.messages)")
    #expect(gone.messages.contains("git fetch origin"), "\(gone.messages)")
    // What is published by default is the branch.
    let config = try await clone.run { place in
      (.success, try await ConfigurationReport.read(.init(), in: place).text)
    }
    #expect(config.text.contains("  refs/remotes/origin/"), "\(config.text)")
    let published = try await PublishedReferences.resolve(
      SettingKey.published.default, git: clone.place().git)
    #expect(published.resolved.first?.name.hasPrefix("refs/remotes/origin/") == true)
  }

  @Test func meaningsMatchGit() async throws {
    let first = try await repository.commit(["x": "1"])
    let short = String(first.prefix(7))
    for tag in ["feature", short, "HEAD"] {
      try await repository.git("update-ref", "refs/tags/" + tag, "v1")
    }
    let git = repository.place().git
    #expect(try await git.meanings(ofAmbiguous: "main") == [])
    #expect(try await git.meanings(ofAmbiguous: "v1") == [])
    #expect(try await git.meanings(ofAmbiguous: "HEAD") == [])
    #expect(try await git.meanings(ofAmbiguous: first) == [])
    #expect(try await git.meanings(ofAmbiguous: "@{-1}") == [])
    #expect(
      try await git.meanings(ofAmbiguous: "feature~1") == [
        "refs/tags/feature", "refs/heads/feature",
      ])
    #expect(try await git.meanings(ofAmbiguous: short) == ["refs/tags/" + short, first])
    // Git warns of the same.
    let warned = try await repository.tryGit(["rev-parse", "feature"])
    #expect(warned.messages.contains("ambiguous"))
    #expect(warned.text == (try await repository.git("rev-parse", "refs/tags/feature")) + "\n")
  }

  // MARK: - Models that are gone, approvals

  @Test func aModelThatIsGoneDoesNotPass() async throws {
    try await repository.commit([file: "{\"name\": \"package\"}"])
    for other in [
      try await repository.plan(file, against: base) { $0.isOptional = true },
      try await repository.plan(against: base) { $0.isOptional = true },
    ] {
      #expect(other.outcome == .findings, "\(other)")
      #expect(other.text.contains("entity-removed"))
      #expect(other.messages.contains("every element was removed"))
    }
    let check = try await repository.check(file, against: base) { $0.leavesOthersOut = true }
    #expect(check.outcome == .failed(.badInput), "\(check.text)")
    try await repository.git("rm", "--quiet", file)
    #expect(
      try await repository.plan(against: base) { $0.isOptional = true }.outcome == .findings)
    #expect(
      try await repository.plan(file, against: base) { $0.isOptional = true }.outcome
        == .failed(.inputOutput))
    // Another model in its place is compared with it.
    let other = SmallModel([SmallModel.Entity(id: 1, uid: 7000, name: "Other")])
    try await repository.commit(["other/model.json": other.text])
    let replaced = try await repository.plan(against: base) { $0.isOptional = true }
    #expect(replaced.outcome == .findings, "\(replaced)")
    #expect(replaced.messages.contains("takes the place of \(file)"))
    // What never was a model still passes.
    try await repository.git("switch", "--quiet", "--orphan", "fresh")
    try await repository.commit([file: "{\"name\": \"package\"}"])
    let never = try await repository.plan(file, against: "HEAD") { $0.isOptional = true }
    #expect(never.outcome == .success, "\(never.messages)")
    #expect(never.text.isEmpty, "\(never.messages)")
    #expect(
      try await repository.plan(against: "HEAD") { $0.isOptional = true }.outcome == .success)
  }

  @Test(.enabled("needs jsonschema, as scripts/test has it", SchemaValidator.isAvailable))
  func anApprovalIsForOneModel() async throws {
    try await repository.git("stash", "--quiet")
    try await repository.git("switch", "--quiet", "main")
    try await repository.commit(["copy/model.json": PlanSample.released.text])
    for path in [file, "copy/model.json"] {
      try repository.write(PlanSample.changed.text, to: path)
    }
    let prints = try await repository.fingerprints(file)
    #expect(prints.count == 3)
    for print in prints {
      let run = try await repository.approve(print, file, against: "HEAD")
      #expect(run.outcome == .success, "\(run.messages)")
    }
    let list = try repository.text(of: ".boxjoint-approvals.json")
    #expect(list.ranges(of: "\"file\": \"model.json\"").count == 3)
    #expect(
      try await SchemaValidator.violations(
        of: Array(list.utf8), against: "approvals.schema.json") == "")
    try await repository.commitApprovals()
    #expect(try await repository.plan(file, against: base).outcome == .success)
    #expect(try await repository.plan(base + ":" + file, file).outcome == .success)
    let copy = try await repository.plan("copy/model.json", against: base)
    #expect(copy.outcome == .findings, "\(copy.text)")
    // One without a file is for all, as before.
    try await repository.commitApprovals(
      ApprovalList(prints.map { Approval(fingerprint: $0, reason: "r", author: "Ann") }))
    let both = try await repository.plan("copy/model.json", against: base)
    #expect(both.outcome == .success)
    // A model that moves keeps its approvals.
    try await repository.git("rm", "--quiet", "--cached", file)
    #expect(try await repository.plan("copy/model.json", against: base).outcome == .success)
  }
}
