import TestSupport
import Testing

/// `boxjoint check --against` and `plan --against` on branches that went apart.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built"))
struct CheckAgainstRevisionTests {
  let repository: TemporaryRepository
  let file = "model.json"

  /// Two branches from one base: each has an entity of its own, with the same number.
  init() async throws {
    repository = try await TemporaryRepository()
    try await repository.commit([file: SmallModel.base.text])
    try await repository.git("switch", "--quiet", "--create", "feature")
    try await repository.commit([file: SmallModel.grown("Bear", uid: 3000).text])
    try await repository.git("switch", "--quiet", "main")
    try await repository.commit([file: SmallModel.grown("Ant", uid: 2000).text])
    try await repository.git("switch", "--quiet", "feature")
  }

  @Test(arguments: [["check"], ["check", "--fix"], ["check", "--strict"]])
  func whatARevisionAddedSinceIsNotGone(command: [String]) async throws {
    let before = try repository.text(of: file)
    let run = try await runTool(
      command + ["--against", "main", file], in: repository.path,
      environment: repository.environment)
    #expect(run.only(0, "no problems in 1 file\n"), "\(run.text)\(run.messages)")
    #expect(try repository.text(of: file) == before)
  }

  /// A path says which version is meant: what main has more is gone, and a fix retires it.
  @Test func aFileOfARevisionIsThatVersion() async throws {
    let run = try await repository.tool("check", "--against", "main:" + file, file)
    #expect(run.text.contains("[BOX202 forgotten]") && run.text.contains("Ant"), "\(run.text)")
    _ = try await repository.tool("check", "--fix", "--against", "main:" + file, file)
    #expect(try repository.text(of: file).contains("2000"))
  }

  /// Of two commits where a branch left the revision, one lacks what the branch took away.
  @Test(arguments: [
    (["check", "--against", "main"], "lastEntityId is 1, and was 2"),
    (["plan", "--against", "main", "--merge-base"], "Ant"),
  ])
  func aCrissCrossHidesNoRemoval(command: [String], finding: String) async throws {
    try await repository.git("switch", "--quiet", "--create", "empty", "main~1")
    try await repository.commit()
    try await repository.git("switch", "--quiet", "--create", "evil")
    try await repository.git("merge", "--quiet", "--strategy", "ours", "-m", "evil", "main")
    try await repository.git("switch", "--quiet", "main")
    try await repository.git("merge", "--quiet", "-m", "main", "empty")
    try await repository.git("switch", "--quiet", "evil")
    let bases = try await repository.git("merge-base", "--all", "main", "HEAD")
    #expect(bases.split(separator: "\n").count == 2)
    let run = try await runTool(
      command + [file], in: repository.path, environment: repository.environment)
    #expect(run.status == 1 && run.text.contains(finding), "\(run.text)\(run.messages)")
  }

  @Test func aVersionOfAnotherBranchIsComparedFromWhereThatBegan() async throws {
    try await repository.git("switch", "--quiet", "main")
    let run = try await repository.tool("check", "--against", "main", "feature:" + file)
    #expect(run.status == 0, "\(run.text)\(run.messages)")
  }

  @Test func whatTheBranchItselfLostIsFound() async throws {
    var lost = SmallModel.base
    lost.entities[0].properties = []
    lost.entities[0].lastProperty = (2, 1002)
    try repository.write(lost.text, to: file)
    let run = try await repository.tool("check", "--strict", "--against", "main", file)
    #expect(run.status == 1 && run.text.contains("[BOX202 forgotten]"), "\(run.text)")
    #expect(run.text.contains("Note.text is gone") && !run.text.contains("Ant"), "\(run.text)")
  }

  /// While a merge is under way, what is merged belongs to the version too: here a side was taken.
  @Test func inAMergeWhatIsMergedCounts() async throws {
    _ = try await repository.tryGit(["merge", "--no-commit", "--no-ff", "main"])
    try repository.write(SmallModel.grown("Bear", uid: 3000).text, to: file)
    let run = try await repository.tool("check", "--strict", "--against", "main", file)
    #expect(run.status == 1 && run.text.contains("Ant is gone"), "\(run.text)\(run.messages)")
  }

  /// Compared with nothing, a branch without a past would pass.
  @Test func historiesWithoutACommonCommitAreRefused() async throws {
    try await repository.git("checkout", "--quiet", "--orphan", "alone")
    try await repository.commit()
    let run = try await repository.tool("check", "--against", "main", file)
    #expect(run.status == 74 && run.messages.contains("have no common commit"), "\(run.messages)")
  }

  @Test func aShallowCloneIsNotEnough() async throws {
    let clone = try await TemporaryRepository(
      cloning: repository, options: ["--depth", "1", "--no-single-branch"])
    let run = try await clone.tool("check", "--against", "origin/main", file)
    #expect(run.status == 74 && run.messages.contains("'git fetch --unshallow'"))
  }

  /// The databases of main have it, so the plan names it; nobody is told to retire it.
  @Test func thePlanCallsItNotInThisVersion() async throws {
    let run = try await repository.tool("plan", "--against", "main", "--details", file)
    #expect(run.text.contains("BOX304"), "\(run.text)\(run.messages)")
    #expect(!run.text.contains("BOX303") && !run.text.contains("BOX313"), "\(run.text)")
    #expect(!run.text.contains("check --fix"), "\(run.text)")
    #expect(run.text.contains("merge first"), "\(run.text)")
  }

  @Test func thePlanTakesNothingOfItForARename() async throws {
    let before = try repository.text(of: file)
    let run = try await repository.tool("plan", "--fix", "--against", "main", file)
    #expect(!run.messages.contains("fixed"), "\(run.messages)")
    #expect(try repository.text(of: file) == before)
  }
}
