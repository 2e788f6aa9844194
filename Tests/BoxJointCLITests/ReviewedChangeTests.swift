import BoxMigration
import TestSupport
import Testing

@testable import BoxTool

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Claims that a change under review cannot make about itself.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built"))
struct ReviewedChangeTests {
  let sample: PlanSample
  var repository: TemporaryRepository { sample.repository }
  let file = PlanSample.file

  init() async throws {
    sample = try await PlanSample()
    try await repository.git("switch", "--quiet", "--create", "feature")
  }

  private func tool(_ words: [String], _ environment: [String: String?] = [:]) async throws
    -> ProcessRun
  {
    try await runTool(
      words, in: repository.path, environment: repository.environment.merging(environment) { $1 })
  }

  // MARK: - Settings

  private static let openGates = [
    "plan:\n  ignore: [BOX302, BOX371, BOX317]\n",
    "plan:\n  severity: ['BOX302=note', 'BOX371=note', 'BOX317=note']\n",
    "plan:\n  fail-on: none\n", "files: [other.json]\n",
  ]

  @Test(arguments: openGates)
  func theSettingsOfTheChangeDoNotLetItPass(_ settings: String) async throws {
    try await repository.commit([file: PlanSample.changed.text, ".boxjoint.yml": settings])
    for words in [
      ["--against", "refs/heads/main", file],
      ["--against", "refs/heads/main", "--merge-base", file],
      ["refs/heads/main:" + file, file], ["refs/heads/main:" + file, "HEAD:" + file],
      ["--against", "refs/heads/main"],
    ] {
      let run = try await tool(["plan"] + words)
      #expect(run.status == 1, "\(words): \(run.text)\(run.messages)")
      #expect(run.text.contains("[BOX901 settings-changed]"), "\(words): \(run.text)")
      #expect(run.text.contains(".boxjoint.yml:"), "\(words): \(run.text)")
    }
    // On one's own machine the settings of the work tree count.
    if !settings.hasPrefix("files") {
      #expect(try await tool(["plan", "v1:" + file, file]).status == 1)
      try await repository.git("switch", "--quiet", "--detach")
      try repository.write(PlanSample.released.text, to: "old.json")
      #expect(try await tool(["plan", "old.json", file]).status == 0)
    }
  }

  @Test func theSettingsOfTheBaseCount() async throws {
    try await repository.git("stash", "--quiet")
    try await repository.git("switch", "--quiet", "main")
    try await repository.commit([".boxjoint.yml": "plan: {fail-on: [cost]}\n"])
    try await repository.git("switch", "--quiet", "feature")
    try await repository.git("stash", "pop", "--quiet")
    // The branch is older than the settings.
    for words in [["--merge-base"], []] {
      let run = try await tool(["plan", "--against", "refs/heads/main", file] + words)
      #expect(run.status == 0, "\(run.text)")
      #expect(run.text.contains("sets 'plan.fail-on' to nothing, where refs/heads/main has [cost]"))
    }
    // What is named wins, wherever it is.
    try repository.write("plan: {fail-on: [data-loss]}\n", to: "strict.yml")
    for (config, status) in [
      ("strict.yml", Int32(1)), ("refs/heads/main:.boxjoint.yml", 0), ("HEAD:.boxjoint.yml", 74),
    ] {
      for arguments in [["--config", config], []] {
        let run = try await tool(
          ["plan", "--against", "refs/heads/main", file] + arguments,
          arguments.isEmpty ? ["BOXJOINT_CONFIG": config] : [:])
        #expect(run.status == status, "\(config): \(run.messages)")
        #expect(!run.text.contains("BOX901"))
      }
    }
    let option = try await tool(
      ["plan", "--against", "refs/heads/main", "--fail-on", "data-loss", file])
    #expect(option.status == 1)
  }

  @Test func theNearestSettingsOfTheBaseAreThoseOfTheWorkingFolder() async throws {
    try await repository.git("stash", "--quiet")
    try await repository.git("switch", "--quiet", "main")
    try await repository.commit([
      ".boxjoint.yml": "plan: {fail-on: [data-loss]}\n",
      "app/.boxjoint.yml": "plan: {fail-on: none}\n", "app/x": "",
    ])
    try repository.write(PlanSample.changed.text, to: file)
    let below = try await repository.tool(
      "plan", "--against", "refs/heads/main", "../" + file, in: "app")
    #expect(below.status == 0, "\(below.text)")
    #expect(try await tool(["plan", "--against", "refs/heads/main", file]).status == 1)
  }

  @Test func settingsThatCannotBeReadAreSaid() async throws {
    try await repository.commit([
      file: PlanSample.changed.text, ".boxjoint.yml": "plan: {ignore: [nope]}\n",
    ])
    let run = try await tool(["plan", "--against", "refs/heads/main", file])
    #expect(run.status == 1, "\(run.messages)")
    #expect(run.text.contains(".boxjoint.yml:1:17: warning: the settings of the change cannot"))
    #expect(run.text.contains("[BOX902 settings-unreadable]"))
  }

  @Test(.enabled("needs jsonschema, as scripts/test has it", SchemaValidator.isAvailable))
  func everyFormatSaysIt() async throws {
    try await repository.commit([
      file: PlanSample.changed.text, ".boxjoint.yml": "plan:\n  ignore: ['BOX302:<b>']\n",
    ])
    for format in PlanFormat.allCases {
      let run = try await tool(
        ["plan", "--against", "refs/heads/main", "--format", format.rawValue, file])
      #expect(run.status == 1, "\(format): \(run.messages)")
      #expect(run.text.contains("BOX901"), "\(format): \(run.text)")
      #expect(format != .html || !run.text.contains("<b>"))
      if format == .json {
        let problems = try await SchemaValidator.violations(
          of: run.output, against: "plan.schema.json")
        #expect(problems == "")
      }
      // The place of the first element.
      if format == .github { #expect(run.text.contains("file=.boxjoint.yml,line=2,")) }
    }
    let check = try await tool(["check", "--against", "refs/heads/main", "--format", "json"])
    #expect(check.text.contains("BOX901"))
  }

  @Test func theChangeDoesNotLeaveRulesOut() async throws {
    var model = PlanSample.released
    model.entities.removeLast()
    try await repository.commit([
      file: model.text, ".boxjoint.yml": "check: {ignore: [BOX202, BOX203, BOX122]}\n",
    ])
    let run = try await tool(["check", "--against", "refs/heads/main"])
    #expect(run.status == 1, "\(run.text)")
    #expect(run.text.contains("BOX202"), "\(run.text)")
    #expect(run.text.contains("sets 'check.ignore' to"))
    #expect(try await tool(["check", "--against", "refs/heads/main:" + file, file]).status == 1)
  }

  // MARK: - Names

  /// Files of the change do not take the place of its base.
  @Test func aFileByTheNameOfTheBaseIsNotTheBase() async throws {
    let forged = PlanSample.changed.text
    try await repository.commit([
      file: forged, "main": forged, "refs/heads/main": forged, "main:" + file: forged,
      "refs/heads/main:" + file: forged, "v*": "nothing", "HEAD:" + file: PlanSample.released.text,
    ])
    for words in [
      ["plan", "--against", "main", file], ["plan", "--against", "refs/heads/main", file],
      ["plan", "main:" + file, file], ["plan", "refs/heads/main:" + file, file],
      ["plan", "refs/heads/main:" + file, "HEAD:" + file],
      ["plan", "--all-tags", "v*", "--if-model", file], ["diff", "main:" + file, file],
    ] {
      #expect(try await tool(words).status == 1, "\(words)")
    }
    // Nor does a folder, which would be a store.
    try repository.write("", to: "v1:" + file + "/data.mdb")
    #expect(try await tool(["plan", "v1:" + file, file]).status == 1)
    var model = PlanSample.released
    model.entities.removeLast()
    try await repository.commit([file: model.text, "main": model.text])
    #expect(try await tool(["check", "--against", "main", file]).status == 1)
    let missing = try await tool(["plan", "gone:" + file, file])
    #expect(missing.status == 74)
    try repository.write(forged, to: "gone:" + file)
    let hint = try await tool(["show", "gone:" + file])
    #expect(hint.status == 74, "\(hint.messages)")
    #expect(hint.messages.contains("'./gone:\(file)'"), "\(hint.messages)")
    #expect(try await tool(["show", "./gone:" + file]).status == 0)
    #expect(try await tool(["show", "--textconv", "--", "gone:" + file]).status == 0)
  }

  @Test func aTagByTheNameOfABranchDoesNotWin() async throws {
    try await repository.commit([file: PlanSample.changed.text])
    let clone = try await TemporaryRepository(cloning: repository, options: ["--branch=feature"])
    try await clone.git("tag", "origin/main")
    let environment = clone.environment
    func plan(_ base: String, _ more: [String: String?] = [:]) async throws -> ProcessRun {
      try await runTool(
        ["plan", "--against", base, file], in: clone.path,
        environment: environment.merging(["CI": nil, "GITHUB_ACTIONS": nil]) { $1 }
          .merging(more) { $1 })
    }
    #expect(try await plan("refs/remotes/origin/main").status == 1)
    let short = try await plan("origin/main")
    #expect(
      short.messages
        == "warning: 'origin/main' is ambiguous: git takes refs/tags/origin/main, and there is "
        + "refs/remotes/origin/main; name one in full\n")
    for variable in ["CI", "GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION"] {
      for base in ["origin/main", "origin/main~0", "origin/main^{commit}"] {
        let refused = try await plan(base, [variable: "true"])
        #expect(refused.status == 64, "\(base)")
        #expect(
          refused.messages.contains("refs/tags/origin/main or refs/remotes/origin/main"),
          "\(refused.messages)")
      }
      #expect(try await plan("refs/remotes/origin/main", [variable: "true"]).status == 1)
    }
    // The full name of a branch that is not there is no tag.
    try await clone.git("tag", "refs/remotes/origin/gone")
    let gone = try await plan("refs/remotes/origin/gone")
    #expect(gone.status == 74, "\(gone.messages)")
    #expect(gone.messages.contains("git fetch origin"), "\(gone.messages)")
    // What is published by default is the branch.
    let config = try await runTool(["config"], in: clone.path, environment: environment)
    #expect(config.text.contains("  refs/remotes/origin/"), "\(config.text)")
    let published = try await PublishedReferences.resolve(
      SettingKey.published.standard, git: GitClient(in: clone.path))
    #expect(published.resolved.first?.name.hasPrefix("refs/remotes/origin/") == true)
  }

  @Test func meaningsAreThoseOfGit() async throws {
    let first = try await repository.commit(["x": "1"])
    let short = String(first.prefix(7))
    for tag in ["feature", short, "HEAD"] {
      try await repository.git("update-ref", "refs/tags/" + tag, "v1")
    }
    let git = GitClient(in: repository.path)
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
    func plan(_ words: String...) async throws -> ProcessRun {
      try await tool(["plan", "--if-model", "--against", "refs/heads/main"] + words)
    }
    try await repository.commit([file: "{\"name\": \"package\"}"])
    for words in [[file], []] {
      let other = try await tool(
        ["plan", "--if-model", "--against", "refs/heads/main"] + words)
      #expect(other.status == 1, "\(words): \(other.text)\(other.messages)")
      #expect(other.text.contains("entity-removed"))
      #expect(other.messages.contains("every element is gone"))
    }
    let check = try await tool(["check", "--if-model", "--against", "refs/heads/main", file])
    #expect(check.status == 65, "\(check.text)")
    try await repository.git("rm", "--quiet", file)
    #expect(try await plan().status == 1)
    #expect(try await plan(file).status == 74)
    // Another model in its place is compared with it.
    let other = SmallModel([SmallModel.Entity(id: 1, uid: 7000, name: "Other")])
    try await repository.commit(["other/model.json": other.text])
    let replaced = try await plan()
    #expect(replaced.status == 1, "\(replaced.text)\(replaced.messages)")
    #expect(replaced.messages.contains("takes the place of \(file)"))
    // What never was a model still passes.
    try await repository.git("switch", "--quiet", "--orphan", "fresh")
    try await repository.commit([file: "{\"name\": \"package\"}"])
    let never = try await tool(["plan", "--if-model", "--against", "HEAD", file])
    #expect(never.status == 0, "\(never.messages)")
    #expect(never.output.isEmpty, "\(never.messages)")
    #expect(try await tool(["plan", "--if-model", "--against", "HEAD"]).status == 0)
  }

  @Test(.enabled("needs jsonschema, as scripts/test has it", SchemaValidator.isAvailable))
  func anApprovalIsForOneModel() async throws {
    try await repository.git("stash", "--quiet")
    try await repository.git("switch", "--quiet", "main")
    try await repository.commit(["copy/model.json": PlanSample.released.text])
    for path in [file, "copy/model.json"] {
      try repository.write(PlanSample.changed.text, to: path)
    }
    let json = try await tool(["plan", "--format", "json", file]).text
    let words = json.split(separator: "\"").map(String.init)
    let prints = words.indices.filter { words[$0] == "fingerprint" }.map { words[$0 + 2] }
    #expect(prints.count == 3)
    for print in prints {
      let run = try await tool(
        ["plan", "approve", print, file, "--against", "HEAD", "--reason", "agreed"])
      #expect(run.status == 0, "\(run.messages)")
    }
    let list = try repository.text(of: ".boxjoint-approvals.json")
    #expect(list.ranges(of: "\"file\": \"model.json\"").count == 3)
    #expect(
      try await SchemaValidator.violations(
        of: Array(list.utf8), against: "approvals.schema.json") == "")
    try await repository.git("add", ".boxjoint-approvals.json")
    try await repository.git("commit", "--quiet", "-m", "Approve")
    #expect(try await tool(["plan", "--against", "refs/heads/main", file]).status == 0)
    #expect(try await tool(["plan", "refs/heads/main:" + file, file]).status == 0)
    let copy = try await tool(["plan", "--against", "refs/heads/main", "copy/model.json"])
    #expect(copy.status == 1, "\(copy.text)")
    // One without a file is for all, as before.
    let all = ApprovalList(prints.map { Approval(fingerprint: $0, reason: "r", author: "Ann") })
    try repository.write(all.text, to: ".boxjoint-approvals.json")
    try await repository.git("add", ".boxjoint-approvals.json")
    try await repository.git("commit", "--quiet", "-m", "Approve for all")
    let both = try await tool(["plan", "--against", "refs/heads/main", "copy/model.json"])
    #expect(both.status == 0)
    // A model that moves keeps its approvals.
    try await repository.git("rm", "--quiet", "--cached", file)
    #expect(
      try await tool(["plan", "--against", "refs/heads/main", "copy/model.json"]).status == 0)
  }

  // MARK: - Locks

  @Test func theChangeDoesNotUnlockVersions() async throws {
    try await repository.git("stash", "--quiet")
    try await repository.git("switch", "--quiet", "main")
    #expect(try await tool(["lock", file]).status == 0)
    try await repository.commit()
    try await repository.git("switch", "--quiet", "--create", "attack")
    // Emptied: passes by itself, which is why there is a base.
    try repository.write(LockFile().text, to: ".boxjoint-lock.json")
    #expect(try await tool(["lock", "check"]).status == 0)
    let run = try await tool(["lock", "check", "--against", "refs/heads/main"])
    #expect(run.status == 1, "\(run.text)")
    #expect(run.messages.contains("the lock has no version"), "\(run.messages)")
  }

  /// The lock of converters is part of the change as much as the catalogue is.
  @Test func theChangeDoesNotUnlockConverters() async throws {
    func catalogue(_ value: Int) -> String {
      "properties:\n  User.role:\n    type: enum\n    values: {reader: 1, admin: \(value)}\n"
        + "    default: reader\n"
    }
    try await repository.git("switch", "--quiet", "--force", "main")
    try repository.write(catalogue(2), to: "converters.yml")
    #expect(try await tool(["converters", "lock"]).status == 0)
    try await repository.commit()
    try await repository.git("switch", "--quiet", "--create", "attack")
    try repository.write(catalogue(3), to: "converters.yml")
    #expect(try await tool(["converters", "lock", "--force"]).status == 0)
    let run = try await tool(["converters", "check", "--against", "refs/heads/main"])
    #expect(run.status == 1, "\(run.text)\(run.messages)")
    #expect(run.text.contains("BOX822"), "\(run.text)\(run.messages)")
  }
}
