import ArgumentParser
import BoxEngine
import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxJointCLI
@testable import BoxModelTool

/// Slips at the command line, each answered by what to do instead.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct CommandLineMistakeTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try directory.write(SampleModels.sound, to: "model.json")
  }

  private func run(_ arguments: String...) async throws -> ProcessRun {
    try await runTool(arguments, in: directory.path)
  }

  private func shell(_ script: String) async throws -> ProcessRun {
    try await ProcessRun.of("bash", ["-c", script, Tool.path ?? ""], in: directory.path)
  }

  // MARK: - Commands

  @Test(arguments: [
    (["chekc"], "there is no command 'boxjoint chekc'; did you mean 'boxjoint check'?"),
    (["store", "inof", "data"], "there is no command 'boxjoint store inof'; did you mean"),
    (["git", "instal"], "did you mean 'boxjoint git install'?"),
    (["plan", "shwo"], "did you mean 'boxjoint plan show'?"),
    (["frobnicate"], "there is no command 'boxjoint frobnicate'; 'boxjoint --help' lists"),
  ])
  func anUnknownCommandIsAnsweredByTheNearest(arguments: [String], answer: String) async throws {
    let run = try await runTool(arguments, in: directory.path)
    #expect(run.status == 64)
    #expect(run.output.isEmpty)
    #expect(run.messages.contains(answer), "\(run.messages)")
    #expect(run.messages.split(separator: "\n").count == 1)
  }

  /// Commands with two neighbouring letters swapped.
  @Test func everyCommandIsFoundAgain() {
    for name in ["check", "show", "diff", "migrate", "history", "diagram", "merge", "resolve"] {
      var letters = Array(name)
      letters.swapAt(1, 2)
      if letters == Array(name) { continue }
      let failure = UnknownCommand.failure(in: BoxJointCommand.self, [String(letters)])
      #expect(failure?.kind == .usage)
      #expect(failure?.message.contains("did you mean 'boxjoint \(name)'?") == true, "\(name)")
      #expect(UnknownCommand.failure(in: BoxJointCommand.self, [name]) == nil)
    }
    // A file by such a name is one for the command that takes files.
    #expect(UnknownCommand.failure(in: BoxJointCommand.self, ["plan", "old.json"]) == nil)
    #expect(UnknownCommand.failure(in: BoxJointCommand.self, ["--help"]) == nil)
    #expect(UnknownCommand.failure(in: BoxJointCommand.self, ["help", "check"]) == nil)
  }

  @Test func aMissingFileIsAnsweredByOneOfNearlyThatName() async throws {
    for command in [
      ["show"], ["check"], ["diagram"], ["plan", "model.json"], ["plan", "verify", "model.json"],
    ] {
      let run = try await runTool(command + ["modle.json"], in: directory.path)
      #expect(run.status == 74)
      #expect(
        run.messages
          == "boxjoint: modle.json: there is no such file; did you mean 'model.json'?\n",
        "\(command): \(run.messages)")
    }
    let none = try await run("show", "elsewhere/file")
    #expect(none.messages == "boxjoint: elsewhere/file: there is no such file\n")
  }

  // MARK: - Byte order marks

  @Test func aByteOrderMarkIsSkippedAndFixed() async throws {
    let marked = [0xEF, 0xBB, 0xBF] + Array(SampleModels.sound.utf8)
    try directory.write(marked, to: "marked.json")
    for command in [
      ["show"], ["plan", "model.json"], ["diff", "model.json"], ["diagram"],
      ["merge", "--theirs", "model.json", "--ours"], ["merge", "--ours", "model.json", "--theirs"],
    ] {
      let (marked, plain) = (
        try await runTool(command + ["marked.json"], in: directory.path),
        try await runTool(command + ["model.json"], in: directory.path)
      )
      #expect(marked.status == 0, "\(command): \(marked.messages)")
      let text = marked.text.replacing("marked.json", with: "model.json").drop { $0 == "\u{FEFF}" }
      #expect(text == plain.text, "\(command)")
      let isMerge = command[0] == "merge"
      #expect(marked.messages.contains("with a byte order mark") == isMerge, "\(command)")
    }
    try directory.write("{}\n", to: "ants.ndjson")
    let stored = try await run(
      "import", "--store", "s", "--model", "marked.json", "--entity", "Ant", "ants.ndjson")
    #expect(stored.status == 0, "\(stored.messages)")
    let exported = try await run("export", "--store", "s")
    #expect(exported.status == 0, "\(exported.messages)")
    // A dump that an editor has marked is one still.
    try directory.write([0xEF, 0xBB, 0xBF] + exported.output, to: "marked.ndjson")
    #expect(try await run("dump", "verify", "marked.ndjson").status == 0)
    #expect(try await run("import", "--store", "t", "marked.ndjson").status == 0)
    #expect(try await run("export", "--store", "t").output == exported.output)
    let found = try await run("check", "marked.json")
    #expect(found.status == 0)
    #expect(found.text.contains("[BOX115 byte-order-mark]"), "\(found.text)")
    #expect(found.text.contains("save it as UTF-8 without one"), "\(found.text)")
    #expect(try await run("check", "--strict", "marked.json").status == 1)
    let fixed = try await run("check", "--fix", "marked.json")
    #expect(fixed.status == 0, "\(fixed.text)")
    #expect(fixed.messages == "marked.json: fixed: remove the byte order mark [BOX115]\n")
    #expect(try directory.bytes(of: "marked.json") == Array(SampleModels.sound.utf8))
    // What is not a model behind the mark stays as it is.
    try directory.write([0xEF, 0xBB, 0xBF] + Array("{".utf8), to: "marked.json")
    #expect(try await run("check", "--fix", "marked.json").status == 65)
    #expect(try directory.bytes(of: "marked.json").count == 4)
  }

  // MARK: - Pipes and devices

  @Test func processSubstitutionIsAFile() async throws {
    for script in [
      #""$0" show <(cat model.json)"#, #""$0" show /dev/stdin < model.json"#,
      #"cat model.json | "$0" show /dev/stdin"#, #""$0" diagram <(cat model.json)"#,
      #""$0" check <(cat model.json)"#, #""$0" plan <(cat model.json) model.json"#,
      #""$0" merge --base /dev/null --ours <(cat model.json) --theirs <(cat model.json)"#,
    ] {
      let run = try await shell(script)
      #expect(run.status == 0, "\(script): \(run.messages)")
      #expect(!run.output.isEmpty)
    }
    let shown = try await shell(#""$0" show <(cat model.json)"#)
    #expect(shown.text == (try await run("show", "model.json")).text)
    let fix = try await shell(#""$0" check --fix <(cat model.json)"#)
    #expect(fix.status == 64)
    #expect(fix.messages.contains("fixes are written to a file"))
    // A pipe with a name may be one that nobody writes to.
    let named = try await shell(#"mkfifo pipe; "$0" show pipe"#)
    #expect(named.status == 74)
    #expect(named.messages.contains("use - to read standard input"))
  }

  @Test func devicesAreWrittenTo() async throws {
    let json = try await run("check", "--output", "json=/dev/stdout", "--quiet", "model.json")
    #expect(json.status == 0, "\(json.messages)")
    #expect(json.text.hasPrefix("{\n  \"schemaVersion\": 1"))
    let redirected = try await shell(
      #""$0" check --output json=/dev/stdout model.json > all; cat all"#)
    #expect(redirected.text.hasPrefix("{\n"))
    #expect(redirected.text.hasSuffix("no problems in 1 file\n"))
    let nowhere = try await run(
      "merge", "--ours", "model.json", "--theirs", "model.json", "--output", "/dev/null")
    #expect(nowhere.status == 0, "\(nowhere.messages)")
    let merged = try await shell(
      #""$0" merge --ours model.json --theirs model.json --output /dev/stdout 2>/dev/null"#)
    #expect(merged.text == SampleModels.sound)
    let piped = try await shell(
      #""$0" plan model.json model.json --output json=>(cat >&2) >/dev/null; wait"#)
    #expect(piped.status == 0, "\(piped.messages)")
    #expect(piped.messages.contains("\"schemaVersion\""), "\(piped.messages)")
  }

  // MARK: - Endings

  private func makeStore() throws {
    let document = try ModelDocument(parsing: Array(SampleModels.sound.utf8))
    let store = try ObjectStore.open(.directory(directory.path(of: "data")), model: document)
    let entity = try store.entity(named: "Ant")
    try store.write { _ = try $0.put(DynamicObject(entity)) }
  }

  @Test(arguments: [
    ("x.csv", "lines"), ("X.CSV", "document"), ("x.csv.gz", "lines"), ("x.parquet", "lines"),
    ("x.sql", "lines"), ("x.xlsx", "document"), ("x.json", "lines"), ("x.json.zst", "lines"),
    ("x.ndjson", "document"), ("x.jsonl.gz", "document"), ("x.zip", "lines"),
    ("x.ndjson.bz2", "lines"),
  ])
  func anEndingThatPromisesAnotherFormatIsRefused(name: String, shape: String) async throws {
    try makeStore()
    let refused = try await run("export", "--store", "data", "--output", name, "--shape", shape)
    #expect(refused.status == 64)
    #expect(refused.messages.contains("--output \(name): "), "\(refused.messages)")
    #expect(!directory.exists(name))
  }

  @Test(arguments: [
    ("x.ndjson", "lines"), ("x.jsonl.zst", "lines"), ("x.json", "document"), ("x", "lines"),
    ("v1.2", "document"), ("x.dump.gz", "lines"), ("x.csv", "directory"),
  ])
  func otherEndingsAreWritten(name: String, shape: String) async throws {
    try makeStore()
    let written = try await run("export", "--store", "data", "--output", name, "--shape", shape)
    #expect(written.status == 0, "\(written.messages)")
    #expect(directory.exists(name))
  }

  @Test func aDumpOnStandardOutputIsNothingElse() async throws {
    try makeStore()
    let named = try await run("export", "--store", "data", "--output", "/dev/stdout")
    #expect(named.text == (try await run("export", "--store", "data")).text)
  }

  // MARK: - Stores

  @Test func aStoreCanStandInForItsModel() async throws {
    try makeStore()
    let model = try await run("show", "model.json")
    for name in ["data", "store:data", "./data"] {
      let shown = try await run("show", name)
      #expect(shown.status == 0, "\(shown.messages)")
      #expect(shown.text == model.text, "\(shown.messages)")
      #expect(try await run("check", name).status == 0)
      #expect(try await run("diagram", name).text.contains("Ant"))
      #expect(try await run("diff", name, "model.json").only(0, ""))
      #expect(try await run("plan", name, "model.json").status == 0)
      let fix = try await run("check", "--fix", name)
      #expect(fix.status == 64, "\(fix.messages)")
      #expect(fix.messages.contains("a store cannot be fixed"), "\(fix.messages)")
    }
    let against = try await run("check", "--against", "store:data", "model.json")
    #expect(against.status == 0, "\(against.messages)")
    let alone = try await run("diff", "data")
    #expect(alone.status == 64)
    #expect(alone.messages.contains("name the version to compare with too"))
    let none = try await run("show", "store:nowhere")
    #expect(none.status == 74, "\(none.messages)")
    #expect(none.messages.contains("nowhere"), "\(none.messages)")
  }

  @Test func inAWorkTreeAStoreHasToBeNamedAsOne() async throws {
    let repository = try await TemporaryRepository()
    try repository.write(SampleModels.sound, to: "model.json")
    try makeStore()
    let outside = directory.path(of: "data")
    let made = try await ProcessRun.of(
      "sh", ["-c", #"cp -r "$0" data; ln -s "$0" link; mkdir sub; ln -s "$0/.." sub/up"#, outside],
      in: repository.path)
    #expect(made.status == 0)
    for name in ["data", "link", "sub/up/data", repository.path + "/data"] {
      for command in [["show"], ["check"], ["diagram"], ["diff"], ["plan", "model.json"]] {
        let run = try await runTool(
          command + [name], in: repository.path, environment: repository.environment)
        #expect(run.status == 74, "\(command) \(name): \(run.messages)")
        #expect(
          run.messages.contains(
            "this is a directory, not a file; name a file in it, or name a store as store:\(name)"),
          "\(command): \(run.messages)")
      }
      let named = try await repository.tool("show", "store:\(name)")
      // A link of a repository may lead to any store of the machine.
      let leadsOut = name == "link" || name.hasPrefix("sub/")
      #expect(named.status == (leadsOut ? 74 : 0), "\(name): \(named.messages)")
    }
    // A lock is part of a change, and names no stores.
    let lock = try await repository.tool("lock", "store:data")
    #expect(lock.status != 0)
  }

  /// A second condition would replace the first, and select what that excludes.
  @Test(arguments: [
    ["query", "data", "A"], ["export", "--store", "data"], ["store", "remove", "data", "A"],
    ["store", "set", "data", "A", "a=1"],
  ])
  func twoConditionsAreAMistake(_ words: [String]) {
    let arguments = words + ["--where", "a == 1", "--where", "b == 2"]
    let error = #expect(throws: (any Error).self) {
      try BoxJointCommand.parseAsRoot(arguments)
    }
    guard let error else { return }
    #expect(BoxJointCommand.message(for: error).contains("'--where' is given 2 times"))
  }
}
