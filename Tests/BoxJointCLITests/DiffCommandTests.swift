import TestSupport
import Testing

/// The streams and statuses of `boxjoint diff`, and the paths that it takes.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
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

  @Test func aSideCanComeFromStandardInput() async throws {
    let input = Array(renamed.utf8)
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
  }
}
