import BoxModel
import TestSupport
import Testing

@testable import BoxModelTool

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The snippets of `docs/git.md`, `docs/installing.md`, `docs/commands.md` and `.pre-commit-hooks.yaml`, run as they stand
/// there.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct DocumentedSetupsTests {
  let file = "model.json"
  let documentation: String

  init() throws { documentation = try Self.text(of: "docs/git.md") }

  // MARK: - Merge tools

  @Test(arguments: [true, false])
  func theMergetoolOfGit(isResolvable: Bool) async throws {
    let repository = try await self.repository()
    try await branches(repository, areResolvable: isResolvable)
    let setUp = try block(after: "As a merge tool")
    #expect(try await shell(setUp, repository).status == 0)
    // The driver leaves a merge of these branches to git.
    #expect(try await shell("BOXJOINT_MERGE=0 git merge feature", repository).status == 1)
    let run = try await shell("git mergetool --no-prompt --tool=boxjoint", repository)
    #expect(run.status == (isResolvable ? 0 : 1), "\(run.text)\(run.messages)")
    let isStaged = try await repository.git("ls-files", "--unmerged") == ""
    #expect(isStaged == isResolvable)
    if isResolvable {
      try expectBoth(try repository.text(of: file))
    } else {
      #expect(try repository.text(of: file).contains("<<<<<<<"))
    }
  }

  /// Jujutsu's use of the lines: it replaces words that start with a dollar sign by names of files
  /// and a number.
  @Test(arguments: [true, false])
  func theMergeToolOfJujutsu(isResolvable: Bool) async throws {
    let repository = try await self.repository()
    try await branches(repository, areResolvable: isResolvable)
    for (name, revision) in [("base", "main~1"), ("left", "main"), ("right", "feature")] {
      let text = try await repository.git("show", "\(revision):\(file)")
      try repository.surroundings.write(text, to: name)
    }
    let toml = try block(after: "In Jujutsu")
    #expect(toml.contains("[merge-tools.boxjoint]"))
    #expect(toml.contains(#"program = "boxjoint""#))
    #expect(toml.contains("merge-conflict-exit-codes = [1]"))
    let start = try #require(toml.firstRange(of: "merge-args = ["))
    let end = try #require(toml[start.upperBound...].firstRange(of: "]"))
    let words = toml[start.upperBound..<end.lowerBound].split(separator: "\"")
      .enumerated().filter { $0.offset % 2 == (toml[start.upperBound] == "\"" ? 0 : 1) }
      .map { String($0.element) }
    let values = [
      "$base": "base", "$left": "left", "$right": "right", "$output": "output",
      "$marker_length": "11",
    ]
    #expect(Set(words).isSuperset(of: Set(values.keys)))
    let run = try await runTool(
      words.map { values[$0] ?? $0 }, in: repository.surroundings.path,
      environment: repository.environment)
    #expect(run.status == (isResolvable ? 0 : 1), "\(run.messages)")
    let output = try repository.surroundings.text(of: "output")
    if isResolvable {
      try expectBoth(output)
    } else {
      #expect(output.contains(String(repeating: "<", count: 11) + " left\n"))
    }
  }

  // MARK: - CI

  /// The values that GitHub's contexts have in the jobs.
  private func gitHub(_ text: String) -> String {
    text.replacing("${{ github.base_ref }}", with: "main")
      .replacing("${{ github.event.repository.default_branch }}", with: "main")
  }

  @Test(arguments: [true, false])
  func theCheckOfGitHub(isSound: Bool) async throws {
    let job = try gitHubJob("check")
    let clone = try await cloneOfOrigin(branch: "feature", damages: !isSound, changesMain: false)
    // What a pull request checks out: the merge that the hosting site made.
    try await clone.git("switch", "--quiet", "--detach", "origin/main")
    try await clone.git("merge", "--quiet", "--no-edit", "origin/feature")
    let run = try await self.run(job, clone)
    #expect(run.status == (isSound ? 0 : 1), "\(run.text)\(run.messages)")
    #expect(run.text.contains("::error file=model.json") == !isSound)
  }

  @Test(arguments: [true, false])
  func theMergeOfGitHub(isResolvable: Bool) async throws {
    let job = try gitHubJob("resolve")
    let clone = try await cloneOfOrigin(branch: "feature", areResolvable: isResolvable)
    let run = try await self.run(job, clone)
    #expect(run.status == (isResolvable ? 0 : 1), "\(run.text)\(run.messages)")
    try await expectPushed(isResolvable, clone, run)
    if !isResolvable {
      let summary = try clone.surroundings.text(of: "summary.md")
      #expect(summary.contains("boxjoint resolve --take ours model.json"), "\(summary)")
    }
  }

  @Test(arguments: [true, false])
  func theCheckOfGitLab(isSound: Bool) async throws {
    let clone = try await cloneOfOrigin(branch: "feature", damages: !isSound)
    var job = try gitLabJob("model check")
    job.steps[0].environment["CI_MERGE_REQUEST_DIFF_BASE_SHA"] = try await clone.git(
      "merge-base", "origin/main", "origin/feature")
    let run = try await self.run(job, clone)
    #expect(run.status == (isSound ? 0 : 1), "\(run.text)\(run.messages)")
    #expect(try clone.text(of: "model-check.xml").contains("<failure") == !isSound)
  }

  @Test(arguments: [true, false])
  func theMergeOfGitLab(isResolvable: Bool) async throws {
    let clone = try await cloneOfOrigin(branch: "feature", areResolvable: isResolvable)
    let run = try await self.run(try gitLabJob("model merge"), clone)
    #expect(run.status == (isResolvable ? 0 : 1), "\(run.text)\(run.messages)")
    try await expectPushed(isResolvable, clone, run)
  }

  // MARK: - pre-commit

  /// The behaviour of pre-commit: it passes the staged files that match to the entry.
  @Test(arguments: [(".pre-commit-hooks.yaml", "system"), ("docs/installing.md", "python")])
  func thePreCommitHook(source: String, language: String) async throws {
    let text = try Self.text(of: source)
    func value(_ key: String) throws -> String {
      let line = text.split(separator: "\n").first {
        $0.drop { " -".contains($0) }.hasPrefix(key + ": ")
      }
      return String(try #require(line).split(separator: ": ", maxSplits: 1)[1])
    }
    let pattern = try Regex(try value("files"))
    let entry = try value("entry")
    #expect(try value("language") == language)
    #expect(try value("always_run") == "true")
    let models = [
      "objectbox-model.json", "a/model-App.json", "b/model.json",
      "c/objectbox-models/default.json", "default.json",
    ]
    let others = ["package.json", "a/model.json.txt", "remodel.json", "model.jsonc"]
    #expect(models.allSatisfy { $0.firstMatch(of: pattern) != nil })
    #expect(others.allSatisfy { $0.firstMatch(of: pattern) == nil })
    let repository = try await self.repository()
    for name in models { try repository.write(SampleModels.sound, to: name) }
    try repository.write("{\"a\": 1}", to: "default.json")
    let arguments = models.map { "'\($0)'" }.joined(separator: " ")
    #expect(try await shell("\(entry) \(arguments)", repository).status == 0)
    try repository.write(SampleModels.fixable, to: "a/model-App.json")
    let run = try await shell("\(entry) \(arguments)", repository)
    #expect(run.status == 1)
    #expect(run.text.hasPrefix("a/model-App.json:32:19: error: "))
  }

  /// Of a commit that only deletes the model pre-commit has no file to pass.
  @Test func theHookSeesADeletedModel() async throws {
    let repository = try await self.repository()
    try await repository.git("rm", "--quiet", file)
    let run = try await shell("boxjoint check --if-model", repository)
    #expect(run.status == 1, "\(run.messages)")
    #expect(run.text.contains("BOX211"), "\(run.text)")
    let other = try await TemporaryRepository()
    try await other.commit(["README": "No model.\n"])
    #expect(try await shell("boxjoint check --if-model", other).status == 0)
    #expect(try await shell("boxjoint check", other).status == 64)
  }

  // MARK: - Settings

  /// The page shows what is printed where nothing is configured; only the commit is another one.
  @Test func theSettingsOfThePage() async throws {
    func lines(_ text: String) -> [String] {
      text.split(separator: "\n").dropLast().map { String($0) }
    }
    let page = try Self.text(of: "docs/commands.md")
    let start = try #require(page.firstRange(of: "$ boxjoint config\n")).upperBound
    let end = try #require(page[start...].firstRange(of: "\n```")).lowerBound
    let run = try await shell("boxjoint config", repository())
    #expect(lines(String(page[start..<end])) == lines(run.text))
  }

  // MARK: - Reading the documents

  private static func text(of name: String) throws -> String {
    // This file is two directories below the top of the package.
    let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    return String(decoding: try SourceFile.read(root + "/" + name).bytes, as: UTF8.self)
  }

  /// The first fenced block behind a text.
  private func block(after text: String) throws -> String {
    let place = try #require(documentation.firstRange(of: text), "\(text)")
    let parts = documentation[place.upperBound...].split(
      separator: "\n```", maxSplits: 2, omittingEmptySubsequences: false)
    let body = try #require(parts.count == 3 ? parts[1] : nil)
    // The first line says the language.
    return String(body.drop { $0 != "\n" }.dropFirst())
  }

  /// A job of a workflow: its lines of shell, and the environment of each.
  private struct Job {
    var steps: [(script: String, environment: [String: String])]
  }

  private func gitHubJob(_ name: String) throws -> Job {
    let root = try YAMLReader.read(Array(try block(after: "### GitHub Actions").utf8))
    let steps = try #require(root?["jobs"]?[name]?["steps"]).elements
    let scripts = steps.compactMap { step -> (String, [String: String])? in
      guard let script = step["run"]?.text else { return nil }
      var environment: [String: String] = [:]
      for member in step["env"]?.members ?? [] {
        environment[member.key] = gitHub(member.value.text ?? "")
      }
      return (script, environment)
    }
    #expect(!scripts.isEmpty)
    return Job(steps: scripts)
  }

  private func gitLabJob(_ name: String) throws -> Job {
    let root = try YAMLReader.read(Array(try block(after: "### GitLab").utf8))
    let lines = try #require(root?[name]?["script"]).elements.compactMap(\.text)
    #expect(!lines.isEmpty)
    let environment = [
      "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main",
      "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME": "feature", "CI_SERVER_HOST": "gitlab.example",
      "CI_PROJECT_PATH": "group/app", "MERGE_TOKEN": "token",
    ]
    return Job(steps: [(lines.joined(separator: "\n"), environment)])
  }

  // MARK: - Running

  /// Runs a job as the runners do: each step by a shell that stops at the first error.
  private func run(_ job: Job, _ clone: TemporaryRepository) async throws -> ProcessRun {
    var all = ProcessRun(status: 0, output: [], messages: "")
    for step in job.steps where all.status == 0 {
      var environment: [String: String?] = ["GITHUB_STEP_SUMMARY": "../summary.md"]
      for (name, value) in step.environment { environment[name] = value }
      let run = try await shell("set -e\n" + step.script, clone, environment)
      all.status = run.status
      all.output += run.output
      all.messages += run.messages
    }
    return all
  }

  /// Runs a script with the program on the PATH, by its name.
  private func shell(
    _ script: String, _ repository: TemporaryRepository, _ environment: [String: String?] = [:]
  ) async throws -> ProcessRun {
    let bin = repository.surroundings.path(of: "bin")
    if !repository.surroundings.exists("bin") {
      mkdir(bin, 0o755)
      #expect(symlink(Tool.path ?? "", bin + "/boxjoint") == 0)
    }
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    return try await ProcessRun.of(
      "bash", ["-c", script], in: repository.path,
      environment: repository.environment.merging(environment) { $1 }
        .merging(["PATH": bin + ":" + path]) { $1 })
  }

  // MARK: - Repositories

  private func repository() async throws -> TemporaryRepository {
    let repository = try await TemporaryRepository()
    try await repository.commit([file: SmallModel.base.text])
    return repository
  }

  /// Two branches that gave the same ids to different elements, or two names to one entity.
  private func branches(_ repository: TemporaryRepository, areResolvable: Bool) async throws {
    if areResolvable {
      try await branchOff(
        repository, file, SmallModel.grown("Ant", uid: 2000), SmallModel.grown("Bear", uid: 3000))
    } else {
      try await branchOff(
        repository, file, SmallModel([SmallModel.note(name: "Memo")]),
        SmallModel([SmallModel.note(name: "Letter")]))
    }
  }

  private func expectBoth(_ text: String) throws {
    let facts = try ModelFacts(text)
    #expect(facts.errors == [])
    #expect(facts.pairs["Note"] == "1:1000")
    #expect(facts.pairs["Ant"]?.hasSuffix(":2000") == true)
    #expect(facts.pairs["Bear"]?.hasSuffix(":3000") == true)
  }

  /// A clone with a branch checked out, whose `origin` is a bare repository without a network;
  /// GitLab's address leads there too.
  private func cloneOfOrigin(
    branch: String, areResolvable: Bool = true, damages: Bool = false,
    changesMain: Bool = true
  ) async throws -> TemporaryRepository {
    let repository = try await self.repository()
    try await branches(repository, areResolvable: areResolvable)
    if !changesMain {
      try await repository.git("reset", "--quiet", "--hard", "HEAD~1")
      try await repository.commit(["other": "1"])
    }
    if damages {
      try await repository.git("switch", "--quiet", branch)
      let sound = try repository.text(of: file)
      try await repository.commit([
        file: sound.replacing(#""lastEntityId": "2:"#, with: #""lastEntityId": "1:"#)
      ])
      try await repository.git("switch", "--quiet", "main")
    }
    let clone = try await TemporaryRepository(cloning: repository)
    let bare = clone.surroundings.path(of: "origin.git")
    try await clone.git("clone", "--quiet", "--bare", "file://" + repository.path, bare)
    try await clone.git("remote", "set-url", "origin", "file://" + bare)
    try await clone.git("fetch", "--quiet", "origin")
    try await clone.git("switch", "--quiet", branch)
    try await clone.git(
      "config", "url.file://\(bare).insteadOf",
      "https://model-merge:token@gitlab.example/group/app.git")
    return clone
  }

  /// The merge has arrived in `origin`, or nothing has.
  private func expectPushed(
    _ isPushed: Bool, _ clone: TemporaryRepository, _ run: ProcessRun
  ) async throws {
    let bare = clone.surroundings.path(of: "origin.git")
    let parents = try await clone.git("--git-dir", bare, "log", "-1", "--format=%P", "feature")
    #expect(parents.split(separator: " ").count == (isPushed ? 2 : 1))
    if isPushed {
      try expectBoth(try await clone.git("--git-dir", bare, "show", "feature:" + file))
    } else {
      #expect((run.text + run.messages).contains("Conflicts are left: merge"))
    }
  }
}
