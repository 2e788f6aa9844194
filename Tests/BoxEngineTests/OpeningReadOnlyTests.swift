import BoxModel
import BoxReport
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

/// A store that is only read is never written.
struct OpeningReadOnlyTests {
  private var readOnly: StoreOptions {
    var options = StoreOptions()
    options.storage.isReadOnly = true
    return options
  }

  private func filled() throws -> (StoreFixture, ModelDocument) {
    let fixture = try StoreFixture()
    let document = try PeopleModel.document()
    try fixture.with(document) { try PeopleModel.fill($0) }
    return (fixture, document)
  }

  private func kind(_ body: () throws -> Void) throws -> StorageError.Kind? {
    do throws(any Error) {
      try body()
      return nil
    } catch StoreError.storage(let error) {
      return error.kind
    }
  }

  @Test func readsAndRefusesToWrite() throws {
    let (fixture, document) = try filled()
    let before = try fixture.dataFile()
    for model in [document, nil] {
      try fixture.with(model, readOnly) { (store) throws in
        #expect(store.isReadOnly)
        #expect(try store.read { try $0.find("Person", "name", "Ada") } == [1])
        #expect(
          try kind { _ = try store.write { try $0.put("Pet", ["name": "x"]) } } == .readOnly)
        #expect(try store.verify().isEmpty)
      }
    }
    #expect(try fixture.dataFile() == before)
  }

  @Test func takesOverNothing() throws {
    let (fixture, document) = try filled()
    let before = try fixture.dataFile()
    let changed = try document.changed { model in
      try model.add("colour", .string, uid: 3003, to: "Pet")
      try model.addIndex(.indexed, uid: 3004, to: "weight", of: "Pet")
      try model.change("Person", "age") { $0.name = "years" }
      try model.change("Person") { entity in entity.properties.removeAll { $0.name == "name" } }
    }
    try fixture.with(changed, readOnly) { (store) throws in
      try store.read { (transaction) throws in
        #expect(try transaction.value("Person", 1, "years") == 36)
        #expect(try transaction.value("Pet", 1, "colour") == .null)
        // The index is not there, and nobody pretends that it is.
        let pet = try store.entity(named: "Pet")
        #expect(pet.property(named: "weight")?.index == nil)
      }
      #expect(store.warnings.map(\.rule.id) == ["BOX651"])
    }
    #expect(try fixture.dataFile() == before)
    try fixture.with(document) { (store) throws in
      #expect(try store.read { try $0.value("Person", 1, "name") } == "Ada")
    }
  }

  @Test func aNewEntityNeedsOneOpeningForWriting() throws {
    let (fixture, document) = try filled()
    let before = try fixture.dataFile()
    let larger = try document.changed { model in
      let pair = IDPair(id: 3, uid: 300)
      var toy = Entity(pair: pair, name: "Toy")
      toy.properties = [
        Property(pair: IDPair(id: 1, uid: 301), name: "id", type: .long, flags: .id)
      ]
      toy.lastPropertyID = toy.properties[0].pair
      model.entities.append(toy)
      model.lastEntityID = pair
    }
    do throws(any Error) {
      _ = try fixture.open(larger, readOnly)
      Issue.record("opened")
    } catch StoreError.storage(let error) {
      #expect(error.kind == .readOnly)
      #expect(error.message == "the model adds Toy; open the store for writing once")
    }
    #expect(try fixture.dataFile() == before)
  }

  @Test func neverCreatesAStore() throws {
    let fixture = try StoreFixture()
    let document = try PeopleModel.document()
    #expect(try kind { _ = try fixture.open(document, readOnly) } == .notAStore)
    #expect(!fixture.directory.exists("store"))
  }
}
