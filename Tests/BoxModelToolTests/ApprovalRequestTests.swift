import BoxMigration
import BoxModel
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxModelTool

/// Approvals of steps, written by calls.
struct ApprovalRequestTests {
  private let repository: TemporaryRepository
  private var file: String { repository.path + "/model.json" }

  /// A model in HEAD with an entity that the work tree lacks.
  init() async throws {
    repository = try await TemporaryRepository()
    try await repository.commit(["model.json": SmallModel.with("Ant", uid: 2000).text])
    var gone = SmallModel.base
    gone.lastEntity = (2, 2000)
    gone.retiredEntities = [2000]
    gone.retiredProperties = [2001]
    try repository.write(gone.text, to: "model.json")
  }

  private func review() async throws -> PlanReview {
    try #require(
      try await ChangeRequest([file], against: "HEAD").run(in: repository.place()))
  }

  @Test func anApprovalCountsOnceItIsCommitted() async throws {
    let step = try #require(try await review().plan.steps.first)
    #expect(try await review().isBlocked)
    var request = ApprovalRequest(step.fingerprint.uppercased(), reason: "empty")
    request.files = [file]
    request.against = "HEAD"
    let written = try await request.run(in: repository.place())
    #expect(written.replaced == nil)
    #expect(written.path.hasSuffix(ApprovalList.fileName))
    #expect(try await review().isBlocked)
    try await repository.git("add", ApprovalList.fileName)
    try await repository.git("commit", "--quiet", "-m", "Approve")
    #expect(try await !review().isBlocked)
    let again = await #expect(throws: CommandFailure.self) {
      try await request.run(in: repository.place())
    }
    #expect(again?.kind == .impossible)
    request.replacesValid = true
    #expect(try await request.run(in: repository.place()).replaced == "Ann ('empty')")
  }

  @Test func aFingerprintThatThePlanLacksIsRefused() async throws {
    var request = ApprovalRequest(String(repeating: "0", count: 20), reason: "none")
    request.files = [file]
    request.against = "HEAD"
    let failure = await #expect(throws: CommandFailure.self) {
      try await request.run(in: repository.place())
    }
    #expect(failure?.kind == .impossible)
    #expect(!repository.surroundings.exists("repository/" + ApprovalList.fileName))
  }
}
