import BoxEngine
import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxDump

/// Stores whose model has UIDs above 2^63-1, as the generator for Rust makes them.
struct WideUIDDumpTests {
  private static func document(_ offset: UID) throws -> ModelDocument {
    try TestModel(
      .init(
        name: "Person", uid: offset + 100,
        fields: [
          .init("name", offset + 110, .string, .indexHash),
          .init("rank", offset + 111, .int, .indexed),
          .init("boss", offset + 112, .relation, target: "Person"),
        ], relations: [.init("friends", offset + 190, to: "Person")]),
      .init(name: "Last", uid: .max - 1, fields: [.init("text", .max - 2, .string)])
    ).document()
  }

  @Test func aStoreComesBackFromADump() throws {
    let fixture = try ImportFixture()
    let document = try Self.document(UID(1) << 63)
    let location = StorageLocation.directory(fixture.path("store"))
    let store = try ObjectStore.open(location, model: document)
    let person = try store.entity(named: "Person")
    try store.write { transaction in
      for number in 1...5 {
        var object = DynamicObject(person)
        object["name"] = .string("p\(number)")
        object["rank"] = .integer(Int64(number % 3))
        object["boss"] = .unsigned(1)
        try transaction.put(object)
      }
      try transaction.link(person.relations[0], 2, 3)
    }
    let output = MemoryOutput()
    try DumpExporter(store).export(to: output)
    store.close()
    #expect(try ObjectStore.verify(fixture.path("store")).isEmpty)

    // Without a model it opens with its own, and another one is planned against it by UID.
    let again = try ObjectStore.open(location)
    let first: UID = 9_223_372_036_854_775_908
    #expect(again.entities.map(\.uid) == [first, UID.max - 1])
    again.close()
    var renamed = document.model
    renamed.entities[0].name = "Human"
    renamed.entities[0].properties[3].relationTarget = "Human"
    let opened = try ObjectStore.open(location, model: ModelDocument(of: renamed))
    #expect(try opened.read { try $0.count(opened.entity(named: "Human")) } == 5)
    opened.close()

    let copy = try fixture.open("imported", document)
    defer { copy.close() }
    try fixture.load(text: output.text(), into: copy)
    let second = MemoryOutput()
    try DumpExporter(copy).export(to: second)
    #expect(output.text() == second.text())
  }

  /// An earlier release says that the store is newer; it does not call it damaged.
  @Test func theStoreIsOfFormat2() throws {
    let fixture = try ImportFixture()
    for (offset, features) in [(UID(1) << 63, 1), (UID(1) << 40, 0)] {
      let name = "store\(features)"
      var model = try Self.document(offset).model
      if features == 0 { model.entities.removeLast() }
      model.lastEntityID = model.entities.last?.pair
      let store = try ObjectStore.open(
        .directory(fixture.path(name)), model: ModelDocument(of: model))
      store.close()
      let bytes = try TemporaryDirectory.bytes(ofFile: fixture.path(name) + "/data.mdb")
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(text.contains("\"features\":[\"wideUIDs\"]") == (features == 1))
    }
  }
}
