import TestSupport
import Testing

@testable import BoxWorkspace

struct GitClientTests {
  let repository: TemporaryRepository
  var git: GitClient { GitClient(in: repository.path) }

  init() async throws { repository = try await TemporaryRepository() }

  @Test func directoriesAreFoundFromEveryWorkTree() async throws {
    try await repository.commit(["a/b/c": "x"])
    try await repository.git("worktree", "add", "--quiet", "../second")
    let found = try #require(try await GitClient(in: repository.path + "/a/b").repository())
    #expect(found.topLevel == repository.path)
    #expect(found.gitDirectory == repository.path + "/.git")
    #expect(found.commonDirectory == repository.path + "/.git")
    let second = GitClient(in: repository.surroundings.path(of: "second"))
    let other = try #require(try await second.repository())
    #expect(other.topLevel == repository.surroundings.path(of: "second"))
    #expect(other.gitDirectory == repository.path + "/.git/worktrees/second")
    #expect(other.commonDirectory == repository.path + "/.git")
    #expect(
      try await second.path(ofRepositoryFile: "info/attributes")
        == repository.path + "/.git/info/attributes")
  }

  @Test func outsideOfARepositoryThereAreNoReferences() async throws {
    let directory = try TemporaryDirectory()
    #expect(try await GitClient(in: directory.path).repository() == nil)
  }

  @Test func revisionsResolveToCommits() async throws {
    let first = try await repository.commit(["f": "1"])
    try await repository.git("tag", "-a", "-m", "One", "v1")
    let second = try await repository.commit(["f": "2"])
    #expect(try await git.resolve("v1") == first)
    #expect(try await git.resolve("main") == second)
    #expect(try await git.resolve("main~1") == first)
    #expect(try await git.resolve("refs/heads/main") == second)
    for bad in ["", "nope", "--all", "-h", "main:f", "--end-of-options", "main..main~1", "a b"] {
      #expect(try await git.resolve(bad) == nil, "\(bad)")
    }
  }

  @Test func manyNamesResolveLikeEachOne() async throws {
    try await repository.commit(["f": "1", "x commit 1": "y"])
    try await repository.git("tag", "-a", "-m", "One", "v1")
    let blob = try await repository.git("rev-parse", "main:f")
    let names = [
      "v1", "", "nope", "main", "-h", "main:f", blob, "a b commit 7", "two\nlines", "HEAD~0",
      "refs/tags/v1", "@{u}", "main^{tree}", "HEAD~9",
    ]
    var expected: [String?] = []
    for name in names { expected.append(try await git.resolve(name)) }
    #expect(try await git.resolve(all: names) == expected)
    let withoutBlob = names.indices.filter { names[$0] != blob }
    #expect(
      try await git.resolve(all: withoutBlob.map { names[$0] })
        == withoutBlob.map { expected[$0] })
    #expect(expected.compactMap { $0 }.count == 4)
    #expect(try await git.resolve(all: []) == [])
  }

  @Test func pathsMeanWhatTheyMeanToGit() async throws {
    try await repository.commit(["m.json": "top", "sub/m.json": "below", "sub/x y\n": "odd"])
    let below = GitClient(in: repository.path + "/sub")
    for client in [git, below] {
      #expect(try await client.show("main", path: "m.json") == Array("top".utf8))
      #expect(try await client.show("HEAD", path: "sub/m.json") == Array("below".utf8))
      #expect(try await client.show("HEAD", path: "sub/x y\n") == Array("odd".utf8))
    }
    #expect(try await below.show("main", path: "./m.json") == Array("below".utf8))
    #expect(try await below.show("main", path: "../m.json") == Array("top".utf8))
    #expect(try await below.show("", path: "m.json") == Array("top".utf8))
  }

  @Test func valuesThatCannotBeShownAreNamed() async throws {
    try await repository.commit(["sub/m.json": "x"])
    for (reference, path) in [
      ("nope", "m.json"), ("main", "m.json"), ("main", "sub"), ("--textconv", "sub/m.json"),
      ("", "m.json"), ("main", ""),
    ] {
      let error = await #expect(throws: CommandFailure.self) {
        try await git.show(reference, path: path)
      }
      #expect(error?.kind == .inputOutput)
      #expect(error?.path == "\(reference):\(path)")
    }
  }

  @Test func manyFilesComeInOneRun() async throws {
    let commit = try await repository.commit(["a": "1\n2", "b": "", "c": "x\n"])
    let names = [
      "\(commit):a", "\(commit):none", "\(commit):b", "bad\nname", "\(commit)", "main:c",
    ]
    let blobs = try await git.blobs(names)
    #expect(
      blobs == [Array("1\n2".utf8), nil, [], nil, nil, Array("x\n".utf8)])
    #expect(try await git.blobs([]) == [])
  }

  @Test func largeInputAndOutputDoNotBlock() async throws {
    let big = String(repeating: "0123456789abcdef", count: 40_000)
    let commit = try await repository.commit(["big": big])
    let blobs = try await git.blobs(Array(repeating: "\(commit):big", count: 20))
    #expect(blobs.allSatisfy { $0?.count == 640_000 })
    #expect(blobs.count == 20)
  }

  @Test func configurationIsReadAndWritten() async throws {
    #expect(try await git.configurationValue("boxjoint.files") == nil)
    try await repository.git("config", "--add", "boxjoint.files", "a.json")
    try await repository.git("config", "--add", "boxjoint.files", "line\nbreak")
    let values = try await git.configurationValues("boxjoint.files")
    #expect(values.map(\.value) == ["a.json", "line\nbreak"])
    #expect(values.allSatisfy { $0.origin == "file:.git/config" })
    try await git.setConfiguration("boxjoint.files", to: "it's \"$x\" \\ #;", scope: .local)
    let value = try await git.configurationValue("boxjoint.files", scope: .local)
    #expect(value?.value == "it's \"$x\" \\ #;")
    #expect(try await git.unsetConfiguration("boxjoint.files", scope: .local))
    #expect(try await !git.unsetConfiguration("boxjoint.files", scope: .local))
    let rest = try repository.text(of: ".git/config")
    #expect(!rest.contains("boxjoint"))
  }

  @Test func brokenConfigurationIsBadConfiguration() async throws {
    try repository.write("[core\n", to: ".git/config")
    let error = await #expect(throws: CommandFailure.self) {
      try await git.configurationValues("boxjoint.files")
    }
    #expect(error?.kind == .badConfiguration)
  }

  @Test func unmergedFilesHaveTheirStages() async throws {
    try await repository.commit(["both": "base\n", "gone": "base\n", "fine": "x"])
    try await repository.git("switch", "--quiet", "-c", "other")
    try await repository.commit(["both": "theirs\n", "gone": "theirs\n", "sub/new": "theirs\n"])
    try await repository.git("switch", "--quiet", "main")
    try await repository.git("rm", "--quiet", "gone")
    try await repository.commit(["both": "ours\n", "sub/new": "ours\n"])
    #expect(try await repository.tryGit(["merge", "other"]).status == 1)
    let files = try await GitClient(in: repository.path + "/sub").unmergedFiles()
    #expect(files.map(\.path) == ["both", "gone", "sub/new"])
    #expect(files[0].base != nil)
    #expect(files[0].ours != nil)
    #expect(files[0].theirs != nil)
    #expect(files[1].base != nil)
    #expect(files[1].ours == nil)
    #expect(files[1].theirs != nil)
    #expect(files[2].base == nil)
    #expect(files[2].ours != nil)
    #expect(files[2].theirs != nil)
    let blob = try #require(files[0].theirs?.blob)
    #expect(try await git.blobs([blob]) == [Array("theirs\n".utf8)])
    #expect(files[0].ours?.mode == "100644")
    #expect(try await git.show("", path: "2:both") == Array("ours\n".utf8))
  }

  @Test func attributesComeInTheOrderOfThePaths() async throws {
    try repository.write("*.json merge=boxjoint -diff text\n", to: ".gitattributes")
    let values = try await git.attributes(
      ["merge", "diff", "text"], of: ["b.json", "a", "x\ny.json"])
    let json: [String: GitAttributeValue] = [
      "merge": .text("boxjoint"), "diff": .unset, "text": .set,
    ]
    let none: [String: GitAttributeValue] = [
      "merge": .unspecified, "diff": .unspecified, "text": .unspecified,
    ]
    #expect(values == [json, none, json])
  }

  @Test func tagsMatchPatterns() async throws {
    let first = try await repository.commit(["f": "1"])
    try await repository.git("tag", "-a", "-m", "x", "v1.10")
    try await repository.git("tag", "v1.9")
    try await repository.git("tag", "release/v2")
    let found = try await git.references(matching: "v*")
    #expect(found.map(\.name) == ["refs/tags/v1.9", "refs/tags/v1.10"])
    #expect(found.allSatisfy { $0.commit == first })
    #expect(try await git.references(matching: "refs/heads/*").map(\.name) == ["refs/heads/main"])
    #expect(try await git.references(matching: "none*").isEmpty)
  }

  @Test func fetchesAreDated() async throws {
    try await repository.commit(["f": "1"])
    let clone = try await TemporaryRepository(cloning: repository)
    let git = GitClient(in: clone.path)
    let full = try await git.fullName(of: "origin/HEAD")
    #expect(full == "refs/remotes/origin/main")
    #expect(try await git.fullName(of: "HEAD~0") == nil)
    // The clock of the tests' git stands at this second.
    #expect(try await git.lastUpdate(ofRemoteReference: full ?? "") == 1_700_000_000)
    #expect(try await git.lastUpdate(ofRemoteReference: "refs/heads/main") == nil)
    try await clone.git("fetch", "--quiet")
    let later = try #require(try await git.lastUpdate(ofRemoteReference: full ?? ""))
    #expect(later > 1_700_000_000)
    #expect(try await !git.isShallow())
  }

  @Test func shallowClonesAreKnown() async throws {
    try await repository.commit(["f": "1"])
    try await repository.commit(["f": "2"])
    let clone = try await TemporaryRepository(cloning: repository, options: ["--depth=1"])
    #expect(try await GitClient(in: clone.path).isShallow())
  }

  @Test(arguments: [
    ("git version 2.39.5", 2, 39), ("git version 2.39.5 (Apple Git-154)", 2, 39),
    ("git version 2.47.0.rc1.windows.1", 2, 47),
  ])
  func versionsAreRead(text: String, major: Int, minor: Int) {
    #expect(GitVersion(reportedAs: text) == GitVersion(major: major, minor: minor))
  }

  @Test(arguments: ["", "git", "git version", "git version x.y", "tig version 1.2"])
  func otherFilesAreNotVersions(text: String) {
    #expect(GitVersion(reportedAs: text) == nil)
  }
}
