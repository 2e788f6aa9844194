import TestSupport
import Testing

@testable import BoxModelTool

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// `boxjoint git …` of the built program in real repositories.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct GitIntegrationTests {
  let repository: TemporaryRepository

  init() async throws {
    repository = try await TemporaryRepository()
    try await repository.commit(["model.json": "{}\n", "app/objectbox-models/default.json": "{}\n"])
  }

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
  func uninstallingRemovesEverything(place: [String]) async throws {
    let before = try await everything()
    #expect(try await repository.tool("git", "status").status == 1)
    let first = try await tool(["git", "install"] + place)
    #expect(first.status == 0, "\(first.messages)")
    let installed = try await everything()
    #expect(installed != before)
    // Paths are those that a reader in this directory would use.
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

  @Test func otherPlacesAreRefused() async throws {
    let directory = try TemporaryDirectory()
    for arguments in [["git", "install"], ["git", "uninstall"], ["git", "status"]] {
      let run = try await runTool(
        arguments, in: directory.path, environment: repository.environment)
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

  @Test func theNameIsWrittenIfThePathFindsTheProgram() async throws {
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
