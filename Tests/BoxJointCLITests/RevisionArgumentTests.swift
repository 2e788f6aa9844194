import TestSupport
import Testing

/// Revisions among the arguments, beside files of the same name and where a file is meant.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct RevisionArgumentTests {
  private let repository: TemporaryRepository
  private let file = "app/objectbox-model.json"

  /// A version with Note, and a branch with Letter.
  init() async throws {
    repository = try await TemporaryRepository()
    try await repository.commit([file: SmallModel.base.text])
    try await repository.git("switch", "--quiet", "--create", "feature")
    try await repository.commit([file: SmallModel([SmallModel.note(name: "Letter")]).text])
    try await repository.git("switch", "--quiet", "main")
  }

  /// A change may add a file by the name of a branch.
  @Test func aFileByTheNameOfARevisionDoesNotTakeItsPlace() async throws {
    try repository.write("{}", to: "feature")
    let run = try await repository.tool("diff", "feature")
    #expect(run.status == 1)
    #expect(run.text.contains("renamed from Letter"), "\(run.text)")
    #expect(run.messages.contains("this is taken for a revision; write ./feature for the file"))
    let named = try await repository.tool("diff", "./feature", file)
    #expect(named.status == 65)
    #expect(!named.messages.contains("taken for a revision"), "\(named.messages)")
  }

  @Test(arguments: [["plan", "main", "feature"], ["check", "feature"], ["lock", "feature"]])
  func otherCommandsSayHowToNameAVersion(command: [String]) async throws {
    let run = try await runTool(
      command, in: repository.path, environment: repository.environment)
    #expect(run.status == 74)
    #expect(run.messages.contains("it is a revision; write"), "\(run.messages)")
  }
}
