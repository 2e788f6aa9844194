import TestSupport
import Testing

/// `boxjoint show` as its users, and git, run it.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct ShowCommandTests {
  let repository: TemporaryRepository

  init() async throws {
    repository = try await TemporaryRepository()
    try await repository.commit(["m.json": SampleModels.sound])
  }

  @Test func filesRevisionsAndStandardInputShowTheSame() async throws {
    let file = try await repository.tool("show", "m.json")
    #expect(file.status == 0)
    #expect(file.text.hasPrefix("Ant  (entity 1, uid 1000)\n"))
    #expect(file.text.contains("\nBear  (entity 2, uid 2000)\n"))
    #expect(try await repository.tool("show", "HEAD:m.json") == file)
    let input = Array(SampleModels.sound.utf8)
    #expect(try await repository.tool("show", "-", input: input) == file)
  }

  @Test(.enabled("needs jsonschema, as scripts/test has it", SchemaValidator.isAvailable))
  func theOutputFollowsItsSchema() async throws {
    let run = try await repository.tool("show", "--format", "json", "m.json")
    #expect(run.status == 0)
    #expect(try await SchemaValidator.violations(of: run.output, against: "show.schema.json") == "")
  }

  @Test func filesThatAreNotModelsExitWith65InOneLine() async throws {
    for (content, place) in [("{\n  \"entities\": [,]\n}", "2:16"), ("{}", "1:1"), ("", "1:1")] {
      try repository.write(content, to: "x.json")
      let run = try await repository.tool("show", "x.json")
      #expect(run.status == 65)
      #expect(run.output.isEmpty)
      #expect(run.messages.hasPrefix("boxjoint: x.json:\(place): "))
      #expect(run.messages.split(separator: "\n").count == 1)
    }
    #expect(try await repository.tool("show", "none.json").status == 74)
    #expect(
      try await repository.tool("show", "--textconv", "--format", "json", "m.json").status == 64)
  }

  @Test func unreadablePartsAreReported() async throws {
    let text = SampleModels.sound.replacingFirst("\"2:2000\"", "\"2;2000\"")
    try repository.write(text, to: "x.json")
    let run = try await repository.tool("show", "x.json")
    #expect(run.status == 65)
    #expect(run.text.hasPrefix("Ant  "))
    #expect(run.messages.hasPrefix("boxjoint: x.json:18:13: not all of the file could be read: "))
  }

  @Test(arguments: ["{}", "", "no model\n", "{\"entities\": [3]}", "<<<<<<< HEAD\n"])
  func textconvPrintsOtherFilesUnchanged(content: String) async throws {
    try repository.write(content, to: "x.json")
    let run = try await repository.tool("show", "--textconv", "x.json")
    #expect(run.only(0, content))
  }

  @Test func gitDiffShowsTheLineThatChanged() async throws {
    let program = try #require(Tool.path)
    _ = try await repository.tool("git", "install", "--program", program)
    try await repository.commit(["model-App.json": SampleModels.sound])
    try repository.write(
      SampleModels.sound.replacingFirst("\"type\": 6", "\"type\": 5"), to: "model-App.json")
    let diff = try await repository.git("diff", "model-App.json")
    let changed = diff.split(separator: "\n").filter {
      ($0.hasPrefix("-") || $0.hasPrefix("+")) && !$0.hasPrefix("---") && !$0.hasPrefix("+++")
    }
    #expect(changed.count == 2)
    #expect(changed.first?.contains(" long ") == true)
    #expect(changed.last?.contains(" int ") == true)
  }
}
