import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

/// The operations that are captured of each call that writes.
struct CaptureTests {
  private let fixture: StoreFixture
  private let store: ObjectStore
  private let person: EntitySchema
  private let pet: EntitySchema

  init() throws {
    fixture = try StoreFixture()
    store = try fixture.open(PeopleModel.document())
    try PeopleModel.fill(store)
    person = try store.entity(named: "Person")
    pet = try store.entity(named: "Pet")
  }

  private func slot(_ name: String) throws -> Int {
    try #require(person.property(named: name)).slot
  }

  /// The operations of each transaction that a function writes.
  private func captured(_ body: (Transaction) throws -> Void) throws -> [[CapturedOperation]] {
    try store.write { try $0.forgetOutbox() }
    try store.write { try body($0) }
    return try store.read { try $0.capturedTransactions().map(\.operations) }
  }

  private func kinds(_ operations: [[CapturedOperation]]) -> [[CapturedKind]] {
    operations.map { $0.map(\.kind) }
  }

  @Test func `A store that was never switched on has no byte of it`() throws {
    let before = try fixture.dataFile()
    try store.switchOffSync()
    #expect(try fixture.dataFile() == before)
    #expect(store.synchronizedEntities == nil)
    #expect(try store.statistics().features.isEmpty)
  }

  @Test func `Existing objects are captured as new ones, and then their pairs`() throws {
    try store.switchOnSync([person, pet])
    let all = try store.read { try $0.capturedTransactions() }.flatMap(\.operations)
    #expect(all.map(\.kind) == [.insert, .insert, .insert, .link])
    #expect(
      all.map(\.element) == [PeopleModel.person, PeopleModel.person, PeopleModel.pet, 100_900])
    #expect(all.dropLast().allSatisfy { $0.life == 1 && $0.isFresh })
    #expect(try store.statistics().features == ["sync"])
    #expect(try store.statistics().format == 2)
    // Nothing is left to do.
    try store.switchOnSync([person, pet])
    #expect(try store.read { try $0.capturedTransactions() }.flatMap(\.operations).count == 4)
  }

  @Test func `An update names the slots whose bytes differ, and one that changes nothing is none`()
    throws
  {
    try store.switchOnSync([person])
    let operations = try captured { transaction in
      try transaction.put("Person", ["name": "Ada", "age": 36, "favourite": .unsigned(1)], id: 1)
      try transaction.put("Person", ["name": "Ada", "age": 37, "favourite": .null], id: 1)
    }
    #expect(kinds(operations) == [[.update]])
    #expect(operations[0][0].slots == [try slot("age"), try slot("favourite")])
    #expect(operations[0][0].life == 1)
  }

  @Test func `Entities that are not switched on are not captured, nor are pairs with them`() throws
  {
    try store.switchOnSync([pet])
    let friends = try #require(person.relation(named: "friends"))
    let operations = try captured { transaction in
      try transaction.put("Person", ["name": "Cy"])
      try transaction.link(friends, 2, 1)
    }
    #expect(operations.isEmpty)
  }

  @Test func `An object that is removed and put again has the next lives`() throws {
    try store.switchOnSync([person])
    let operations = try captured { transaction in
      try transaction.remove(person, 2)
      try transaction.put("Person", ["name": "Bo"], id: 2)
      try transaction.put("Person", ["name": "Bob"], id: 2)
    }
    #expect(kinds(operations) == [[.remove, .insert, .update]])
    #expect(operations[0].map(\.life) == [1, 3, 3])
    #expect(!operations[0][1].isFresh)
    let later = try captured { try $0.remove(person, 2) }
    #expect(later[0].map(\.life) == [3])
  }

  @Test func `A part that is undone leaves nothing`() throws {
    try store.switchOnSync([person])
    let operations = try captured { transaction in
      try transaction.put("Person", ["name": "Cy"])
      try? transaction.savepoint {
        try transaction.put("Person", ["name": "Di"])
        try transaction.remove(person, 1)
        throw TestFailure("on purpose")
      }
      try transaction.savepoint { _ = try transaction.put("Person", ["name": "Ed"]) }
    }
    #expect(kinds(operations) == [[.insert, .insert]])
    let nothing = try captured { transaction in
      try? transaction.savepoint {
        try transaction.put("Person", ["name": "Di"])
        throw TestFailure("on purpose")
      }
    }
    #expect(nothing.isEmpty)
  }

  @Test func `A removal saves the pairs that go with it`() throws {
    try store.switchOnSync([person])
    let operations = try captured { try $0.remove(person, 2) }
    #expect(kinds(operations) == [[.remove]])
    try store.read { transaction in
      var contents = try CapturedContents(transaction)
      #expect(contents.pairs.isEmpty)
      try contents.revert(transaction)
      #expect(contents.pairs == [StoredPair(relation: PeopleModel.friends, source: 1, target: 2)])
    }
  }

  @Test func `Each submission is a transaction of its own`() async throws {
    try store.switchOnSync([person])
    try store.write { try $0.forgetOutbox() }
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask { [store] in
          _ = try? await store.submit { transaction in
            try transaction.put("Person", ["name": .string("\(number)")])
            if number % 4 == 0 { throw TestFailure("on purpose") }
          }
        }
      }
    }
    let captured = try store.read { try $0.capturedTransactions() }
    #expect(captured.count == 15)
    #expect(captured.allSatisfy { $0.operations.count == 1 })
    #expect(Set(captured.map(\.head.mark)).count == 15)
  }

  @Test func `A large transaction is cut into parts`() throws {
    try store.switchOnSync([pet])
    let count = 2 * Int(Capture.maximumOperations) + 1
    let parts = try captured { transaction in
      for number in 0..<count { try transaction.put("Pet", ["weight": .double(Double(number))]) }
    }
    #expect(parts.count >= 3)
    #expect(parts.allSatisfy { $0.count <= Int(Capture.maximumOperations) })
    #expect(parts.flatMap(\.self).map(\.id) == (2...UInt64(count + 1)).map { $0 })
  }

  @Test func `Switching off leaves a store of format 1`() throws {
    try store.switchOnSync([person])
    try store.switchOffSync()
    #expect(try store.statistics().format == 1)
    try store.write { _ = try $0.put("Person", ["name": "Cy"]) }
    #expect(try store.read { try $0.reading().spaceNames() }.allSatisfy { !$0.hasPrefix("y") })
    #expect(try store.verify().isEmpty)
  }

  @Test func `A model that waits for the first write is applied`() throws {
    var options = StoreOptions()
    options.appliesModelOnFirstWrite = true
    let other = try StoreFixture()
    let waiting = try other.open(PeopleModel.document(), options)
    try waiting.switchOnSync(waiting.entities)
    waiting.close()
    try other.with { #expect($0.synchronizedEntities?.count == 2) }
  }

  @Test func `Another opening has to open again, and then captures`() throws {
    let other = try fixture.open(PeopleModel.document())
    try store.switchOnSync([person])
    #expect(throws: StoreError.modelChangedElsewhere) {
      try other.write { _ = try $0.put("Person", ["name": "Cy"]) }
    }
    other.close()
    let again = try fixture.open(PeopleModel.document())
    defer { again.close() }
    try again.write { try $0.forgetOutbox() }
    try again.write { _ = try $0.put("Person", ["name": "Cy"]) }
    #expect(try store.read { try $0.capturedTransactions() }.count == 1)
    try store.write { _ = try $0.put("Person", ["name": "Di"]) }
    #expect(try again.read { try $0.capturedTransactions() }.count == 2)
  }
}
