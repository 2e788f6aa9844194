import BoxModel
import TestSupport
import Testing

/// Fields that both sides changed, under real git: one side replaced the value of the other before.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct FieldHistoryTests {
  let repository: TemporaryRepository
  let file = "model.json"

  /// Feature renamed Note to Memo and then to Page; main took the first of the two over by hand.
  init() async throws {
    repository = try await TemporaryRepository()
    _ = try await repository.tool("git", "install", "--no-hooks")
    try await commit("Note")
    try await repository.git("switch", "--quiet", "--create", "feature")
    try await commit("Memo")
    try await commit("Page")
    try await repository.git("switch", "--quiet", "main")
    try await commit("Memo", version: 2)
  }

  private func commit(_ name: String, version: Int = 1) async throws {
    let text = SmallModel([SmallModel.note(name: name)]).text
    try await repository.commit([
      file: text.replacing("\"version\": 1", with: "\"version\": \(version)")
    ])
  }

  private func name() throws -> String? {
    try ModelFacts(repository.text(of: file)).document.model.entities.first?.name
  }

  @Test(arguments: ["merge --no-edit", "merge --squash", "pull --no-rebase --no-edit ."])
  func theNewerValueIsTaken(command: String) async throws {
    let words = command.split(separator: " ").map(String.init) + ["feature"]
    let run = try await repository.tryGit(words)
    #expect(run.status == 0, "\(run.messages)")
    #expect(try name() == "Page")
    let replaced = try await repository.git("rev-parse", "feature~1")
    #expect(run.messages.contains("BOX404"), "\(run.messages)")
    #expect(run.messages.contains(replaced.prefix(7)), "\(run.messages)")
  }

  @Test(arguments: ["cherry-pick feature", "rebase feature"])
  func elsewhereAPersonIsAsked(command: String) async throws {
    try await repository.git("reset", "--quiet", "--hard", "main~1")
    try await commit("Diary")
    let run = try await repository.tryGit(command.split(separator: " ").map(String.init))
    #expect(run.status != 0, "\(run.messages)")
    #expect(run.messages.contains("BOX501"), "\(run.messages)")
  }

  @Test func withoutHistoryAPersonIsAsked() async throws {
    try repository.write("merge:\n  history-limit: 0\n", to: ".boxjoint.yml")
    let run = try await repository.tryGit(["merge", "--no-edit", "feature"])
    #expect(run.status == 1, "\(run.messages)")
    #expect(run.messages.contains("BOX501"), "\(run.messages)")
    // The setting holds for resolve too; then it knows what the driver would have known.
    #expect(try await repository.tool("resolve", "--dry-run", file).status == 1)
    try repository.write("", to: ".boxjoint.yml")
    let resolved = try await repository.tool("resolve", file)
    #expect(resolved.status == 0, "\(resolved.text)\(resolved.messages)")
    #expect(try name() == "Page")
  }

  @Test func revisionsThatAreNamedAreEnough() async throws {
    let run = try await repository.tool(
      "merge", "--base", "main~1:" + file, "--ours", "main:" + file, "--theirs", "feature:" + file,
      "-o", "merged.json")
    #expect(run.status == 0, "\(run.text)\(run.messages)")
    #expect(run.text.contains("BOX404"), "\(run.text)\(run.messages)")
  }
}
