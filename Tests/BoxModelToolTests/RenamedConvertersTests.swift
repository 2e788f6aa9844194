import BoxReport
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxModelTool

/// A change that gives a converted property another name is held against the lock all the same.
struct RenamedConvertersTests {
  private let repository: TemporaryRepository
  private static let file = "objectbox-model.json"

  init() async throws {
    repository = try await TemporaryRepository()
    try write("rank", low: 0, high: 1)
    guard case .written = try ConverterLockRequest().run(in: repository.place()) else {
      throw TestFailure("the lock is not written")
    }
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

  private func lock() throws {
    var request = ConverterLockRequest()
    request.isForced = true
    if case .refused = try request.run(in: repository.place()) { Issue.record("refused") }
  }

  private func check(_ model: String? = nil, counting: Severity = .error) async throws -> RequestRun
  {
    var request = ConverterCheckRequest(model.map { repository.here($0) })
    request.against = "refs/heads/main"
    request.counting = counting
    return try await repository.run { place in
      let check = try await request.run(in: place)
      return (check.outcome, check.report.render(.text))
    }
  }

  @Test func swappedValuesAreFoundUnderANewName() async throws {
    for (entity, name) in [("Note", "level"), ("Memo", "rank"), ("Memo", "level")] {
      try write(name, low: 1, high: 0, entity: entity)
      try lock()
      // The tool compares with what is tracked.
      try await repository.git("add", "--all")
      // Without a name, the only model of the repository is found.
      for model in [Self.file, nil, ":" + Self.file] {
        let run = try await check(model)
        #expect(run.outcome == .findings, "\(run)")
        #expect(run.text.contains("BOX822"), "\(run)")
      }
    }
  }

  @Test func aModelThatMovesIsStillFound() async throws {
    try await repository.git("rm", "--quiet", "--force", Self.file)
    try write("level", low: 1, high: 0, to: "schema/" + Self.file)
    try lock()
    try await repository.git("add", "--all")
    let run = try await check("schema/" + Self.file)
    #expect(run.outcome == .findings, "\(run)")
    #expect(run.text.contains("BOX822"), "\(run)")
  }

  @Test func aRenameByItselfIsNotAProblem() async throws {
    try write("level", low: 0, high: 1)
    for model in [Self.file, nil] {
      let run = try await check(model, counting: .warning)
      #expect(run.outcome == .success, "\(run)")
    }
  }
}
