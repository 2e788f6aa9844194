import BoxModel
import TestSupport
import Testing

@testable import BoxTool

/// Models that were moved, and histories that are no line.
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

  /// Each commit is compared with the one before it, not with its neighbour in the list.
  @Test func branchesDoNotMix() async throws {
    var added = PlanSample.released
    added.entities.append(SmallModel.Entity(id: 3, uid: 3000, name: "Side"))
    added.lastEntity = (3, 3000)
    try await repository.git("switch", "--quiet", "-c", "side")
    try await repository.commit([file: added.text], message: "Add an entity")
    try await repository.git("switch", "--quiet", "main")
    try await repository.commit([file: PlanSample.changed.text], message: "Remove one")
    try await repository.git("merge", "--quiet", "-s", "ours", "--no-commit", "side")
    var merged = PlanSample.changed
    merged.entities.append(SmallModel.Entity(id: 3, uid: 3000, name: "Side"))
    merged.lastEntity = (3, 3000)
    try repository.write(merged.text, to: file)
    try await repository.git("commit", "--quiet", "--all", "-m", "Merge")
    try await repository.commit(["other.txt": "x"], message: "Nothing of the model")
    try await repository.git("tag", "v2")
    let run = try await repository.tool("history", file)
    #expect(run.status == 0, "\(run.messages)")
    let rows = run.text.split(separator: "\n").dropFirst().map {
      $0.split(separator: " ").map(String.init)
    }
    #expect(rows.count == 4, "\(run.text)")
    let hashes = try await repository.git(
      "log", "--format=%H", "main~1", "main~2", "side", "v1", "--no-walk=unsorted"
    ).split(separator: "\n").map { String($0.prefix(12)) }
    func row(_ hash: String) -> [String] { rows.first { $0[0] == hash } ?? [] }
    // The merge brings the entity of the side to main, and has the tag of the commit after it.
    #expect(row(hashes[0])[2] == "no-rollback", "\(run.text)")
    #expect(row(hashes[0]).last == "v2", "\(run.text)")
    #expect(row(hashes[1])[2] == "data-loss", "\(run.text)")
    #expect(row(hashes[1])[3] == "3", "\(run.text)")
    #expect(row(hashes[2])[2] == "no-rollback", "\(run.text)")
    #expect(row(hashes[2]).last == "side", "\(run.text)")
    #expect(row(hashes[3]).suffix(4) == ["the", "first", "version", "v1"], "\(run.text)")
  }

  @Test func renamesRemovalsAndReturnsAreSteps() async throws {
    try await repository.git("checkout", "--quiet", file)
    try await repository.git("mv", file, "moved.json")
    try await repository.git("commit", "--quiet", "-m", "Move")
    try await repository.git("rm", "--quiet", "moved.json")
    try await repository.git("commit", "--quiet", "-m", "Remove")
    try await repository.commit(["moved.json": PlanSample.released.text], message: "Return")
    let run = try await repository.tool("history", "moved.json")
    let classes = run.text.split(separator: "\n").dropFirst().map {
      $0.dropFirst(26).split(separator: "  ").first.map(String.init) ?? ""
    }
    #expect(
      classes == [
        "the file was added again", "the file was removed", "no change", "the first version",
      ],
      "\(run.text)")
    let limited = try await repository.tool(
      "history", "--limit", "9223372036854775807", "moved.json")
    #expect(limited.text == run.text)
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
