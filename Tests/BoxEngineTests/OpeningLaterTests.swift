import BoxModel
import BoxStorage
import Testing

@testable import BoxEngine

/// A model that is taken over with the first transaction that writes.
struct OpeningLaterTests {
  private struct Wrong: Error {}

  private var later: StoreOptions {
    var options = StoreOptions()
    options.appliesModelOnFirstWrite = true
    options.storesCheckpoints = true
    return options
  }

  private func renamed(_ document: ModelDocument) throws -> ModelDocument {
    try document.changed { model in try model.change("Person", "age") { $0.name = "years" } }
  }

  @Test func aStoreThatIsNotWrittenToStaysAsItWas() throws {
    let fixture = try StoreFixture()
    let document = try PeopleModel.document()
    try fixture.with(document) { try PeopleModel.fill($0) }
    let before = try fixture.dataFile()
    try fixture.with(renamed(document), later) { (store) throws in
      // It is read as it will be.
      #expect(try store.read { try $0.value("Person", 1, "years") } == 36)
      #expect(throws: StoreError.readTransaction) {
        try store.read { _ in try store.write { _ in } }
      }
    }
    #expect(try fixture.dataFile() == before)
    try fixture.with { (store) throws in #expect(store.model == document.model) }
  }

  @Test func whatFailsTakesNothingOver() throws {
    let fixture = try StoreFixture()
    let document = try PeopleModel.document()
    try fixture.with(document) { try PeopleModel.fill($0) }
    try fixture.with(renamed(document), later) { (store) throws in
      let person = try store.entity(named: "Person")
      #expect(throws: Wrong.self) {
        try store.write { transaction in
          try transaction.put(DynamicObject(person))
          throw Wrong()
        }
      }
      // Its schema is not that of the store any more.
      #expect(throws: StoreError.self) { try store.read { try $0.count(person) } }
      #expect(throws: StoreError.self) { try store.write { _ in } }
    }
    try fixture.with { (store) throws in
      #expect(store.model == document.model)
      #expect(try store.verify().isEmpty)
    }
  }

  @Test func theFirstWriteTakesTheModelOver() throws {
    let fixture = try StoreFixture()
    let document = try PeopleModel.document()
    let renamed = try renamed(document)
    try fixture.with(document) { try PeopleModel.fill($0) }
    try fixture.with(renamed, later) { (store) throws in
      let person = try store.entity(named: "Person")
      let count = try store.read { try $0.count(person) }
      for added in 1...3 {
        try store.write { try $0.put(DynamicObject(person)) }
        #expect(try store.read { try $0.count(person) } == count + added)
      }
    }
    try fixture.with { (store) throws in
      #expect(store.model == renamed.model)
      #expect(try store.verify().isEmpty)
    }
  }

  @Test func aNewStoreIsMadeWithTheFirstWrite() throws {
    let fixture = try StoreFixture()
    let document = try PeopleModel.document()
    try fixture.with(document, later) { _ in }
    #expect(throws: StoreError.noStore(fixture.path)) { try fixture.open() }
    try fixture.with(document, later) { try PeopleModel.fill($0) }
    try fixture.with { (store) throws in #expect(try store.verify().isEmpty) }
  }
}
