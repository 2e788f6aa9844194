import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

/// The behaviour of an open store when another process opens it with another model.
struct ModelElsewhereTests {
  private let fixture: StoreFixture
  private let document: ModelDocument

  init() throws {
    fixture = try StoreFixture()
    document = try PeopleModel.document()
  }

  /// Opens a store with objects, has its model changed as by another process, and goes on with it.
  private func afterChange(
    emptying emptied: String? = nil, _ change: (inout Model) throws -> Void,
    _ body: (ObjectStore) throws -> Void
  ) throws {
    let changed = try document.changed(change)
    try fixture.with(document) { (store) throws in
      try PeopleModel.fill(store)
      if let emptied {
        try store.write { try $0.removeAll(store.entity(named: emptied)) }
      }
      // An earlier transaction must not stand for later ones.
      #expect(try store.read { try $0.value("Person", 1, "age") } == 36)
      _ = try StoreOpening(store.location, changed, StoreOptions()).write(store.storage, changed)
      #expect(throws: StoreError.modelChangedElsewhere) { try store.write { _ in } }
      try body(store)
    }
  }

  @Test func readersGoOnWhereTheirDataMeansTheSame() throws {
    try afterChange { model in
      try model.add("email", .string, uid: 700_001, to: "Person")
      try model.change("Person", "age") { $0.name = "years" }
      try model.change("Person") { $0.name = "Human" }
      try model.change("Pet") { $0.pair.id += 7 }
      model.lastEntityID?.id += 7
    } _: { (store) throws in
      for _ in 0..<2 {
        try store.read { (transaction) throws in
          #expect(try transaction.value("Person", 1, "age") == 36)
          #expect(try transaction.find("Person", "age", 36) == [1])
        }
      }
    }
  }

  @Test func anIndexThatIsGoneIsNotReadAsEmpty() throws {
    try afterChange { model in
      try model.change("Person") { $0.properties.removeAll { $0.name == "age" } }
      model.retiredPropertyUIDs = [PeopleModel.age]
      model.retiredIndexUIDs = [PeopleModel.age + 1]
    } _: { store in
      // It went with the property that the other model lacks.
      #expect(throws: StoreError.modelChangedElsewhere) { try store.read { _ in } }
    }
    try fixture.with(document) { (store) throws in
      #expect(try store.read { try $0.find("Person", "age", 36) } == [1])
    }
  }

  @Test func anotherHashIsNotReadAsTheOldOne() throws {
    try afterChange { model in
      try model.change("Person", "name") {
        $0.flags.remove(.indexHash)
        $0.flags.insert(.indexHash64)
      }
    } _: { store in
      #expect(throws: StoreError.modelChangedElsewhere) { try store.read { _ in } }
    }
  }

  /// Without objects a property may get another type.
  @Test func anotherTypeIsNotReadAsTheOldOne() throws {
    try afterChange(emptying: "Pet") { model in
      try model.change("Pet", "weight") { $0.type = .date }
    } _: { store in
      #expect(throws: StoreError.modelChangedElsewhere) { try store.read { _ in } }
    }
  }
}
