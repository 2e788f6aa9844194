import TestSupport
import Testing

@testable import BoxTool

/// A change that gives a converted property another name is held against the lock all the same.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built"))
struct RenamedConvertersTests {
  private let repository: TemporaryRepository
  private static let file = "objectbox-model.json"

  init() async throws {
    repository = try await TemporaryRepository()
    try write("rank", low: 0, high: 1)
    let lock = try await repository.tool("converters", "lock")
    #expect(lock.status == 0, "\(lock.messages)")
    try await repository.commit()
    try await repository.git("switch", "--quiet", "--create", "attack")
  }

  /// Writes a model and its catalogue with a property whose UID is always the same.
  private func write(
    _ name: String, low: Int, high: Int, entity: String = "Note", to file: String = Self.file
  ) throws {
    var model = SmallModel([SmallModel.note(name: entity)])
    model.entities[0].properties = [.init(id: 2, uid: 1002, name: name, type: 5)]
    try repository.write(model.text, to: file)
    try repository.write(
      "properties:\n  \(entity).\(name): {type: enum, values: {low: \(low), high: \(high)}}\n",
      to: "converters.yml")
  }

  private func check(_ words: String...) async throws -> ProcessRun {
    #expect(try await repository.tool("converters", "lock", "--force").status == 0)
    // The tool compares with what is tracked.
    try await repository.git("add", "--all")
    return try await runTool(
      ["converters", "check", "--against", "refs/heads/main"] + words, in: repository.path,
      environment: repository.environment)
  }

  @Test func swappedValuesAreFoundUnderANewName() async throws {
    for (entity, name) in [("Note", "level"), ("Memo", "rank"), ("Memo", "level")] {
      try write(name, low: 1, high: 0, entity: entity)
      let named = try await check(Self.file)
      #expect(named.status == 1, "\(named.text)\(named.messages)")
      #expect(named.text.contains("BOX822"), "\(named.text)\(named.messages)")
      // The only model of the repository is found.
      let found = try await check()
      #expect(found.status == 1, "\(found.text)\(found.messages)")
      #expect(found.text.contains("BOX822"), "\(found.text)\(found.messages)")
      let staged = try await check(":" + Self.file)
      #expect(staged.status == 1, "\(staged.messages)")
      #expect(staged.text.contains("BOX822"), "\(staged.messages)")
    }
  }

  @Test func aModelThatMovesIsStillFound() async throws {
    try await repository.git("rm", "--quiet", "--force", Self.file)
    try write("level", low: 1, high: 0, to: "schema/" + Self.file)
    let run = try await check("schema/" + Self.file)
    #expect(run.status == 1, "\(run.text)\(run.messages)")
    #expect(run.text.contains("BOX822"), "\(run.text)\(run.messages)")
  }

  @Test func aRenameByItselfIsNoProblem() async throws {
    try write("level", low: 0, high: 1)
    for words in [[Self.file, "--strict"], ["--strict"]] {
      let run = try await runTool(
        ["converters", "check", "--against", "refs/heads/main"] + words, in: repository.path,
        environment: repository.environment)
      #expect(run.status == 0, "\(run.text)\(run.messages)")
    }
  }
}
