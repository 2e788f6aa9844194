import TestSupport
import Testing

/// `boxjoint ci merge --event` for a merge group.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct MergeQueueTests {
  private let file = "model.json"
  private let repository: TemporaryRepository

  init() async throws {
    repository = try await TemporaryRepository()
    try await repository.commit([file: SmallModel.base.text])
  }

  /// Runs the check of the queue from `main` to HEAD.
  private func check(_ arguments: String...) async throws -> ProcessRun {
    let base = try await repository.git("rev-parse", "main")
    let head = try await repository.git("rev-parse", "HEAD")
    try repository.surroundings.write(
      #"{"merge_group": {"base_sha": "\#(base)", "head_sha": "\#(head)"}}"#, to: "event.json")
    return try await runTool(
      ["ci", "merge", "--event", repository.surroundings.path(of: "event.json")] + arguments,
      in: repository.path, environment: repository.environment)
  }

  private func queue(_ models: (String, SmallModel)...) async throws {
    try await repository.git("switch", "--quiet", "-C", "queue", "main")
    for (subject, model) in models {
      try await repository.commit([file: model.text], message: subject)
    }
  }

  @Test func changesThatGoTogether() async throws {
    try await queue(
      ("Ant", .with("Ant", uid: 2000)),
      (
        "Bear",
        SmallModel([
          SmallModel.note(), .init(id: 2, uid: 2000, name: "Ant"),
          .init(id: 3, uid: 3000, name: "Bear"),
        ])
      ))
    let run = try await check()
    #expect(run.status == 0, "\(run.text)\(run.messages)")
    #expect(run.text == "the changes of the queue go together\n")
  }

  /// Two green branches that take one number, squashed one after the other.
  @Test func twoChangesThatGiveOneID() async throws {
    var both = SmallModel([
      SmallModel.note(), .init(id: 2, uid: 2000, name: "Ant"),
      .init(id: 2, uid: 3000, name: "Bear"),
    ])
    both.lastEntity = (2, 3000)
    try await queue(("Ant (#11)", .with("Ant", uid: 2000)), ("Bear (#12)", both))
    let run = try await check()
    #expect(run.status == 1, "\(run.text)\(run.messages)")
    #expect(run.text.contains("(Bear (#12)) gives id 2 to Bear, and "), "\(run.text)")
    #expect(run.text.contains("(Ant (#11)) to Ant [BOX903 queued-id]; "))
    #expect(run.text.contains("BOX111"), "\(run.text)")
    let json = try await check("--format", "json")
    try await expectSchema(of: json)
    #expect(try await check("--format", "markdown").text.contains("| error | model.json |"))
  }

  /// A merge of texts that took one side.
  @Test func aMergeThatLosesAnElement() async throws {
    let (ant, bear) = (SmallModel.with("Ant", uid: 2000), SmallModel.with("Bear", uid: 3000))
    try await repository.git("switch", "--quiet", "-c", "bear")
    try await repository.commit([file: bear.text])
    try await queue(("Ant", ant))
    try await repository.git(
      "merge", "--quiet", "--no-ff", "-s", "ours", "-m", "Merge bear", "bear")
    var run = try await check()
    #expect(run.status == 1, "\(run.text)\(run.messages)")
    #expect(run.text.contains("(Merge bear) was merged as text: another model came of it"))
    #expect(run.text.contains("[BOX904 queued-merge]"))
    // The driver's merge is none of its findings.
    try await repository.git("reset", "--quiet", "--hard", "HEAD~1")
    _ = try await repository.tool("git", "install")
    try await repository.git("merge", "--quiet", "--no-ff", "-m", "Merge bear", "bear")
    run = try await check()
    #expect(run.status == 0, "\(run.text)\(run.messages)")
  }

  @Test func commitsThatAreNoQueue() async throws {
    try await repository.git("switch", "--quiet", "--orphan", "alone")
    try await repository.commit(["a": "1"])
    let run = try await check()
    #expect(run.status == 74)
    #expect(run.messages.contains("does not contain"))
    let hash = String(repeating: "a", count: 40)
    try repository.surroundings.write(
      #"{"merge_group": {"base_sha": "\#(hash)", "head_sha": "\#(hash)"}}"#, to: "event.json")
    let missing = try await repository.tool(
      "ci", "merge", "--event", repository.surroundings.path(of: "event.json"))
    #expect(missing.status == 74, "\(missing.text)")
  }
}
