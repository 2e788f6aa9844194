import BoxModel
import TestSupport
import Testing

@testable import BoxModelTool

/// `boxjoint resolve` as its users run it.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct ResolveTests {
  let file = "model.json"
  let conflictID = "edit-edit/entity/1000/name"

  @Test func withoutAnAnswerConflictsStayAndTheCommandsAreNamed() async throws {
    let repository = try await renamed()
    let before = try repository.text(of: file)
    let dry = try await repository.tool("resolve", "--dry-run")
    #expect(dry.status == 1)
    #expect(try repository.text(of: file) == before)
    let run = try await repository.tool("resolve")
    #expect(run.status == 1)
    #expect(run.text.contains("boxjoint resolve --take ours model.json"))
    #expect(try repository.text(of: file).contains("<<<<<<< ours"))
    #expect(try repository.text(of: file + ".orig") == before)
    #expect(try await repository.git("ls-files", "--unmerged") != "")
    let taken = try await repository.tool("resolve", "--take", "theirs", file)
    #expect(taken.status == 0, "\(taken.text)")
    #expect(try ModelFacts(try repository.text(of: file)).pairs["Letter"] == "1:1000")
    #expect(!repository.surroundings.exists(repository.path + "/model.json.orig"))
  }

  @Test(.enabled("needs jsonschema, as scripts/test has it", SchemaValidator.isAvailable))
  func aScriptCanMakeTheDecisions() async throws {
    let repository = try await renamed()
    let dry = try await repository.tool("resolve", "--dry-run", "--format", "json")
    #expect(dry.status == 1)
    #expect(dry.text.contains(#""id": "\#(conflictID)""#))
    let shown = try await repository.tool("resolve", "--dry-run")
    #expect(shown.text.contains("     id: \(conflictID)\n"))
    #expect(
      try await SchemaValidator.violations(of: dry.output, against: "resolve-report.schema.json")
        == "")
    let decisions = #"{"schemaVersion": 1, "decisions": {"\#(conflictID)": "theirs"}}"#
    try repository.surroundings.write(decisions, to: "decisions.json")
    #expect(
      try await SchemaValidator.violations(
        of: Array(decisions.utf8), against: "decisions.schema.json") == "")
    let run = try await repository.tool(
      "resolve", "--decisions", "../decisions.json", "--format", "json")
    #expect(run.status == 0, "\(run.text)")
    #expect(
      try await SchemaValidator.violations(of: run.output, against: "resolve-report.schema.json")
        == "")
    #expect(try ModelFacts(try repository.text(of: file)).pairs["Letter"] == "1:1000")
  }

  @Test func aFullDiskLeavesTheFileAsItWas() async throws {
    let repository = try await renamed()
    let before = try repository.text(of: file)
    let run = try await ProcessRun.of(
      "sh", ["-c", #"ulimit -f 1; exec "$0" resolve --take ours"#, Tool.path ?? ""],
      in: repository.path, environment: repository.environment)
    #expect(run.status == 74)
    #expect(try repository.text(of: file) == before)
    #expect(try await repository.git("ls-files", "--unmerged") != "")
  }

  @Test func badInputIsOneLine() async throws {
    let repository = try await renamed()
    let missing = try await repository.tool("resolve", "nowhere.json")
    #expect(missing.status == 74)
    #expect(missing.messages == "boxjoint: nowhere.json: there is no such file\n")
    try repository.write("<<<<<<< a\n{}\n", to: "half.json")
    let half = try await repository.tool("resolve", "half.json")
    #expect(half.status == 65)
    #expect(half.messages.hasPrefix("boxjoint: half.json:1:1: "))
    let directory = try TemporaryDirectory()
    let outside = try await runTool(
      ["resolve"], in: directory.path, environment: repository.environment)
    #expect(outside.status == 2)
    #expect(
      outside.messages
        == "boxjoint: this is not inside a git repository; name the file to resolve\n")
    try repository.write(SmallModel.base.text, to: "sound.json")
    let none = try await repository.tool("resolve", "sound.json")
    #expect(none.only(0, "sound.json: there is no conflict in this file\n"))
    #expect(try repository.text(of: "sound.json") == SmallModel.base.text)
  }

  // MARK: - On a terminal

  @Test(arguments: [("o", "Memo", Int32(0)), ("?\nt", "Letter", 0), ("s", "", 1), ("q", "", 1)])
  func aTerminalIsAsked(answers: String, name: String, status: Int32) async throws {
    let repository = try await renamed()
    let before = try repository.text(of: file)
    let run = try await repository.toolOnTerminal(["resolve"], typing: answers + "\n")
    #expect(run.status == status, "\(run.text)")
    #expect(run.text.contains("in this merge, ours is your branch"))
    #expect(run.text.contains("conflict 1 of 1: take [o]urs"))
    #expect(run.text.contains("Letter"))
    #expect(run.text.contains("Memo"))
    let text = try repository.text(of: file)
    if status == 0 {
      #expect(try ModelFacts(text).pairs[name] == "1:1000")
    } else {
      #expect(text.contains("<<<<<<<"))
      #expect(answers != "q" || text == before)
    }
  }

  @Test func inARebaseThePromptSaysWhichSideIsWhich() async throws {
    let repository = try await renamed(merges: false)
    try await repository.git("switch", "--quiet", "feature")
    #expect(try await repository.tryGit(["rebase", "main"]).status == 1)
    let run = try await repository.toolOnTerminal(["resolve"], typing: "o\n")
    #expect(run.text.contains("ours is the branch you rebase onto"))
    #expect(run.status == 0)
    #expect(try ModelFacts(try repository.text(of: file)).pairs["Memo"] == "1:1000")
    #expect(try await repository.tryGit(["rebase", "--continue"]).status == 0)
  }

  // MARK: - Preparations

  /// A merge by git alone that left the model file conflicted.
  private func conflicted(
    _ ours: SmallModel, _ theirs: SmallModel, style: String = "merge", merges: Bool = true
  ) async throws -> TemporaryRepository {
    let repository = try await TemporaryRepository()
    try await repository.git("config", "merge.conflictStyle", style)
    try await repository.commit([file: SmallModel.base.text])
    try await branchOff(repository, file, ours, theirs)
    if merges { #expect(try await repository.tryGit(["merge", "feature"]).status == 1) }
    return repository
  }

  /// Both branches renamed the entity.
  private func renamed(
    style: String = "merge", merges: Bool = true
  ) async throws -> TemporaryRepository {
    try await conflicted(
      SmallModel([SmallModel.note(name: "Memo")]), SmallModel([SmallModel.note(name: "Letter")]),
      style: style, merges: merges)
  }
}
