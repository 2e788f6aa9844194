import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Commands that change something and cannot print what they did.
@Suite(
  .enabled(
    if: Tool.path != nil && access("/dev/full", W_OK) == 0,
    "boxjoint is not built (scripts/build), or no /dev/full"
  ))
struct UnwritableOutputTests {
  let repository: TemporaryRepository

  /// A repository with two versions of a model, and a store of the first.
  init() async throws {
    repository = try await TemporaryRepository()
    let model = SampleModels.sound
    try await repository.commit(["model.json": model])
    try repository.write(SampleModels.model(lastEntityID: "1:1000"), to: "broken.json")
    try repository.write(#"{"name":"a","legs":6}"# + "\n", to: "ants.ndjson")
    for (name, arguments) in [
      ("d", ["model", "new", "new.json", "Ant"]),
      ("e", ["model", "add-property", "new.json", "Ant.name", "string"]),
      ("f", ["model", "add-property", "new.json", "Ant.legs", "int"]),
      ("g", ["model", "add-relation", "new.json", "Ant.friends", "Ant"]),
      ("h", ["import", "--store", "d", "--model", "new.json", "--entity", "Ant", "ants.ndjson"]),
      ("i", ["lock", "model.json"]), ("j", ["git", "install"]),
    ] {
      let run = try await runTool(
        arguments, in: repository.path, environment: repository.environment)
      try #require(run.status == 0, "\(name): \(run.messages)")
    }
    var next = try repository.text(of: "new.json")
    next = next.replacing("\"legs\"", with: "\"feet\"")
    try repository.write(next, to: "next.json")
  }

  /// Commands that change something in the repository of ``init()``.
  static let commands: [[String]] = [
    ["store", "put", "d", "Ant", #"{"name":"b"}"#], ["store", "set", "d", "Ant", "1", "legs=8"],
    ["store", "remove", "d", "Ant", "1"], ["store", "link", "d", "Ant.friends", "1", "1"],
    ["store", "unlink", "d", "Ant.friends", "1", "1"], ["store", "compact", "d"],
    ["store", "compact", "d", "--purge"], ["store", "repair", "d"],
    ["store", "backup", "d", "copy"],
    ["import", "--store", "d", "--entity", "Ant", "ants.ndjson"],
    ["import", "--infer", "--store", "inferred", "ants.ndjson"],
    ["import", "--infer", "--store", "inferred", "--format", "json", "ants.ndjson"],
    ["migrate", "--store", "d", "--to", "next.json", "--yes"],
    ["migrate", "--store", "d", "--to", "next.json", "--yes", "--format", "json"],
    ["model", "new", "other.json", "Bee"], ["model", "add-entity", "model.json", "Bee"],
    ["model", "add-property", "new.json", "Ant.age", "int"],
    ["model", "add-relation", "new.json", "Ant.foes", "Ant"],
    ["model", "rename", "new.json", "Ant.legs", "feet"],
    ["model", "remove", "new.json", "Ant.legs"],
    ["model", "set-flags", "new.json", "Ant.legs", "--set", "indexed"],
    ["model", "set-type", "new.json", "Ant.legs", "long", "--reset"],
    ["model", "infer", "ants.ndjson", "--output", "inferred.json"],
    ["new", "Notes"],
    ["check", "--fix", "broken.json"],
    ["check", "--fix", "broken.json", "--format", "json"], ["lock", "broken.json"],
    ["resolve", "model.json"],
    ["merge", "--ours", "model.json", "--theirs", "model.json", "-o", "m.json"],
    ["recover", "--output", "recovered.json", "model.json"], ["git", "install", "--shared"],
    ["git", "uninstall"], ["export", "--store", "d", "--output", "dump.ndjson"],
    ["export", "--store", "d", "--output", "dump", "--shape", "directory"],
  ]

  /// An output that is known to fail ends the command before the change.
  @Test(arguments: commands)
  func leavesEverythingAsItWas(_ command: [String]) async throws {
    for (name, ending) in [
      ("full", "> /dev/full"), ("closed", ">&-"), ("a closed pipe", "| { exec <&-; sleep 0.4; }"),
    ] {
      let before = DirectorySnapshot(of: repository.path)
      // The pipe is closed before the command starts.
      let run = try await ProcessRun.of(
        "bash",
        ["-c", #"set -o pipefail; { sleep 0.2; "$@"; } \#(ending)"#, "bash", Tool.path ?? ""]
          + command,
        in: repository.path, environment: repository.environment)
      #expect(run.status == 74, "\(name) \(command): \(run.messages)")
      #expect(
        run.messages.contains("standard output: cannot be written: "), "\(name): \(run.messages)")
      #expect(run.messages.hasSuffix("; nothing was changed\n"), "\(name): \(run.messages)")
      let changes = before.changes(to: DirectorySnapshot(of: repository.path))
      #expect(changes.isEmpty, "\(name) \(command): \(changes)")
    }
  }

  /// A reader that goes away during the change is told of after it, with what was stored.
  @Test func saysWhatWasStored() async throws {
    let script =
      #"(sleep 3; echo '{"name":"c"}') | ("$0" store put d Ant -; echo "status $?" >&2) | sleep 1.5"#
    let run = try await ProcessRun.of(
      "bash", ["-c", script, Tool.path ?? ""], in: repository.path,
      environment: repository.environment)
    #expect(
      run.messages
        == "boxjoint: stored: Ant: 1 object added, with the id 2; the output could not be written: "
        + "standard output cannot be written: Broken pipe\nstatus 74\n")
    #expect(try await repository.tool("query", "d", "Ant", "--count").text == "2\n")
  }

  /// In the shell, what a transaction does is kept only if all of it was printed.
  @Test func aTransactionOfTheShellIsRolledBack() async throws {
    let lines = Array("begin\nput Ant {\"name\":\"c\"}\ncommit\n".utf8)
    let run = try await ProcessRun.of(
      "sh", ["-c", #"exec "$0" shell d > /dev/full"#, Tool.path ?? ""], in: repository.path,
      environment: repository.environment, input: lines)
    #expect(run.status == 74)
    #expect(try await repository.tool("query", "d", "Ant", "--count").text == "1\n")
  }

  /// The message has what lines before this one have stored, and what a transaction loses.
  @Test(arguments: [
    (
      #"printf '%s\n' 'put Ant {}'; sleep 2; echo 'put Ant {}'"#,
      "; nothing was changed; what the lines before this one changed is stored", 1
    ),
    (
      #"printf '%s\n' 'put Ant {}'; sleep 2; echo 'query Ant'"#,
      "Broken pipe; what the lines before this one changed is stored", 1
    ),
    (
      #"printf '%s\n' begin 'put Ant {}'; sleep 2; printf '%s\n' 'put Ant {}' commit"#,
      "; nothing was changed; the open transaction is rolled back", 0
    ),
  ])
  func theShellTellsWhatIsStored(_ lines: String, _ ending: String, _ stored: Int) async throws {
    let script =
      #"{ \#(lines); } | { "$0" shell d; echo "status $?" >&2; } | head -n 1 > /dev/null"#
    let run = try await ProcessRun.of(
      "bash", ["-c", script, Tool.path ?? ""], in: repository.path,
      environment: repository.environment)
    #expect(run.messages.hasSuffix(ending + "\nstatus 74\n"), "\(run.messages)")
    #expect(try await repository.tool("query", "d", "Ant", "--count").text == "\(1 + stored)\n")
  }

  /// A plan is printed before the change.
  @Test func aPlanThatNobodyReadsIsNotCarriedOut() async throws {
    let before = try await repository.tool("store", "info", "d").text
    let script =
      #"{ sleep 0.2; "$0" migrate --store d --to next.json --yes; echo "status $?" >&2; } | { exec <&-; sleep 0.6; }"#
    let run = try await ProcessRun.of(
      "bash", ["-c", script, Tool.path ?? ""], in: repository.path,
      environment: repository.environment)
    #expect(run.messages.hasSuffix("; nothing was changed\nstatus 74\n"), "\(run.messages)")
    #expect(try await repository.tool("store", "info", "d").text == before)
  }

  /// Files of reports are opened before the change, too.
  @Test(arguments: ["no/such.sarif", "/dev/full", "."])
  func aReportThatCannotBeWrittenLeavesTheModel(_ path: String) async throws {
    for command in [
      ["check", "--fix", "broken.json"], ["plan", "--fix", "model.json", "broken.json"],
    ] {
      let before = try repository.text(of: "broken.json")
      let run = try await runTool(
        command + ["--output", "sarif=" + path], in: repository.path,
        environment: repository.environment)
      #expect(run.status == 74, "\(command): \(run.messages)")
      #expect(try repository.text(of: "broken.json") == before, "\(command)")
    }
  }
}
