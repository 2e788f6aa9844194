import TestSupport
import Testing

@testable import BoxTool

/// Revisions in the place of files: the one model of the repository is meant.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built"))
struct DiffOfRevisionsTests {
  private let repository: TemporaryRepository
  private let file = "app/objectbox-model.json"

  /// A first version with Note, a second with Memo, and a branch with Letter.
  init() async throws {
    repository = try await TemporaryRepository()
    try await repository.commit([file: SmallModel.base.text])
    try await repository.git("branch", "feature")
    try await repository.commit([file: SmallModel([SmallModel.note(name: "Memo")]).text])
    try await repository.git("switch", "--quiet", "feature")
    try await repository.commit([file: SmallModel([SmallModel.note(name: "Letter")]).text])
    try await repository.git("switch", "--quiet", "main")
  }

  @Test(arguments: [
    (["HEAD~1"], "Memo", "renamed from Note"),
    (["main", "feature"], "Letter", "renamed from Memo"),
    (["feature", "main"], "Memo", "renamed from Letter"),
    (["feature", "app/objectbox-model.json"], "Memo", "renamed from Letter"),
    (["app/objectbox-model.json", "feature"], "Letter", "renamed from Memo"),
  ])
  func revisionsMeanTheModel(arguments: [String], name: String, change: String) async throws {
    let run = try await runTool(
      ["diff"] + arguments, in: repository.path, environment: repository.environment)
    #expect(run.status == 1, "\(run.messages)")
    #expect(run.text.hasPrefix("\(name)  (entity 1, uid 1000)\n"), "\(run.text)")
    #expect(run.text.contains(change))
  }

  @Test func theSameAsTheLongWay() async throws {
    let short = try await repository.tool("diff", "main", "feature", "--format", "json")
    let long = try await repository.tool(
      "diff", "main:\(file)", "feature:\(file)", "--format", "json")
    #expect(short.text == long.text)
    let same = try await repository.tool("diff", "HEAD")
    #expect(same.only(0, ""), "\(same.messages)")
    let shown = try await repository.tool("show", "HEAD~1")
    #expect(shown.text == (try await repository.tool("show", "HEAD~1:\(file)")).text)
    #expect(try await repository.tool("diagram", "HEAD~1").status == 0)
  }

  @Test func aModelThatWasMovedIsFound() async throws {
    try await repository.git("mv", file, "objectbox-model.json")
    try await repository.commit()
    let run = try await repository.tool("diff", "HEAD~2")
    #expect(run.status == 1 && run.text.contains("renamed from Note"), "\(run.messages)")
  }

  @Test func aFileByTheNameOfARevisionDoesNotTakeItsPlace() async throws {
    try repository.write("{}", to: "feature")
    let run = try await repository.tool("diff", "feature")
    #expect(run.status == 1 && run.text.contains("renamed from Letter"))
    #expect(run.messages.contains("this is taken for a revision; write ./feature for the file"))
    let named = try await repository.tool("diff", "./feature", file)
    #expect(named.status == 65)
  }

  @Test func severalModelsHaveToBeNamed() async throws {
    try await repository.commit(["other/objectbox-model.json": SmallModel.base.text])
    let run = try await repository.tool("diff", "HEAD~1")
    #expect(run.status == 64 && run.messages.contains("name the one that is meant"))
  }

  @Test func otherCommandsSayHowToNameAVersion() async throws {
    for command in [["plan", "main", "feature"], ["check", "feature"], ["lock", "feature"]] {
      let run = try await runTool(
        command, in: repository.path, environment: repository.environment)
      #expect(run.status == 74, "\(command)")
      #expect(run.messages.contains("it is a revision; write"), "\(command): \(run.messages)")
    }
  }
}
