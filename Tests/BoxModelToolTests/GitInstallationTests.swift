import BoxReport
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxModelTool

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The drivers and the attributes in git's files, and their status.
struct GitInstallationTests {
  private let repository: TemporaryRepository
  /// A program that answers `--version`, as the status asks.
  private let program = "/bin/echo"

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

  /// A place for the integration; by default the repository.
  private func git(in directory: String? = nil) -> GitClient {
    GitClient(in: directory ?? repository.path, environment: repository.environment)
  }

  @discardableResult
  private func install(
    _ scope: IntegrationScope = .local, program: String? = nil, in git: GitClient? = nil
  ) async throws -> GitIntegration.Report {
    let git = git ?? self.git()
    let directory = git.location.directory
    let patterns = try await EffectiveConfiguration.load(
      in: Workspace(git: git, directory: directory)
    )
    .filePatterns
    return try await GitIntegration(git: git).install(
      scope, program: program ?? self.program, patterns: patterns)
  }

  @discardableResult
  private func uninstall(
    _ scope: IntegrationScope = .local, in git: GitClient? = nil
  ) async throws -> GitIntegration.Report {
    try await GitIntegration(git: git ?? self.git()).uninstall(scope)
  }

  private func status(
    _ scope: IntegrationScope? = nil, in git: GitClient? = nil
  ) async throws -> (isFine: Bool, text: String, json: String) {
    let git = git ?? self.git()
    let directory = git.location.directory
    let patterns = try await EffectiveConfiguration.load(
      in: Workspace(git: git, directory: directory)
    )
    .filePatterns
    let status = try await IntegrationInspector(git: git, patterns: patterns).inspect(scope)
    let report = IntegrationStatusReport(status: status)
    return (status.problems.isEmpty, report.text, report.json.displayText)
  }

  /// Expects that the status names a problem.
  private func expectProblem(
    _ id: String, _ path: String? = nil, in git: GitClient? = nil,
    location: SourceLocation = #_sourceLocation
  ) async throws {
    let status = try await status(in: git)
    #expect(!status.isFine, sourceLocation: location)
    #expect(
      status.json.contains("\"id\": \"\(id)\""), "\(status.json)", sourceLocation: location)
    if let path {
      #expect(status.json.contains("\"path\": \"\(path)\""), sourceLocation: location)
    }
  }

  /// The values that a user had under the same names are restored, all of them.
  @Test(arguments: IntegrationScope.allCases)
  func uninstallingBringsBackWhatWasThere(scope: IntegrationScope) async throws {
    let option = "--" + scope.configuration.rawValue
    let mine = [
      ("merge.boxjoint.name", "Mine"), ("merge.boxjoint.driver", "mine %O %A %B"),
      ("merge.boxjoint.driver", "mine 'again' %A"), ("merge.boxjoint.recursive", "text"),
      ("merge.boxjoint.other", "stays"), ("diff.boxjoint.textconv", "cat"),
    ]
    for (key, value) in mine { try await repository.git("config", option, "--add", key, value) }
    func values() async throws -> [String] {
      try await repository.git("config", option, "--get-regexp", "boxjoint")
        .split(separator: "\n").map(String.init).sorted()
    }
    let before = try await values()
    // The second time nothing of the user's is there to be kept.
    for _ in 0..<2 { try await install(scope) }
    #expect(try await status().isFine)
    let removed = try await uninstall(scope)
    #expect(try await values() == before)
    #expect(removed.changes.contains("restored the previous value of merge.boxjoint.driver"))
  }

  /// Git makes `.git/info` from a template that need not have it.
  @Test func uninstallingLeavesNoDirectoryThatGitDidNotMake() async throws {
    try await repository.git("init", "--quiet", "--template=", "bare-bones")
    let directory = repository.path + "/bare-bones"
    try await install(in: git(in: directory))
    #expect(repository.surroundings.exists(directory + "/.git/info/attributes"))
    try await uninstall(in: git(in: directory))
    #expect(!repository.surroundings.exists(directory + "/.git/info"))
  }

  @Test(arguments: IntegrationScope.allCases)
  func theModelFilesGetTheAttributesAndNoOthers(scope: IntegrationScope) async throws {
    try await install(scope)
    let all = models + ["default.json"]
    let run = try await repository.tryGit(["check-attr", "merge", "diff"] + ["--"] + all)
    for path in models {
      #expect(run.text.contains("\(path): merge: boxjoint\n"))
      #expect(run.text.contains("\(path): diff: boxjoint\n"))
    }
    #expect(run.text.contains("\ndefault.json: merge: unspecified\n"))
    #expect(try await git().trackedFiles(matching: FilePattern.standard).sorted() == models)
  }

  @Test func everyWorkTreeSeesTheAttributes() async throws {
    try await repository.git("worktree", "add", "--quiet", "../second")
    let second = git(in: repository.surroundings.path(of: "second"))
    try await install(in: second)
    #expect(repository.surroundings.exists(repository.path + "/.git/info/attributes"))
    #expect(try await status(in: second).isFine)
    #expect(try await status(in: git(in: repository.path + "/app")).isFine)
  }

  @Test func patternsOfTheConfigurationAreInstalled() async throws {
    try repository.write("files: ['my models/*.json', '#odd.json']\n", to: ".boxjoint.yml")
    try await repository.commit(["my models/x.json": "{}", "sub/#odd.json": "{}"])
    try await install()
    let installed = try await status()
    #expect(installed.isFine)
    #expect(installed.text.contains("  my models/x.json: merged by UID, readable diff\n"))
    #expect(installed.text.contains("  sub/#odd.json: merged by UID, readable diff\n"))
    try repository.write("files: [model.json]\n", to: ".boxjoint.yml")
    let changed = try await status()
    #expect(!changed.isFine)
    #expect(changed.text.contains("patterns differ from the configuration"))
  }

  @Test func nothingInstalledIsSaidClearly() async throws {
    let status = try await status()
    #expect(!status.isFine)
    #expect(status.text.contains("nothing is installed"))
    #expect(status.text.contains("  model.json: merged as text, diff as text\n"))
  }

  @Test func mistakesAreNamed() async throws {
    try await install(.shared)
    try await repository.commit(["lib/.gitattributes": "*.json -merge\n"])
    try await expectProblem("overridden-attribute", "lib/objectbox-model.json")
    try await repository.git("rm", "--quiet", "lib/.gitattributes")
    try await repository.git("config", "merge.boxjoint.driver", "true")
    try await expectProblem("foreign-driver")
    try await repository.git("config", "--unset", "merge.boxjoint.driver")
    try await expectProblem("no-driver")
    try await repository.git("config", "--unset", "diff.boxjoint.textconv")
    try await expectProblem("no-textconv")
    try await install(program: "/nowhere/boxjoint")
    try await expectProblem("missing-program")
    try await install(program: "/bin/false")
    try await expectProblem("broken-program")
    try await install()
    #expect(try await status().isFine)
    try repository.write("model.json merge=union\n", to: ".git/info/attributes")
    try await expectProblem("overridden-attribute", "model.json")
    try repository.write("", to: ".git/info/attributes")
    try await uninstall(.shared)
    // Git reads attributes from the index where the file is missing.
    try await repository.commit()
    try await install()
    try repository.write("", to: ".git/info/attributes")
    try await expectProblem("no-patterns")
  }

  /// Each of the two lines names its own program.
  @Test func theReadableDiffDoesNotNeedTheProgramOfTheDriver() async throws {
    try await install()
    let missing = DriverLines(program: "/nowhere/boxjoint").merge
    try await repository.git("config", "merge.boxjoint.driver", missing)
    let status = try await status()
    #expect(!status.isFine)
    #expect(status.text.contains("  model.json: merged as text, readable diff\n"), "\(status.text)")
    try await repository.git(
      "config", "diff.boxjoint.textconv", DriverLines(program: "/nowhere/boxjoint").textconv)
    let neither = try await self.status()
    #expect(neither.text.contains("  model.json: merged as text, diff as text\n"))
  }

  @Test func statusLooksAtOnePlaceIfToldTo() async throws {
    let directory = try TemporaryDirectory()
    let elsewhere = git(in: directory.path)
    let before = try await status(.global, in: elsewhere)
    #expect(!before.isFine)
    #expect(before.text.contains("run 'boxjoint git install --global'"), "\(before.text)")
    try await install(.global)
    let after = try await status(.global, in: elsewhere)
    #expect(after.isFine, "\(after.text)")
    #expect(after.text.contains("patterns (global): "))
    #expect(!after.text.contains("model files"), "\(after.text)")
    let failure = await #expect(throws: CommandFailure.self) {
      try await status(.shared, in: elsewhere)
    }
    #expect(failure?.kind == .impossible)
    let shared = try await status(.shared)
    #expect(!shared.isFine)
    #expect(shared.text.contains("run 'boxjoint git install --shared'"), "\(shared.text)")
    try await uninstall(.global)
    #expect(try await !status(.global, in: elsewhere).isFine)
    #expect(!repository.surroundings.exists("home/.config"))
  }

  /// A clone of a team's repository: the attributes came with it, the driver did not.
  @Test func aCloneWithoutTheDriverIsFound() async throws {
    try await install(.shared)
    try await repository.commit()
    let clone = try await TemporaryRepository(cloning: repository)
    let git = clone.place().git
    try await expectProblem("no-driver", in: git)
    try await install(in: git)
    #expect(try await status(in: git).isFine)
    let removed = try await uninstall(in: git)
    #expect(removed.notes.contains { $0.contains("uninstall --shared") })
  }

  @Test func aReadOnlyFileIsNotWritten() async throws {
    try repository.write("*.png binary\n", to: ".gitattributes")
    chmod(repository.path + "/.gitattributes", 0o444)
    let failure = await #expect(throws: CommandFailure.self) { try await install(.shared) }
    #expect(failure?.kind == .inputOutput)
    #expect(try repository.text(of: ".gitattributes") == "*.png binary\n")
  }
}
