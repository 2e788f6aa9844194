import BoxMigration
import BoxReport
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxModelTool

/// Checks and plans against a revision, on branches that went apart.
struct CheckAgainstRevisionTests {
  let repository: TemporaryRepository
  let name = "model.json"
  var file: String { repository.path + "/" + name }

  /// Two branches from one base: each has an entity of its own, with the same number.
  init() async throws {
    repository = try await TemporaryRepository()
    try await repository.commit([name: SmallModel.base.text])
    try await repository.git("switch", "--quiet", "--create", "feature")
    try await repository.commit([name: SmallModel.grown("Bear", uid: 3000).text])
    try await repository.git("switch", "--quiet", "main")
    try await repository.commit([name: SmallModel.grown("Ant", uid: 2000).text])
    try await repository.git("switch", "--quiet", "feature")
  }

  private func check(
    _ files: [String], against: String, fixes: Bool = false, counting: Severity = .error
  ) async throws(CommandFailure) -> CheckReport {
    var request = CheckRequest(files)
    request.against = against
    request.fixes = fixes
    request.counting = counting
    return try await request.run(in: repository.place())
  }

  private func messages(_ report: CheckReport) -> String {
    report.report.findings.map { "\($0.rule.id) \($0.message)" }.joined(separator: "\n")
  }

  @Test(arguments: [(false, Severity.error), (true, .error), (false, .warning)])
  func whatARevisionAddedSinceIsNotGone(fixes: Bool, counting: Severity) async throws {
    let before = try repository.text(of: name)
    let found = try await check([file], against: "main", fixes: fixes, counting: counting)
    #expect(found.outcome == .success)
    #expect(found.report.findings.isEmpty, "\(messages(found))")
    #expect(found.report.checkedPaths == [file])
    #expect(try repository.text(of: name) == before)
  }

  /// A path says which version is meant: what main has more is gone, and a fix retires it.
  @Test func aFileOfARevisionIsThatVersion() async throws {
    let found = messages(try await check([file], against: "main:" + name))
    #expect(found.contains("BOX202"), "\(found)")
    #expect(found.contains("Ant"), "\(found)")
    _ = try await check([file], against: "main:" + name, fixes: true)
    #expect(try repository.text(of: name).contains("2000"))
  }

  /// Of two commits where a branch left the revision, one lacks what the branch took away.
  @Test func aCrissCrossHidesNoRemoval() async throws {
    try await repository.git("switch", "--quiet", "--create", "empty", "main~1")
    try await repository.commit()
    try await repository.git("switch", "--quiet", "--create", "evil")
    try await repository.git("merge", "--quiet", "--strategy", "ours", "-m", "evil", "main")
    try await repository.git("switch", "--quiet", "main")
    try await repository.git("merge", "--quiet", "-m", "main", "empty")
    try await repository.git("switch", "--quiet", "evil")
    let bases = try await repository.git("merge-base", "--all", "main", "HEAD")
    #expect(bases.split(separator: "\n").count == 2)
    let found = try await check([file], against: "main")
    #expect(found.outcome == .findings)
    #expect(messages(found).contains("lastEntityId is 1, and was 2"), "\(messages(found))")
    var request = ChangeRequest([file], against: "main")
    request.usesMergeBase = true
    let review = try #require(try await request.run(in: repository.place()))
    #expect(review.isBlocked)
    #expect(review.plan.steps.contains { $0.subject.contains("Ant") })
  }

  @Test func aVersionOfAnotherBranchIsComparedFromWhereThatBegan() async throws {
    try await repository.git("switch", "--quiet", "main")
    let found = try await check(["feature:" + name], against: "main")
    #expect(found.outcome == .success, "\(messages(found))")
  }

  @Test func whatTheBranchItselfLostIsFound() async throws {
    var lost = SmallModel.base
    lost.entities[0].properties = []
    lost.entities[0].lastProperty = (2, 1002)
    try repository.write(lost.text, to: name)
    let found = try await check([file], against: "main", counting: .warning)
    #expect(found.outcome == .findings)
    #expect(messages(found).contains("BOX202"))
    #expect(messages(found).contains("Note.text was removed"), "\(messages(found))")
    #expect(!messages(found).contains("Ant"), "\(messages(found))")
  }

  /// While a merge is under way, what is merged belongs to the version too: here a side was taken.
  @Test func inAMergeWhatIsMergedCounts() async throws {
    _ = try await repository.tryGit(["merge", "--no-commit", "--no-ff", "main"])
    try repository.write(SmallModel.grown("Bear", uid: 3000).text, to: name)
    let found = try await check([file], against: "main", counting: .warning)
    #expect(found.outcome == .findings)
    #expect(messages(found).contains("Ant was removed"), "\(messages(found))")
  }

  /// Compared with nothing, a branch without a past would pass.
  ///
  /// The file is a failure, and the others would still be checked.
  @Test func historiesWithoutACommonCommitAreRefused() async throws {
    try await repository.git("checkout", "--quiet", "--orphan", "alone")
    try await repository.commit()
    let observer = RecordingObserver()
    var request = CheckRequest([file])
    request.against = "main"
    let found = try await request.run(in: repository.place(observer))
    #expect(found.outcome == .failed(.inputOutput))
    #expect(found.isFailed)
    #expect(observer.kinds == [.failure])
    #expect(observer.lines.contains("have no common commit"), "\(observer.lines)")
  }

  @Test func aShallowCloneIsNotEnough() async throws {
    let clone = try await TemporaryRepository(
      cloning: repository, options: ["--depth", "1", "--no-single-branch"])
    let observer = RecordingObserver()
    var request = CheckRequest([clone.path + "/" + name])
    request.against = "origin/main"
    let found = try await request.run(in: clone.place(observer))
    #expect(found.outcome == .failed(.inputOutput))
    #expect(found.isFailed)
    #expect(observer.lines.contains("'git fetch --unshallow'"), "\(observer.lines)")
  }

  /// The databases of main have it, so the plan names it; nobody is told to retire it.
  @Test func thePlanCallsItNotInThisVersion() async throws {
    let request = ChangeRequest([file], against: "main")
    let review = try #require(try await request.run(in: repository.place()))
    let rules = Set(review.plan.steps.map(\.rule.id))
    #expect(rules.contains("BOX304"), "\(rules)")
    #expect(rules.isDisjoint(with: ["BOX303", "BOX313"]), "\(rules)")
  }

  @Test func thePlanTakesNothingOfItForARename() async throws {
    let before = try repository.text(of: name)
    let observer = RecordingObserver()
    var request = ChangeRequest([file], against: "main")
    request.fixes = true
    _ = try await request.run(in: repository.place(observer))
    #expect(!observer.kinds.contains(.change), "\(observer.lines)")
    #expect(try repository.text(of: name) == before)
  }
}
