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

  @Test(.enabled("needs jsonschema, as scripts/test has it", SchemaValidator.isAvailable))
  func theChangeDoesNotUnlockVersions() async throws {
    try await repository.git("stash", "--quiet")
    try await repository.git("switch", "--quiet", "main")
    let sources = ["schemas/v1.json", "schemas/v2.json"]
    try await repository.commit([
      sources[0]: PlanSample.released.text, sources[1]: PlanSample.changed.text,
    ])
    #expect(try await tool(["lock"] + sources).status == 0)
    try await repository.commit()
    try await repository.git("switch", "--quiet", "--create", "attack")
    let lock = ".boxjoint-lock.json"
    let whole = try LockFile(parsing: Array(try repository.text(of: lock).utf8))
    func check(_ words: String...) async throws -> ProcessRun {
      let run = try await tool(["lock", "check", "--format", "json"] + words)
      let problems = try await SchemaValidator.violations(
        of: run.output, against: "lock-report.schema.json")
      #expect(run.output.isEmpty || problems == "")
      return run
    }
    let base = ["--against", "refs/heads/main"]
    #expect(try await check(base[0], base[1]).status == 0)
    // Emptied: passes by itself, which is why there is a base.
    try repository.write(LockFile().text, to: lock)
    #expect(try await check().status == 0)
    let empty = try await check(base[0], base[1])
    #expect(empty.status == 1, "\(empty.text)")
    #expect(empty.text.contains("\"removed\""), "\(empty.text)")
    #expect(empty.text.contains("the lock has no version"))
    // One removed.
    try repository.write(LockFile([whole.versions[0]]).text, to: lock)
    let removed = try await check(base[0], base[1])
    #expect(removed.status == 1)
    #expect(removed.messages.contains("schemas/v2.json"))
    // Edited, and locked anew.
    try repository.write(PlanSample.changed.text, to: sources[0])
    #expect(try await tool(["lock", "--replace", sources[0], sources[1]]).status == 0)
    #expect(try await check().status == 0)
    let relocked = try await check(base[0], base[1])
    #expect(relocked.status == 1, "\(relocked.text)")
    #expect(relocked.text.contains("\"relocked\""), "\(relocked.text)")
    #expect(relocked.messages.contains("Tag"))
    // Removed as a whole.
    try await repository.git("rm", "--quiet", "-f", lock)
    let gone = try await check(base[0], base[1])
    #expect(gone.status != 0)
    // In a folder of its own.
    try repository.write(LockFile().text, to: "schemas/" + lock)
    let below = try await repository.tool(
      "lock", "check", "--against", "refs/heads/main", in: "schemas")
    #expect(below.status != 0, "\(below.text)")
  }

  @Test(arguments: [
    "/etc/passwd", "../secret.json", "a/../../secret.json", "HEAD:../x", "link.json", "-",
  ])
  func lockedVersionsAreInTheRepository(_ source: String) async throws {
    try repository.surroundings.write(PlanSample.released.text, to: "secret.json")
    try await repository.git("config", "core.symlinks", "true")
    #expect(symlink("../secret.json", repository.path + "/link.json") == 0)
    let list = LockFile([.init(source: source, lock: ModelLock([]))])
    try repository.write(list.text, to: ".boxjoint-lock.json")
    let run = try await tool(["lock", "check"])
    #expect(run.status == 65, "\(run.messages)")
    #expect(run.messages.contains("a locked version is a file of the repository"))
  }

  /// A catalogue with a value that nothing may change once it is locked.
  private static func catalogue(_ value: Int) -> String {
    "properties:\n  User.role:\n    type: enum\n    values: {reader: 1, admin: \(value)}\n"
      + "    default: reader\n"
  }

  /// The lock of converters is part of the change as much as the catalogue is.
  @Test func theChangeDoesNotUnlockConverters() async throws {
    try await repository.git("switch", "--quiet", "--force", "main")
    try repository.write(Self.catalogue(2), to: "app/converters.yml")
    let path = "app/converters.yml"
    #expect(try await tool(["converters", "lock", "--catalogue", path]).status == 0)
    try await repository.commit()
    try await repository.git("switch", "--quiet", "--create", "attack")
    try repository.write(Self.catalogue(3), to: path)
    let against = ["converters", "check", "--catalogue", path, "--against", "refs/heads/main"]
    for isRemoved in [false, true] {
      if isRemoved {
        try await repository.git("rm", "--quiet", "-f", "app/converters.lock")
      } else {
        #expect(try await tool(["converters", "lock", "--force", "--catalogue", path]).status == 0)
      }
      #expect(try await tool(["converters", "check", "--catalogue", path]).status == 0)
      let run = try await tool(against)
      #expect(run.status == 1, "\(run.text)\(run.messages)")
      #expect(run.text.contains("BOX822"), "\(run.text)\(run.messages)")
    }
  }

  /// The settings of a change can name another catalogue, with another lock beside it.
  @Test(arguments: [nil, "converters: schema/enums.yml\n", "plan: {}\n"])
  func theChangeDoesNotMoveTheCatalogue(settings: String?) async throws {
    let isNamed = settings?.hasPrefix("converters") ?? false
    let path = isNamed ? "schema/enums.yml" : "converters.yml"
    try await repository.git("switch", "--quiet", "--force", "main")
    try repository.write(Self.catalogue(2), to: path)
    if let settings { try repository.write(settings, to: ".boxjoint.yml") }
    #expect(try await tool(["converters", "lock"]).status == 0)
    try await repository.commit(["sub/.keep": ""])
    try await repository.git("switch", "--quiet", "--create", "attack")
    let against = ["converters", "check", "--against", "refs/heads/main"]
    func check(_ folder: String = ".") async throws -> ProcessRun {
      try await runTool(
        against, in: repository.path + "/" + folder, environment: repository.environment)
    }
    #expect(try await check().status == 0)
    // The catalogue changes where it is; so it does when the settings name another one.
    try repository.write(Self.catalogue(3), to: path)
    for head in [nil, "converters: other/enums.yml\n", "converters: {properties: {}}\n"] {
      try repository.write("properties: {}\n", to: "other/enums.yml")
      if let head { try repository.write(head, to: ".boxjoint.yml") }
      for folder in settings == nil ? ["."] : [".", "sub"] {
        let run = try await check(folder)
        #expect(run.status == 1, "\(run.text)\(run.messages)")
        #expect(run.text.contains("BOX822"), "\(run.text)\(run.messages)")
      }
    }
    // The one that the change has in force is held against the lock of the base too.
    try repository.write(Self.catalogue(2), to: path)
    try repository.write("converters: other/enums.yml\n", to: ".boxjoint.yml")
    for (value, status) in [(2, Int32(0)), (3, 1)] {
      try repository.write(Self.catalogue(value), to: "other/enums.yml")
      _ = try await tool(["converters", "lock", "--force"])
      let run = try await check()
      #expect(run.status == status, "\(run.text)\(run.messages)")
    }
    // Moved, it is the same catalogue.
    try await repository.git("rm", "--quiet", "--force", path)
    #expect(try await check().status == 1)
    try repository.write(Self.catalogue(2), to: "other/enums.yml")
    // Its lock has the other number still.
    let stale = try await check()
    #expect(stale.status == 1, "\(stale.text)")
    #expect(stale.text.contains("BOX829"), "\(stale.text)")
    _ = try await tool(["converters", "lock", "--force"])
    #expect(try await check().status == 0)
    // Gone.
    try repository.write("plan: {}\n", to: ".boxjoint.yml")
    let gone = try await check()
    #expect(gone.status == 74, "\(gone.messages)")
    #expect(gone.messages.contains("no catalogue"), "\(gone.messages)")
    // What is named wins, and brings its own lock.
    let relock = ["converters", "lock", "--force", "--catalogue", "other/enums.yml"]
    #expect(try await tool(relock).status == 0)
    let named = try await tool(against + ["--catalogue", "other/enums.yml"])
    #expect(named.status == 0, "\(named.messages)")
  }

  /// A change that takes something out of the lock would let the next one pass.
  @Test(arguments: [
    nil, #"{"schemaVersion":1,"properties":{}}"#,
    #"{"schemaVersion":1,"properties":{"User.role":{"type":"enum","values":{"reader":1,"admin":7}}}}"#,
  ])
  func theLockItselfIsProtected(lock: String?) async throws {
    try await repository.git("switch", "--quiet", "--force", "main")
    try repository.write(Self.catalogue(2), to: "converters.yml")
    #expect(try await tool(["converters", "lock"]).status == 0)
    try await repository.commit()
    try await repository.git("switch", "--quiet", "--create", "attack")
    let against = ["converters", "check", "--against", "refs/heads/main"]
    #expect(try await tool(against + ["--strict"]).status == 0)
    if let lock {
      try repository.write(lock, to: "converters.lock")
    } else {
      try await repository.git("rm", "--quiet", "converters.lock")
    }
    let run = try await tool(against)
    #expect(run.status == 1, "\(run.text)\(run.messages)")
    #expect(run.text.contains("BOX829"), "\(run.text)\(run.messages)")
    // Merged, the base has no lock, and its catalogue counts.
    try await repository.commit()
    try await repository.git("branch", "--force", "merged")
    try repository.write(Self.catalogue(3), to: "converters.yml")
    let next = try await tool(["converters", "check", "--against", "refs/heads/merged"])
    #expect(next.status == 1, "\(next.text)\(next.messages)")
    #expect(next.text.contains("BOX822"), "\(next.text)\(next.messages)")
  }

  /// A branch that is behind its base is not told to retire what it never had.
  @Test func whatTheBaseAddedSinceIsNotMissed() async throws {
    try await repository.git("switch", "--quiet", "--force", "main")
    try repository.write(Self.catalogue(2), to: "converters.yml")
    #expect(try await tool(["converters", "lock"]).status == 0)
    try await repository.commit()
    try await repository.git("switch", "--quiet", "--create", "behind")
    try await repository.commit(["notes.txt": "another file"])
    try await repository.git("switch", "--quiet", "main")
    try repository.write(
      Self.catalogue(2).replacing("admin: 2", with: "admin: 2, more: 9"), to: "converters.yml")
    #expect(try await tool(["converters", "lock"]).status == 0)
    try await repository.commit()
    try await repository.git("switch", "--quiet", "behind")
    let run = try await tool(
      ["converters", "check", "--against", "refs/heads/main", "--strict"])
    #expect(run.status == 0, "\(run.text)\(run.messages)")
  }

  /// Files behind links of the base are found, whatever the change has in their place.
  @Test func locksBehindALinkOfTheBaseCount() async throws {
    try await repository.git("switch", "--quiet", "--force", "main")
    try repository.write(Self.catalogue(2), to: "v1/converters.yml")
    #expect(symlink("v1", repository.path + "/app") == 0)
    try repository.write("converters: app/converters.yml\n", to: ".boxjoint.yml")
    #expect(try await tool(["converters", "lock"]).status == 0)
    try await repository.commit()
    try await repository.git("switch", "--quiet", "--create", "attack")
    #expect(unlink(repository.path + "/app") == 0)
    try repository.write(Self.catalogue(3), to: "app/converters.yml")
    try await repository.commit()
    let run = try await tool(["converters", "check", "--against", "refs/heads/main"])
    #expect(run.status == 1, "\(run.text)\(run.messages)")
    #expect(run.text.contains("BOX822"), "\(run.text)\(run.messages)")
  }

  @Test func aCatalogueInTheSettingsStaysThere() async throws {
    func settings(_ value: Int) -> String {
      "converters:\n  properties:\n    User.role:\n      type: enum\n"
        + "      values: {reader: 1, admin: \(value)}\n      default: reader\n"
    }
    try await repository.git("switch", "--quiet", "--force", "main")
    try repository.write(settings(2), to: ".boxjoint.yml")
    #expect(try await tool(["converters", "lock"]).status == 0)
    try await repository.commit()
    try await repository.git("switch", "--quiet", "--create", "attack")
    let against = ["converters", "check", "--against", "refs/heads/main"]
    #expect(try await tool(against).status == 0)
    try repository.write(settings(3), to: ".boxjoint.yml")
    #expect(try await tool(against).status == 1)
    for head in ["converters: other.yml\n", "plan: {}\n"] {
      try repository.write(head, to: ".boxjoint.yml")
      try repository.write(Self.catalogue(3), to: "other.yml")
      try repository.write(Self.catalogue(3), to: "converters.yml")
      let run = try await tool(against)
      #expect(run.status == 1, "\(run.text)\(run.messages)")
      #expect(run.text.contains("BOX822"), "\(run.text)\(run.messages)")
    }
  }
}
