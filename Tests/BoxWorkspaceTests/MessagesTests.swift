import TestSupport
import Testing

/// The messages of the lower layers, which are read as one text: `Tests/Fixtures/messages.txt`.
struct MessagesTests {
  private static func hasPython() async -> Bool {
    (try? await ProcessRun.of("python3", ["-c", ""]))?.status == 0
  }

  @Test(.enabled("needs python3", hasPython))
  func everyMessageOfTheSourcesIsListed() async throws {
    let run = try await ProcessRun.of(
      "python3", [RepositoryFiles.root + "/scripts/list-messages.py"])
    #expect(run.status == 0, "\(run.messages)")
    let listed = Set(try RepositoryFiles.text("Tests/Fixtures/messages.txt").split(separator: "\n"))
    let missing = run.text.split(separator: "\n").filter { !listed.contains($0) }
    #expect(
      missing.isEmpty, "run scripts/list-messages.py --write, and read what changed: \(missing)")
    #expect(listed.count > 1000)
  }
}
