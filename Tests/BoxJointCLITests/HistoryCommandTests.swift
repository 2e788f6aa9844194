import BoxModel
import TestSupport
import Testing

@testable import BoxTool

/// Models that were moved, and histories that are not lines.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built"))
struct HistoryCommandTests {
  let sample: PlanSample
  var repository: TemporaryRepository { sample.repository }
  let file = PlanSample.file

  init() async throws { sample = try await PlanSample() }

  /// The gates compare a model that was moved with what it was, committed or not.
  @Test func aMovedModelPassesNoGate() async throws {
    let expected = try await repository.tool("plan", "--against", "v1", file)
    #expect(expected.status == 1)
    try await repository.git("mv", file, "objectbox-model.json")
    // Another file that is gone since is none of it.
    for isCommitted in [false, true] {
      if isCommitted { try await repository.git("commit", "--quiet", "--all", "-m", "Move") }
      for arguments in [["--against", "v1"], ["--against", "v1", "--merge-base"]] {
        let run = try await runTool(
          ["plan"] + arguments + ["objectbox-model.json"], in: repository.path,
          environment: repository.environment)
        #expect(run.status == 1, "\(run.messages)")
        #expect(run.messages.hasSuffix(" it is model.json\n"), "\(run.messages)")
        #expect(run.text.split(separator: "\n").last == expected.text.split(separator: "\n").last)
      }
      let check = try await repository.tool("check", "--against", "v1", "objectbox-model.json")
      #expect(check.messages == "objectbox-model.json: note: in v1 it is model.json\n")
    }
    let revision = try await repository.tool(
      "plan", "--against", "v1", "HEAD:objectbox-model.json")
    #expect(revision.status == 1, "\(revision.messages)")
    let matrix = try await repository.tool("plan", "--all-tags", "*", "objectbox-model.json")
    #expect(matrix.status == 1, "\(matrix.messages)")
    #expect(matrix.messages.isEmpty, "\(matrix.messages)")
  }

  @Test func whatIsCommittedElsewhereIsShownAfterAMove() async throws {
    try await repository.git("mv", file, "moved.json")
    let run = try await repository.tool("diff", "moved.json")
    #expect(run.status == 1, "\(run.messages)")
    #expect(run.messages.isEmpty, "\(run.messages)")
    // A new model is none that was moved.
    try repository.write(
      SmallModel([SmallModel.Entity(id: 1, uid: 7000, name: "Other")]).text, to: "new.json")
    #expect(try await repository.tool("diff", "new.json").status == 74)
    let plan = try await repository.tool("plan", "--against", "v1", "new.json")
    #expect(plan.status == 0)
    #expect(plan.messages.contains("every element is new"))
  }

  // MARK: - Which file is meant

  @Test func onlyAModelIsMeant() async throws {
    try await repository.commit(["default.json": "{\"theme\": 1}"], message: "Settings")
    // The one model is meant, whatever else has such a name.
    #expect(try await repository.tool("plan", "--against", "v1").status == 1)
    #expect(try await repository.tool("history").status == 0)
    let named = try await repository.tool("plan", "--against", "v1", "default.json")
    #expect(named.status == 65)
    let other = try await repository.tool("plan", "--against", "v1", "--if-model", "default.json")
    #expect(other.only(0, ""))
    try await repository.git("rm", "--quiet", "--force", file)
    try await repository.git("commit", "--quiet", "-m", "Remove")
    #expect(try await repository.tool("plan", "--against", "HEAD").status == 64)
    #expect(try await repository.tool("plan", "--against", "HEAD", "--if-model").only(0, ""))
  }

  @Test func aFingerprintThatNothingHasIsWarnedOf() async throws {
    try await repository.git("checkout", "--quiet", file)
    let run = try await repository.tool(
      "plan", "approve", "deadbeefdeadbeefdead", "--reason", "typo")
    #expect(run.status == 0)
    #expect(
      run.messages.hasPrefix(
        "warning: no step of the plan has the fingerprint deadbeefdeadbeefdead"))
    try await repository.commit(["model-b.json": PlanSample.released.text], message: "Another")
    let several = try await repository.tool(
      "plan", "approve", "deadbeefdeadbeefdea0", "--reason", "typo")
    #expect(several.status == 0, "\(several.messages)")
    #expect(several.messages.contains("2 model files"), "\(several.messages)")
  }

  @Test func standardInputIsReadOnceAndHasNoName() async throws {
    #expect(try await repository.tool("check", "-", "-").status == 64)
    #expect(try await repository.tool("lock", "-").status == 64)
    for arguments in [["check", "--output", "json=-"], ["plan", "--output", "json=-"]] {
      let run = try await runTool(
        arguments + [file], in: repository.path, environment: repository.environment)
      #expect(run.status == 64)
      #expect(run.messages.contains("--format prints to standard output"))
    }
  }
}
