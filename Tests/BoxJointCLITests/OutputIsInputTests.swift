import TestSupport
import Testing

/// An output that is an input is refused, by whatever name, and stays as it was.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct OutputIsInputTests {
  /// A command line, of which `@` is the output, and the file that must not be one.
  struct Case: Sendable, CustomTestStringConvertible {
    var line: String
    var input: String
    var testDescription: String { "\(line) with \(input)" }
  }

  static let cases = [
    Case(line: "check --output json=@ a.json b.json", input: "b.json"),
    Case(line: "check --output sarif=@ --against b.json a.json", input: "b.json"),
    Case(line: "check --output json=@ --rules b.json a.json", input: "b.json"),
    Case(line: "check --output json=@ --config c.yml a.json", input: "c.yml"),
    Case(line: "check --output json=@ ./a:b.json", input: "a:b.json"),
    Case(line: "plan --output html=@ a.json b.json", input: "a.json"),
    Case(line: "plan --output json=@ a.json b.json", input: "b.json"),
    Case(line: "plan --output json=@ store:data b.json", input: "data/data.mdb"),
    Case(line: "converters check --catalogue e.yml --output json=@", input: "e.yml"),
    Case(line: "converters check --catalogue e.yml --output json=@", input: "e.lock"),
    Case(
      line: "converters check --catalogue e.yml a.json --output json=@", input: "a.json"),
    Case(line: "merge --base a.json --ours a.json --theirs b.json --output @", input: "b.json"),
    Case(line: "merge --base a.json --ours b.json --theirs b.json --output @", input: "a.json"),
    Case(
      line: "merge --ours a.json --theirs a.json --published b.json --output @", input: "b.json"),
    Case(line: "export --store data --converters e.ndjson --output @", input: "e.ndjson"),
    Case(line: "export --store data --output @", input: "data/data.mdb"),
    Case(
      line: "import --store data --entity Note --on-error skip --rejects @ l.ndjson",
      input: "l.ndjson"),
    Case(
      line:
        "import --store data --entity Note --converters e.yml --on-error skip --rejects @ l.ndjson",
      input: "e.yml"),
  ]

  private let directory: TemporaryDirectory

  init() async throws {
    directory = try TemporaryDirectory()
    for name in ["a.json", "b.json", "a:b.json"] {
      try directory.write(SmallModel.base.text, to: name)
    }
    try directory.write("files: [\"*.json\"]\n", to: "c.yml")
    let catalogue = "types:\n  Level: { type: enum, values: { low: 0, high: 9 } }\n"
    try directory.write(catalogue, to: "e.yml")
    // An export refuses to write by a name that promises another format.
    try directory.write(catalogue, to: "e.ndjson")
    try directory.write("{\"text\":\"x\"}\n", to: "l.ndjson")
    let made = try await runTool(
      ["import", "--store", "data", "--model", "a.json", "--entity", "Note", "l.ndjson"],
      in: directory.path)
    #expect(made.status == 0, "\(made.messages)")
    _ = try await runTool(["converters", "lock", "--catalogue", "e.yml"], in: directory.path)
  }

  @Test(arguments: cases)
  func itIsRefused(_ command: Case) async throws {
    let before = try directory.bytes(of: command.input)
    let linked = try await ProcessRun.of(
      "ln", ["-s", command.input, "link"], in: directory.path)
    let hard = try await ProcessRun.of("ln", [command.input, "hard"], in: directory.path)
    #expect(linked.status == 0)
    #expect(hard.status == 0)
    for name in [
      command.input, "./" + command.input, directory.path(of: command.input), "link", "hard",
    ] {
      // A store is a directory: another name of a file in it is none of its paths.
      if name == "hard" && command.input.contains("/") { continue }
      let arguments = command.line.split(separator: " ").map {
        $0 == "@" ? name : $0.hasSuffix("=@") ? $0.dropLast() + name : String($0)
      }
      let run = try await runTool(arguments, in: directory.path)
      #expect(run.status == 64, "\(name): \(run.status) \(run.messages)")
      #expect(run.messages.hasPrefix("boxjoint: \(name): this is "), "\(run.messages)")
      #expect(try directory.bytes(of: command.input) == before, "\(name)")
    }
  }

  /// An existing file that is not an input is overwritten.
  @Test func anotherFileIsWritten() async throws {
    try directory.write("old", to: "report.json")
    let run = try await runTool(
      ["check", "--output", "json=report.json", "a.json"], in: directory.path)
    #expect(run.status == 0, "\(run.messages)")
    #expect(try directory.text(of: "report.json").hasPrefix("{"))
  }
}
