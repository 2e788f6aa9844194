import TestSupport
import Testing
import ToolTestSupport

@testable import BoxModelTool

/// Fingerprints of released versions, written and checked by calls.
struct LockRequestTests {
  private let repository: TemporaryRepository
  private var version: String { repository.path + "/v1.json" }

  init() async throws {
    repository = try await TemporaryRepository()
    try await repository.commit(["v1.json": SmallModel.base.text])
  }

  @Test(.promise(351)) func anEditOfALockedVersionIsFound() async throws {
    let request = LockRequest()
    let written = try await request.write([version], in: repository.place())
    #expect(written.count == 1)
    #expect(!written.report.hasRefusals)
    let unchanged = try await request.check(in: repository.place())
    #expect(!unchanged.report.hasEdits)
    #expect(unchanged.report.complaints.isEmpty)
    try repository.write(SmallModel.grown("Ant", uid: 2000).text, to: "v1.json")
    let edited = try await request.check(in: repository.place())
    #expect(edited.report.hasEdits)
    #expect(edited.report.complaints.allSatisfy { $0.hasSuffix("and the version is locked") })
    let refused = try await request.write([version], in: repository.place())
    #expect(refused.report.hasRefusals)
    let replaced = try await request.write([version], replaces: true, in: repository.place())
    #expect(!replaced.report.hasRefusals)
    #expect(try await !request.check(in: repository.place()).report.hasEdits)
  }

  @Test func aVersionThatCannotBeReadIsReportedAndTheOthersAreCompared() async throws {
    try repository.write(SmallModel.with("Bear", uid: 3000).text, to: "v2.json")
    let request = LockRequest()
    _ = try await request.write(
      [version, repository.path + "/v2.json"], in: repository.place())
    try repository.write("{", to: "v1.json")
    let checked = try await request.check(in: repository.place())
    #expect(checked.failure?.kind == .badInput)
    #expect(
      checked.report.text.contains("1 of 2 versions cannot be read"), "\(checked.report.text)")
  }

  @Test func withoutALockThereIsNothingToCheck() async throws {
    let failure = await #expect(throws: CommandFailure.self) {
      try await LockRequest().check(in: repository.place())
    }
    #expect(failure?.kind == .inputOutput)
  }
}
