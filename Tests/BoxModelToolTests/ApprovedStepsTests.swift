import BoxMigration
import BoxModel
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxModelTool

/// Approvals of steps: where they count, which they are, and how long.
struct ApprovedStepsTests {
  private let repository: TemporaryRepository
  private let file = PlanSample.file

  init() async throws { repository = try await PlanSample().repository }

  /// The approval counts once it is in the revision of the old version, and no sooner.
  @Test(.enabled("needs jsonschema, as scripts/test has it", SchemaValidator.isAvailable))
  func anApprovalIsReadFromTheBaseAndNotFromTheChange() async throws {
    let prints = try await repository.fingerprints(file)
    #expect(prints.count == 3)
    for print in prints {
      let run = try await repository.approve(print)
      #expect(run.outcome == .success, "\(run.messages)")
    }
    #expect(try await repository.plan(file, against: "main").outcome == .findings)
    // The approval goes into the base, the change does not.
    try await repository.commitApprovals()
    let run = try await repository.plan(file, against: "main")
    #expect(run.outcome == .success, "\(run.text)")
    #expect(run.text.contains("3 approved"), "\(run.text)")
    #expect(try await repository.plan("v1:" + file, file).outcome == .findings)
    #expect(
      try await repository.plan("v1:" + file, file) { $0.approvals = "main" }.outcome == .success)
    // Another change of the same property is not what was approved.
    try repository.write(
      PlanSample.changed.text.replacing(
        "\"type\": 6\n        },\n        {\n          \"id\": \"5",
        with: "\"type\": 9\n        },\n        {\n          \"id\": \"5"), to: file)
    #expect(try await repository.plan(file, against: "main").outcome == .findings)
    let written = Array(try repository.text(of: ".boxjoint-approvals.json").utf8)
    #expect(
      try await SchemaValidator.violations(of: written, against: "approvals.schema.json") == "")
  }

  @Test func onlyWhatIsPlannedIsApproved() async throws {
    let other = "0123456789abcdef0123"
    for run in [
      try await repository.approve(other, against: "HEAD"),
      try await repository.approve(other, file, against: "HEAD"),
      try await repository.approve(other, "HEAD:" + file, file),
    ] {
      #expect(run.outcome == .failed(.impossible), "\(run.messages)")
      for print in try await repository.fingerprints(file) { #expect(run.messages.contains(print)) }
      #expect(throws: (any Error).self) { try repository.text(of: ".boxjoint-approvals.json") }
    }
    let print = try #require(try await repository.fingerprints(file).first)
    let planned = try await repository.approve(print, against: "HEAD")
    #expect(planned.outcome == .success, "\(planned.messages)")
    #expect(planned.messages.isEmpty, "\(planned.messages)")
    // Nobody said which plan: the change may be on a branch that is not here.
    let unsaid = try await repository.approve(other)
    #expect(unsaid.outcome == .success)
    #expect(unsaid.messages.hasPrefix("warning: no step of the plan has the fingerprint \(other)"))
  }

  @Test func aFingerprintThatNothingHasIsWarnedOf() async throws {
    try await repository.git("checkout", "--quiet", file)
    let run = try await repository.approve("deadbeefdeadbeefdead")
    #expect(run.outcome == .success)
    #expect(
      run.messages.hasPrefix(
        "warning: no step of the plan has the fingerprint deadbeefdeadbeefdead"))
    try await repository.commit(["model-b.json": PlanSample.released.text], message: "Another")
    let several = try await repository.approve("deadbeefdeadbeefdea0")
    #expect(several.outcome == .success, "\(several.messages)")
    #expect(several.messages.contains("2 model files"), "\(several.messages)")
  }

  @Test func anApprovalThatIsOverIsSaid() async throws {
    let prints = try await repository.fingerprints(file)
    // As time has left it.
    try await repository.commitApprovals(
      ApprovalList(
        prints.map {
          Approval(fingerprint: $0, reason: "r", author: "Ann", until: "2020-01-31", file: file)
        }))
    let run = try await repository.plan(file, against: "main")
    #expect(run.outcome == .findings, "\(run.text)")
    #expect(run.text.contains("by Ann, ended on 2020-01-31"), "\(run.text)")
    // The line of the step and the last line name it too, and so does the page.
    #expect(run.text.contains("(approval ended on 2020-01-31)"), "\(run.text)")
    let last = run.text.split(separator: "\n").last ?? ""
    #expect(last.contains(" approval"), "\(run.text)")
    #expect(last.contains(" ended; "), "\(run.text)")
    let page = try await repository.plan(file, against: "main", format: .html)
    #expect(page.text.contains("by Ann, ended on 2020-01-31; approve the step again"))
    // What approves nothing is renewed without more ado.
    let renewed = try await repository.approve(prints[0], reason: "still")
    #expect(renewed.outcome == .success, "\(renewed.messages)")
    #expect(
      renewed.text.contains("the approval by Ann ('r', which ended on 2020-01-31)"),
      "\(renewed.text)")
  }

  @Test func capitalsInTheFileOfApprovalsCount() async throws {
    try await repository.commitApprovals(
      ApprovalList(
        try await repository.fingerprints(file).map {
          Approval(fingerprint: $0.uppercased(), reason: "r", author: "Ann")
        }))
    let run = try await repository.plan(file, against: "main")
    #expect(run.outcome == .success, "\(run.text)")
  }
}
