import TestSupport
import Testing

/// `boxjoint import` as a program: its output, its messages and its exit statuses.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct ImportCommandTests {
  private let arguments = ImportSample.arguments

  @Test func anElementThatIsWrongIsNamed() async throws {
    let directory = try ImportSample.directory()
    let run = try await runTool(arguments + ["people.ndjson"], in: directory.path)
    #expect(run.status == 65)
    #expect(
      run.messages == """
        boxjoint: people.ndjson:2:29: Person.age: expected an integer from -2147483648 to \
        2147483647, found 1.5

        """)
    #expect(run.text == "")
  }

  /// The place where an element is missing, and what stands there.
  @Test(arguments: [
    (#"[{"id":1,"email":"a"},]"#, 23, #"found "]"; remove the comma before it"#),
    ("[{\"id\":1,\"email\":\"a\"},\n]", 1, #"found "]"; remove the comma before it"#),
    (#"[,{"id":1,"email":"a"}]"#, 2, #"found ",{"id":1"#),
    (#"[{"id":1,"email":"a"},,{"id":2,"email":"b"}]"#, 23, #"found ",{"id":2"#),
  ])
  func aMissingElementIsNamed(input: String, column: Int, found: String) async throws {
    let directory = try ImportSample.directory()
    let run = try await runTool(
      arguments + ["-"], in: directory.path, input: Array(input.utf8))
    #expect(run.status == 65)
    let line = input.contains("\n") ? 2 : 1
    #expect(
      run.messages.hasPrefix("boxjoint: standard input:\(line):\(column): expected "),
      "\(run.messages)")
    #expect(run.messages.replacing(#"\""#, with: "\"").contains(found), "\(run.messages)")
  }

  @Test func rejectedElementsAreWritten() async throws {
    let directory = try ImportSample.directory()
    let run = try await runTool(
      arguments + ["people.ndjson", "--on-error", "skip", "--rejects", "bad.ndjson"],
      in: directory.path)
    #expect(run.status == 1)
    #expect(run.text == "Person: 1 added\n2 rejected\n")
    #expect(
      try directory.text(of: "bad.ndjson")
        == "{\"id\":2,\"email\":\"bob\",\"age\":1.5}\n{\"id\":3,\"email\":\"ann\"}\n")
    try directory.write(
      "{\"id\":2,\"email\":\"bob\",\"age\":1}\n{\"id\":3,\"email\":\"cid\"}\n", to: "bad.ndjson")
    let mended = try await runTool(arguments + ["bad.ndjson"], in: directory.path)
    #expect(mended.status == 0, "\(mended.messages)")
    #expect(mended.text == "Person: 2 added\n")
  }

  @Test func aDryRunTouchesNothing() async throws {
    let directory = try ImportSample.directory()
    let none = try await runTool(
      arguments + ["people.ndjson", "--dry-run", "--on-error", "skip"], in: directory.path)
    #expect(none.status == 1)
    #expect(!directory.exists("data"))
    #expect(none.text.hasSuffix("dry run: nothing was kept\n"))
    let input = Array("{\"id\":1,\"email\":\"ann\"}".utf8)
    let first = try await runTool(arguments + ["-"], in: directory.path, input: input)
    #expect(first.status == 0, "\(first.messages)")
    let bytes = try directory.bytes(of: "data/data.mdb")
    let some = try await runTool(arguments + ["people.ndjson", "--dry-run"], in: directory.path)
    #expect(some.status == 65)
    #expect(some.messages.contains("people.ndjson:1:1: Person: "))
    #expect(try directory.bytes(of: "data/data.mdb") == bytes)
    #expect(
      directory.names() == ["ann.ndjson", "data", "model.json", "newer.json", "people.ndjson"])
  }

  /// Killed before its first commit, an import leaves a data file without a store in it.
  @Test func aDumpMakesAStoreThatWasNeverFinished() async throws {
    let directory = try ImportSample.directory()
    let made = try await runTool(
      ["import", "--store", "data", "--model", "model.json", "--entity", "Person", "ann.ndjson"],
      in: directory.path)
    #expect(made.status == 0, "\(made.messages)")
    let export = try await runTool(
      ["export", "--store", "data", "--output", "dump.ndjson"], in: directory.path)
    #expect(export.status == 0)
    try directory.write("", to: "killed/data.mdb")
    for text in ["Person: 1 added\n", "imported already: nothing to do\n"] {
      let run = try await runTool(
        ["import", "--store", "killed", "--resume", "dump.ndjson"], in: directory.path)
      #expect(run.only(0, text), "\(run.text)\(run.messages)")
    }
    try directory.write("", to: "other/data.mdb")
    let plain = try await runTool(
      ["import", "--store", "other", "--entity", "Person", "ann.ndjson"], in: directory.path)
    #expect(plain.status == 74, "\(plain.messages)")
    #expect(plain.messages.contains("--model FILE"), "\(plain.messages)")
  }

  @Test func impossibleRequestsStateTheReason() async throws {
    let directory = try ImportSample.directory()
    func status(_ arguments: [String]) async throws -> Int32 {
      try await runTool(["import", "--store", "data"] + arguments, in: directory.path).status
    }
    #expect(try await status(["people.ndjson"]) == 74, "there is no store and no model")
    #expect(try await status(["--model", "model.json", "nothing"]) == 74)
    let file = try await runTool(
      ["import", "--store", "model.json", "--entity", "Person", "--model", "model.json"]
        + ["people.ndjson"], in: directory.path)
    #expect(file.status == 65)
    #expect(file.messages.contains("model.json: this is not a directory"))
    #expect(try await status(["--model", "model.json", "--entity", "X", "people.ndjson"]) == 2)
    #expect(try await status(["--model", "model.json", "people.ndjson"]) == 65)
    #expect(!directory.exists("data"), "what was made for an import that failed is gone")
    let again = ["--model", "model.json", "--resume", "--entity", "Person", "ann.ndjson"]
    #expect(try await status(again) == 0, "what was not begun begins")
    #expect(try await status(again) == 0, "what is done is done")
    #expect(try await status(["--resume", "--restart", "people.ndjson"]) == 64)
    #expect(try await status(["--batch", "0", "people.ndjson"]) == 64)
    #expect(try await status(["--rejects", "x", "people.ndjson"]) == 64)
  }

  @Test(arguments: [["--raw"], ["--entity", "Person"], ["--converters", "none.yml"]])
  func valuesInADumpAreNotAskedFor(option: [String]) async throws {
    let directory = try ImportSample.directory()
    #expect(
      try await runTool(ImportSample.arguments + ["ann.ndjson"], in: directory.path).status == 0)
    let export = ["export", "--store", "data", "--output", "dump"]
    #expect(try await runTool(export, in: directory.path).status == 0)
    let run = try await runTool(["import", "--store", "copy", "dump"] + option, in: directory.path)
    #expect(run.status == 64)
    #expect(
      run.messages
        == "boxjoint: dump: \(option[0]) applies only to input that is not a dump\n")
    #expect(!directory.exists("copy"))
    #expect(
      try await runTool(["import", "--store", "copy", "dump"], in: directory.path).status == 0)
  }
}
