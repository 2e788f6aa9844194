import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

/// The data that compacting and purging keep, and the data that they free.
struct StoreCompactionTests {
  private func withoutAge() throws -> ModelDocument {
    try PeopleModel.document().changed { model in
      try model.change("Person") { entity in entity.properties.removeAll { $0.name == "age" } }
      model.retiredPropertyUIDs = [PeopleModel.age]
      model.retiredIndexUIDs = [PeopleModel.age + 1]
    }
  }

  @Test func compactingKeepsWhatIsHidden() throws {
    let fixture = try StoreFixture()
    let document = try PeopleModel.document()
    try fixture.with(document) { try PeopleModel.fill($0) }
    try fixture.with(try withoutAge()) { _ in }
    try ObjectStore.compact(fixture.path)
    try fixture.with(document) { (store) throws in
      #expect(try store.value("Person", 1, "age") == 36)
      #expect(try store.verify().isEmpty)
    }
  }

  /// After a purge the UID starts without values, and nothing else has changed.
  @Test func aPurgeFreesWhatIsHidden() throws {
    let fixture = try StoreFixture()
    let document = try PeopleModel.document()
    try fixture.with(document) { try PeopleModel.fill($0) }
    try fixture.with(try withoutAge()) { _ in }
    try ObjectStore.compact(fixture.path, purge: true)
    try fixture.with(document) { (store) throws in
      #expect(try store.value("Person", 1, "age") == .null)
      #expect(try store.value("Person", 1, "name") == "Ada")
      #expect(try store.value("Person", 1, "favourite") == .unsigned(1))
      let friends = try store.entity(named: "Person").relation(named: "friends").orFail("none")
      #expect(try store.read { try $0.targets(friends, of: 1) } == [2])
      // The slot of the purged values is not given again.
      #expect(try store.entity(named: "Person").property(named: "age")?.slot == 4)
      #expect(try store.verify().isEmpty)
    }
    #expect(try ObjectStore.verify(fixture.path).isEmpty)
  }

  /// An entity that comes back after a purge is empty, and its ids go on.
  @Test func aPurgedEntityDoesNotGiveItsIDsAgain() throws {
    let fixture = try StoreFixture()
    let document = try PeopleModel.document()
    try fixture.with(document) { try PeopleModel.fill($0) }
    let less = try document.changed { model in
      model.entities.removeLast()
      model.lastEntityID = model.entities[0].pair
      try model.change("Person") { entity in
        entity.properties.removeAll { $0.name == "favourite" }
      }
    }
    try fixture.with(less) { _ in }
    try ObjectStore.compact(fixture.path, purge: true)
    try fixture.with(document) { (store) throws in
      #expect(try store.ids("Pet") == [])
      #expect(try store.put("Pet", [:]) == 2)
      #expect(try store.value("Person", 1, "favourite") == .null)
    }
    #expect(try ObjectStore.verify(fixture.path).isEmpty)
  }

  @Test func compactingMakesTheFileSmaller() throws {
    let fixture = try StoreFixture()
    let document = try ObjectsModel.document()
    try fixture.with(document) { (store) throws in
      let plain = try store.entity(named: "Plain")
      try store.write { (transaction) throws in
        for _ in 0..<2000 {
          try transaction.put("Plain", ["text": .string(String(repeating: "x", count: 500))])
        }
      }
      _ = try store.write { try $0.removeAll(plain) }
    }
    let before = try fixture.dataFile().bytes.count
    try ObjectStore.compact(fixture.path)
    #expect(try fixture.dataFile().bytes.count < before / 4)
    try fixture.with(document) { (store) throws in
      #expect(try store.put("Plain", [:]) == 2001)
    }
  }

  /// A store has room for 128 spaces where nobody says otherwise.
  @Test func aStoreOfManyEntitiesIsPurged() throws {
    let fixture = try StoreFixture()
    var model = TestModel()
    for number in 1...150 as ClosedRange<UInt64> {
      model.entities.append(
        .init(name: "E\(number)", uid: 1000 + number, properties: [.id()]))
    }
    let document = try model.document()
    try fixture.with(document) { try $0.put("E150", [:]) }
    let less = try document.changed { (model) throws in
      let last = model.entities.removeLast()
      model.retiredEntityUIDs = [last.pair.uid]
      model.retiredPropertyUIDs = last.properties.map(\.pair.uid)
    }
    try fixture.with(less) { _ in }
    try ObjectStore.compact(fixture.path, purge: true)
    let entities = try fixture.with { try $0.statistics().entities }
    #expect(entities.count == 149)
    #expect(!entities.contains { $0.isHidden })
  }

  @Test func anOpenStoreIsNotCompacted() throws {
    let fixture = try StoreFixture()
    let store = try fixture.open(try PeopleModel.document())
    let error = try storeError { try ObjectStore.compact(fixture.path, purge: true) }
    guard case .storage(let storage) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(storage.kind == .inUse)
    #expect(storage.message.contains("close every program that has the store open"))
    withExtendedLifetime(store) {}
  }
}
