import TestSupport
import Testing
import ToolTestSupport

@testable import BoxModelTool

/// Repositories in which git's index has a model and the work tree does not.
struct SparseCheckoutTests {
  private let repository: TemporaryRepository

  init() async throws {
    repository = try await TemporaryRepository()
    try await repository.commit([
      "app/objectbox-model.json": SmallModel.base.text, "docs/page.md": "text\n",
    ])
  }

  private func history(_ file: String? = nil) async throws -> RequestRun {
    let request = HistoryRequest(file.map { repository.here($0) })
    return try await repository.run { place in
      (.success, try await request.run(in: place)?.text ?? "")
    }
  }

  @Test func aSparseCheckout() async throws {
    try await repository.git("sparse-checkout", "set", "docs")
    #expect(!repository.surroundings.exists(repository.path + "/app"))
    let sound = try await repository.check()
    #expect(sound.outcome == .success, "\(sound.messages)")
    #expect(sound.text == "no problems in 1 file\n")
    #expect(
      sound.messages
        == "boxjoint: note: outside of the sparse checkout, read from the index: "
        + "app/objectbox-model.json\n")
    // From another directory the name is the same one.
    #expect(try await repository.check(in: "docs").text == sound.text)
    let index = "name it as ':app/objectbox-model.json' for the version in the index, or "
    for (run, advice) in [
      (try await repository.check { $0.fixes = true }, ""), (try await history(), ""),
      (try await repository.plan(), index),
      (try await repository.plan { $0.isOptional = true }, index),
    ] {
      #expect(run.outcome == .failed(.impossible), "\(run.text)")
      #expect(
        run.messages.hasPrefix(
          "boxjoint: app/objectbox-model.json: this is outside of the sparse checkout; \(advice)run "
            + "'git sparse-checkout add app'\n"), "\(run.messages)")
    }
    let source = SourceReference(":app/objectbox-model.json")
    #expect(
      try await source.read(in: repository.place()).bytes == Array(SmallModel.base.text.utf8))
    #expect(try await history("app/objectbox-model.json").outcome == .success)
  }

  /// Errors in a file are found even if the file is not in the work tree.
  @Test func aDamagedModelOutsideOfASparseCheckout() async throws {
    let broken = SmallModel.base.text.replacingFirst("\"1:1001\"", "\"7:1001\"")
    try await repository.commit(["app/objectbox-model.json": broken])
    try await repository.git("sparse-checkout", "set", "docs")
    let run = try await repository.check()
    #expect(run.outcome == .findings, "\(run)")
    #expect(run.text.hasPrefix(":app/objectbox-model.json:"), "\(run.text)")
  }
}
