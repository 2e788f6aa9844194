import BoxModel
import BoxReport
import TestSupport
import Testing

@testable import BoxModelTool

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The output for paths and names that are commands to a terminal or to the log of a CI job.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct HostileNamesTests {
  private let repository: TemporaryRepository

  private static let directory = "::stop-commands::t"
  private static let path = directory + "/objectbox-model.json"
  /// The path as an argument: without `./` a colon would make a revision of it.
  private static let file = "./" + directory + "/objectbox-model.json"
  private static let dump = "::add-mask::##[group]\u{1B}[2J.ndjson"

  /// A model whose names are commands; `\u001b[2J` clears a terminal.
  private static func model(_ property: String = "::error::##[error]y") -> String {
    #"""
    {"entities":[{"id":"1:1001","lastPropertyId":"4:2004","name":"##[error]x","properties":[
    {"id":"1:2001","name":"id","type":6,"flags":1},
    {"id":"2:2002","name":"\#(property)","type":9},
    {"id":"3:2003","name":"\u001b[2J\u202e##[group]","type":9,"flags":2080,"indexId":"1:3001"},
    {"id":"4:2004","name":"\n::stop-commands::t","type":5}],
    "relations":[]}],"lastEntityId":"1:1000","lastIndexId":"1:3001","lastRelationId":"0:0",
    "modelVersion":5,"modelVersionParserMinimum":5,"version":1}
    """#
  }

  /// The same with a counter that is right, so that a store can have it.
  private static let sound = model().replacing(#""1:1000""#, with: #""1:1001""#)

  init() async throws {
    repository = try await TemporaryRepository()
    try await repository.commit([
      Self.path: Self.model("::old::##[old]"), "sound.json": Self.sound,
      "::set-env::/converters.yml":
        "properties:\n  '##[error]x.::error::##[error]y':\n    type: '##[nothing]'\n",
      "::set-env::/##[bad].yml": "'::key::##[key]': 1\n",
    ])
    try await repository.git("tag", "v1")
    try repository.write(Self.model(), to: Self.path)
    try repository.write(
      #"{"id":1,"::error::##[error]y":"a"}"# + "\n" + #"{"id":2,"::nothing::##[no]":1}"# + "\n",
      to: Self.dump)
    try repository.write("{\n::stop-commands::t\n##[error]", to: "##[bad].json")
  }

  private static let commands: [[String]] =
    [
      ["check"], ["check", file], ["check", "--fix", file], ["check", "##[bad].json"],
      ["check", file, "--against", "HEAD"], ["check", "::no::such"], ["check", "##[no]"],
      ["show", file], ["show", "--all", file], ["show", "--textconv", file],
      ["show", "##[bad].json"], ["diff", file], ["diff", file, "--format", "json"],
      ["plan", file], ["plan", "--against", "v1", file], ["plan", "sound.json", file],
      ["plan", "--fix", file], ["plan", "--all-tags", file],
      ["plan", "verify", "sound.json", file],
      ["plan", "--details", file], ["history", file], ["history", file, "--format", "json"],
      ["diagram", file], ["lock", file], ["lock", "check"],
      ["merge", "--base", "v1:" + path, file, "sound.json"],
      [
        "merge", "--base", "v1:" + path, file, "sound.json", "--output", "::out::", "--favor",
        "ours",
      ],
      ["resolve", file], ["git", "install"], ["git", "status"], ["git", "uninstall"], ["config"],
      ["config", "--config", "::set-env::/##[bad].yml"],
      ["converters", "check", file, "--catalogue", "::set-env::/converters.yml"],
      ["converters", "lock", "--catalogue", "::set-env::/converters.yml"],
      ["converters", "scan", directory],
      ["import", "--store", "::data::", "--model", "sound.json", "--entity", "##[error]x", dump],
      ["import", "--store", "::data::", "--entity", "##[error]x", dump, "--mode", "upsert"],
      [
        "import", "--store", "::data::", "--entity", "##[error]x", dump, "--mode", "upsert",
        "--on-error", "skip", "--rejects", "::rejects::", "--progress", "json",
      ],
      ["store", "info", "::data::"], ["store", "verify", "::data::"], ["store", "info", "##[no]"],
      ["export", "--store", "::data::", "--output", "::out::.ndjson", "--progress", "json"],
      ["export", "--store", "::data::", "--entities", "::no::"],
      ["query", "::data::", "::no::"],
      ["query", "::data::", "##[error]x", "--where", "##[x]::\n::y"],
      ["query", "::data::", "##[error]x", "--group-by", "::error::##[error]y"],
      ["dump", "verify", "::out::.ndjson"], ["dump", "verify", dump],
      ["dump", "diff", "::out::.ndjson", "::data::"],
      ["store", "backup", "::data::", "::copy::"], ["store", "compact", "::data::"],
      ["store", "repair", "::data::"],
      ["migrate", "--store", "::data::", "--to", file, "--dry-run"],
      ["migrate", "--store", "::data::", "--to", "sound.json", "--yes", "--backup"],
      ["no\n::stop-commands::t"], ["check", "--no\n::stop-commands::t"],
      ["check", "--format", "\n::stop-commands::t##[x]\u{1B}[2J"], ["--help"],
    ]
    + ["json", "github", "sarif", "junit", "markdown"].map { ["check", file, "--format", $0] }
    + ["json", "github", "sarif", "junit", "markdown", "html"].map {
      ["plan", "--against", "v1", file, "--format", $0]
    } + ["json", "markdown", "mermaid"].map { ["show", file, "--format", $0] }
    + ["text", "markdown", "html"].map {
      ["query", "::data::", "##[error]x", "--format", $0]
    }
    + ["json", "github", "markdown"].map {
      ["converters", "check", file, "--catalogue", "::set-env::/converters.yml", "--format", $0]
    }

  /// Whether a line is a command of the program's own, of a form that is asked for.
  private func isOwn(_ line: String, _ command: [String]) -> Bool {
    command.contains("github")
      && ["::error ", "::warning ", "::notice "].contains { line.hasPrefix($0) }
  }

  /// The lines as the runner reads them.
  private func lines(_ text: String) -> [String] {
    text.unicodeScalars.split { $0 == "\n" || $0 == "\r" }
      .map { String($0.drop { $0.properties.isWhitespace }) }
  }

  @Test(arguments: ["GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION", nil])
  func nothingThatIsPrintedIsACommand(runner: String?) async throws {
    var environment: [String: String?] = [
      "GITHUB_ACTIONS": nil, "TF_BUILD": nil, "TEAMCITY_VERSION": nil,
    ]
    if let runner { environment[runner] = "true" }
    var found = 0
    for command in Self.commands {
      let run = try await runTool(
        command, in: repository.path,
        environment: repository.environment.merging(environment) { $1 })
      #expect(run.status >= 0, "\(command): \(run.messages)")
      for text in [run.text, run.messages] {
        let hazards = text.unicodeScalars.filter {
          $0.isHazardousForDisplay && $0 != "\n" && $0 != "\t"
        }
        #expect(hazards.isEmpty, "\(command): \(text.escapedForDisplay)")
        guard runner != nil else {
          if text.contains("##[") { found += 1 }
          continue
        }
        for line in lines(text) where !isOwn(line, command) {
          #expect(!line.hasPrefix("::"), "\(command): \(line)")
          #expect(!line.contains("##["), "\(command): \(line)")
          if line.contains("\\u005b") || line.contains("\\u003a:") { found += 1 }
        }
      }
    }
    // Something of it was printed at all.
    #expect(found > 20)
  }

  /// The rows of a query are data, and the log of a job may be what reads them.
  @Test(arguments: ["ndjson", "json", "csv"])
  func rowsOnStandardOutputHaveNoCommand(format: String) async throws {
    let made = try await runTool(
      [
        "import", "--store", "::data::", "--model", "sound.json", "--entity", "##[error]x",
        "--on-error", "skip", Self.dump,
      ], in: repository.path, environment: repository.environment)
    #expect(made.status <= 1, "\(made.messages)")
    let query = ["query", "::data::", "##[error]x", "--format", format]
    let job = try await runTool(
      query, in: repository.path,
      environment: repository.environment.merging(["GITHUB_ACTIONS": "true"]) { $1 })
    #expect(job.status == 0, "\(job.messages)")
    #expect(job.text.contains("\\u005b"))
    for line in lines(job.text) {
      #expect(!line.hasPrefix("::"), "\(line)")
      #expect(!line.contains("##["), "\(line)")
    }
    let file = try await runTool(
      query + ["--output", "rows"], in: repository.path,
      environment: repository.environment.merging(["GITHUB_ACTIONS": "true"]) { $1 })
    #expect(file.status == 0, "\(file.messages)")
    #expect(try repository.text(of: "rows").contains("##[error]y"))
  }

  /// A model that git has to merge, under such a path.
  @Test func aMergeInAJobPrintsNoCommand() async throws {
    try repository.write(Self.model("::a::##[a]"), to: Self.path)
    try await repository.git("switch", "--quiet", "-c", "other")
    try await repository.commit()
    try await repository.git("switch", "--quiet", "main")
    try repository.write(Self.model("::b::##[b]"), to: Self.path)
    try await repository.commit()
    let environment = ["GITHUB_ACTIONS": "true"]
    let install = try await repository.tool(
      "git", "install", "--program", Tool.path ?? "", environment: environment)
    #expect(install.status == 0)
    let merge = try await repository.tryGit(["merge", "other"], environment: environment)
    // The lines of git itself, on its standard output, are not ours.
    #expect(merge.messages.contains("merged"), "\(merge.messages)")
    let resolve = try await repository.tool("resolve", environment: environment)
    for line in lines(merge.messages + resolve.text + resolve.messages) {
      #expect(!line.hasPrefix("::"), "\(line)")
      #expect(!line.contains("##["), "\(line)")
    }
  }

  /// A merged model on standard output is data, and the log of a job may be what reads it.
  @Test func aModelOnStandardOutputHasNoCommand() async throws {
    let name = "::stop-commands::t ##[add-mask]n"
    try repository.write(Self.model(name), to: "model.json")
    let merge = ["merge", "--base", "model.json", "--ours", "model.json", "--theirs", "model.json"]
    let bytes = try repository.text(of: "model.json")
    for words in [merge, ["check", "--fix", "-"]] {
      let input = words.contains("-") ? Array(bytes.utf8) : []
      func run(_ runner: String?) async throws -> ProcessRun {
        try await runTool(
          words, in: repository.path,
          environment: repository.environment.merging(["GITHUB_ACTIONS": runner]) { $1 },
          input: input)
      }
      let plain = try await run(nil)
      #expect(plain.text.contains(name), "\(words) \(plain.messages)")
      let job = try await run("true")
      #expect(!job.text.contains("##["), "\(words) \(job.text)")
      #expect(!lines(job.text).contains { $0.hasPrefix("::") })
      // It is the same model.
      #expect(
        try ModelDocument(parsing: job.output).model == ModelDocument(parsing: plain.output).model)
    }
    // A file has the bytes of the merge.
    let shell = try await ProcessRun.of(
      "sh", ["-c", "'\(try #require(Tool.path))' \(merge.joined(separator: " ")) >merged.json"],
      in: repository.path,
      environment: repository.environment.merging(["GITHUB_ACTIONS": "true"]) { $1 })
    #expect(shell.status == 0, "\(shell.messages)")
    #expect(try repository.text(of: "merged.json") == bytes)
  }

  /// Git shows on a terminal what the readable diff prints of a file that is not a model.
  @Test func theReadableDiffOfADamagedFileHasNoControlCharacters() async throws {
    let bytes = Array("{\r\n\t\"a\": \u{1B}[31m\u{1B}]0;x\u{7}\u{9B}2J\u{202E}\r\nx\ry\n\n".utf8)
    try repository.write(bytes, to: "model.json")
    let run = try await repository.tool("show", "--textconv", "--", "model.json")
    #expect(run.status == 0)
    #expect(
      run.text
        == "{\\r\n\t\"a\": \\u001b[31m\\u001b]0;x\\u0007\\u009b2J\\u202e\\r\nx\\ry\n\n")
    // No change of other bytes is hidden either.
    try repository.write([0x7B, 0xFF, 0x1B, 0x0A, 0x61], to: "model.json")
    let other = try await repository.tool("show", "--textconv", "--", "model.json")
    #expect(other.text == "{\\xff\\x1b\na")
  }
}
