import TestSupport
import Testing

@testable import BoxModelTool

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A site, the bare repository that it serves, and the clone of a job.
struct RequestWorld {
  let kind: SiteKind
  let site: FakeSite
  /// The clone in which the job runs, with `main` checked out.
  let clone: TemporaryRepository
  let file = "model.json"

  /// The bare repository of the site.
  var origin: String { site.directory.path(of: "origin.git") }

  /// The models of two branches that the driver joins, while lines conflict.
  static let resolvable = (SmallModel.grown("Ant", uid: 2000), SmallModel.grown("Bear", uid: 3000))
  /// The models of two branches that gave one entity two names.
  static let contradicting = (
    SmallModel([SmallModel.note(name: "Memo")]), SmallModel([SmallModel.note(name: "Letter")])
  )

  /// Creates a request of `feature` into `main`, with these models on both.
  init(
    _ kind: SiteKind = .github, main: SmallModel = resolvable.0,
    feature: SmallModel = resolvable.1
  ) async throws {
    self.kind = kind
    site = try await FakeSite()
    clone = try await TemporaryRepository()
    try await clone.commit([file: SmallModel.base.text, "other.txt": "1\n"])
    try await branchOff(clone, file, main, feature)
    try await clone.git("clone", "--quiet", "--bare", ".", origin)
    try await clone.git("remote", "add", "origin", origin)
    try await clone.git("fetch", "--quiet", "origin")
    try await site.set(
      #"{"requests": [{"number": 5, "source": "feature", "target": "main"}]}"#)
  }

  /// The variables of a job.
  var environment: [String: String?] {
    let address = "http://127.0.0.1:\(site.port)"
    let values: [String: String?] =
      switch kind {
      case .github:
        [
          "GITHUB_ACTIONS": "true", "GITHUB_TOKEN": "secret", "GITHUB_API_URL": address,
          "GITHUB_REPOSITORY": "owner/app",
        ]
      case .gitlab:
        [
          "GITLAB_CI": "true", "GITLAB_TOKEN": "secret", "CI_API_V4_URL": address + "/api/v4",
          "CI_PROJECT_ID": "1",
        ]
      }
    let unset: [String: String?] = [
      "GITHUB_ACTIONS": nil, "GITLAB_CI": nil, "GITHUB_TOKEN": nil, "GH_TOKEN": nil,
      "GITLAB_TOKEN": nil, "TMPDIR": nil,
    ]
    return unset.merging(values) { $1 }
  }

  /// The directories of programs, with the program itself among them by its name.
  var pathWithProgram: String {
    let bin = clone.surroundings.path(of: "programs")
    mkdir(bin, 0o755)
    _ = symlink(Tool.path ?? "", bin + "/boxjoint")
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    return bin + ":" + path
  }

  /// The site's word for the state of a commit that did not pass.
  var failedState: String { kind == .github ? "failure" : "failed" }

  /// Runs the program in the clone as a job does.
  func run(
    _ arguments: [String], environment more: [String: String?] = [:]
  ) async throws -> ProcessRun {
    try await runTool(
      arguments, in: clone.path,
      environment: clone.environment.merging(environment) { $1 }.merging(more) { $1 })
  }

  func merge(
    _ arguments: String..., environment: [String: String?] = [:]
  ) async throws -> ProcessRun {
    try await run(["ci", "merge"] + arguments, environment: environment)
  }

  /// The output of git in the bare repository.
  func inOrigin(_ arguments: String...) async throws -> String {
    let run = try await clone.tryGit(["--git-dir", origin] + arguments)
    guard run.status == 0 else { throw TestFailure("git \(arguments): \(run.messages)") }
    return run.text.trimmingSuffix
  }

  func tip(_ branch: String) async throws -> String {
    try await inOrigin("rev-parse", "refs/heads/\(branch)")
  }

  /// Commits files to a branch of the site.
  func push(_ files: [String: String], to branch: String) async throws {
    try await clone.git("fetch", "--quiet", "origin")
    try await clone.git("switch", "--quiet", "--detach", "origin/\(branch)")
    try await clone.commit(files)
    try await clone.git("push", "--quiet", "origin", "HEAD:\(branch)")
    try await clone.git("switch", "--quiet", "main")
  }

  /// A directory with a `git` that runs a script once before a command of that name, to put first on the
  /// PATH.
  func git(before command: String, run script: String) throws -> [String: String?] {
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    let real = RunningProgram.lookUp("git", in: path) ?? "git"
    let directory = clone.surroundings.path(of: "bin")
    try clone.surroundings.write(script, to: "bin/hook")
    try clone.surroundings.write(
      """
      #!/bin/sh
      for word; do
        if [ "$word" = \(command) ] && mv '\(directory)/hook' '\(directory)/hook.run' 2>/dev/null; then
          (unset GIT_DIR GIT_WORK_TREE; PATH='\(path)' sh -e '\(directory)/hook.run' >&2)
        fi
      done
      exec \(real) "$@"
      """, to: "bin/git")
    chmod(directory + "/git", 0o755)
    return ["PATH": directory + ":" + path]
  }
}

extension String {
  /// The text without the line endings at its end.
  var trimmingSuffix: String {
    var text = self[...]
    while text.hasSuffix("\n") { text = text.dropLast() }
    return String(text)
  }
}

/// Holds the JSON of a report on merges of branches against its schema, where the validator is there.
func expectSchema(of run: ProcessRun) async throws {
  if await !SchemaValidator.isAvailable() { return }
  #expect(
    try await SchemaValidator.violations(of: run.output, against: "branch-merge.schema.json") == "")
}
