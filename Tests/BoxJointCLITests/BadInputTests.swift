import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Every command on every kind of bad input: one line that names the place, the exit status of the
/// documentation, and files that are as they were.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct BadInputTests {
  /// A command that reads the file `bad.json`.
  enum Command: String, CaseIterable, CustomTestStringConvertible {
    case check = "check bad.json"
    case checkFix = "check --fix bad.json"
    case checkAgainst = "check --against bad.json good.json"
    case show = "show bad.json"
    case diffOld = "diff bad.json good.json"
    case diffNew = "diff good.json bad.json"
    case mergeOurs = "merge --ours bad.json --theirs good.json --base good.json --output out.json"
    case mergeTheirs = "merge --ours good.json --theirs bad.json --output out.json"
    case mergePublished =
      "merge --ours good.json --theirs good.json --published bad.json --output out.json"
    case resolve = "resolve bad.json"
    case resolveTake = "resolve --take ours bad.json"

    var arguments: [String] { rawValue.split(separator: " ").map(String.init) }
    var testDescription: String { rawValue }
  }

  /// An error in a text: the text, its place, and words of the message.
  struct BadText: Sendable, CustomTestStringConvertible {
    var name: String
    var text: String
    var place: String
    var words: String
    var testDescription: String { name }
  }

  static let texts = [
    BadText(name: "empty", text: "", place: "1:1", words: "empty"),
    BadText(name: "no JSON", text: "entities: []\n", place: "1:1", words: ""),
    BadText(name: "half a number", text: "{\n  \"a\": 01\n}\n", place: "2:8", words: ""),
    BadText(name: "other JSON", text: "{\"a\": 1}\n", place: "1:1", words: "no model"),
    BadText(
      name: "dump", text: "{\"model\": {}}\n{\"entity\": \"Ant\", \"id\": 1}\n", place: "2:1",
      words: "not a model"),
    // The number stands in line 37, from column 32 on.
    BadText(
      name: "too new",
      text: SampleModels.sound.replacingFirst("ParserMinimum\": 5", "ParserMinimum\": 6"),
      place: "37:32", words: "version 6"),
    // Cut in the id of Bear, which starts at 18:13.
    BadText(
      name: "half a file",
      text: String(SampleModels.sound.prefix(upTo: SampleModels.sound.end(of: "\"2:20"))),
      place: "18:18", words: ""),
  ]

  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try directory.write(SampleModels.sound, to: "good.json")
    try directory.write("old", to: "out.json")
  }

  private func run(_ command: Command) async throws -> ProcessRun {
    try await runTool(command.arguments, in: directory.path, environment: Self.environment)
  }

  /// The directory is in no repository, whatever is above it.
  private static let environment: [String: String?] = [
    "GIT_DIR": nil, "GIT_CEILING_DIRECTORIES": "/", "LC_ALL": "C", "NO_COLOR": nil,
  ]

  /// `check` prints findings, in the form of its reports, and all others one line of complaint.
  private func expectComplaint(
    _ run: ProcessRun, _ command: Command, _ place: String, _ words: String,
    location: SourceLocation = #_sourceLocation
  ) {
    let lines: [Substring]
    if case .check = command.kind {
      lines = run.text.split(separator: "\n")
      #expect(lines.first?.hasPrefix("bad.json:\(place): error: ") == true, "\(run.text)")
    } else {
      lines = run.messages.split(separator: "\n")
      #expect(lines.count == 1, "\(run.messages)", sourceLocation: location)
      #expect(
        lines.first?.contains("bad.json:\(place): ") == true, "\(run.messages)",
        sourceLocation: location)
    }
    #expect(lines.first?.contains(words) == true || words.isEmpty, sourceLocation: location)
  }

  private func expectUntouched(_ bad: [UInt8]?) throws {
    if let bad { #expect(try directory.bytes(of: "bad.json") == bad) }
    #expect(try directory.text(of: "good.json") == SampleModels.sound)
    #expect(try directory.text(of: "out.json") == "old")
    let names = directory.names().filter { !["bad.json", "good.json", "out.json"].contains($0) }
    #expect(names == [])
  }

  @Test(arguments: Command.allCases, texts)
  func filesThatAreNotModelsExitWith65(command: Command, bad: BadText) async throws {
    try directory.write(bad.text, to: "bad.json")
    let run = try await run(command)
    #expect(run.status == 65, "\(run.text)\(run.messages)")
    expectComplaint(run, command, bad.place, bad.words)
    try expectUntouched(Array(bad.text.utf8))
  }

  @Test(arguments: Command.allCases)
  func missingFilesExitWith74(command: Command) async throws {
    let run = try await run(command)
    // With --against, a name that is not a file is one of a revision.
    if command != .checkAgainst {
      #expect(run.messages == "boxjoint: bad.json: there is no such file\n" || command.isPublished)
    }
    #expect(run.status == 74)
    #expect(run.messages.split(separator: "\n").count == 1)
    #expect(run.messages.contains("bad.json"))
    #expect(run.output.isEmpty)
    try expectUntouched(nil)
  }

  @Test(arguments: Command.allCases)
  func aDirectoryIs74(command: Command) async throws {
    mkdir(directory.path(of: "bad.json"), 0o755)
    let run = try await run(command)
    #expect(run.status == 74)
    #expect(run.messages.split(separator: "\n").count == 1)
    #expect(run.messages.contains("bad.json"))
    #expect(run.output.isEmpty)
    try expectUntouched(nil)
    #expect(directory.names(in: "bad.json") == [])
  }

  /// Root may read everything, so the tests of root run the program as nobody.
  static let canBeOrdinary = getuid() != 0 || access("/usr/bin/setpriv", X_OK) == 0

  @Test(
    .enabled(if: canBeOrdinary, "no way to run as an ordinary user"), arguments: Command.allCases)
  func withoutPermissionToReadItIs74(command: Command) async throws {
    try directory.write(SampleModels.sound, to: "bad.json")
    chmod(directory.path(of: "bad.json"), 0)
    // Everybody may read and write the rest, so that the permission is all that is missing.
    chmod(directory.path, 0o777)
    chmod(directory.path(of: "out.json"), 0o666)
    let ordinary = ["--reuid=65534", "--regid=65534", "--clear-groups", "--", Tool.path ?? ""]
    let run =
      getuid() == 0
      ? try await ProcessRun.of(
        "setpriv", ordinary + command.arguments, in: directory.path, environment: Self.environment)
      : try await self.run(command)
    #expect(run.status == 74)
    #expect(run.messages.split(separator: "\n").count == 1, "\(run.messages)")
    #expect(run.messages.contains("bad.json: permission to read is denied"), "\(run.messages)")
    #expect(run.output.isEmpty)
    try expectUntouched(Array(SampleModels.sound.utf8))
  }

  /// Another program never stops appending to the file.
  private static let appending = """
    import os, subprocess, sys
    child = os.fork()
    if child == 0:
      with open("bad.json", "ab", buffering=0) as file:
        for _ in range(50_000_000):
          file.write(b" ")
      os._exit(0)
    try:
      for attempt in range(100):
        run = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if run.returncode == 74:
          sys.stdout.buffer.write(run.stderr)
          sys.exit(0)
      sys.exit("the change was never noticed: %d" % run.returncode)
    finally:
      os.kill(child, 9)
      os.wait()
    """

  @Test(arguments: [Command.check, .checkFix, .show, .diffNew, .mergeTheirs, .resolve])
  func aFileThatChangesWhileItIsReadIs74(command: Command) async throws {
    try directory.write(LargeModel.bytes(entities: 100), to: "bad.json")
    let run = try await ProcessRun.of(
      "python3", ["-c", Self.appending, Tool.path ?? ""] + command.arguments, in: directory.path,
      environment: Self.environment)
    #expect(run.status == 0, "\(run.messages)")
    #expect(
      run.text
        == "boxjoint: bad.json: the file changes while it is read; try again when no program "
        + "writes it\n")
    #expect(try directory.text(of: "good.json") == SampleModels.sound)
    #expect(try directory.text(of: "out.json") == "old")
  }

  /// A disk on which there is room for less than the result.
  @Test(arguments: [
    ("check --fix fixable.json", "fixable.json"),
    ("check good.json --output sarif=out.json", "out.json"),
    ("merge --ours fixable.json --theirs good.json --output out.json", "out.json"),
    ("resolve --take ours marked.json", "marked.json"),
  ])
  func aFullDiskIs74(arguments: String, name: String) async throws {
    try directory.write(SampleModels.fixable, to: "fixable.json")
    try directory.write(SampleModels.conflicted, to: "marked.json")
    let before = try directory.bytes(of: name)
    let words = arguments.split(separator: " ").map(String.init)
    let run = try await ProcessRun.of(
      "sh", ["-c", #"ulimit -f 1; exec "$@""#, "sh", Tool.path ?? ""] + words, in: directory.path,
      environment: Self.environment)
    #expect(run.status == 74, "\(run.text)\(run.messages)")
    #expect(run.messages.contains(": cannot be written: the file would be too large"))
    #expect(run.messages.split(separator: "\n").count == 1)
    #expect(try directory.bytes(of: name) == before)
    #expect(directory.names().filter { $0.hasPrefix(".boxjoint") } == [])
  }

  @Test(
    .enabled(if: access("/dev/full", W_OK) == 0, "there is no /dev/full"),
    arguments: [
      "check good.json", "show good.json", "diff good.json renamed.json",
      "merge --ours good.json --theirs good.json", "config",
    ])
  func outputToAFullDiskIs74(arguments: String) async throws {
    try directory.write(
      SampleModels.sound.replacingFirst("\"Bear\"", "\"Cat\""), to: "renamed.json")
    let run = try await ProcessRun.of(
      "sh", ["-c", "exec \"$0\" \(arguments) > /dev/full", Tool.path ?? ""], in: directory.path,
      environment: Self.environment)
    #expect(run.status == 74)
    #expect(run.messages.hasPrefix("boxjoint: standard output: cannot be written: "))
    #expect(run.messages.split(separator: "\n").count == 1)
  }

  // MARK: - The merge driver, which ends with 0 or 1 only

  private func drive(_ base: String, _ ours: String, _ theirs: String) async throws -> ProcessRun {
    try await runTool(
      ["merge-driver", base, ours, theirs, "7", "model.json"], in: directory.path,
      environment: Self.environment)
  }

  @Test func theDriverWithoutArgumentsEndsWith1() async throws {
    for arguments in [[], ["base", "ours", "theirs"]] {
      let run = try await runTool(
        ["merge-driver"] + arguments, in: directory.path, environment: Self.environment)
      #expect(run.status == 1)
      #expect(run.messages.hasPrefix("boxjoint: git calls merge-driver with %O %A %B %L %P"))
    }
  }

  /// An error that stops both merges is reported once.
  @Test func aFileThatCannotBeWrittenIsSaidOnce() async throws {
    try directory.write(SampleModels.sound, to: "base")
    try directory.write(SampleModels.sound, to: "ours")
    try directory.write(SampleModels.sound.replacingFirst("\"Bear\"", "\"Lion\""), to: "theirs")
    chmod(directory.path(of: "ours"), 0o444)
    let run = try await drive("base", "ours", "theirs")
    #expect(run.status == 1)
    #expect(run.messages == "boxjoint: model.json: not merged: ours: the file is read-only\n")
  }

  /// Ours, and a side that is not a model: git's own merge has to keep both.
  @Test(arguments: texts.filter { !$0.text.isEmpty })
  func theDriverNeverCallsABadSideClean(bad: BadText) async throws {
    try directory.write("", to: "base")
    for badIsOurs in [false, true] {
      try directory.write(badIsOurs ? bad.text : SampleModels.sound, to: "ours")
      try directory.write(badIsOurs ? SampleModels.sound : bad.text, to: "theirs")
      let run = try await drive("base", "ours", "theirs")
      #expect(run.status == 1)
      #expect(run.output.isEmpty)
      let side = badIsOurs ? "ours" : "theirs"
      #expect(
        run.messages.hasPrefix(
          "boxjoint: model.json: merged as text, since \(side):\(bad.place): "),
        "\(run.messages)")
      #expect(run.messages.split(separator: "\n").count == 1)
      let merged = Set(try directory.text(of: "ours").split(separator: "\n"))
      let lines = (bad.text + "\n" + SampleModels.sound).split(separator: "\n")
      #expect(lines.allSatisfy { merged.contains($0) })
    }
  }

  @Test func theDriverLeavesOursWhereAVersionCannotBeRead() async throws {
    mkdir(directory.path(of: "directory"), 0o755)
    for name in ["nowhere", "directory"] {
      for files in [(name, "good.json", "good.json"), ("good.json", "good.json", name)] {
        let run = try await drive(files.0, files.1, files.2)
        #expect(run.status == 1)
        #expect(run.messages.hasPrefix("boxjoint: model.json: not merged, since \(name): "))
        #expect(run.messages.split(separator: "\n").count == 1, "\(run.messages)")
        #expect(try directory.text(of: "good.json") == SampleModels.sound)
      }
    }
  }

  @Test func theDriverLeavesOursOnAFullDisk() async throws {
    try directory.write(SampleModels.fixable, to: "ours")
    let run = try await ProcessRun.of(
      "sh",
      [
        "-c", #"ulimit -f 1; exec "$0" merge-driver good.json ours good.json 7 model.json"#,
        Tool.path ?? "",
      ], in: directory.path, environment: Self.environment)
    #expect(run.status == 1)
    #expect(run.messages.contains("model.json: not merged"), "\(run.messages)")
    #expect(try directory.text(of: "ours") == SampleModels.fixable)
    #expect(directory.names().filter { $0.hasPrefix(".boxjoint") } == [])
  }
}

extension BadInputTests.Command {
  fileprivate enum Kind { case check, other }

  fileprivate var kind: Kind { self == .check || self == .checkFix ? .check : .other }
  fileprivate var isPublished: Bool { self == .mergePublished }
}
