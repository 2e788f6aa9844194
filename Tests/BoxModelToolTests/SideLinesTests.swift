import BoxMerge
import BoxModel
import TestSupport
import Testing

@testable import BoxModelTool

/// The earlier versions of both sides, as a merge of git has them.
struct SideLinesTests {
  let repository: TemporaryRepository
  let file = "model.json"

  init() async throws {
    repository = try await TemporaryRepository()
    try await commit("Note")
  }

  /// A version whose only entity has a name.
  private func text(_ name: String) -> String {
    SmallModel([SmallModel.note(name: name)]).text
  }

  private func commit(_ name: String, at path: String = "model.json") async throws {
    try await repository.commit([path: text(name)], message: name)
  }

  private func read(
    _ ours: String, _ theirs: String, limit: Int = 200, path: String = "model.json",
    at paths: (String, String) = ("model.json", "model.json"), in directory: String? = nil
  ) async throws -> FieldHistory? {
    let git = GitClient(in: directory ?? repository.path)
    let commits = SideCommits(
      ours: try #require(try await git.resolve(ours)),
      theirs: try #require(try await git.resolve(theirs)))
    return try await SideLines(commits: commits, limit: limit, git: git).read(
      path, ours: try await git.show(ours, path: paths.0),
      theirs: try await git.show(theirs, path: paths.1))
  }

  /// The names of the versions of a line; a merge that only takes a side over repeats one.
  private func names(_ line: SideLine?) -> [String]? {
    line?.versions.compactMap { $0.model.entities.first?.name }.reduce(into: []) { names, name in
      if names.last != name { names.append(name) }
    }
  }

  private func diverge() async throws {
    try await repository.git("switch", "--quiet", "--create", "feature")
    try await commit("Bear")
    try await commit("Cat")
    try await repository.git("switch", "--quiet", "main")
    try await commit("Ant")
  }

  @Test func aLineBeginsAfterTheMergeBase() async throws {
    try await diverge()
    let history = try await read("main", "feature")
    #expect(names(history?.ours) == ["Ant"])
    #expect(names(history?.theirs) == ["Cat", "Bear"])
    #expect(history?.ours.isComplete == true)
    #expect(history?.theirs.isComplete == true)
    let tip = try await repository.git("rev-parse", "feature")
    #expect(history?.theirs.versions.first?.commit == String(tip.prefix(12)))
  }

  @Test func whatWasMergedIntoASideBelongsToItsLine() async throws {
    try await diverge()
    try await repository.git("switch", "--quiet", "--create", "topic", "main")
    try await commit("Dog")
    try await repository.git("switch", "--quiet", "main")
    try await repository.commit(["other": "1"])
    try await repository.git("merge", "--quiet", "--no-edit", "topic")
    #expect(try await names(read("main", "feature")?.ours) == ["Dog", "Ant"])
  }

  @Test func renamesAreFollowedOnBothSides() async throws {
    try await diverge()
    try await repository.git("switch", "--quiet", "feature")
    try await repository.git("mv", file, "moved.json")
    try await repository.commit(message: "move")
    try await commit("Dog", at: "moved.json")
    let history = try await read(
      "main", "feature", path: "moved.json", at: ("model.json", "moved.json"))
    #expect(names(history?.ours) == ["Ant"])
    #expect(names(history?.theirs) == ["Dog", "Cat", "Bear"])
  }

  @Test func aLimitCutsALineOff() async throws {
    try await diverge()
    let history = try await read("main", "feature", limit: 1)
    #expect(history?.ours.isComplete == true)
    #expect(history?.theirs.isComplete == false)
    #expect(try await read("main", "feature", limit: 2)?.theirs.isComplete == true)
    #expect(try await read("main", "feature", limit: 0) == nil)
  }

  @Test func aVersionThatIsNotAModelEndsALine() async throws {
    try await repository.git("switch", "--quiet", "--create", "feature")
    try await repository.commit([file: "<<<<<<<"])
    try await commit("Cat")
    try await repository.git("switch", "--quiet", "main")
    try await commit("Ant")
    #expect(try await read("main", "feature")?.theirs.isComplete == false)
  }

  @Test func aShallowCloneAnswersNothing() async throws {
    try await diverge()
    let clone = try await TemporaryRepository(
      cloning: repository, options: ["--depth", "2", "--no-single-branch"])
    #expect(try await read("origin/main", "origin/feature", in: clone.path) == nil)
  }

  /// An inner merge of a criss-cross is of two merge bases, and not of the tips.
  @Test func contentsOfOtherCommitsAreNoTips() async throws {
    try await diverge()
    let git = GitClient(in: repository.path)
    let commits = SideCommits(
      ours: try #require(try await git.resolve("main")),
      theirs: try #require(try await git.resolve("feature")))
    let lines = SideLines(commits: commits, limit: 200, git: git)
    let history = try await lines.read(
      file, ours: Array(text("Note").utf8), theirs: try await git.show("feature", path: file))
    #expect(history == nil)
  }

  // MARK: - Which commits are known

  @Test func aDriverKnowsTheCommitsOfAMergeAlone() async throws {
    try await diverge()
    let git = GitClient(in: repository.path)
    let theirs = try #require(try await git.resolve("feature"))
    let ours = try #require(try await git.resolve("main"))
    func found(_ names: [String], _ label: String? = "HEAD") async throws -> SideCommits? {
      try await SideCommits.ofDriver(names, labelOfOurs: label, git: git)
    }
    let both = SideCommits(ours: ours, theirs: theirs)
    #expect(try await found(["PATH", "GITHEAD_" + theirs]) == both)
    #expect(try await found(["GITHEAD_" + theirs], nil) == both)
    #expect(try await found(["PATH"]) == nil)
    #expect(try await found(["GITHEAD_" + theirs, "GITHEAD_" + ours]) == nil)
    #expect(try await found(["GITHEAD_--all"]) == nil)
    #expect(try await found(["GITHEAD_" + theirs], "Temporary merge branch 1") == nil)
  }

  /// The environment that git really gives to a driver, in each of the operations that call one.
  @Test(arguments: [
    ("merge --no-edit feature", true), ("merge --squash feature", true),
    ("pull --no-rebase --no-edit . feature", true), ("cherry-pick feature", false),
    ("rebase feature", false), ("revert HEAD~1", false), ("stash pop", false),
  ])
  func gitNamesTheCommitInAMergeAlone(command: String, isNamed: Bool) async throws {
    try await repository.commit([".gitattributes": "model.json merge=spy"])
    let log = repository.surroundings.path(of: "spied")
    try await repository.git(
      "config", "merge.spy.driver", "env | sed -n 's/^GITHEAD_\\([0-9a-f]*\\)=.*/\\1/p' > \(log)")
    try await diverge()
    if command == "revert HEAD~1" { try await commit("Later") }
    if command == "stash pop" {
      try repository.write(text("Stashed"), to: file)
      try await repository.git("stash")
      try await commit("Later")
    }
    _ = try await repository.tryGit(command.split(separator: " ").map(String.init))
    let heads = try repository.surroundings.text(of: "spied")
    let tip = try await repository.git("rev-parse", "feature")
    #expect(heads == (isNamed ? tip + "\n" : ""))
  }

  @Test func resolveKnowsTheCommitsOfAMergeAlone() async throws {
    try await diverge()
    let git = GitClient(in: repository.path)
    func found() async throws -> SideCommits? {
      let repository = try #require(try await git.repository())
      return try await SideCommits.ofOngoingMerge(repository, git: git)
    }
    #expect(try await found() == nil)
    _ = try await repository.tryGit(["merge", "--no-edit", "feature"])
    #expect(try await found()?.theirs == repository.git("rev-parse", "feature"))
    try await repository.git("merge", "--abort")
    _ = try await repository.tryGit(["cherry-pick", "feature"])
    #expect(try await found() == nil)
  }
}
