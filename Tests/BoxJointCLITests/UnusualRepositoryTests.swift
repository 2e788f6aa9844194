import TestSupport
import Testing

/// Repositories in which a model is not in the work tree.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built"))
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
    let folder = repository.surroundings
    try await repository.git(
      "clone", "--quiet", "--bare", repository.path, folder.path(of: "bare.git"))
    func run(_ arguments: [String], _ directory: String?) async throws -> ProcessRun {
      var environment = repository.environment
      environment.updateValue(directory, forKey: "GIT_DIR")
      return try await runTool(arguments, in: folder.path(of: "bare.git"), environment: environment)
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
    #expect(!repository.surroundings.exists(repository.path + "/app"))
    let sound = try await repository.tool("check")
    #expect(sound.status == 0, "\(sound.messages)")
    #expect(sound.text == "no problems in 1 file\n")
    #expect(
      sound.messages
        == "boxjoint: note: outside of the sparse checkout, read from the index: "
        + "app/objectbox-model.json\n")
    // From another folder the name is the same one.
    #expect(try await repository.tool("check", in: "docs").text == sound.text)
    for command in [["check", "--fix"], ["history"], ["plan"], ["plan", "--if-model"]] {
      let run = try await runTool(
        command, in: repository.path, environment: repository.environment)
      #expect(run.status == 2, "\(command): \(run.text)")
      #expect(
        run.messages.hasPrefix(
          "boxjoint: app/objectbox-model.json: this is outside of the sparse checkout; name it as "
            + "':app/objectbox-model.json' for the version in the index, or "),
        "\(command): \(run.messages)")
    }
    #expect(try await repository.tool("show", ":app/objectbox-model.json").status == 0)
    #expect(try await repository.tool("history", "app/objectbox-model.json").status == 0)
  }

  /// Errors in a file are found even if the file is not in the work tree.
  @Test func aDamagedModelOutsideOfASparseCheckout() async throws {
    let broken = SmallModel.base.text.replacingFirst("\"1:1001\"", "\"7:1001\"")
    try await repository.commit(["app/objectbox-model.json": broken])
    try await repository.git("sparse-checkout", "set", "docs")
    let run = try await repository.tool("check")
    #expect(run.status == 1, "\(run.text)\(run.messages)")
    #expect(run.text.hasPrefix(":app/objectbox-model.json:"), "\(run.text)")
  }
}
