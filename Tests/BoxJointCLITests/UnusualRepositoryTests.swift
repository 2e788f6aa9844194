import TestSupport
import Testing

/// Repositories in which a model is not in the work tree.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct UnusualRepositoryTests {
  let repository: TemporaryRepository

  init() async throws {
    repository = try await TemporaryRepository()
    try await repository.commit([
      "app/objectbox-model.json": SmallModel.base.text, "docs/page.md": "text\n",
    ])
  }

  /// A bare repository is used where it is named, and needs no work tree.
  @Test func aBareRepository() async throws {
    let directory = repository.surroundings
    try await repository.git(
      "clone", "--quiet", "--bare", repository.path, directory.path(of: "bare.git"))
    func run(_ arguments: [String], _ gitDirectory: String?) async throws -> ProcessRun {
      var environment = repository.environment
      environment.updateValue(gitDirectory, forKey: "GIT_DIR")
      return try await runTool(
        arguments, in: directory.path(of: "bare.git"), environment: environment)
    }
    let history = try await run(["history", "app/objectbox-model.json"], ".")
    #expect(history.status == 0, "\(history.messages)")
    #expect(history.text.contains("the first version"), "\(history.text)")
    let show = try await run(["show", "HEAD:app/objectbox-model.json"], ".")
    #expect(show.status == 0)
    #expect(show.text.hasPrefix("Note  (entity 1, uid 1000)\n"))
    // Files alone never make one: a commit can bring them.
    let unnamed = try await run(["history", "app/objectbox-model.json"], nil)
    #expect(unnamed.status == 2)
    #expect(unnamed.messages.contains("set GIT_DIR to use a bare repository"))
    let check = try await run(["check"], nil)
    #expect(check.status == 2)
    #expect(check.messages.contains("set GIT_DIR to use a bare repository"))
    let bare = try await run(["check"], ".")
    #expect(bare.status == 2)
    #expect(bare.messages.hasPrefix("boxjoint: this repository has no work tree; name the file"))
  }

  @Test func aSparseCheckout() async throws {
    try await repository.git("sparse-checkout", "set", "docs")
    #expect(try await repository.tool("check", "--fix").status == 2)
    #expect(try await repository.tool("show", ":app/objectbox-model.json").status == 0)
  }
}
