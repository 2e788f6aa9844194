import TestSupport
import Testing

@testable import BoxModelTool

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A change from a stranger that adds the files of a bare repository beside the model.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct HostileRepositoryTests {
  let origin: TemporaryRepository
  /// A clone in which the change is checked out, as in CI.
  let clone: TemporaryRepository
  private let base = "refs/remotes/origin/main"
  private let file = "app/model.json"
  private var marker: String { clone.surroundings.path(of: "marker") }

  init() async throws {
    origin = try await TemporaryRepository()
    try await origin.commit(["app/model.json": PlanSample.released.text])
    try await origin.git("tag", "v1")
    clone = try await TemporaryRepository(cloning: origin)
    try await clone.git("switch", "--quiet", "--create", "feature")
    let changed = try await clone.commit(["app/model.json": PlanSample.changed.text])
    try await clone.commit([
      "app/HEAD": "ref: refs/heads/main\n",
      "app/config": """
      [core]
      \trepositoryFormatVersion = 0
      \tbare = false
      \tworktree = ..
      \tfsmonitor = "touch \(marker); false"
      \thooksPath = hooks
      [log]
      \tshowSignature = true
      [gpg]
      \tprogram = "touch \(marker)"
      [diff]
      \texternal = "touch \(marker)"
      """,
      // The forged base is the change itself.
      "app/packed-refs": ["remotes/origin/main", "heads/main", "tags/v1"]
        .map { "\(changed) refs/\($0)\n" }.joined(),
      "app/refs/keep": "", "app/objects/info/alternates": "../../.git/objects\n",
    ])
  }

  private var didRun: Bool { clone.surroundings.exists(marker) }

  /// Git itself takes the directory for a repository, so that the tests below can fail.
  @Test func gitIsFooled() async throws {
    let top = try await clone.tryGit(["rev-parse", "--absolute-git-dir"], in: "app")
    #expect(top.text == clone.path + "/app\n")
    _ = try await clone.tryGit(["status"], in: "app")
    #expect(didRun)
  }

  static let commands: [(arguments: [String], status: Int32)] = [
    (["plan", "--against", "BASE", "FILE"], 1), (["plan", "--against", "BASE"], 1),
    (["plan", "--against", "BASE", "--merge-base", "FILE"], 1),
    (["plan", "BASE:app/model.json", "FILE"], 1), (["plan", "--all-tags", "v*", "FILE"], 1),
    (["plan", "FILE"], 0), (["check", "--against", "BASE", "FILE"], 1), (["check"], 0),
    (["diff", "FILE"], 0), (["diff", "BASE:app/model.json", "FILE"], 1),
    (["show", "BASE:app/model.json"], 0), (["show", "HEAD:app/model.json"], 0),
    (["history", "FILE"], 0), (["lock", "v1:app/model.json"], 0), (["resolve"], 0),
    (["config"], 0), (["git", "status"], 1), (["git", "install"], 0),
    (["plan", "approve", "0123456789abcdef0123", "--reason", "r"], 0),
  ]

  @Test(arguments: commands.indices, ["", "app"])
  func aCommittedDirectoryIsNotARepository(_ index: Int, _ directory: String) async throws {
    let (arguments, status) = Self.commands[index]
    let run = try await runTool(
      arguments.map {
        $0.replacing("BASE", with: base).replacing(
          "FILE", with: directory.isEmpty ? file : "model.json")
      }, in: clone.path + "/" + directory, environment: clone.environment)
    #expect(run.status == status, "\(arguments): \(run.text)\(run.messages)")
    #expect(!didRun, "\(arguments)")
    #expect(clone.surroundings.names(in: clone.path + "/app").count == 6)
  }

  @Test func theForgedBaseIsNotTaken() async throws {
    for directory in ["", "app"] {
      let name = directory.isEmpty ? file : "model.json"
      let run = try await runTool(
        ["plan", "--against", base, name], in: clone.path + "/" + directory,
        environment: clone.environment)
      #expect(run.status == 1, "\(run.text)")
      #expect(run.text.contains("entity-removed"), "\(run.text)")
      let shown = try await runTool(
        ["show", "v1:./model.json"], in: clone.path + "/app", environment: clone.environment)
      #expect(shown.status == 0, "\(shown.messages)")
      #expect(shown.text.contains("Tag"), "\(shown.messages)")
    }
  }

  /// The driver runs under git, for a branch whose model conflicts.
  @Test(arguments: [false, true])
  func theDriverMergesBesideTheDirectory(inLinkedWorkTree isLinked: Bool) async throws {
    let tool = try #require(Tool.path)
    _ = try await clone.tool("git", "install", "--program", tool)
    var model = PlanSample.changed
    model.entities[0].name = "Memo"
    try await clone.commit(["app/model.json": model.text])
    try await clone.git("branch", "other", "HEAD~1")
    var directory = "."
    if isLinked {
      try await clone.git("worktree", "add", "--quiet", "../second", "other")
      directory = "../second"
    } else {
      try await clone.git("switch", "--quiet", "other")
    }
    var theirs = PlanSample.changed
    theirs.entities[0].properties[0].name = "body"
    try clone.surroundings.write(theirs.text, to: clone.path + "/" + directory + "/app/model.json")
    try await clone.git("commit", "--quiet", "-am", "Theirs", in: directory)
    try await clone.git("merge", "--quiet", "feature", in: directory)
    let merged = try clone.surroundings.text(of: clone.path + "/" + directory + "/app/model.json")
    #expect(merged.contains("Memo"))
    #expect(merged.contains("body"))
    #expect(!didRun)
  }

  /// Programs that the user's own configuration names are not run to read either.
  @Test func readingRunsNoProgramOfTheConfiguration() async throws {
    try await clone.git("rm", "--quiet", "-r", "--cached", "app/config")
    for key in ["core.fsmonitor", "diff.external", "gpg.program", "core.pager"] {
      try await clone.git("config", key, "touch \(marker); false")
    }
    try await clone.git("config", "log.showSignature", "true")
    try await clone.git("config", "diff.x.textconv", "touch \(marker); cat")
    try await clone.git("config", "diff.x.command", "touch \(marker)")
    try clone.write("*.json diff=x\n", to: ".gitattributes")
    for (arguments, status) in Self.commands {
      let run = try await runTool(
        arguments.map { $0.replacing("BASE", with: base).replacing("FILE", with: file) },
        in: clone.path, environment: clone.environment)
      #expect(run.status == status, "\(arguments): \(run.messages)")
      #expect(!didRun, "\(arguments)")
    }
  }

  /// Every call of git has the options, whichever command makes it.
  @Test func everyCallIsHardened() async throws {
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    let git = try #require(RunningProgram.lookUp("git", in: path))
    let log = clone.surroundings.path(of: "calls")
    try clone.surroundings.write(
      """
      #!/bin/sh
      printf '%s\\n' "|$*" | tr '\\n' ' ' >>\(log); echo >>\(log)
      exec \(git) "$@"

      """, to: "bin/git")
    chmod(clone.surroundings.path(of: "bin/git"), 0o755)
    for (arguments, _) in Self.commands {
      _ = try await runTool(
        arguments.map { $0.replacing("BASE", with: base).replacing("FILE", with: "model.json") },
        in: clone.path + "/app",
        environment: clone.environment.merging(
          ["PATH": clone.surroundings.path(of: "bin") + ":" + path]) { $1 })
    }
    let calls = try clone.surroundings.text(of: "calls").split(separator: "\n")
    #expect(calls.count > 40)
    for call in calls {
      let words =
        "|-C \(clone.path) --no-pager -c safe.bareRepository=explicit "
        + "-c core.fsmonitor=false -c core.hooksPath=/dev/null -c log.showSignature=false "
      #expect(call.contains(words), "\(call)")
      if call.contains(" log ") || call.contains(" diff-") {
        #expect(call.contains(" --no-ext-diff --no-textconv "), "\(call)")
      }
    }
  }
}

/// The repository that a file belongs to.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct RepositoryOfFileTests {
  let repository: TemporaryRepository

  init() async throws {
    repository = try await TemporaryRepository()
    try await repository.commit(["model.json": PlanSample.released.text])
  }

  /// From the directory above and from inside.
  @Test func aModelInASubmoduleIsComparedWithTheSubmodule() async throws {
    let above = try await TemporaryRepository()
    try await above.commit(["f": "1"])
    try await above.git(
      "-c", "protocol.file.allow=always", "submodule", "--quiet", "add",
      "file://" + repository.path, "deps/sub")
    try await above.commit()
    try above.write(PlanSample.changed.text, to: "deps/sub/model.json")
    for (directory, file) in [
      (".", "deps/sub/model.json"), ("deps/sub", "model.json"),
      ("deps", "sub/model.json"),
    ] {
      // The base is one of the repository of the working directory.
      let base = directory == "deps/sub" ? "refs/remotes/origin/main" : "refs/heads/main"
      for arguments in [["plan"], ["plan", "--against", base], ["diff"]] {
        let run = try await runTool(
          arguments + [file], in: above.path + "/" + directory,
          environment: above.environment.merging(["CI": nil, "GITHUB_ACTIONS": nil]) { $1 })
        #expect(run.status == 1, "\(directory) \(arguments): \(run.messages)")
        #expect(run.text.contains("Tag"))
      }
    }
    // In a hook of the repository above, git has set this.
    let hook = try await above.tool(
      "plan", "deps/sub/model.json",
      environment: ["GIT_DIR": ".git", "GIT_INDEX_FILE": ".git/index"])
    #expect(hook.status == 1, "\(hook.messages)")
  }

  @Test func aRepositoryThatIsNotRegisteredIsNotUsed() async throws {
    try await repository.git("init", "--quiet", "nested")
    try repository.write(PlanSample.changed.text, to: "nested/model.json")
    try await repository.git("add", "model.json", in: "nested")
    try await repository.git("commit", "--quiet", "-m", "Forged", in: "nested")
    let run = try await repository.tool("plan", "--against", "HEAD", "nested/model.json")
    #expect(run.messages.contains("there is no such file in HEAD"), "\(run.messages)")
    // Whoever stands in it means it.
    let inside = try await repository.tool("plan", "--against", "HEAD", "model.json", in: "nested")
    #expect(inside.status == 0)
    #expect(inside.messages.isEmpty)
  }

  @Test func aFileElsewhereBelongsToTheRepositoryAboveIt() async throws {
    let directory = try TemporaryDirectory()
    try await repository.commit(["app/model.json": PlanSample.released.text])
    try repository.write(PlanSample.changed.text, to: "app/model.json")
    for place in [directory.path, repository.path + "/app"] {
      let run = try await runTool(
        ["plan", "--against", "HEAD", repository.path + "/app/model.json"], in: place,
        environment: repository.environment)
      #expect(run.status == 1, "\(run.messages)")
      #expect(run.text.contains("Tag"), "\(run.messages)")
    }
  }

  /// A path that a change has turned into a link is compared with what was there.
  @Test func aDirectoryThatBecameALinkIsComparedByItsPath() async throws {
    try await repository.commit(["app/model.json": PlanSample.released.text])
    try await repository.git("rm", "--quiet", "-r", "app")
    var other = PlanSample.changed
    other.entities[0].uid = 7000
    try repository.write(other.text, to: "other/model.json")
    #expect(symlink("other", repository.path + "/app") == 0)
    let run = try await repository.tool("plan", "--against", "HEAD", "app/model.json")
    #expect(run.status == 1, "\(run.messages)")
    #expect(!run.messages.contains("every element is new"), "\(run.messages)")
  }

  @Test func aBareRepositoryIsUsedWhereItIsNamed() async throws {
    try await repository.git("clone", "--quiet", "--bare", ".", "../bare.git")
    let bare = repository.surroundings.path(of: "bare.git")
    let found = try await runTool(
      ["show", "main:model.json"], in: bare, environment: repository.environment)
    #expect(found.status == 74, "\(found.messages)")
    #expect(found.messages.contains("set GIT_DIR"), "\(found.messages)")
    let named = try await runTool(
      ["show", "main:model.json"], in: bare,
      environment: repository.environment.merging(["GIT_DIR": "."]) { $1 })
    #expect(named.status == 0, "\(named.messages)")
  }

  @Test func namesWithPatternsAreOneFile() async throws {
    // Without the model that these could be copies of.
    let repository = try await TemporaryRepository()
    try await repository.commit(["[m]odel.json": PlanSample.released.text])
    try await repository.commit(["[m]odel.json": PlanSample.changed.text])
    try await repository.commit(["-x.json": SmallModel.with("X", uid: 9000).text])
    try await repository.commit(["model.json": "{}", "m": ""])
    for file in ["[m]odel.json", "-x.json"] {
      let run = try await repository.tool("history", "--format", "json", "--", file)
      #expect(run.status == 0, "\(run.messages)")
      // The commits of model.json and m are none of it.
      #expect(!run.text.contains("\"model.json\""), "\(file)")
    }
    let two = try await repository.tool("history", "--format", "json", "[m]odel.json")
    #expect(two.text.ranges(of: "\"commit\"").count == 2)
  }
}
