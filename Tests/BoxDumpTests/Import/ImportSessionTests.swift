import BoxDump
import BoxEngine
import BoxModel
import BoxStorage
import TestSupport
import Testing

/// Sessions of imports: what they create, what they remove again, and what they lock.
struct ImportSessionTests {
  private let fixture: ImportFixture
  private static let lines = #"{"Person":{"id":1,"name":"Ada"}}"# + "\n"

  init() throws {
    fixture = try ImportFixture()
    try fixture.directory.write(Self.lines, to: "lines")
    try fixture.directory.write(Self.lines + "{", to: "wrong")
  }

  private func session(
    _ input: String = "lines", into name: String = "data", model: ModelDocument?? = nil,
    _ change: (inout ImportOptions) -> Void = { _ in }
  ) throws -> ImportSession {
    var options = ImportOptions()
    change(&options)
    return try ImportSession(
      DumpInput(path: fixture.path(input)), into: fixture.path(name),
      model: model ?? ImportModel.document(), options: options)
  }

  private static func model(replacing old: String, with new: String) throws -> ModelDocument {
    let text = ImportModel.text.replacing(old, with: new)
    #expect(text != ImportModel.text)
    return try ModelDocument(parsing: Array(text.utf8))
  }

  private func names() -> [String] { fixture.directory.names().filter { $0 != "TMP" } }

  @Test func anImportCreatesItsStore() throws {
    let session = try session(into: "a/b/")
    #expect(try session.model == ImportModel.document().model)
    let summary = try session.run()
    #expect(summary.objects == 1)
    #expect(fixture.directory.names(in: "a/b") == ["data.mdb", "lock.mdb", "store.lock"])
    let store = try fixture.open("a/b")
    #expect(try store.read { try $0.count(store.entity(named: "Person")) } == 1)
    #expect(try store.verify().isEmpty)
  }

  @Test func aFailureLeavesNothing() throws {
    let before = names()
    #expect(throws: (any Error).self) { try session("wrong", into: "a/b") { $0.batch = nil }.run() }
    #expect(names() == before)
    // Nor does a model that no store can have.
    let bad = try Self.model(replacing: #""name":"Everything""#, with: #""name":"Person""#)
    #expect(throws: StoreError.self) { try session(into: "a/b", model: bad) }
    #expect(names() == before)
    // Nor a session that is not run.
    _ = try session(into: "a/b")
    #expect(names() == before)
  }

  @Test func aFailureLeavesADirectoryThatWasThere() throws {
    try fixture.directory.write("x", to: "data/other")
    #expect(throws: (any Error).self) { try session("wrong") { $0.batch = nil }.run() }
    #expect(fixture.directory.names(in: "data") == ["other"])
  }

  @Test func committedBatchesStay() throws {
    #expect(throws: (any Error).self) { try session("wrong") { $0.batch = 1 }.run() }
    #expect(fixture.directory.names(in: "data") == ["data.mdb", "lock.mdb", "store.lock"])
    let again = #expect(throws: DumpError.self) { try session().run() }
    #expect(again?.remedy == .resumeOrRestart)
    try fixture.directory.write(Self.lines, to: "wrong")
    #expect(try session("wrong") { $0.resumes = true }.run().wasResumed)
  }

  @Test func aModelIsAppliedWithTheFirstBatch() throws {
    _ = try session().run()
    let renamed = try Self.model(replacing: #""name":"age""#, with: #""name":"years""#)
    let failing = try session("wrong", model: renamed) {
      $0.batch = nil
      $0.mode = .upsert
    }
    #expect(failing.model == renamed.model)
    #expect(throws: (any Error).self) { try failing.run() }
    #expect(try fixture.model(of: "data") == ImportModel.document().model)
    _ = try session(model: renamed) { $0.mode = .upsert }.run()
    #expect(try fixture.model(of: "data") == renamed.model)
  }

  @Test func aDryRunChangesNothing() throws {
    let before = names()
    let (first, second) = (try session { $0.isDryRun = true }, try session { $0.isDryRun = true })
    #expect(try first.run().isDryRun)
    #expect(try second.run().objects == 1)
    #expect(names() == before)

    _ = try session().run()
    let bytes = try fixture.directory.bytes(of: "data/data.mdb")
    let dry = try session {
      $0.isDryRun = true
      $0.mode = .replace
    }
    #expect(try dry.run().objects == 1)
    #expect(try fixture.directory.bytes(of: "data/data.mdb") == bytes)
    #expect(names() == (before + ["data"]).sorted())
  }

  @Test func oneAtATime() throws {
    _ = try session().run()
    let first = try session { $0.mode = .upsert }
    for isDryRun in [false, true] {
      let refusal = #expect(throws: DumpError.self) {
        try session {
          $0.mode = .upsert
          $0.isDryRun = isDryRun
        }
      }
      #expect(refusal?.kind == .impossible)
    }
    _ = try first.run()
    _ = try session { $0.mode = .upsert }.run()
  }

  @Test func aSessionRunsOnce() throws {
    let session = try session()
    _ = try session.run()
    #expect(throws: StoreError.closed) { try session.run() }
  }

  @Test func withoutAModel() throws {
    let before = names()
    let refusal = #expect(throws: DumpError.self) { try session(model: .some(nil)) }
    #expect(refusal?.kind == .inputOutput)
    #expect(refusal?.remedy == .passModel)
    #expect(names() == before)
  }

  @Test func aPathThatIsNotADirectory() throws {
    for place in ["lines", "lines/data"] {
      let refusal = #expect(throws: DumpError.self) { try session(into: place) }
      #expect(refusal?.kind == .malformed)
      #expect(refusal?.path == fixture.path("lines"))
    }
    #expect(try fixture.directory.text(of: "lines") == Self.lines)
  }
}

extension ImportFixture {
  /// The model that a store was last opened with.
  fileprivate func model(of name: String) throws -> Model {
    let store = try ObjectStore.open(.directory(path(name)))
    defer { store.close() }
    return store.model
  }
}
