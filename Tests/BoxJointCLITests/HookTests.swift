import BoxModel
import TestSupport
import Testing

@testable import BoxModelTool

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The hooks that `boxjoint git install` writes, run by git.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct HookTests {
  let repository: TemporaryRepository
  let file = "a b/objectbox-model.json"

  init() async throws {
    repository = try await TemporaryRepository()
    try await repository.commit([file: model().text])
    let install = try await repository.tool("git", "install")
    #expect(install.status == 0, "\(install.messages)")
  }

  /// A model with an entity of some properties.
  private func model(_ properties: Int = 1) -> SmallModel {
    SmallModel([
      SmallModel.Entity(
        id: 1, uid: 1000, name: "Note",
        properties: (2..<2 + properties).map {
          SmallModel.Property(id: $0, uid: 1000 + $0, name: "text\($0)")
        })
    ])
  }

  private func hook(_ name: String) -> String { ".git/hooks/" + name }

  /// The last id of a property that the file of the work tree has.
  private func lastProperty(_ directory: String? = nil) throws -> Int? {
    let text = try repository.surroundings.text(of: (directory ?? repository.path) + "/" + file)
    return try ModelFacts(text).document.model.entities.first?.lastPropertyID.map {
      Int($0.id)
    }
  }

  /// A bare repository beside this one, as its remote, which has what is committed.
  private func makeRemote() async throws {
    try await repository.git("init", "--quiet", "--bare", "../remote.git")
    try await repository.git("remote", "add", "origin", "../remote.git")
    try await repository.git("push", "--quiet", "--no-verify", "-u", "origin", "main")
  }

  // MARK: - Merges and reverts

  /// Git takes the earlier file as it is, and with it a last id that is too low.
  @Test func theRevertOfTheLastCommitIsFixed() async throws {
    try await repository.commit([file: model(2).text])
    let revert = try await repository.tryGit(["revert", "--no-edit", "HEAD"])
    #expect(revert.status == 0)
    #expect(revert.messages.contains("fixed: "), "\(revert.messages)")
    #expect(
      revert.messages.contains(
        "git commit --amend --no-edit --allow-empty -- ':/a b/objectbox-model.json'"),
      "\(revert.messages)")
    #expect(try lastProperty() == 3)
    #expect(try await repository.git("status", "--porcelain") == " M \"\(file)\"")
    let amend = try await repository.tryGit(["commit", "--amend", "--no-edit", "--", file])
    #expect(amend.status == 0)
    #expect(!amend.messages.contains("boxjoint"), "\(amend.messages)")
    #expect(try await repository.git("status", "--porcelain") == "")
  }

  @Test func aFastForwardIsFixed() async throws {
    try await repository.commit([file: model(2).text])
    try await repository.git("switch", "--quiet", "--create", "feature")
    try await repository.commit([file: model().text])
    try await repository.commit(["other.txt": "1"])
    try await repository.git("switch", "--quiet", "main")
    let merge = try await repository.tryGit(["merge", "--ff-only", "feature"])
    #expect(merge.status == 0)
    #expect(merge.messages.contains("git commit -m 'Fix the ids of the model' -- ':/a b/"))
    #expect(try lastProperty() == 3)
  }

  /// Only one side changed the model, so no driver says what is removed; the other may have moved its source.
  @Test func aRemovalThatGitTookWholeIsSaid() async throws {
    try await repository.commit([file: model(2).text])
    try await repository.git("switch", "--quiet", "--create", "feature")
    var removed = try ModelFacts(try repository.text(of: file)).document
    removed = try ModelDocument(
      parsing: removed.rendered(
        try Self.edited(removed.model) { editor throws(ModelEditError) in
          try editor.remove(ElementKey(.property, 1003))
        }))
    try await repository.commit([file: String(decoding: removed.bytes, as: UTF8.self)])
    try await repository.git("switch", "--quiet", "main")
    try await repository.commit(["Note.swift": "moved"])
    let merge = try await repository.tryGit(["merge", "--no-edit", "feature"])
    #expect(merge.status == 0)
    #expect(
      merge.messages.contains("Note.text3 is removed, which refs/heads/main has"),
      "\(merge.messages)")
    // A fast-forward brings the sources with it.
    try await repository.git("reset", "--quiet", "--hard", "HEAD~1")
    try await repository.git("switch", "--quiet", "--create", "behind", "HEAD~1")
    let forward = try await repository.tryGit(["merge", "--ff-only", "feature"])
    #expect(!forward.messages.contains("is removed"), "\(forward.messages)")
  }

  private static func edited(
    _ model: Model, _ edit: (inout ModelEditor) throws(ModelEditError) -> Void
  ) throws -> Model {
    var editor = ModelEditor(model, uids: .random)
    try edit(&editor)
    return editor.model
  }

  /// Only one side changed the file, so git asks no driver.
  @Test func aMergeOfOneSideIsFixed() async throws {
    try await repository.commit([file: model(2).text])
    try await repository.git("switch", "--quiet", "--create", "feature")
    try await repository.commit([file: model().text])
    try await repository.git("switch", "--quiet", "main")
    try await repository.commit(["other.txt": "1"])
    let merge = try await repository.tryGit(["merge", "--no-edit", "feature"])
    #expect(merge.status == 0)
    #expect(merge.messages.contains("fixed: "), "\(merge.messages)")
    #expect(try lastProperty() == 3)
  }

  /// The driver gives an element of the branch another id, as long as it is not published.
  @Test func elementsThatTheDriverRenumbersAreNotErrors() async throws {
    try await makeRemote()
    try await branchOff(
      repository, file, SmallModel.grown("Ant", uid: 2000), SmallModel.grown("Bear", uid: 3000))
    try await repository.git("push", "--quiet", "origin", "main", "feature")
    try await repository.git("switch", "--quiet", "feature")
    try await repository.git("branch", "other")
    let merge = try await repository.tryGit(["merge", "--no-edit", "main"])
    #expect(merge.status == 0)
    #expect(merge.messages.contains("BOX410"), "\(merge.messages)")
    #expect(!merge.messages.contains("BOX204"), "\(merge.messages)")
    let push = try await repository.tryGit(["push", "--quiet", "origin", "feature"])
    #expect(push.status == 0, "\(push.messages)")
    // A colleague who has the branch as it was.
    try await repository.git("switch", "--quiet", "other")
    let pull = try await repository.tryGit(["merge", "--ff-only", "feature"])
    #expect(!pull.messages.contains("boxjoint"), "\(pull.messages)")
    #expect(try await repository.git("status", "--porcelain") == "")
  }

  @Test func aSquashMergeIsLeftAlone() async throws {
    try await repository.commit([file: model(2).text])
    try await repository.git("switch", "--quiet", "--create", "feature")
    try await repository.commit([file: model().text])
    try await repository.git("switch", "--quiet", "main")
    let merge = try await repository.tryGit(["merge", "--squash", "feature"])
    #expect(!merge.messages.contains("boxjoint"), "\(merge.messages)")
    #expect(try lastProperty() == 2)
  }

  /// Git goes on with the work tree, so nothing is written before the last revert.
  @Test func aSequenceOfRevertsIsFixedAtItsEnd() async throws {
    try await repository.commit([file: model(2).text])
    try await repository.commit([file: model(3).text])
    let revert = try await repository.tryGit(["revert", "--no-edit", "HEAD", "HEAD~1"])
    #expect(revert.status == 0, "\(revert.messages)")
    #expect(revert.messages.contains("as git has more to do"), "\(revert.messages)")
    // The highest of all, and not only of the last revert.
    #expect(try lastProperty() == 4)
  }

  @Test func aRebaseIsOnlyReported() async throws {
    try await repository.git("switch", "--quiet", "--create", "feature")
    try await repository.commit([file: model(2).text])
    try await repository.git("-c", "core.hooksPath=/dev/null", "revert", "--no-edit", "HEAD")
    try await repository.git("switch", "--quiet", "main")
    try await repository.commit(["other.txt": "1"])
    let rebase = try await repository.tryGit(["rebase", "main", "feature"])
    #expect(rebase.status == 0, "\(rebase.messages)")
    #expect(rebase.messages.contains("as git has more to do"), "\(rebase.messages)")
    #expect(try await repository.git("status", "--porcelain") == "")
  }

  @Test func otherCommitsAndRepositoriesAreSilent() async throws {
    let commit = try await repository.tryGit(["commit", "--allow-empty", "-m", "Nothing"])
    #expect(commit.messages.isEmpty)
    let other = try await TemporaryRepository()
    try await other.commit(["a.txt": "1"])
    #expect(try await other.tool("git", "install").status == 0)
    try await other.commit(["a.txt": "2"])
    let revert = try await other.tryGit(["revert", "--no-edit", "HEAD"])
    #expect(revert.status == 0)
    #expect(revert.messages.isEmpty, "\(revert.messages)")
  }

  @Test func inAnotherWorkTreeItsOwnFileIsFixed() async throws {
    try await repository.commit([file: model(2).text])
    let tree = repository.surroundings.path(of: "other tree")
    try await repository.git("worktree", "add", "--quiet", "-b", "other", tree)
    let revert = try await ProcessRun.of(
      "git", ["revert", "--no-edit", "HEAD"], in: tree, environment: repository.environment)
    #expect(revert.messages.contains("fixed: "), "\(revert.messages)")
    #expect(try lastProperty(tree) == 3)
    #expect(try await repository.git("status", "--porcelain") == "")
  }

  @Test func withoutTheProgramNothingHappens() async throws {
    try await makeRemote()
    let install = try await repository.tool("git", "install", "--program", "/nowhere/boxjoint")
    #expect(install.status == 0)
    try await repository.commit([file: model(2).text])
    for command in [["revert", "--no-edit", "HEAD"], ["push", "--quiet"]] {
      let run = try await repository.tryGit(command)
      #expect(run.status == 0)
      #expect(run.messages.isEmpty, "\(run.messages)")
    }
    let status = try await repository.tool("git", "status")
    #expect(status.status == 1)
    #expect(status.text.contains("the hook checks nothing"), "\(status.text)")
  }

  // MARK: - Pushes

  @Test func aPushIsStoppedUntilTheFixIsCommitted() async throws {
    try await repository.commit([file: model(2).text])
    try await makeRemote()
    try await repository.commit([file: model().text])
    let push = try await repository.tryGit(["push", "--quiet"])
    #expect(push.status == 1)
    #expect(push.messages.contains("fixed: "), "\(push.messages)")
    #expect(push.messages.contains("'git push --no-verify'"), "\(push.messages)")
    #expect(try lastProperty() == 3)
    let again = try await repository.tryGit(["push", "--quiet"])
    #expect(again.status == 1)
    let command = "git commit -m 'Fix the ids of the model' -- ':/a b/objectbox-model.json'"
    #expect(again.messages.contains(command), "\(again.messages)")
    let commit = try await ProcessRun.of(
      "sh", ["-c", command], in: repository.path + "/a b", environment: repository.environment)
    #expect(commit.status == 0)
    let last = try await repository.tryGit(["push", "--quiet"])
    #expect(last.status == 0, "\(last.messages)")
    #expect(last.messages.isEmpty, "\(last.messages)")
  }

  @Test func aPushWithoutTheCheckPasses() async throws {
    try await repository.commit([file: model(2).text])
    try await makeRemote()
    try await repository.commit([file: model().text])
    #expect(try await repository.tryGit(["push", "--quiet", "--no-verify"]).status == 0)
  }

  /// The file has work of the user, which a fix must not mix with.
  @Test func changesThatAreNotCommittedStay() async throws {
    try await repository.commit([file: model(2).text])
    try await makeRemote()
    try await repository.commit([file: model().text])
    let changed = model().text + "\n"
    try repository.write(changed, to: file)
    let push = try await repository.tryGit(["push", "--quiet"])
    #expect(push.status == 1)
    #expect(push.messages.contains("has changes that are not committed"), "\(push.messages)")
    #expect(try repository.text(of: file) == changed)
  }

  /// A new branch is compared with what is published, and another branch is not written.
  @Test func aNewBranchThatIsNotCheckedOut() async throws {
    try await repository.commit([file: model(2).text])
    try await makeRemote()
    try await repository.git("switch", "--quiet", "--create", "feature")
    try await repository.commit([file: model().text])
    try await repository.git("switch", "--quiet", "main")
    let push = try await repository.tryGit(["push", "--quiet", "origin", "feature"])
    #expect(push.status == 1)
    #expect(push.messages.contains("git switch feature"), "\(push.messages)")
    #expect(try await repository.git("status", "--porcelain") == "")
    // A deletion is not a version.
    try await repository.git("push", "--quiet", "--no-verify", "origin", "feature")
    let deletion = try await repository.tryGit(["push", "--quiet", "origin", ":feature"])
    #expect(deletion.status == 0, "\(deletion.messages)")
  }

  // MARK: - Hooks of other tools

  /// The lines of another tool get the arguments and the input, and decide about the status.
  @Test func anotherHookKeepsWorking() async throws {
    try await makeRemote()
    _ = try await repository.tool("git", "uninstall")
    let script = "#!/bin/sh\necho \"$1\"\nwhile read -r a b c d; do echo \"$a>$c\"; done\nexit 3\n"
    try repository.write(script, to: hook("pre-push"))
    chmod(repository.path + "/" + hook("pre-push"), 0o755)
    try await repository.commit([file: model(2).text])
    let before = try await repository.tryGit(["push", "--quiet"])
    #expect(try await repository.tool("git", "install").status == 0)
    #expect(try repository.text(of: hook("pre-push")) != script)
    let after = try await repository.tryGit(["push", "--quiet"])
    #expect(before.status == 1)
    #expect(before.text + before.messages == after.text + after.messages)
    #expect(after.status == 1)
    #expect((before.text + before.messages).contains("refs/heads/main>refs/heads/main"))
    try repository.write(
      try repository.text(of: hook("pre-push")).replacing("exit 3", with: "exit 0"),
      to: hook("pre-push"))
    #expect(try await repository.tryGit(["push", "--quiet"]).status == 0)
    #expect(try await repository.tool("git", "uninstall").status == 0)
    #expect(
      try repository.text(of: hook("pre-push")) == script.replacing("exit 3", with: "exit 0"))
  }

  /// The input of many refs, or of none, reaches the lines below.
  @Test(arguments: ["sh", "bash", "dash"], [0, 1, 2000])
  func theInputIsPassedOn(shell: String, count: Int) async throws {
    let lines = (0..<count).map { _ in "(delete) \(zeros) refs/heads/a$HOME\\n`x` \(zeros)\n" }
    let input = lines.joined()
    let script = "#!/usr/bin/env \(shell)\ncat\n"
    let block = HookBlock(hook: .prePush, program: Tool.path ?? "")
    try repository.surroundings.write(block.installed(in: Array(script.utf8)), to: "script")
    let run = try await ProcessRun.of(
      shell, [repository.surroundings.path(of: "script"), "origin", "url"], in: repository.path,
      environment: repository.environment, input: Array(input.utf8))
    if run.status == 127 { return }
    #expect(run.status == 0, "\(run.messages)")
    #expect(run.text == input)
  }

  private let zeros = String(repeating: "0", count: 40)

  @Test func hooksThatAreNotOfAShellStay() async throws {
    _ = try await repository.tool("git", "uninstall")
    try repository.write("#!/usr/bin/env python3\n", to: hook("post-merge"))
    chmod(repository.path + "/" + hook("post-merge"), 0o755)
    try repository.write("#!/bin/sh\n", to: "tools/hook")
    #expect(symlink("../../tools/hook", repository.path + "/" + hook("post-commit")) == 0)
    try repository.write("#!/bin/sh\nexit 1\n", to: hook("pre-push"))
    let install = try await repository.tool("git", "install", "--program", "boxjoint")
    #expect(install.status == 0)
    for (name, reason) in [
      ("post-merge", "not a script of a shell"), ("post-commit", "a symbolic link"),
      ("pre-push", "not executable"),
    ] {
      #expect(install.text.contains("\(hook(name)) is not changed, as it is \(reason)"))
      #expect(install.text.contains("`boxjoint git hook \(name) \"$@\""), "\(install.text)")
    }
    #expect(try repository.text(of: hook("post-merge")) == "#!/usr/bin/env python3\n")
    #expect(try repository.text(of: "tools/hook") == "#!/bin/sh\n")
    // A line that was added by hand counts, and needs no note.
    try repository.write("#!/bin/sh\nboxjoint git hook post-commit \"$@\"\n", to: "tools/hook")
    chmod(repository.path + "/tools/hook", 0o755)
    let again = try await repository.tool("git", "install", "--program", "boxjoint")
    #expect(!again.text.contains("hook post-commit"), "\(again.text)")
    let status = try await repository.tool("git", "status")
    #expect(status.text.contains("hooks: post-commit\n"), "\(status.text)")
  }

  /// Such a directory is mostly committed, or shared by all repositories of a user.
  @Test func aDirectoryOfTheSettingStays() async throws {
    _ = try await repository.tool("git", "uninstall")
    try await repository.git("config", "core.hooksPath", ".husky")
    let install = try await repository.tool("git", "install")
    #expect(install.text.contains(".husky/pre-push is not changed"), "\(install.text)")
    #expect(!repository.surroundings.names(in: repository.path).contains(".husky"))
    let status = try await repository.tool("git", "status")
    #expect(status.status == 0)
    #expect(status.text.contains("hooks: none;"), "\(status.text)")
    try await repository.git("config", "core.hooksPath", "/dev/null")
    let off = try await repository.tool("git", "install")
    #expect(off.status == 0)
    #expect(off.text.contains("with which git runs no hook"), "\(off.text)")
  }

  // MARK: - Installation

  @Test func noHooksAreInstalledWhereNoneAreWanted() async throws {
    let names = { self.repository.hooks(in: self.repository.path + "/.git/hooks") }
    #expect(names() == ["post-commit", "post-merge", "pre-push"])
    let off = try await repository.tool("git", "install", "--no-hooks")
    #expect(off.status == 0)
    #expect(off.text.contains("removed the hooks"), "\(off.text)")
    #expect(names().isEmpty)
    let on = try await repository.tool("git", "install", "--hooks")
    #expect(on.text == "wrote the hooks post-merge, post-commit, pre-push to .git/hooks\n")
    #expect(try await repository.tool("git", "uninstall").status == 0)
    #expect(names().isEmpty)
    let global = try await repository.tool("git", "install", "--global")
    #expect(global.text.contains("hooks are of one repository"), "\(global.text)")
    #expect(names().isEmpty)
    #expect(try await repository.tool("git", "install", "--global", "--hooks").status == 64)
  }

  @Test(arguments: [("\n", true), ("y\n", true), ("n\n", false), ("no\n", false)])
  func onATerminalItAsks(answer: String, installs: Bool) async throws {
    _ = try await repository.tool("git", "install", "--no-hooks")
    let run = try await repository.toolOnTerminal(["git", "install"], typing: answer)
    #expect(run.status == 0, "\(run.text)")
    #expect(run.text.contains("[Y/n]"), "\(run.text)")
    let directory = repository.path + "/.git/hooks"
    #expect(repository.hooks(in: directory).isEmpty != installs)
    // What is installed needs no question.
    let again = try await repository.toolOnTerminal(["git", "install"], typing: "n\n")
    #expect(again.text.contains("[Y/n]") != installs, "\(again.text)")
  }

  @Test func theStatusNamesWhatIsOutOfDate() async throws {
    let fine = try await repository.tool("git", "status")
    #expect(fine.status == 0, "\(fine.text)")
    #expect(fine.text.contains("hooks: post-merge, post-commit, pre-push\n"), "\(fine.text)")
    let current = try repository.text(of: hook("pre-push"))
    try repository.write(current.replacing("unset", with: "echo"), to: hook("pre-push"))
    chmod(repository.path + "/" + hook("post-merge"), 0o644)
    let status = try await repository.tool("git", "status", "--format", "json")
    #expect(status.status == 1)
    for id in ["outdated-hook", "inactive-hook"] {
      #expect(status.text.contains("\"id\": \"\(id)\""), "\(status.text)")
    }
    let install = try await repository.tool("git", "install")
    #expect(install.text == "wrote the hooks post-merge, pre-push to .git/hooks\n")
    #expect(try repository.text(of: hook("pre-push")) == current)
    #expect(try await repository.tool("git", "status").status == 0)
  }

  @Test func aBareRepositoryHasNoHooks() async throws {
    try await repository.git("init", "--quiet", "--bare", "../bare.git")
    let bare = repository.surroundings.path(of: "bare.git")
    let run = try await runTool(
      ["git", "install"], in: bare,
      environment: repository.environment.merging(["GIT_DIR": bare]) { $1 })
    #expect(run.status == 0, "\(run.messages)")
    #expect(repository.hooks(in: bare + "/hooks").isEmpty)
  }

  @Test func wrongNamesOfHooksAreRefused() async throws {
    #expect(try await repository.tool("git", "hook", "pre-commit").status == 64)
    #expect(try await repository.tool("git", "hook", "--help").status == 0)
  }
}

extension TemporaryRepository {
  /// The hooks in a directory, without git's samples.
  fileprivate func hooks(in directory: String) -> [String] {
    surroundings.names(in: directory).filter { !$0.hasSuffix(".sample") }.sorted()
  }
}
