import TestSupport
import Testing

@testable import BoxModelTool

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The catalogue that settings name: a stranger may have written them.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct CatalogueOfSettingsTests {
  private static let secret = "token-of-the-machine"
  private static let catalogue = "properties:\n  User.role: {type: enum, values: {reader: 1}}\n"
  private let repository: TemporaryRepository

  init() async throws {
    repository = try await TemporaryRepository()
    try repository.surroundings.write("\(Self.secret): 1\n", to: "home/.npmrc")
    try await repository.commit(["converters.yml": Self.catalogue, "app/.keep": ""])
  }

  private func settings(_ value: String, in directory: String = ".") throws {
    try repository.write("converters: \(value)\n", to: directory + "/.boxjoint.yml")
  }

  private static let commands = [
    ["converters", "check"], ["converters", "check", "--against", "refs/heads/main"],
    ["converters", "lock"], ["config"],
  ]

  private func expectRefused(
    _ place: String, status: Int32 = 78, in directory: String = "."
  ) async throws {
    for command in Self.commands {
      let run = try await runTool(
        command, in: repository.path + "/" + directory, environment: repository.environment,
        input: Array("\(Self.secret): 1\n".utf8))
      #expect(run.status == status, "\(place) \(command) \(run.text)\(run.messages)")
      #expect(!(run.text + run.messages).contains(Self.secret), "\(place) \(command)")
    }
  }

  @Test(arguments: [
    "../home/.npmrc", "app/../../home/.npmrc", ".git/config", "app/../.git/config", ".GIT/config",
    "/dev/fd/0", "/etc/passwd", "'-'", ".", "app", "..",
  ])
  func aFileOfTheMachineIsNotRead(_ value: String) async throws {
    try settings(value)
    try await expectRefused(value)
    let run = try await repository.tool("converters", "check")
    #expect(run.messages.hasPrefix("boxjoint: .boxjoint.yml:1:13: 'converters' names"))
  }

  @Test func anAbsolutePathIsRefusedWhereverItLeads() async throws {
    try settings(repository.surroundings.path(of: "home/.npmrc"))
    try await expectRefused("the home")
    try settings(repository.path + "/converters.yml")
    try await expectRefused("the catalogue itself")
  }

  @Test func aPipeIsNotWaitedFor() async throws {
    #expect(mkfifo(repository.path + "/pipe.yml", 0o600) == 0)
    try settings("pipe.yml")
    try await expectRefused("a pipe")
  }

  @Test(arguments: ["linked.yml", "converters.yml"])
  func aLinkOutOfTheRepositoryIsNotFollowed(_ name: String) async throws {
    unlink(repository.path + "/" + name)
    #expect(symlink("../home/.npmrc", repository.path + "/" + name) == 0)
    if name != "converters.yml" { try settings(name) }
    for command in Self.commands where command != ["config"] || name != "converters.yml" {
      let run = try await runTool(
        command, in: repository.path, environment: repository.environment)
      #expect(run.status == 74, "\(command) \(run.text)\(run.messages)")
      #expect(!(run.text + run.messages).contains(Self.secret))
    }
  }

  @Test func aFileOfTheRepositoryIsRead() async throws {
    try settings("../converters.yml", in: "app")
    for directory in ["app", "."] {
      let run = try await repository.tool(
        "converters", "check", "--config", directory == "." ? "app/.boxjoint.yml" : ".boxjoint.yml",
        in: directory)
      #expect(run.status == 0, "\(run.messages)")
    }
    #expect(try await repository.tool("converters", "check", in: "app").status == 0)
    #expect(symlink("converters.yml", repository.path + "/inside.yml") == 0)
    try settings("inside.yml")
    #expect(try await repository.tool("converters", "check").status == 0)
  }

  @Test func theOptionNamesAnyFile() async throws {
    try repository.surroundings.write(Self.catalogue, to: "elsewhere/c.yml")
    try settings("../home/.npmrc")
    let run = try await repository.tool(
      "converters", "check", "--catalogue", repository.surroundings.path(of: "elsewhere/c.yml"))
    #expect(run.status == 0, "\(run.messages)")
  }

  /// Without a repository the directory of the settings is the limit.
  @Test func outsideOfARepositoryTheDirectoryCounts() async throws {
    let directory = try TemporaryDirectory()
    try directory.write(Self.catalogue, to: "c.yml")
    try directory.write(Self.catalogue, to: "app/own/c.yml")
    for (value, status) in [("own/c.yml", Int32(0)), ("own/../own/c.yml", 0), ("../c.yml", 78)] {
      try directory.write("converters: \(value)\n", to: "app/.boxjoint.yml")
      let run = try await runTool(["converters", "check"], in: directory.path(of: "app"))
      #expect(run.status == status, "\(value) \(run.messages)")
    }
  }
}
