import BoxDump
import BoxEngine
import BoxModel
import BoxRecovery
import BoxReport
import BoxStorage
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxStoreTool

/// A model file comes back from a store, and from a dump of one.
struct RecoveredStoresTests {
  private let directory: TemporaryDirectory
  private let legs = TestModel.Property(name: "legs", type: .int)

  private func ant(_ properties: [TestModel.Property] = []) -> TestModel.Entity {
    TestModel.Entity(name: "Ant", uid: 1000, properties: [.id()] + properties)
  }

  init() throws { directory = try TemporaryDirectory() }

  /// Opens a store with a model after another, as two releases of an application do.
  private func makeStore(_ models: [ModelDocument], at name: String = "data") throws {
    for model in models {
      try ObjectStore.open(.directory(directory.path(of: name)), model: model).close()
    }
  }

  private func recover(
    _ sources: [String], _ change: (inout RecoveryRequest) -> Void = { _ in }
  ) async throws -> RecoveryReport {
    var request = RecoveryRequest(sources.map(directory.here))
    change(&request)
    return try await request.run(in: directory.place())
  }

  @Test func aStoreHasTheFileByteForByte() async throws {
    let model = try TestModel(ant([legs])).document()
    try makeStore([model])
    let found = try await recover(["store:data"]) { $0.output = directory.path(of: "new.json") }
    #expect(found.isExact && found.outcome == .success)
    #expect(found.bytes == model.bytes)
    #expect(found.text(explains: false).hasPrefix("found store:"))
  }

  /// The file in the store forgot a property without a note of its UID.
  @Test func hiddenElementsAreRetired() async throws {
    let before = try TestModel(ant([legs])).document()
    var forgotten = before.model
    let removed = forgotten.entities[0].properties.removeLast()
    let after = try ModelDocument(parsing: before.rendered(forgotten))
    try makeStore([before, after])
    let found = try await recover(["store:data"])
    #expect(found.outcome == .success && !found.isExact, "\(found.text(explains: true))")
    let model = try ModelDocument(parsing: found.bytes ?? []).model
    #expect(model.retiredPropertyUIDs == [removed.pair.uid])
    #expect(model.entities == forgotten.entities)
    #expect(found.changes.contains { $0.contains("Ant.legs") })
  }

  /// A store of another model beside the right one adds nothing.
  @Test func theStoreOfAnotherModelSaysNothing() async throws {
    let model = try TestModel(ant([legs])).document()
    try makeStore([model])
    let car = TestModel.Entity(
      name: "Car", uid: 9000, properties: [.id(), TestModel.Property(name: "wheels", type: .int)])
    let other = try TestModel(car).document()
    var forgotten = other.model
    forgotten.entities[0].properties.removeLast()
    try makeStore([other, ModelDocument(parsing: other.rendered(forgotten))], at: "cars")
    let found = try await recover(["store:data", "store:cars"]) { request in
      request.facts = ["Ant=1:1000"]
    }
    #expect(found.bytes == model.bytes, "\(found.text(explains: true))")
    #expect(found.isExact)
  }

  @Test(arguments: [
    ("dump.ndjson.gz", DumpShape.lines), ("dump.ndjson", .lines), ("dump.json", .document),
    ("dump", .directory),
  ])
  func aDumpHasTheModel(_ name: String, _ shape: DumpShape) async throws {
    let model = try TestModel(ant([legs])).document()
    try makeStore([model])
    #expect(try await directory.export(to: name) { $0.options.shape = shape }.outcome == .success)
    let found = try await recover([name])
    #expect(found.outcome == .success, "\(found.text(explains: true))")
    #expect(try ModelDocument(parsing: found.bytes ?? []).model == model.model)
  }

  /// A store is never opened because it was met on the way.
  @Test func storesAreOpenedOnlyIfTheyAreNamed() async throws {
    try makeStore([TestModel(ant()).document()])
    for source in [".", "data"] {
      let found = try await recover([source])
      #expect(found.outcome == .findings && found.bytes == nil)
      #expect(found.notes.contains { $0.contains("named as store:") })
    }
  }

  @Test func anInvalidDumpIsBadInput() async throws {
    try directory.write("nothing\n", to: "dump.ndjson")
    await #expect(throws: CommandFailure.self) { try await recover(["dump.ndjson"]) }
    #expect(directory.names() == ["dump.ndjson"])
  }
}
