import BoxJSON
import BoxReport
import TestSupport
import Testing

@testable import BoxModelTool

struct ConfigurationFileTests {
  @Test func allKeysAreTaken() throws {
    let text = "published: [origin/main, v*]\nfiles:\n- model-*.json\ncheck:\n  ignore: BOX101\n"
    let file = try ConfigurationFile.parse(Array(text.utf8), path: "c.yml")
    #expect(file.settings[.published]?.texts == ["origin/main", "v*"])
    #expect(file.settings[.files]?.texts == ["model-*.json"])
    #expect(file.settings[.ignoredRules]?.texts == ["BOX101"])
    #expect(
      file.settings[.published]?.entries.last?.origin
        == .file(path: "c.yml", position: JSONPosition(line: 1, column: 26)))
  }

  @Test(arguments: [
    ("publisched: [x]\n", "did you mean 'published'", 1, 1),
    ("file: [x]\n", "did you mean 'files'", 1, 1),
    ("check:\n  ingore: [x]\n", "did you mean 'check.ignore'", 2, 3),
    ("merging: 1\n", "there are: published, files, merge, check, plan, converters", 1, 1),
    ("check.ignore: [x]\nfiles: {a: b}\n", "list", 2, 8),
    ("check: [x]\n", "'check' must be a mapping", 1, 8), ("- x\n", "mapping", 1, 1),
    ("published: [[x]]\n", "list of texts", 1, 13), ("published: [-x]\n", "'-'", 1, 13),
    ("published: ['a b']\n", "spaces", 1, 13), ("files: ['!x']\n", "'!'", 1, 9),
    ("files: [../x]\n", "'..'", 1, 9), ("files: [x/]\n", "'/'", 1, 9),
    ("check: {ignore: ['a b']}\n", "BOX101", 1, 18), ("a: *b\n", "aliases", 1, 4),
  ])
  func whatIsWrongHasAPlace(text: String, words: String, line: Int, column: Int) {
    let failure = #expect(throws: CommandFailure.self) {
      try ConfigurationFile.parse(Array(text.utf8), path: "c.yml")
    }
    #expect(failure?.kind == .badConfiguration)
    #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
    #expect(failure?.position == JSONPosition(line: line, column: column))
  }

  @Test(arguments: ["", "published:\n", "check:\n", "~\n"])
  func emptyIsFine(text: String) throws {
    #expect(throws: Never.self) {
      try ConfigurationFile.parse(Array(text.utf8), path: "c.yml")
    }
  }

  @Test func distanceIsSymmetricAndZeroForEqualsOnly() {
    let words = ["", "a", "ab", "ba", "abc", "published", "publisehd", "files"]
    for a in words {
      for b in words {
        #expect(editDistance(a, b) == editDistance(b, a))
        #expect((editDistance(a, b) == 0) == (a == b))
        #expect(editDistance(a, b) <= max(a.count, b.count))
      }
    }
    #expect(editDistance("ab", "ba") == 1)
    #expect(editDistance("kitten", "sitting") == 3)
  }
}

struct EffectiveConfigurationTests {
  let repository: TemporaryRepository

  init() async throws { repository = try await TemporaryRepository() }

  private func load(
    _ options: EffectiveConfiguration.Options = .init(), from directory: String = "",
    environment: [String: String] = [:]
  ) async throws(CommandFailure) -> EffectiveConfiguration {
    try await EffectiveConfiguration.load(
      options,
      in: Workspace(
        git: GitClient(
          in: repository.path, environment: repository.environment.merging(environment) { $1 }),
        directory: repository.path + "/" + directory))
  }

  @Test func theStrongestOriginSetsTheWholeList() async throws {
    #expect(try await load()[.files].isDefault)
    try await repository.git("config", "--add", "boxjoint.files", "g1")
    try await repository.git("config", "--add", "boxjoint.files", "g2")
    let fromGit = try await load()[.files]
    #expect(fromGit.texts == ["g1", "g2"])
    #expect(
      fromGit.entries[0].origin == .git(key: "boxjoint.files", origin: "file:.git/config"))
    try repository.write("files: [y]\n", to: ".boxjoint.yml")
    #expect(try await load()[.files].texts == ["y"])
    let environment = ["BOXJOINT_FILES": " e1\te2 "]
    #expect(try await load(environment: environment)[.files].texts == ["e1", "e2"])
    let options = EffectiveConfiguration.Options(values: [.files: ["o"]])
    let strongest = try await load(options, environment: environment)[.files]
    #expect(strongest.texts == ["o"])
    #expect(strongest.entries[0].origin == .option("--files"))
  }

  @Test func theNearestFileUpToTheTopOfTheRepositoryCounts() async throws {
    try repository.surroundings.write("files: [outside]\n", to: ".boxjoint.yml")
    try repository.write("", to: "a/b/c/x")
    #expect(try await load(from: "a/b/c").file == nil)
    try repository.write("files: [top]\n", to: ".boxjoint.yml")
    #expect(try await load(from: "a/b/c")[.files].texts == ["top"])
    #expect(try await load(from: "a/b/c/")[.files].texts == ["top"])
    try repository.write("files: [near]\n", to: "a/.boxjoint.yml")
    #expect(try await load(from: "a/b")[.files].texts == ["near"])
    #expect(try await load(from: "a/b/c/..")[.files].texts == ["near"])
  }

  @Test func outsideOfARepositoryOnlyTheDirectoryCounts() throws {
    let directory = try TemporaryDirectory()
    try directory.write("files: [x]\n", to: ".boxjoint.yml")
    try directory.write("", to: "sub/x")
    #expect(EffectiveConfiguration.nearestFile(from: directory.path(of: "sub")) == nil)
    #expect(EffectiveConfiguration.nearestFile(from: directory.path) != nil)
  }

  @Test func aNamedFileMustBeThere() async throws {
    let options = EffectiveConfiguration.Options(configurationPath: "/nowhere/c.yml")
    for attempt in [0, 1] {
      let failure = await #expect(throws: CommandFailure.self) {
        attempt == 0
          ? try await load(options)
          : try await load(environment: ["BOXJOINT_CONFIG": "/nowhere/c.yml"])
      }
      #expect(failure?.kind == .inputOutput)
      #expect(failure?.path == "/nowhere/c.yml")
    }
  }

  @Test func wrongValuesNameTheirOrigin() async throws {
    let usage = await #expect(throws: CommandFailure.self) {
      try await load(EffectiveConfiguration.Options(values: [.published: ["-x"]]))
    }
    #expect(usage?.kind == .usage)
    #expect(usage?.message.contains("--published") == true)
    try await repository.git("config", "boxjoint.published", "a b")
    let git = await #expect(throws: CommandFailure.self) { try await load() }
    #expect(git?.kind == .badConfiguration)
    #expect(git?.message.contains("file:.git/config") == true)
  }
}

struct PublishedReferencesTests {
  let repository: TemporaryRepository
  var git: GitClient { GitClient(in: repository.path) }

  init() async throws {
    repository = try await TemporaryRepository()
    try await repository.commit(["f": "1"])
  }

  private func configured(_ names: [String]) -> Setting {
    Setting(
      entries: names.map { .init(text: $0, origin: .option("--published")) }, isDefault: false)
  }

  @Test func ofTheDefaultListTheFirstThatExistsCounts() async throws {
    let `default` = SettingKey.published.default
    let local = try await PublishedReferences.resolve(`default`, git: git)
    #expect(local.resolved.map(\.name) == ["refs/heads/main"])
    #expect(local.unresolved.isEmpty)
    let clone = try await TemporaryRepository(cloning: repository)
    let before = try await clone.git("rev-parse", "HEAD")
    try await clone.commit(["f": "2"])
    let remote = try await PublishedReferences.resolve(`default`, git: GitClient(in: clone.path))
    #expect(remote.resolved.map(\.name) == ["refs/remotes/origin/HEAD"])
    #expect(remote.resolved.map(\.commit) == [before])
    #expect(remote.resolved.first?.lastUpdate == 1_700_000_000)
  }

  /// The default branch of each remote that publishes counts, whatever it is called; a colleague's fork
  /// has published nothing.
  @Test func theDefaultBranchesOfRemotesCount() async throws {
    let `default` = SettingKey.published.default
    func names() async throws -> [String] {
      let found = try await PublishedReferences.resolve(`default`, git: git)
      return found.resolved.map(\.name)
    }
    func branch(_ name: String) async throws {
      try await repository.git("update-ref", "refs/remotes/" + name, "HEAD")
    }
    try await repository.git("branch", "--quiet", "-m", "develop")
    #expect(try await names() == ["refs/heads/develop"])
    try await branch("colleague/main")
    #expect(try await names() == ["refs/heads/develop"])
    try await branch("upstream/develop")
    #expect(try await names() == ["refs/remotes/upstream/develop"])
    try await branch("origin/develop")
    try await branch("origin/master")
    let both = ["refs/remotes/origin/master", "refs/remotes/upstream/develop"]
    #expect(try await names() == both)
    try await branch("team/x/main")
    for (key, value) in [
      ("remote.team/x.url", "."), ("remote.team/x.fetch", "+refs/heads/*:refs/remotes/team/x/*"),
      ("branch.develop.remote", "team/x"), ("branch.develop.merge", "refs/heads/main"),
    ] { try await repository.git("config", key, value) }
    #expect(try await names() == both + ["refs/remotes/team/x/main"])
    try await repository.git("checkout", "--quiet", "--detach")
    #expect(try await names() == both)
  }

  @Test func withoutAnyThereIsNothingPublished() async throws {
    try await repository.git("branch", "--quiet", "-m", "trunk")
    let none = try await PublishedReferences.resolve(SettingKey.published.default, git: git)
    #expect(none == PublishedReferences(resolved: [], unresolved: []))
  }

  @Test func ofAConfiguredListEveryEntryCounts() async throws {
    try await repository.git("tag", "v1")
    try await repository.git("tag", "v2")
    let found = try await PublishedReferences.resolve(
      configured(["main", "v*", "w*", "refs/tags/v1", "refs/tags/v*", "gone"]), git: git)
    #expect(
      found.resolved.map(\.name) == ["main", "refs/tags/v1", "refs/tags/v2"])
    #expect(found.unresolved.map(\.name) == ["gone"])
    #expect(found.unresolved.first?.remedies == [])
  }

  /// The commands that are given do what they promise.
  @Test func theRemediesBringTheRefs() async throws {
    try await repository.git("branch", "release")
    try await repository.git("tag", "-a", "-m", "x", "v1")
    try await repository.commit(["f": "2"])
    let clone = try await TemporaryRepository(
      cloning: repository, options: ["--depth=1", "--single-branch", "--no-tags"])
    let git = GitClient(in: clone.path)
    let setting = configured(["origin/release", "refs/tags/v1"])
    let before = try await PublishedReferences.resolve(setting, git: git)
    #expect(before.resolved.isEmpty)
    #expect(
      before.unresolved.map(\.remedies) == [
        ["git fetch origin release:refs/remotes/origin/release", "git fetch --unshallow"],
        ["git fetch origin tag v1", "git fetch --unshallow"],
      ])
    for reference in before.unresolved {
      let words = reference.remedies[0].split(separator: " ").dropFirst().map(String.init)
      #expect(try await clone.tryGit(words).status == 0)
    }
    let after = try await PublishedReferences.resolve(setting, git: git)
    #expect(after.unresolved.isEmpty)
  }
}
