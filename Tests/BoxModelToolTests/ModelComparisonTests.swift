import BoxJSON
import BoxModel
import BoxReport
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxModelTool

/// Revisions in the place of files: the one model of the repository is meant.
struct ModelComparisonTests {
  private let repository: TemporaryRepository
  private let name = "app/objectbox-model.json"

  /// A first version with Note, a second with Memo, and a branch with Letter.
  init() async throws {
    repository = try await TemporaryRepository()
    try await repository.commit([name: SmallModel.base.text])
    try await repository.git("branch", "feature")
    try await repository.commit([name: SmallModel([SmallModel.note(name: "Memo")]).text])
    try await repository.git("switch", "--quiet", "feature")
    try await repository.commit([name: SmallModel([SmallModel.note(name: "Letter")]).text])
    try await repository.git("switch", "--quiet", "main")
  }

  private func compare(
    _ first: String, _ second: String? = nil, _ observer: any WorkObserver = SilentObserver()
  ) async throws(CommandFailure) -> ModelComparison {
    try await ModelComparison(first, second, in: repository.place(observer))
  }

  @Test(arguments: [
    ("HEAD~1", nil, "renamed from Note"), ("main", "feature", "renamed from Memo"),
    ("feature", "main", "renamed from Letter"),
  ])
  func revisionsMeanTheModel(first: String, second: String?, change: String) async throws {
    let text = try await compare(first, second).changes.text()
    #expect(text.contains(change), "\(text)")
  }

  @Test func aFileAndARevisionMeanThatFile() async throws {
    let file = repository.path + "/" + name
    #expect(try await compare("feature", file).changes.text().contains("renamed from Letter"))
    #expect(try await compare(file, "feature").changes.text().contains("renamed from Memo"))
    #expect(try await compare(file).changes.isEmpty)
  }

  @Test func theSameAsTheLongWay() async throws {
    let short = try await compare("main", "feature")
    let long = try await compare("main:" + name, "feature:" + name)
    #expect(short.changes == long.changes)
    #expect(long.oldPath == "main:" + name)
    #expect(long.newPath == "feature:" + name)
    #expect(try await compare("HEAD").changes.isEmpty)
  }

  @Test func aModelThatWasMovedIsFound() async throws {
    try await repository.git("mv", name, "objectbox-model.json")
    try await repository.commit()
    let observer = RecordingObserver()
    let text = try await compare("HEAD~2", nil, observer).changes.text()
    #expect(text.contains("renamed from Note"), "\(text)")
    #expect(observer.lines.hasSuffix("note: in HEAD~2 it is " + name), "\(observer.lines)")
  }

  /// The repository is that of the file, wherever the tests run.
  @Test func aFileIsComparedFromAnywhere() async throws {
    let file = repository.path + "/" + name
    try repository.write(
      SmallModel([SmallModel.note(name: "Brown\tNote")]).text, to: name)
    let elsewhere = try TemporaryDirectory()
    let git = GitClient(in: elsewhere.path, environment: repository.environment)
    let comparison = try await ModelComparison(
      file, nil, in: Workspace(git: git, directory: elsewhere.path))
    #expect(
      comparison.changes.text().contains(
        """
          ~ entity Brown\\tNote: renamed from Memo
              its data stays: the UID is the same

        """), "\(comparison.changes.text())")
    let long = try await compare("HEAD:" + name, file)
    #expect(long.changes == comparison.changes)
    try repository.write(SmallModel.base.text, to: "app/new.json")
    let new = repository.path + "/app/new.json"
    let failure = await #expect(throws: CommandFailure.self) { try await compare(new) }
    #expect(failure?.kind == .inputOutput)
    #expect(failure?.path == "HEAD:" + new)
    let missing = await #expect(throws: CommandFailure.self) {
      try await compare(repository.path + "/none.json", file)
    }
    #expect(missing?.kind == .inputOutput)
  }

  @Test(.enabled("needs jsonschema, as scripts/test has it", SchemaValidator.isAvailable))
  func theOutputFollowsItsSchema() async throws {
    let comparison = try await compare("main", "feature")
    #expect(!comparison.changes.isEmpty)
    let json = comparison.changes.json(from: comparison.oldPath, to: comparison.newPath)
    #expect(
      try await SchemaValidator.violations(
        of: Array(json.displayText.utf8), against: "diff.schema.json") == "")
  }

  @Test func severalModelsHaveToBeNamed() async throws {
    try await repository.commit(["other/objectbox-model.json": SmallModel.base.text])
    let failure = await #expect(throws: CommandFailure.self) { try await compare("HEAD~1") }
    #expect(failure?.kind == .usage)
    #expect(failure?.message.contains("name the one that is meant") ?? false)
  }

  @Test func invalidModelsAreRefusedWithTheirPlace() async throws {
    try repository.write("{", to: "x.json")
    let path = repository.path + "/x.json"
    let failure = await #expect(throws: CommandFailure.self) {
      try await compare(path, "main:" + name)
    }
    #expect(failure?.kind == .badInput)
    #expect(failure?.path == path)
    #expect(failure?.position?.line == 1)
  }
}
