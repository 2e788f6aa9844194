import TestSupport
import Testing

@testable import BoxModelTool

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A git that is older than the oldest supported one: it does not know `--end-of-options`, nor the
/// labels `%S %X %Y` of a driver line.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct OldGitTests {
  let repository: TemporaryRepository
  let environment: [String: String?]

  init() async throws {
    repository = try await TemporaryRepository()
    try await repository.commit(["model.json": SmallModel.base.text])
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    let git = try #require(RunningProgram.lookUp("git", in: path))
    try repository.surroundings.write(
      """
      #!/bin/sh
      case "$*" in *--version) echo "git version 2.20.1"; exit 0;; esac
      for word; do
        if [ "$word" = --end-of-options ]; then exit 1; fi
      done
      exec \(git) "$@"
      """, to: "bin/git")
    chmod(repository.surroundings.path(of: "bin/git"), 0o755)
    environment = ["PATH": repository.surroundings.path(of: "bin") + ":" + path]
  }

  @Test func statusNamesIt() async throws {
    _ = try await repository.tool("git", "install", environment: environment)
    let run = try await repository.tool("git", "status", environment: environment)
    #expect(run.status == 1)
    #expect(
      run.text.contains(
        "problem: git 2.20 is older than 2.24, the oldest supported; update git\n"), "\(run.text)")
  }

  @Test func revisionsAreNotCalledMissing() async throws {
    for arguments in [["show", "main:model.json"], ["check", "--against", "main", "model.json"]] {
      let run = try await runTool(
        arguments, in: repository.path,
        environment: repository.environment.merging(environment) { $1 })
      #expect(run.status == 74)
      #expect(
        run.messages.hasSuffix("git 2.20 is older than 2.24, the oldest supported\n"),
        "\(run.messages)")
    }
  }

  /// The driver is handed the placeholders that git does not know, and looks up what is published.
  @Test func theDriverMergesAllTheSame() async throws {
    let both = [SmallModel.grown("Ant", uid: 2000), SmallModel.grown("Bear", uid: 3000)]
    let named = ["Memo", "Card"].map { SmallModel([SmallModel.note(name: $0)]) }
    for (models, status) in [(both, Int32(0)), (named, 1)] {
      try repository.write(SmallModel.base.text, to: "base")
      try repository.write(models[0].text, to: "ours")
      try repository.write(models[1].text, to: "theirs")
      let run = try await repository.tool(
        "merge-driver", "base", "ours", "theirs", "7", "model.json", "%S", "%X", "%Y",
        environment: environment)
      #expect(run.status == status, "\(run.messages)")
      let text = try repository.text(of: "ours")
      if status == 0 {
        #expect(try ModelFacts(text).errors == [])
        #expect(text.contains(":2000\""))
        #expect(text.contains(":3000\""))
      } else {
        #expect(text.contains("<<<<<<< ours\n"))
        #expect(text.contains(">>>>>>> theirs\n"))
      }
    }
  }
}
