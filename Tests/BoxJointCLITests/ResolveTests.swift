import BoxModel
import TestSupport
import Testing

@testable import BoxTool

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// `boxjoint resolve` as its users run it.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built"))
struct ResolveTests {
  let file = "model.json"
  let conflictID = "edit-edit/entity/1000/name"

  @Test(arguments: ["merge", "diff3", "zdiff3"])
  func whatGitLeftIsResolvedWithoutAQuestion(style: String) async throws {
    let repository = try await conflicted(
      SmallModel.grown("Ant", uid: 2000), SmallModel.grown("Bear", uid: 3000), style: style)
    #expect(try repository.text(of: file).contains("<<<<<<<"))
    let run = try await repository.tool("resolve")
    #expect(run.status == 0, "\(run.text)\(run.messages)")
    #expect(run.text.contains("model.json: staged"))
    let facts = try ModelFacts(try repository.text(of: file))
    #expect(facts.pairs["Ant"] == "2:2000")
    #expect(facts.pairs["Bear"] == "3:3000")
    #expect(facts.errors == [])
    #expect(try await repository.git("ls-files", "--unmerged") == "")
    #expect(repository.surroundings.names(in: repository.path) == [".git", file])
    let again = try await repository.tool("resolve")
    #expect(again.status == 0)
    #expect(again.text == "no model file is conflicted\n")
  }

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

  @Test func decisionsAboutNothingAreNoted() async throws {
    let repository = try await renamed()
    let decisions =
      #"{"schemaVersion": 1, "decisions": {"\#(conflictID)": "theirs", "BOX999-1": "ours"}}"#
    try repository.surroundings.write(decisions, to: "decisions.json")
    let run = try await repository.tool("resolve", "--decisions", "../decisions.json")
    #expect(run.status == 0, "\(run.text)")
    #expect(
      run.messages == "boxjoint: note: the decision about 'BOX999-1' names no conflict\n")
  }

  /// Markers are enough where git's index has forgotten the versions.
  @Test(arguments: ["merge", "diff3", "zdiff3"], [true, false])
  func markersInACommittedFileAreResolved(style: String, isInRepository: Bool) async throws {
    let repository = try await renamed(style: style)
    let text = try repository.text(of: file)
    let folder = try TemporaryFolder()
    let run: ProcessRun
    if isInRepository {
      try await repository.git("add", file)
      run = try await repository.tool("resolve", "--take", "ours", "--no-stage")
    } else {
      try folder.write(text, to: file)
      run = try await runTool(
        ["resolve", "--take", "ours", file], in: folder.path,
        environment: repository.environment)
    }
    #expect(run.status == 0, "\(run.text)\(run.messages)")
    let result = isInRepository ? try repository.text(of: file) : try folder.text(of: file)
    let facts = try ModelFacts(result)
    #expect(facts.pairs["Memo"] == "1:1000")
    #expect(facts.errors == [])
    let original =
      isInRepository ? try repository.text(of: file + ".orig") : try folder.text(of: file + ".orig")
    #expect(original == text)
  }

  @Test func aFileThatWasEditedIsKept() async throws {
    let repository = try await conflicted(
      SmallModel.grown("Ant", uid: 2000), SmallModel.grown("Bear", uid: 3000))
    try repository.write("{\"edited\": true}", to: file)
    let run = try await repository.tool("resolve", file)
    #expect(run.status == 0, "\(run.text)")
    #expect(run.text.contains("was edited since it conflicted"))
    #expect(try repository.text(of: file + ".orig") == "{\"edited\": true}")
    #expect(try ModelFacts(try repository.text(of: file)).errors == [])
  }

  @Test func aFileThatASideRemovedIsLeftToGit() async throws {
    let repository = try await TemporaryRepository()
    try await repository.commit([file: SmallModel.base.text])
    try await repository.git("switch", "--quiet", "-c", "feature")
    try await repository.git("rm", "--quiet", file)
    try await repository.commit()
    try await repository.git("switch", "--quiet", "main")
    try await repository.commit([file: SmallModel.with("Ant", uid: 2000).text])
    #expect(try await repository.tryGit(["merge", "feature"]).status == 1)
    let before = try repository.text(of: file)
    let run = try await repository.tool("resolve", "--take", "ours")
    #expect(run.status == 1)
    #expect(run.text.contains("git rm model.json"))
    #expect(run.text.contains("git add model.json"))
    #expect(try repository.text(of: file) == before)
    #expect(try await repository.git("ls-files", "--unmerged") != "")
  }

  @Test func aReadOnlyFileIsLeftAsItWas() async throws {
    let repository = try await renamed()
    let before = try repository.text(of: file)
    chmod(repository.path + "/" + file, 0o444)
    let run = try await repository.tool("resolve", "--take", "ours")
    #expect(run.status == 74)
    #expect(run.messages.contains("the file is read-only"))
    #expect(try repository.text(of: file) == before)
    #expect(try await repository.git("ls-files", "--unmerged") != "")
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

  @Test func aSymbolicLinkToAConflictedFileStaysOne() async throws {
    let repository = try await renamed()
    symlink(file, repository.path + "/link.json")
    let run = try await repository.tool("resolve", "--take", "ours", "link.json")
    #expect(run.status == 0, "\(run.text)\(run.messages)")
    #expect(try ModelFacts(try repository.text(of: "link.json")).pairs["Memo"] == "1:1000")
    let target = try await ProcessRun.of("readlink", ["link.json"], in: repository.path)
    #expect(target.text == "model.json\n")
  }

  @Test func aRegeneratedSideIsMatchedWhenTold() async throws {
    let regenerated = SmallModel([
      .init(id: 1, uid: 9000, name: "Note", properties: [.init(id: 2, uid: 9002, name: "text")]),
      .init(id: 2, uid: 9100, name: "Bear"),
    ])
    let repository = try await conflicted(SmallModel.with("Ant", uid: 2000), regenerated)
    let before = try repository.text(of: file)
    let run = try await repository.tool("resolve")
    #expect(run.status == 2)
    #expect(run.text.contains("BOX591"))
    #expect(run.text.contains("boxjoint resolve --rematch model.json"))
    #expect(
      run.text.contains("with --rematch: matched theirs by name and type: kept 1 of 1 entity"))
    #expect(try repository.text(of: file) == before)
    let told = try await repository.tool("resolve", "--rematch", file)
    #expect(told.status == 0, "\(told.text)\(told.messages)")
    let facts = try ModelFacts(try repository.text(of: file))
    #expect(facts.pairs["Note"] == "1:1000")
    #expect(facts.pairs["Note.text"] == "2:1002")
    #expect(facts.pairs["Ant"] == "2:2000")
    #expect(facts.pairs["Bear"] == "3:9100")
    #expect(facts.errors == [])
    #expect(facts.uids.isSuperset(of: [1000, 1002, 2000, 9000, 9001, 9002, 9100]))
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
    let folder = try TemporaryFolder()
    let outside = try await runTool(
      ["resolve"], in: folder.path, environment: repository.environment)
    #expect(outside.status == 2)
    #expect(
      outside.messages
        == "boxjoint: this is not inside a git repository; name the file to resolve\n")
    try repository.write(SmallModel.base.text, to: "sound.json")
    let none = try await repository.tool("resolve", "sound.json")
    #expect(none.only(0, "sound.json: there is no conflict in this file\n"))
    #expect(try repository.text(of: "sound.json") == SmallModel.base.text)
  }

  @Test func otherConflictedFilesAreLeftAlone() async throws {
    let repository = try await TemporaryRepository()
    try await repository.commit(["default.json": "{\"a\": 1}\n", "note.txt": "1\n"])
    try await repository.git("switch", "--quiet", "-c", "feature")
    try await repository.commit(["default.json": "{\"a\": 2}\n", "note.txt": "2\n"])
    try await repository.git("switch", "--quiet", "main")
    try await repository.commit(["default.json": "{\"a\": 3}\n", "note.txt": "3\n"])
    #expect(try await repository.tryGit(["merge", "feature"]).status == 1)
    let run = try await repository.tool("resolve", "--take", "ours")
    #expect(run.status == 0)
    #expect(run.text == "no model file is conflicted\n")
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
