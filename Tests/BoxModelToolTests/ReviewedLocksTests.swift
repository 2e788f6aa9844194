import BoxJSON
import BoxMigration
import BoxReport
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxModelTool

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Claims about released versions that a change under review cannot make about itself.
struct ReviewedLocksTests {
  private let repository: TemporaryRepository
  private let lock = ".boxjoint-lock.json"

  init() async throws { repository = try await TemporaryRepository() }

  private func write(_ names: [String], replaces: Bool = false) async throws {
    let files = names.map { repository.path + "/" + $0 }
    let written = try await LockRequest().write(files, replaces: replaces, in: repository.place())
    #expect(!written.report.hasRefusals, "\(written.report.complaints)")
  }

  private func check(
    against base: String? = nil, in directory: String? = nil
  ) async throws -> LockReport {
    let (report, failure) = try await LockRequest().check(
      against: base, in: repository.place(in: directory))
    if let failure { throw failure }
    let problems = try await SchemaValidator.violations(
      of: Array(report.json.displayText.utf8), against: "lock-report.schema.json")
    #expect(problems == "")
    return report
  }

  @Test(.enabled("needs jsonschema, as scripts/test has it", SchemaValidator.isAvailable))
  func theChangeDoesNotUnlockVersions() async throws {
    let sources = ["schemas/v1.json", "schemas/v2.json"]
    try await repository.commit([
      sources[0]: PlanSample.released.text, sources[1]: PlanSample.changed.text,
    ])
    try await write(sources)
    try await repository.commit()
    try await repository.git("switch", "--quiet", "--create", "attack")
    let whole = try LockFile(parsing: Array(try repository.text(of: lock).utf8))
    let base = "refs/heads/main"
    #expect(try await !check(against: base).hasEdits)
    // Emptied: passes by itself, which is why there is a base.
    try repository.write(LockFile().text, to: lock)
    #expect(try await !check().hasEdits)
    let empty = try await check(against: base)
    #expect(empty.hasEdits)
    #expect(empty.json.displayText.contains("\"removed\""))
    #expect(empty.text.contains("the lock has no version"))
    // One removed.
    try repository.write(LockFile([whole.versions[0]]).text, to: lock)
    let removed = try await check(against: base)
    #expect(removed.hasEdits)
    #expect(removed.complaints.contains { $0.hasPrefix("schemas/v2.json: ") })
    // Edited, and locked anew.
    try repository.write(PlanSample.changed.text, to: sources[0])
    try await write(sources, replaces: true)
    #expect(try await !check().hasEdits)
    let relocked = try await check(against: base)
    #expect(relocked.hasEdits)
    #expect(relocked.json.displayText.contains("\"relocked\""))
    #expect(relocked.complaints.contains { $0.contains("Tag") })
    // Removed as a whole.
    try await repository.git("rm", "--quiet", "-f", lock)
    #expect(try await isRefused { try await check(against: base) })
    // In a directory of its own.
    try repository.write(LockFile().text, to: "schemas/" + lock)
    #expect(try await isRefused { try await check(against: base, in: "schemas") })
  }

  /// Whether a check finds edits, or fails.
  private func isRefused(_ check: () async throws -> LockReport) async throws -> Bool {
    do { return try await check().hasEdits } catch is CommandFailure { return true }
  }

  @Test(arguments: [
    "/etc/passwd", "../secret.json", "a/../../secret.json", "HEAD:../x", "link.json", "-",
  ])
  func lockedVersionsAreInTheRepository(_ source: String) async throws {
    try await repository.commit(["model.json": PlanSample.released.text])
    try repository.surroundings.write(PlanSample.released.text, to: "secret.json")
    try await repository.git("config", "core.symlinks", "true")
    #expect(symlink("../secret.json", repository.path + "/link.json") == 0)
    try repository.write(
      LockFile([.init(source: source, lock: ModelLock([]))]).text, to: lock)
    let (report, failure) = try await LockRequest().check(in: repository.place())
    #expect(failure?.kind == .badInput)
    #expect(
      report.complaints.contains { $0.contains("a locked version is a file of the repository") },
      "\(report.complaints)")
  }
}
