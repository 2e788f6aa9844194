import TestSupport
import Testing

@testable import BoxTool

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// `boxjoint git …` of the built program in real repositories.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built"))
struct GitIntegrationTests {
  let repository: TemporaryRepository

  init() async throws {
    repository = try await TemporaryRepository()
    try await repository.commit([
      "model.json": "{}\n", "app/objectbox-models/default.json": "{}\n",
      "lib/objectbox-model.json": "{}\n", "default.json": "{}\n", "a/model-App.json": "{}\n",
    ])
  }

  private let models = [
    "a/model-App.json", "app/objectbox-models/default.json", "lib/objectbox-model.json",
    "model.json",
  ]

  /// Every file of the repository's configuration and of the home, with its content.
  private func everything() async throws -> String {
    let run = try await ProcessRun.of(
      "sh",
      [
        "-c",
        "find home \"$0\"/.git/info \"$0\"/.git/config \"$0\"/.gitattributes -type f 2>/dev/null"
          + " | sort | while read -r f; do echo \"== $f\"; cat \"$f\"; done", repository.name,
      ], in: repository.surroundings.path)
    return run.text
  }

  @Test(arguments: [[], ["--shared"], ["--global"]])
  func uninstallingLeavesNothingBehind(place: [String]) async throws {
    let before = try await everything()
    let first = try await tool(["git", "install"] + place)
    #expect(first.status == 0, "\(first.messages)")
    let installed = try await everything()
    #expect(installed != before)
    // Paths are those that a reader in this folder would use.
    if place != ["--global"] { #expect(!first.text.contains(repository.path), "\(first.text)") }
    let second = try await tool(["git", "install"] + place)
    #expect(second.text.hasPrefix("everything is installed already\n"))
    #expect(try await everything() == installed)
    let status = try await repository.tool("git", "status")
    #expect(status.status == 0, "\(status.text)")
    #expect(try await tool(["git", "uninstall"] + place).status == 0)
    #expect(try await everything() == before)
    let again = try await tool(["git", "uninstall"] + place)
    #expect(again.status == 0)
    #expect(again.text == "nothing was installed\n")
    #expect(try await everything() == before)
  }

  /// The values that a user had under the same names are restored, all of them.
  @Test(arguments: [[], ["--shared"], ["--global"]])
  func uninstallingBringsBackWhatWasThere(place: [String]) async throws {
    let scope = place == ["--global"] ? "--global" : "--local"
    let mine = [
      ("merge.boxjoint.name", "Mine"), ("merge.boxjoint.driver", "mine %O %A %B"),
      ("merge.boxjoint.driver", "mine 'again' %A"), ("merge.boxjoint.recursive", "text"),
      ("merge.boxjoint.other", "stays"), ("diff.boxjoint.textconv", "cat"),
    ]
    for (key, value) in mine { try await repository.git("config", scope, "--add", key, value) }
    func values() async throws -> [String] {
      try await repository.git("config", scope, "--get-regexp", "boxjoint")
        .split(separator: "\n").map(String.init).sorted()
    }
    let before = try await values()
    // The second time nothing of the user's is there to be kept.
    for _ in 0..<2 {
      let installed = try await tool(["git", "install"] + place)
      #expect(installed.status == 0, "\(installed.messages)")
    }
    #expect(try await repository.tool("git", "status").status == 0)
    let removed = try await tool(["git", "uninstall"] + place)
    #expect(removed.status == 0, "\(removed.messages)")
    #expect(try await values() == before)
    #expect(removed.text.contains("brought back what merge.boxjoint.driver was before\n"))
  }

  /// Git makes `.git/info` from a template that need not have it.
  @Test func uninstallingLeavesNoFolderThatGitDidNotMake() async throws {
    try await repository.git("init", "--quiet", "--template=", "bare-bones")
    let folder = repository.path + "/bare-bones"
    for command in ["install", "uninstall"] {
      let run = try await runTool(
        ["git", command], in: folder, environment: repository.environment)
      #expect(run.status == 0, "\(run.messages)")
      #expect(
        repository.surroundings.exists(folder + "/.git/info/attributes") == (command == "install"))
    }
    #expect(!repository.surroundings.exists(folder + "/.git/info"))
  }

  @Test(arguments: [[], ["--shared"], ["--global"]])
  func theModelFilesGetTheAttributesAndNoOthers(place: [String]) async throws {
    _ = try await tool(["git", "install"] + place)
    let git = GitClient(in: repository.path)
    let all = models + ["default.json"]
    // The user's attributes are those of the test's home, which this process does not have.
    let run = try await repository.tryGit(["check-attr", "merge", "diff"] + ["--"] + all)
    for path in models {
      #expect(run.text.contains("\(path): merge: boxjoint\n"))
      #expect(run.text.contains("\(path): diff: boxjoint\n"))
    }
    #expect(run.text.contains("\ndefault.json: merge: unspecified\n"))
    #expect(try await git.trackedFiles(matching: FilePattern.standard).sorted() == models)
  }

  @Test func everyWorkTreeSeesTheAttributes() async throws {
    try await repository.git("worktree", "add", "--quiet", "../second")
    let second = repository.surroundings.path(of: "second")
    let environment = repository.environment
    let install = try await runTool(["git", "install"], in: second, environment: environment)
    #expect(install.status == 0)
    #expect(repository.surroundings.exists(repository.path + "/.git/info/attributes"))
    #expect(try await runTool(["git", "status"], in: second, environment: environment).status == 0)
    #expect(try await repository.tool("git", "status", in: "app").status == 0)
  }

  @Test func patternsOfTheConfigurationAreInstalled() async throws {
    try repository.write("files: ['my models/*.json', '#odd.json']\n", to: ".boxjoint.yml")
    try await repository.commit(["my models/x.json": "{}", "sub/#odd.json": "{}"])
    _ = try await repository.tool("git", "install")
    let status = try await repository.tool("git", "status")
    #expect(status.status == 0)
    #expect(status.text.contains("  my models/x.json: merged by UID, readable diff\n"))
    #expect(status.text.contains("  sub/#odd.json: merged by UID, readable diff\n"))
    try repository.write("files: [model.json]\n", to: ".boxjoint.yml")
    let changed = try await repository.tool("git", "status")
    #expect(changed.status == 1)
    #expect(changed.text.contains("patterns are not those of the configuration"))
  }

  @Test func nothingInstalledIsSaidClearly() async throws {
    let status = try await repository.tool("git", "status")
    #expect(status.status == 1)
    #expect(status.text.contains("nothing is installed"))
    #expect(status.text.contains("  model.json: merged as text, diff as text\n"))
  }

  @Test func whatIsWrongIsNamed() async throws {
    _ = try await repository.tool("git", "install", "--shared")
    try await repository.commit(["lib/.gitattributes": "*.json -merge\n"])
    try await repository.expectProblem("overridden-attribute", "lib/objectbox-model.json")
    try await repository.git("rm", "--quiet", "lib/.gitattributes")
    try await repository.git("config", "merge.boxjoint.driver", "true")
    try await repository.expectProblem("foreign-driver")
    try await repository.git("config", "--unset", "merge.boxjoint.driver")
    try await repository.expectProblem("no-driver")
    try await repository.git("config", "--unset", "diff.boxjoint.textconv")
    try await repository.expectProblem("no-textconv")
    _ = try await repository.tool("git", "install", "--program", "/nowhere/boxjoint")
    try await repository.expectProblem("missing-program")
    _ = try await repository.tool("git", "install", "--program", "/bin/false")
    try await repository.expectProblem("broken-program")
    _ = try await repository.tool("git", "install")
    #expect(try await repository.tool("git", "status").status == 0)
    try repository.write("model.json merge=union\n", to: ".git/info/attributes")
    try await repository.expectProblem("overridden-attribute", "model.json")
    try repository.write("", to: ".git/info/attributes")
    _ = try await repository.tool("git", "uninstall", "--shared")
    // Git reads attributes from the index where the file is missing.
    try await repository.commit()
    _ = try await repository.tool("git", "install")
    try repository.write("", to: ".git/info/attributes")
    try await repository.expectProblem("no-patterns")
  }

  /// Each of the two lines names its own program.
  @Test func theReadableDiffDoesNotNeedTheProgramOfTheDriver() async throws {
    _ = try await repository.tool("git", "install")
    let missing = DriverLines(program: "/nowhere/boxjoint").merge
    try await repository.git("config", "merge.boxjoint.driver", missing)
    let status = try await repository.tool("git", "status")
    #expect(status.status == 1)
    #expect(status.text.contains("  model.json: merged as text, readable diff\n"), "\(status.text)")
    try await repository.git(
      "config", "diff.boxjoint.textconv", DriverLines(program: "/nowhere/boxjoint").textconv)
    let neither = try await repository.tool("git", "status")
    #expect(neither.text.contains("  model.json: merged as text, diff as text\n"))
  }

  @Test func statusLooksAtOnePlaceIfToldTo() async throws {
    let elsewhere = try TemporaryFolder()
    func status(_ option: String) async throws -> ProcessRun {
      try await runTool(
        ["git", "status", option], in: elsewhere.path, environment: repository.environment)
    }
    let before = try await status("--global")
    #expect(before.status == 1)
    #expect(before.text.contains("run 'boxjoint git install --global'"), "\(before.text)")
    _ = try await repository.tool("git", "install", "--global")
    let after = try await status("--global")
    #expect(after.status == 0, "\(after.text)")
    #expect(after.text.contains("patterns (global): "))
    #expect(!after.text.contains("model files"), "\(after.text)")
    #expect(try await status("--shared").status == 2)
    let shared = try await repository.tool("git", "status", "--shared")
    #expect(shared.status == 1)
    #expect(shared.text.contains("run 'boxjoint git install --shared'"), "\(shared.text)")
    _ = try await repository.tool("git", "uninstall", "--global")
    #expect(try await status("--global").status == 1)
    #expect(!repository.surroundings.exists("home/.config"))
  }

  /// A clone of a team's repository: the attributes came with it, the driver did not.
  @Test func aCloneWithoutTheDriverIsFound() async throws {
    _ = try await repository.tool("git", "install", "--shared")
    try await repository.commit()
    let clone = try await TemporaryRepository(cloning: repository)
    try await clone.expectProblem("no-driver")
    _ = try await clone.tool("git", "install")
    #expect(try await clone.tool("git", "status").status == 0)
    let removed = try await clone.tool("git", "uninstall")
    #expect(removed.text.contains("uninstall --shared"))
  }

  @Test func otherPlacesAreRefused() async throws {
    let folder = try TemporaryFolder()
    for arguments in [["git", "install"], ["git", "uninstall"], ["git", "status"]] {
      let run = try await runTool(arguments, in: folder.path, environment: repository.environment)
      #expect(run.status == 2)
      #expect(run.messages.contains("not inside a git repository"))
    }
    try await repository.git("init", "--quiet", "--bare", "../bare.git")
    let bare = repository.surroundings.path(of: "bare.git")
    let shared = try await runTool(
      ["git", "install", "--shared"], in: bare, environment: repository.environment)
    #expect(shared.status == 2)
  }

  @Test func aRepositoryThatGitRefusesIsNotCalledMissing() async throws {
    let foreign = try await repository.tool(
      "git", "status", environment: ["GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"])
    #expect(foreign.status == 74)
    #expect(foreign.messages.contains("dubious ownership"))
  }

  /// In a hook, git has set these variables.
  @Test func theEnvironmentOfAHookIsRespected() async throws {
    let environment: [String: String?] = ["GIT_DIR": ".git", "GIT_INDEX_FILE": ".git/index"]
    let install = try await repository.tool("git", "install", environment: environment)
    #expect(install.status == 0)
    let status = try await repository.tool("git", "status", environment: environment)
    #expect(status.status == 0, "\(status.text)\(status.messages)")
  }

  @Test func aReadOnlyFileIsNotWritten() async throws {
    try repository.write("*.png binary\n", to: ".gitattributes")
    chmod(repository.path + "/.gitattributes", 0o444)
    let run = try await repository.tool("git", "install", "--shared")
    #expect(run.status == 74)
    #expect(try repository.text(of: ".gitattributes") == "*.png binary\n")
  }

  @Test func theNameIsWrittenWhereThePathLeadsToTheProgram() async throws {
    let bin = repository.surroundings.path(of: "bin")
    try repository.surroundings.write("", to: "bin/.keep")
    #expect(symlink(Tool.path ?? "", bin + "/boxjoint") == 0)
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    let run = try await repository.tool(
      "git", "install", environment: ["PATH": bin + ":" + path])
    #expect(run.status == 0)
    let line = try await repository.git("config", "merge.boxjoint.driver")
    #expect(line == DriverLines(program: "boxjoint").merge)
  }

  private func tool(_ arguments: [String]) async throws -> ProcessRun {
    try await runTool(arguments, in: repository.path, environment: repository.environment)
  }
}

extension TemporaryRepository {
  /// Expects that `boxjoint git status` names a problem, and ends with 1.
  fileprivate func expectProblem(
    _ id: String, _ path: String? = nil, location: SourceLocation = #_sourceLocation
  ) async throws {
    let run = try await tool("git", "status", "--format", "json")
    #expect(run.status == 1, sourceLocation: location)
    #expect(run.text.contains("\"id\": \"\(id)\""), "\(run.text)", sourceLocation: location)
    if let path {
      #expect(run.text.contains("\"path\": \"\(path)\""), sourceLocation: location)
    }
  }
}
