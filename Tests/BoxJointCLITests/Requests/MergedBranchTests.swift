import TestSupport
import Testing

@testable import BoxModelTool

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// `boxjoint ci merge BRANCH` and `boxjoint merge BRANCH`, without a site.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct MergedBranchTests {
  private let file = "model.json"
  private let ant = RequestWorld.resolvable.0
  private let bear = RequestWorld.resolvable.1

  private func repository(
    _ ours: SmallModel, _ theirs: SmallModel
  ) async throws -> TemporaryRepository {
    let repository = try await TemporaryRepository()
    try await repository.commit([file: SmallModel.base.text, "other.txt": "1\n"])
    try await branchOff(repository, file, ours, theirs)
    return repository
  }

  /// Attributes below the top take no file from the driver, as those of a local merge do not either.
  @Test func attributesOfDirectoriesLeaveTheDriverInForce() async throws {
    let repository = try await TemporaryRepository()
    let path = "sub/deep/model.json"
    try await repository.commit([
      path: SmallModel.base.text, "sub/.gitattributes": "*.json -merge\n",
      "sub/deep/.gitattributes": "model.json binary\n",
    ])
    try await branchOff(repository, path, ant, bear)
    let run = try await repository.tool("merge", "feature")
    #expect(run.status == 0, "\(run.text)\(run.messages)")
    #expect(run.text.contains("  \(path): renumbered"), "\(run.text)")
    _ = try await repository.tool("git", "install")
    #expect(try await repository.tryGit(["merge", "--quiet", "feature"]).status == 0)
  }

  @Test func outsideOfARepository() async throws {
    let directory = try TemporaryDirectory()
    for command in [["ci", "merge", "feature"], ["merge", "feature"]] {
      let run = try await runTool(command, in: directory.path)
      #expect(run.status == 74, "\(run.messages)")
    }
  }

  // MARK: - Trying

  @Test func aBranchIsTriedAndNothingChanges() async throws {
    let repository = try await repository(ant, bear)
    try repository.write("not committed\n", to: "other.txt")
    let before = try await repository.git("for-each-ref") + repository.git("status", "--porcelain")
    let run = try await repository.tool("merge", "feature")
    #expect(run.status == 0, "\(run.text)\(run.messages)")
    #expect(
      run.text.hasPrefix(
        "feature into HEAD: everything can be merged; a site without the driver sees conflicts\n"))
    #expect(run.text.contains("  model.json: renumbered, with consequences:\n"), "\(run.text)")
    let other = try await repository.tool("merge", "main", "--into", "feature", "--format", "json")
    #expect(other.status == 0)
    try await expectSchema(of: other)
    #expect(
      try await repository.git("for-each-ref") + repository.git("status", "--porcelain") == before)
  }

  @Test func conflictsThatWouldBeOpen() async throws {
    let (memo, letter) = RequestWorld.contradicting
    let repository = try await repository(memo, letter)
    try await repository.commit(["other.txt": "2\n"])
    try await repository.git("switch", "--quiet", "feature")
    try await repository.commit(["other.txt": "3\n"])
    let run = try await repository.tool("merge", "main")
    #expect(run.status == 1)
    #expect(run.text.hasPrefix("main into HEAD: conflicts are open\n"))
    #expect(run.text.contains("[BOX501 edit-edit]"))
    #expect(
      run.text.contains("    boxjoint git install\n    git merge main\n    boxjoint resolve\n"))
    #expect(
      run.text.contains("  other.txt: conflict (contents): CONFLICT (content): Merge conflict"))
    let markdown = try await repository.tool("merge", "main", "--format", "markdown")
    #expect(markdown.text.contains("| Open conflict | take ours: HEAD | take theirs: main |"))
  }

  @Test func namesAndCombinationsThatDoNotGo() async throws {
    let repository = try await repository(ant, bear)
    let runs: [([String], Int32)] = [
      (["nosuch"], 74), (["feature", "--into", "nosuch"], 74), (["feature", "--ours", file], 64),
      ([], 64), (["--ours", file], 64), (["--ours", file, "--theirs", file, "--into", "main"], 64),
      (["feature", "--take", "ours"], 64),
    ]
    for (arguments, status) in runs {
      let run = try await runTool(
        ["merge"] + arguments, in: repository.path, environment: repository.environment)
      #expect(run.status == status, "\(arguments): \(run.messages)")
    }
    let outside = try await runTool(
      ["merge", "feature"], in: repository.surroundings.path, environment: repository.environment)
    #expect(outside.status == 74, "\(outside.messages)")
  }

  // MARK: - Branches of a repository

  /// A bare repository, as it is on a server, has no work tree and no remote.
  @Test func branchesOfABareRepository() async throws {
    let repository = try await repository(ant, bear)
    let bare = repository.surroundings.path(of: "bare.git")
    try await repository.git("clone", "--quiet", "--bare", ".", bare)
    try await repository.git("--git-dir", bare, "remote", "remove", "origin")
    let tips = try await repository.git("rev-parse", "feature", "main")
    for (update, written) in [("branch", "feature"), ("base", "main")] {
      let run = try await repository.tool(
        "ci", "merge", "feature", "--into", "main", "--update", update,
        environment: ["GIT_DIR": bare])
      #expect(run.status == 0, "\(run.text)\(run.messages)")
      let parents = try await repository.git("--git-dir", bare, "log", "-1", "--format=%P", written)
      let names = tips.split(separator: "\n")
      #expect(
        parents == (update == "branch" ? "\(names[0]) \(names[1])" : "\(names[1]) \(names[0])"))
      try await repository.git(
        "--git-dir", bare, "update-ref", "refs/heads/feature", String(names[0]))
    }
  }

  /// The files of a work tree do not change with its branch.
  @Test func aBranchThatIsCheckedOutStays() async throws {
    let repository = try await repository(ant, bear)
    let before = try await repository.git("rev-parse", "main")
    let run = try await repository.tool("ci", "merge", "feature", "--update", "base")
    #expect(run.status == 2, "\(run.text)\(run.messages)")
    #expect(run.text.contains("the branch is checked out in \(repository.path)"))
    #expect(try await repository.git("rev-parse", "main") == before)
    #expect(try await repository.tool("ci", "merge", "nosuch").status == 74)
    #expect(try await repository.tool("ci", "merge", "a b").status == 64)
    #expect(try await repository.tool("ci", "merge").status == 64)
  }

  /// A job may know no identity.
  @Test func aMergeWithoutAnIdentity() async throws {
    let repository = try await repository(ant, bear)
    let run = try await repository.tool(
      "ci", "merge", "feature",
      environment: [
        "GIT_AUTHOR_NAME": nil, "GIT_AUTHOR_EMAIL": nil, "GIT_COMMITTER_NAME": nil,
        "GIT_COMMITTER_EMAIL": nil, "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "user.useConfigOnly", "GIT_CONFIG_VALUE_0": "true",
      ])
    #expect(run.status == 0, "\(run.messages)")
    let commit = try await repository.git("log", "-1", "--format=%an <%ae>%n%B", "feature")
    #expect(
      commit.hasPrefix("boxjoint <boxjoint@localhost>\nMerge main into feature\n\nmodel.json: "))
    #expect(commit.contains("- [BOX410] "))
  }

  // MARK: - Files

  @Test func aModelThatIsNewOnBothSides() async throws {
    let repository = try await TemporaryRepository()
    try await repository.commit(["other.txt": "1\n"])
    try await branchOff(repository, file, ant, bear)
    let run = try await repository.tool("ci", "merge", "feature")
    // Without a common UID nobody can tell what belongs together, but Note has one.
    #expect(run.status == 0, "\(run.text)\(run.messages)")
    #expect(try ModelFacts(try await repository.git("show", "feature:\(file)")).errors == [])
  }

  @Test func aModelThatWasRenamedOnOneSide() async throws {
    let repository = try await repository(ant, bear)
    try await repository.git("switch", "--quiet", "feature")
    try await repository.git("mv", file, "objectbox-model.json")
    try await repository.commit()
    try await repository.git("switch", "--quiet", "main")
    let run = try await repository.tool("ci", "merge", "feature")
    #expect(run.status == 0, "\(run.text)\(run.messages)")
    let facts = try ModelFacts(try await repository.git("show", "feature:objectbox-model.json"))
    #expect(facts.pairs["Ant"] != nil && facts.pairs["Bear"] != nil)
    #expect(try await repository.git("ls-tree", "--name-only", "feature", file) == "")
  }

  @Test func whatIsNotForTheDriver() async throws {
    let repository = try await repository(ant, bear)
    try await repository.git("switch", "--quiet", "feature")
    try await repository.git("rm", "--quiet", file)
    try await repository.commit()
    try await repository.git("switch", "--quiet", "main")
    var run = try await repository.tool("ci", "merge", "feature")
    #expect(run.status == 1)
    #expect(run.text.contains("model.json: conflict (modify/delete): "), "\(run.text)")
    // Files of the name that are not models, and other files.
    for (path, status) in [("default.json", Int32(1)), ("other.txt", 1), ("new.txt", 0)] {
      let other = try await TemporaryRepository()
      try await other.commit([path: "[1]\n"])
      try await other.git("switch", "--quiet", "-c", "feature")
      try await other.commit([path == "new.txt" ? "b.txt" : path: "[2]\n"])
      try await other.git("switch", "--quiet", "main")
      try await other.commit([path: "[3]\n"])
      run = try await other.tool("ci", "merge", "feature")
      #expect(run.status == status, "\(path): \(run.text)\(run.messages)")
      let words = status == 0 ? "a merge by the site gives the right result" : "conflict (contents)"
      #expect(run.text.contains(words), "\(run.text)")
      #expect(!run.text.contains("BOX"), "\(run.text)")
    }
  }

  @Test func aSideThatWasGeneratedAgain() async throws {
    let repository = try await repository(
      ant, SmallModel([SmallModel.Entity(id: 1, uid: 9000, name: "Note")]))
    let run = try await repository.tool("ci", "merge", "feature")
    #expect(run.status == 2, "\(run.text)\(run.messages)")
    #expect(run.text.contains("[BOX591 regenerated-side]"))
    #expect(run.text.contains("boxjoint resolve --rematch model.json"))
  }

  @Test func branchesWithoutACommonCommit() async throws {
    let repository = try await repository(ant, bear)
    try await repository.git("switch", "--quiet", "--orphan", "alone")
    try await repository.commit([file: ant.text])
    let run = try await repository.tool("merge", "main")
    #expect(run.status == 74)
    #expect(run.messages.contains("'HEAD' and 'main' have no common commit"), "\(run.messages)")
  }
}
