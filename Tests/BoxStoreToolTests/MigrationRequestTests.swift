import BoxDump
import BoxEngine
import BoxJSON
import BoxMigration
import BoxModel
import BoxReport
import BoxStorage
import BoxSystem
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxStoreTool

/// Stores that are filled and migrated by calls.
struct MigrationRequestTests {
  private let directory: TemporaryDirectory
  private let observer = RecordingObserver()
  private var data: String { directory.path(of: "data") }

  private static func document(_ age: PropertyType) throws -> ModelDocument {
    try TestModel(
      .init(
        name: "Person", uid: 100,
        fields: [.init("name", 110, .string), .init("age", 111, age)])
    ).document()
  }

  /// An empty store of the first model, and both models as files.
  init() throws {
    directory = try TemporaryDirectory()
    try directory.write(try Self.document(.int).bytes, to: "v1.json")
    try directory.write(try Self.document(.long).bytes, to: "v2.json")
    try directory.write(
      """
      {"name": "Ann", "age": 30}
      {"name": "Bo", "age": "old"}
      {"name": "Cy", "age": 50}

      """, to: "people.ndjson")
  }

  private var place: Workspace {
    Workspace(git: GitClient(in: directory.path), directory: directory.path, observer: observer)
  }

  private func importRequest() -> ImportRequest {
    var request = ImportRequest(directory.path(of: "people.ndjson"), into: data)
    request.model = directory.path(of: "v1.json")
    request.options.entity = "Person"
    request.options.maximumErrors = .max
    request.catalogue = nil
    return request
  }

  private func migration() -> MigrationRequest {
    MigrationRequest(data, to: directory.path(of: "v2.json"))
  }

  private func fill() throws {
    _ = try importRequest().run(in: place) { _ in }
  }

  @Test func anImportReportsWhatItRejects() throws {
    var issues: [ImportIssue] = []
    var isDump: Bool?
    let summary = try importRequest().run(in: place, check: { isDump = $0 }) { issues.append($0) }
    #expect(isDump == false)
    #expect(summary.objects == 2)
    #expect(summary.rejected == 1)
    #expect(issues.map(\.position?.line) == [2])
    var request = importRequest()
    request.rejects = data + "/rejects.ndjson"
    #expect(throws: CommandFailure.self) { try request.run(in: place) { _ in } }
  }

  @Test func anImportIsRefusedBeforeTheStoreIsOpened() throws {
    struct Refusal: Error {}
    #expect(throws: Refusal.self) {
      try importRequest().run(in: place, check: { _ in throw Refusal() }) { _ in }
    }
    #expect(!isDirectory(at: data))
  }

  @Test func aMigrationIsShownAndCarriedOut() async throws {
    try fill()
    let proposal = try await migration().prepare(in: place)
    #expect(proposal.pending.map(\.kind) == [.heavy])
    #expect(try #require(proposal.plan).steps.map(\.rule.id) == ["BOX317"])
    #expect(proposal.use == nil)
    let copy = try proposal.copyStore(observer)
    #expect(copy.hasPrefix(data + "-"))
    let report = try proposal.carryOut(observer)
    #expect(report.summary.steps == proposal.pending)
    #expect(report.text == "done: 1 step, 2 objects written\n")
    let again = try await migration().prepare(in: place)
    #expect(again.pending.isEmpty)
    #expect(again.plan == nil)
    let old = try ObjectStore.open(.directory(copy))
    defer { old.close() }
    #expect(try old.model == Self.document(.int).model)
  }

  @Test func aStoreThatIsWrittenToMeanwhileIsNotMigrated() async throws {
    try fill()
    let proposal = try await migration().prepare(in: place)
    try fill()
    let failure = #expect(throws: CommandFailure.self) { try proposal.carryOut(observer) }
    #expect(failure?.kind == .impossible)
    #expect(try await migration().prepare(in: place).pending.map(\.kind) == [.heavy])
  }

  @Test func aStoreInUseIsRefusedUnlessItIsLookedAtOnly() async throws {
    try fill()
    let store = try ObjectStore.open(.directory(data))
    defer { store.close() }
    var request = migration()
    request.isDryRun = true
    let proposal = try await request.prepare(in: place)
    #expect(proposal.use != nil)
    let failure = await #expect(throws: CommandFailure.self) {
      try await migration().prepare(in: place)
    }
    #expect(failure?.kind == .impossible)
  }

  @Test func theStoreIsNotTakenBack() async throws {
    try fill()
    _ = try await migration().prepare(in: place).carryOut(observer)
    var request = MigrationRequest(data, to: directory.path(of: "v1.json"))
    request.isDryRun = true
    // A narrower type needs a mapping.
    let failure = await #expect(throws: CommandFailure.self) {
      try await request.prepare(in: place)
    }
    #expect(failure?.kind == .impossible)
  }
}
