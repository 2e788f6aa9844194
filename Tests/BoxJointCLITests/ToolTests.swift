import BoxJSON
import BoxReport
import TestSupport
import Testing

@testable import BoxModelTool

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The built program as its users run it.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct ToolTests {
  let repository: TemporaryRepository

  init() async throws { repository = try await TemporaryRepository() }

  @Test func versionAndHelpAreOnStandardOutput() async throws {
    let version = try await runTool(["--version"])
    #expect(version.status == 0)
    #expect(version.text == ToolInfo.currentVersion + "\n")
    // It takes all other arguments as they are.
    let driver = try await runTool(["merge-driver", "--version"])
    #expect(driver.status == 0)
    #expect(driver.text == ToolInfo.currentVersion + "\n")
    for command in [
      [], ["git"], ["git", "install"], ["git", "status"], ["config"], ["completions"],
    ] {
      let help = try await runTool(command + ["--help"])
      #expect(help.status == 0)
      #expect(help.text.contains("Example"), "\(command)")
    }
  }

  @Test(arguments: [
    ["nope"], ["--nope"], ["config", "--format", "xml"], ["completions", "tcsh"], ["completions"],
    ["git", "install", "--global", "--shared"],
  ])
  func wrongUsageIs64(arguments: [String]) async throws {
    let run = try await repository.tool(arguments)
    #expect(run.status == 64)
    #expect(run.output.isEmpty)
    #expect(!run.messages.isEmpty)
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func completionsAreScripts(shell: String) async throws {
    let run = try await runTool(["completions", shell])
    #expect(run.status == 0)
    #expect(run.text.contains("boxjoint"))
    #expect(run.text.contains("uninstall"))
    if shell == "bash" {
      let check = try await ProcessRun.of("bash", ["-n"], input: run.output)
      #expect(check.status == 0)
    }
  }

  @Test func aReaderThatGoesAwayIsNotAnError() async throws {
    let run = try await ProcessRun.of(
      "bash",
      ["-c", #"{ "$0" completions bash; echo "$?" >&2; } | true"#, Tool.path ?? ""])
    #expect(run.messages == "141\n" || run.messages == "0\n")
  }

  @Test func aFullDiskLeavesFilesAsTheyWere() async throws {
    // Git's own part of the work is done before, so that the file is what does not fit.
    _ = try await repository.tool("git", "install")
    let old = String(repeating: "# a line of attributes\n", count: 100)
    try repository.write(old, to: ".gitattributes")
    let run = try await ProcessRun.of(
      "sh", ["-c", #"ulimit -f 1; exec "$0" git install --shared"#, Tool.path ?? ""],
      in: repository.path, environment: repository.environment)
    #expect(run.status == 74)
    #expect(run.messages.contains(".gitattributes: cannot be written"))
    #expect(run.messages.split(separator: "\n").count == 1)
    #expect(try repository.text(of: ".gitattributes") == old)
    #expect(repository.surroundings.names(in: repository.path) == [".git", ".gitattributes"])
  }

  @Test func standardOutputThatIsFullIsAnError() async throws {
    guard access("/dev/full", W_OK) == 0 else { return }
    let run = try await ProcessRun.of(
      "sh", ["-c", #""$0" config > /dev/full"#, Tool.path ?? ""], in: repository.path,
      environment: repository.environment)
    #expect(run.status == 74)
    #expect(run.messages.contains("standard output"))
  }

  @Test func badConfigurationIsOneLineWithItsPlace() async throws {
    try repository.write("files:\n  - a\npublishd: x\n", to: ".boxjoint.yml")
    try repository.write("", to: "sub/x")
    let run = try await repository.tool("config", in: "sub")
    #expect(run.status == 78)
    #expect(
      run.messages
        == "boxjoint: ../.boxjoint.yml:3:1: there is no setting 'publishd'; "
        + "did you mean 'published'?\n")
    let missing = try await repository.tool("config", "--config", "no\nfile")
    #expect(missing.status == 74)
    #expect(missing.messages == "boxjoint: no\\nfile: there is no such file\n")
  }

  @Test func configurationSaysWhereItComesFrom() async throws {
    try await repository.commit(["f": "1"])
    try repository.write("published: [main, gone]\n", to: ".boxjoint.yml")
    try await repository.git("config", "boxjoint.files", "x.json")
    let text = try await repository.tool("config")
    #expect(text.status == 0)
    #expect(text.text.contains("  main  .boxjoint.yml:1:13\n"))
    #expect(text.text.contains("  x.json  git config boxjoint.files (file:.git/config)\n"))
    #expect(text.text.contains("  gone  does not exist here\n"))
    let json = try await repository.tool("config", "--format", "json")
    #expect(json.status == 0)
    #expect(json.text.hasPrefix("{\n  \"schemaVersion\": 1,\n"))
  }

  @Test(.enabled("needs jsonschema, as scripts/test has it", SchemaValidator.isAvailable))
  func jsonOutputsFollowTheirSchemas() async throws {
    try await repository.commit(["model.json": "{}"])
    try await repository.git("config", "boxjoint.checkIgnore", "BOX101")
    try repository.write("published: [main, gone]\n", to: ".boxjoint.yml")
    let environment = ["BOXJOINT_FILES": "a b"]
    let outputs = [
      ("config.schema.json", try await repository.tool("config", "--format", "json")),
      (
        "config.schema.json",
        try await repository.tool("config", "--format", "json", environment: environment)
      ),
      ("git-status.schema.json", try await repository.tool("git", "status", "--format", "json")),
      ("", try await repository.tool("git", "install")),
      ("git-status.schema.json", try await repository.tool("git", "status", "--format", "json")),
    ]
    for (schema, run) in outputs where !schema.isEmpty {
      #expect(try await SchemaValidator.violations(of: run.output, against: schema) == "")
    }
  }

  @Test func withoutGitTheMessageSaysSo() async throws {
    let directory = try TemporaryDirectory()
    let run = try await ProcessRun.of(
      "/bin/sh", ["-c", #"PATH=/nowhere; export PATH; exec "$0" git status"#, Tool.path ?? ""],
      in: directory.path)
    #expect(run.status == 74)
    #expect(run.messages == "boxjoint: git is not on the PATH; install it, or set PATH\n")
  }
}

extension TemporaryRepository {
  /// Runs the built program with a list of arguments.
  fileprivate func tool(_ arguments: [String]) async throws -> ProcessRun {
    try await runTool(arguments, in: path, environment: environment)
  }
}
