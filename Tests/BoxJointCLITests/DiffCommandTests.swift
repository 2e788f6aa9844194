import TestSupport
import Testing

/// `boxjoint diff` as its users run it.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built"))
struct DiffCommandTests {
  let repository: TemporaryRepository
  let renamed = SampleModels.sound.replacingFirst("\"Bear\"", "\"Brown\\tBear\"")

  init() async throws {
    repository = try await TemporaryRepository()
    try await repository.commit(["sub/m.json": SampleModels.sound])
    try repository.write(renamed, to: "sub/m.json")
  }

  private let expected = """
    Brown\\tBear  (entity 2, uid 2000)
      ~ entity Brown\\tBear: renamed from Bear
          its data stays: the UID is the same

    """

  @Test func oneFileIsComparedWithTheLastCommit() async throws {
    #expect(try await repository.tool("diff", "sub/m.json").only(1, expected))
    #expect(try await repository.tool("diff", "m.json", in: "sub").only(1, expected))
  }

  /// The repository is that of the file, wherever the tool runs.
  @Test func oneFileIsComparedFromAnywhere() async throws {
    let path = repository.path + "/sub/m.json"
    #expect(try await repository.tool("diff", path).only(1, expected))
    let elsewhere = try TemporaryFolder()
    let run = try await runTool(
      ["diff", path], in: elsewhere.path, environment: repository.environment)
    #expect(run.only(1, expected))
    try repository.write(renamed, to: "sub/new.json")
    let new = try await repository.tool("diff", repository.path + "/sub/new.json")
    #expect(new.status == 74)
    #expect(new.messages.hasPrefix("boxjoint: HEAD:\(repository.path)/sub/new.json: "))
  }

  @Test func eachSideCanComeFromAnywhere() async throws {
    let input = Array(renamed.utf8)
    #expect(try await repository.tool("diff", "HEAD:sub/m.json", "sub/m.json").only(1, expected))
    #expect(
      try await repository.tool("diff", "HEAD:sub/m.json", "-", input: input).only(1, expected))
    #expect(try await repository.tool("diff", "-", "sub/m.json", input: input).only(0, ""))
    #expect(try await repository.tool("diff", "-", "-").status == 64)
  }

  @Test func badInputIsOneLine() async throws {
    try repository.write("{}", to: "x.json")
    let run = try await repository.tool("diff", "x.json", "sub/m.json")
    #expect(run.status == 65)
    #expect(run.output.isEmpty)
    #expect(run.messages.hasPrefix("boxjoint: x.json:1:1: "))
    #expect(try await repository.tool("diff", "none.json", "sub/m.json").status == 74)
  }

  @Test(.enabled("needs jsonschema, as scripts/test has it", SchemaValidator.isAvailable))
  func theOutputFollowsItsSchema() async throws {
    let run = try await repository.tool("diff", "--format", "json", "sub/m.json")
    #expect(run.status == 1)
    #expect(try await SchemaValidator.violations(of: run.output, against: "diff.schema.json") == "")
  }
}
