import BoxModel
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxModelTool

/// Models that were moved, and files that are none.
struct MovedModelsTests {
  private let repository: TemporaryRepository
  private let file = PlanSample.file

  init() async throws { repository = try await PlanSample().repository }

  /// The gates compare a model that was moved with what it was, committed or not.
  @Test func aMovedModelPassesNoGate() async throws {
    let expected = try await repository.plan(file, against: "v1")
    #expect(expected.outcome == .findings)
    try await repository.git("mv", file, "objectbox-model.json")
    // Another file that is gone since is none of it.
    for isCommitted in [false, true] {
      if isCommitted { try await repository.git("commit", "--quiet", "--all", "-m", "Move") }
      for usesMergeBase in [false, true] {
        let run = try await repository.plan("objectbox-model.json", against: "v1") {
          $0.usesMergeBase = usesMergeBase
        }
        #expect(run.outcome == .findings, "\(run.messages)")
        #expect(run.messages.hasSuffix(" it is model.json\n"), "\(run.messages)")
        #expect(run.text.split(separator: "\n").last == expected.text.split(separator: "\n").last)
      }
      let check = try await repository.check("objectbox-model.json", against: "v1")
      #expect(check.messages == "objectbox-model.json: note: in v1 it is model.json\n")
    }
    let revision = try await repository.plan("HEAD:objectbox-model.json", against: "v1")
    #expect(revision.outcome == .findings, "\(revision.messages)")
    let matrix = try await repository.planAllTags("objectbox-model.json")
    #expect(matrix.outcome == .findings, "\(matrix.messages)")
    #expect(matrix.messages.isEmpty, "\(matrix.messages)")
  }

  @Test func whatIsCommittedElsewhereIsShownAfterAMove() async throws {
    func diff(_ file: String) async throws -> RequestRun {
      try await repository.run { place in
        let changes = try await ModelComparison(repository.here(file), nil, in: place).changes
        return (changes.isEmpty ? .success : .findings, changes.text())
      }
    }
    try await repository.git("mv", file, "moved.json")
    let run = try await diff("moved.json")
    #expect(run.outcome == .findings, "\(run.messages)")
    #expect(run.messages.isEmpty, "\(run.messages)")
    // A new model is none that was moved.
    try repository.write(
      SmallModel([SmallModel.Entity(id: 1, uid: 7000, name: "Other")]).text, to: "new.json")
    #expect(try await diff("new.json").outcome == .failed(.inputOutput))
    let plan = try await repository.plan("new.json", against: "v1")
    #expect(plan.outcome == .success)
    #expect(plan.messages.contains("every element is new"))
  }

  @Test func onlyAModelIsMeant() async throws {
    try await repository.commit(["default.json": "{\"theme\": 1}"], message: "Settings")
    // The one model is meant, whatever else has such a name.
    #expect(try await repository.plan(against: "v1").outcome == .findings)
    #expect(try await HistoryRequest().run(in: repository.place()) != nil)
    let named = try await repository.plan("default.json", against: "v1")
    #expect(named.outcome == .failed(.badInput))
    let other = try await repository.plan("default.json", against: "v1") { $0.isOptional = true }
    #expect(other.only(.success, ""))
    try await repository.git("rm", "--quiet", "--force", file)
    try await repository.git("commit", "--quiet", "-m", "Remove")
    // History has it, and the message says how to get it back.
    let lost = try await repository.plan(against: "HEAD")
    #expect(lost.outcome == .failed(.inputOutput))
    #expect(lost.messages.contains("boxjoint recover"), "\(lost.messages)")
    let none = try await repository.plan(against: "HEAD") { $0.isOptional = true }
    #expect(none.only(.success, ""))
  }
}
