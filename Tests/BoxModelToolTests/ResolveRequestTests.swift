import BoxMerge
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxModelTool

/// Conflicted files that are resolved by calls.
struct ResolveRequestTests {
  private let repository: TemporaryRepository
  private let file = "model.json"

  /// Two branches give Note different names, and git has merged them.
  init() async throws {
    repository = try await TemporaryRepository()
    try await repository.commit([file: SmallModel.base.text])
    try await repository.git("switch", "--quiet", "--create", "other")
    try await repository.commit([file: SmallModel([SmallModel.note(name: "Letter")]).text])
    try await repository.git("switch", "--quiet", "main")
    try await repository.commit([file: SmallModel([SmallModel.note(name: "Memo")]).text])
    _ = try await repository.tryGit(["merge", "other"])
  }

  private func resolve(
    _ observer: any WorkObserver = SilentObserver(),
    _ change: (inout ResolveRequest) -> Void = { _ in }
  ) async throws(CommandFailure) -> ResolveReport {
    var request = ResolveRequest([repository.path + "/" + file])
    change(&request)
    return try await request.run(in: repository.place(observer))
  }

  @Test func anAnswerResolvesAndStages() async throws {
    let before = try repository.text(of: file)
    let dry = try await resolve { $0.options.isDryRun = true }
    #expect(dry.outcome == .findings)
    #expect(try repository.text(of: file) == before)
    let open = try await resolve()
    #expect(open.outcome == .findings)
    #expect(!open.advice.isEmpty)
    let taken = try await resolve { $0.options.favor = .theirs }
    #expect(taken.outcome == .success)
    #expect(taken.advice.isEmpty)
    #expect(try ModelFacts(try repository.text(of: file)).pairs["Letter"] == "1:1000")
    #expect(try await repository.git("ls-files", "--unmerged") == "")
  }

  @Test func aDecisionThatNamesNoConflictIsANote() async throws {
    try repository.write(
      #"{"schemaVersion": 1, "decisions": {"edit-edit/entity/1000/name": "ours", "x": "ours"}}"#,
      to: "answers.json")
    let observer = RecordingObserver()
    let report = try await resolve(observer) {
      $0.decisions = repository.path + "/answers.json"
    }
    #expect(report.outcome == .success)
    #expect(observer.kinds == [.note])
    #expect(observer.lines == "boxjoint: note: the decision about 'x' names no conflict")
    #expect(try ModelFacts(try repository.text(of: file)).pairs["Memo"] == "1:1000")
  }

  @Test func aUserIsAskedUntilTheUserQuits() async throws {
    let observer = RecordingObserver()
    let report = try await resolve(observer) {
      $0.prompt = ConflictPrompt(readAnswer: { "q" }, show: { _ in })
    }
    #expect(report.outcome == .findings)
    #expect(report.files.map(\.isQuit) == [true])
    #expect(observer.lines.isEmpty)
  }

  @Test func decisionsThatAreNoneAreRefused() async throws {
    try repository.write("[]", to: "answers.json")
    let failure = await #expect(throws: CommandFailure.self) {
      try await resolve { $0.decisions = repository.path + "/answers.json" }
    }
    #expect(failure?.kind == .badInput)
  }
}
