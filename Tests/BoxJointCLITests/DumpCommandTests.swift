import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Dumps that are not as they were written, and converters of dumps.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built"))
struct DumpCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try ImportSample.folder()
    try folder.write(
      (1...5).map { "{\"id\":\($0),\"email\":\"e\($0)\",\"age\":\($0 % 2)}\n" }.joined(),
      to: "five.ndjson")
  }

  private func run(_ arguments: String...) async throws -> ProcessRun {
    try await runTool(arguments, in: folder.path)
  }

  private func makeStore() async throws {
    let run = try await runTool(
      ImportSample.arguments + ["--raw", "five.ndjson"], in: folder.path)
    #expect(run.status == 0, "\(run.messages)")
  }

  private func export(_ arguments: String...) async throws {
    let run = try await runTool(["export", "--store", "data"] + arguments, in: folder.path)
    #expect(run.status == 0, "\(run.messages)")
  }

  // MARK: - Folders

  @Test func filesOfAFolderArePlainOnes() async throws {
    try await makeStore()
    try await export("--shape", "directory", "--output", "dump")
    #expect(rename(folder.path(of: "dump/Person.ndjson"), folder.path(of: "moved")) == 0)
    #expect(symlink("../moved", folder.path(of: "dump/Person.ndjson")) == 0)
    for what in ["symbolic link", "plain file"] {
      let load = try await run("import", "--store", "copy", "dump")
      #expect(load.status == 65)
      #expect(
        load.messages.hasPrefix("boxjoint: dump/Person.ndjson: "),
        "\(load.messages)")
      #expect(
        load.messages.contains(what),
        "\(load.messages)")
      #expect(!folder.exists("copy"))
      let verify = try await run("dump", "verify", "dump")
      #expect(verify.status == 1)
      #expect(verify.text.contains(what))
      #expect(unlink(folder.path(of: "dump/Person.ndjson")) == 0)
      #expect(mkfifo(folder.path(of: "dump/Person.ndjson"), 0o600) == 0)
    }
  }

  // MARK: - What is not a dump

  @Test func whatIsNoDumpIsToldApart() async throws {
    try await makeStore()
    try folder.write("", to: "empty")
    try folder.write("", to: "nothing/x")
    for (path, status, message) in [
      ("data", 65, "boxjoint: data: is a store, and no dump; `boxjoint store verify` checks it"),
      ("nothing", 65, "boxjoint: nothing: has no manifest.json: it is not a dump"),
      ("empty", 65, "boxjoint: empty:1:1: this is not a dump"),
      ("gone", 74, "boxjoint: gone: cannot be opened"), ("-", 64, "a pipe"),
    ] as [(String, Int32, String)] {
      let verify = try await run("dump", "verify", path)
      #expect(verify.status == status, "\(verify.messages)")
      #expect(verify.messages.contains(message), "\(verify.messages)")
    }
    #expect(try await run("dump", "diff", "store:data", "-").status == 64)
    let export = try await run("export", "--store", "nowhere")
    #expect(export.status == 74)
    #expect(export.messages == "boxjoint: nowhere: there is no store in nowhere\n")
  }

  @Test func aDumpInAnotherLayoutIsNotCalledNone() async throws {
    try await makeStore()
    try await export("--shape", "document", "--output", "dump")
    let text = try folder.text(of: "dump")
    let indented = text.replacing("\n", with: "\n  ")
    try folder.write("{\n  " + indented.dropFirst(), to: "pretty")
    let verify = try await run("dump", "verify", "pretty")
    #expect(verify.status == 2)
    #expect(verify.messages.contains("the layout of the dump was changed"))
    let load = try await run("import", "--store", "copy", "pretty")
    #expect(load.status == 0, "\(load.messages)")
  }

  @Test func optionsThatNameNothingAreRefused() async throws {
    try await makeStore()
    for arguments in [
      ["--entities", ""], ["--entities", ","], ["--fields", ""],
      ["--shape", "directory", "--output", "dump.gz"],
    ] {
      let run = try await runTool(["export", "--store", "data"] + arguments, in: folder.path)
      #expect(run.status == 64, "\(run.messages)")
      #expect(run.text.isEmpty, "\(run.messages)")
    }
    #expect(!folder.exists("dump.gz"))
  }

  // MARK: - Converters

  private func writeCatalogue(_ property: String = "age") throws {
    try folder.write(
      "properties:\n  Person.\(property): { type: enum, values: { even: 0, odd: 1 } }\n",
      to: "converters.yml")
  }

  @Test func aStoreIsComparedWithTheConvertersOfTheDump() async throws {
    try await makeStore()
    try writeCatalogue()
    try await export("--output", "dump")
    #expect(try folder.text(of: "dump").contains(#""age":"odd""#))
    let same = try await run("dump", "diff", "dump", "store:data")
    #expect(same.status == 0, "\(same.messages)")
    #expect(same.text == "no differences\n", "\(same.messages)")
    // Entities and properties are paired by UID, converters go by the names of the dump.
    try folder.write("{\"id\":1,\"email\":\"e1\",\"years\":0}", to: "one")
    let change = try await run(
      "import", "--store", "data", "--model", "newer.json", "--entity", "Person", "--mode",
      "upsert",
      "--raw", "one")
    #expect(change.status == 0, "\(change.messages)")
    let diff = try await run("dump", "diff", "dump", "store:data")
    #expect(diff.status == 1)
    #expect(
      diff.text == """
        only data has the property Person.town
        ~ Person 1
            age: "odd" -> "even"
        Person: 0 added, 0 removed, 1 changed, 4 the same

        """)
  }

  @Test func aCatalogueThatDoesNotFitIsRefusedWhereItIsNamed() async throws {
    try await makeStore()
    try writeCatalogue("aeg")
    let named = try await run(
      "export", "--store", "data", "--converters", "converters.yml", "--output", "dump")
    #expect(named.status == 78)
    #expect(
      named.messages.hasPrefix("boxjoint: converters.yml:2:3: Person has no property aeg"),
      "\(named.messages)")
    #expect(!folder.exists("dump"))
    let found = try await run("export", "--store", "data", "--output", "dump")
    #expect(found.status == 0)
    #expect(found.messages.contains("warning: Person has no property aeg"))
    let load = try await run(
      "import", "--store", "copy", "--model", "model.json", "--entity", "Person", "--converters",
      "converters.yml", "five.ndjson")
    #expect(load.status == 78)
    #expect(!folder.exists("copy"))
  }

  @Test func anImportTakesTheCatalogueThatAnExportTakes() async throws {
    try writeCatalogue()
    try folder.write("{\"id\":1,\"email\":\"a\",\"age\":\"odd\"}", to: "one")
    let load = try await runTool(ImportSample.arguments + ["one"], in: folder.path)
    #expect(load.status == 0, "\(load.messages)")
    let export = try await run("export", "--store", "data", "--raw")
    #expect(export.text.contains(#""age":1,"#))
    try folder.write("{\"id\":2,\"email\":\"b\",\"age\":\"odd\"}", to: "two")
    let raw = try await runTool(ImportSample.arguments + ["--raw", "two"], in: folder.path)
    #expect(raw.status == 65)
    // A dump says by itself that its values are raw.
    try await self.export("--raw", "--output", "dump")
    let copy = try await run("import", "--store", "copy", "dump")
    #expect(copy.status == 0, "\(copy.messages)")
    let diff = try await run("dump", "diff", "dump", "store:copy")
    #expect(diff.text == "no differences\n")
  }

  @Test func theConfigurationNamesTheCatalogue() async throws {
    let none = try await run("config")
    #expect(none.status == 0)
    #expect(none.text.contains("converters\n  (none)\n"))
    try writeCatalogue()
    let beside = try await run("config")
    #expect(beside.text.contains("converters\n  converters.yml\n"))
    try folder.write("converters: enums.yml\n", to: ".boxjoint.yml")
    let named = try await run("config", "--format", "json")
    #expect(named.text.contains(#""converters": "enums.yml""#))
    let help = try await run("config", "--help")
    #expect(help.text.contains("plan:"))
    #expect(help.text.contains("converters:"))
  }

  @Test func oneIsNoPlural() async throws {
    try folder.write(
      ImportSample.model.replacing(
        #""relations":[]"#,
        with: #""relations":[{"id":"1:4001","name":"friends","targetId":"1:1001"}]"#
      ).replacing(#""lastRelationId":"0:0""#, with: #""lastRelationId":"1:4001""#),
      to: "related.json")
    try folder.write(
      """
      {"Person":{"id":1,"email":"a"}}
      {"Person.friends":{"source":1,"targets":[1]}}

      """, to: "one")
    let load = try await run("import", "--store", "data", "--model", "related.json", "one")
    #expect(load.status == 0, "\(load.messages)")
    #expect(load.text == "Person: 1 added\nPerson.friends: 1 entry\n")
  }

  @Test(.enabled(if: Tool.path != nil, "boxjoint is not built"))
  func aPipeIsNoDumpToVerify() async throws {
    let program = try #require(Tool.path)
    for line in ["dump verify <(cat /dev/null)", "dump diff <(cat /dev/null) a"] {
      let run = try await ProcessRun.of("bash", ["-c", "\"$0\" " + line, program])
      #expect(run.status == 64)
      #expect(run.messages.contains("A dump is read twice, so a pipe "))
    }
  }
}
