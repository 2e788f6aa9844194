import TestSupport
import Testing

@testable import BoxModelTool

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The commands in a repository whose files are links that lead out of it.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct HostileLinksTests {
  private let repository: TemporaryRepository
  /// The target of the links.
  private let victim: String

  init() async throws {
    repository = try await TemporaryRepository()
    victim = repository.surroundings.path(of: "home/.bashrc")
    try repository.surroundings.write("# mine\n", to: victim)
  }

  /// A committed link, by the way from the repository to the home that is beside it.
  private func link(_ name: String, to destination: String = "../home/.bashrc") async throws {
    #expect(symlink(destination, repository.path + "/" + name) == 0)
    try await repository.commit()
  }

  private func expectRefused(_ run: ProcessRun, _ link: String) throws {
    #expect(run.status == 74, "\(run.text)\(run.messages)")
    #expect(run.messages.contains("'\(link)' leads out of the work tree"), "\(run.messages)")
    #expect(try repository.surroundings.text(of: victim) == "# mine\n")
    #expect(repository.surroundings.names(in: "home").filter { $0.hasSuffix(".tmp") } == [])
  }

  @Test func installingDoesNotWriteToTheStartFileOfAShell() async throws {
    try await repository.commit([".boxjoint.yml": "files: [evil]\n"])
    try await link(".gitattributes")
    let before = try repository.text(of: ".git/config")
    try expectRefused(try await repository.tool("git", "install", "--shared"), ".gitattributes")
    // Nothing was half done.
    #expect(try repository.text(of: ".git/config") == before)
  }

  @Test(arguments: ["a;b", "a$(b)", "a`b`", "a&b", "a|b", #"a\"b"#, "a'b", "a>b", #"a\u001bb"#])
  func aPatternForAShellIsRefusedWithItsPlace(pattern: String) async throws {
    try await repository.commit([".boxjoint.yml": "files:\n  - \"\(pattern)\"\n"])
    let run = try await repository.tool("git", "install", "--shared")
    #expect(run.status == 78)
    #expect(
      run.messages.contains(".boxjoint.yml:2:5: a file pattern cannot contain "), "\(run.messages)")
    #expect(!repository.surroundings.exists(repository.path + "/.gitattributes"))
  }

  @Test func approvalsStayInTheRepository() async throws {
    try repository.surroundings.write("{\"schemaVersion\":1,\"approvals\":[]}\n", to: victim)
    try await link(".boxjoint-approvals.json")
    let run = try await repository.tool(
      "plan", "approve", "0123456789abcdef0123", "--reason", "x", "--author", "y")
    #expect(run.status == 74, "\(run.messages)")
    #expect(run.messages.contains("'.boxjoint-approvals.json' leads out"), "\(run.messages)")
    #expect(!(try repository.surroundings.text(of: victim)).contains("0123456789abcdef0123"))
  }

  @Test func locksStayInTheRepository() async throws {
    try await repository.commit(["model.json": SmallModel.base.text])
    try await link(".boxjoint-lock.json", to: "../home/new")
    let run = try await repository.tool("lock", "model.json")
    try expectRefused(run, ".boxjoint-lock.json")
    #expect(!repository.surroundings.exists("home/new"))
  }

  @Test func locksOfConvertersStayInTheRepository() async throws {
    try await repository.commit(["converters.yml": "properties:\n  User.joined: date\n"])
    try await link("converters.lock", to: "../home/new")
    try expectRefused(try await repository.tool("converters", "lock"), "converters.lock")
    #expect(!repository.surroundings.exists("home/new"))
  }

  @Test(arguments: [["check", "--fix"], ["check", "--fix", "app/model.json"]])
  func fixesStayInTheRepository(_ arguments: [String]) async throws {
    try repository.surroundings.write(SampleModels.fixable, to: victim)
    try await repository.commit(["app/.keep": ""])
    try await link("app/model.json", to: "../../home/.bashrc")
    let run = try await runTool(
      arguments, in: repository.path, environment: repository.environment)
    #expect(run.status == 74, "\(run.text)\(run.messages)")
    #expect(run.messages.contains("'app/model.json' leads out"), "\(run.messages)")
    #expect(try repository.surroundings.text(of: victim) == SampleModels.fixable)
  }

  @Test(arguments: ["check", "plan"])
  func reportsStayInTheRepository(command: String) async throws {
    try await repository.commit(["model.json": SmallModel.base.text])
    try await link("report.json")
    try expectRefused(
      try await repository.tool(command, "model.json", "--output", "json=report.json"),
      "report.json")
    // The way out that the user names is followed.
    let named = try await repository.tool(command, "model.json", "--output", "json=../home/r.json")
    #expect(named.status == 0, "\(named.messages)")
    #expect(repository.surroundings.exists("home/r.json"))
  }

  @Test func theCopyOfAConflictedFileStaysInTheRepository() async throws {
    try await repository.commit(["model.json": SmallModel.base.text])
    try await link("model.json.orig", to: "../home/new")
    try await repository.git("switch", "--quiet", "-c", "other")
    try await repository.commit(["model.json": SmallModel.grown("Ant", uid: 2000).text])
    try await repository.git("switch", "--quiet", "main")
    try await repository.commit(["model.json": SmallModel.grown("Bear", uid: 3000).text])
    #expect(try await repository.tryGit(["merge", "other"]).status == 1)
    let run = try await repository.tool("resolve")
    try expectRefused(run, "model.json.orig")
    #expect(!repository.surroundings.exists("home/new"))
    #expect(try repository.text(of: "model.json").contains("<<<<<<<"))
  }

  /// Every command that opens a store makes files in its directory.
  @Test(arguments: ["../outside", ".git/hooks"])
  func storesStayInTheRepository(target: String) async throws {
    try repository.write(SmallModel.base.text, to: "model.json")
    try repository.write("{\"id\": 1}\n", to: "notes.ndjson")
    try repository.write("properties: {}\n", to: "c.yml")
    let place = repository.path + "/" + target
    let make = [
      "import", "--store", target, "--model", "model.json", "--entity", "Note", "notes.ndjson",
    ]
    // The way out that the user names is followed.
    #expect(
      try await runTool(make, in: repository.path, environment: repository.environment).status == 0)
    try await link("data", to: target)
    let before = DirectorySnapshot(of: place)
    for command in [
      "import --store data --entity Note notes.ndjson",
      "import --store data --entity Note --dry-run notes.ndjson",
      "import --store data/new --model model.json --entity Note notes.ndjson",
      "store compact data", "store repair data", "store info data", "store verify data",
      "store backup data copy",
      "store backup data data/copy", "export --store data",
      "migrate --store data --to model.json --yes",
      "converters scan --store data --catalogue c.yml", "plan store:data model.json",
      "dump diff store:data store:data", "query data Note", "query data Note --explain",
      "store info data Note", "store get data Note 1", "store put data Note {}",
      "store set data Note 1 a=1", "store remove data Note 1", "store link data Note.a 1 2",
    ] {
      let run = try await runTool(
        command.split(separator: " ").map(String.init), in: repository.path,
        environment: repository.environment)
      #expect(run.status == 74, "\(command): \(run.text)\(run.messages)")
      #expect(run.messages.contains("'data' leads out of the work tree"), "\(run.messages)")
      #expect(run.messages.contains("pass the path that it points to"), "\(run.messages)")
      #expect(before.changes(to: DirectorySnapshot(of: place)).isEmpty, "\(command)")
    }
  }
}
