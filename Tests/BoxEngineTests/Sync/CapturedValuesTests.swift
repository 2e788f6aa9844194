import BoxConvert
import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

/// The capture of clocks, unique values, hidden properties and constants.
struct CapturedValuesTests {
  private let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  private static func document() throws -> ModelDocument {
    try TestModel(
      .init(
        name: "Note", uid: 300,
        properties: [
          .id(), .init(name: "text", type: .string),
          .init(name: "code", type: .string, flags: [.indexed, .unique, .uniqueOnConflictReplace]),
          .init(name: "clock", type: .long, flags: .syncClock),
        ]),
      .init(
        name: "Plain", uid: 400,
        properties: [.id(), .init(name: "clock", type: .long, flags: .syncClock)])
    ).document().changed { model in
      for position in model.entities.indices { model.entities[position].flags = .syncEnabled }
    }
  }

  /// The operations that a function writes to a store that is switched on.
  private func captured(
    _ store: ObjectStore, _ body: (Transaction) throws -> Void
  ) throws -> [CapturedOperation] {
    if store.synchronizedEntities == nil { try store.switchOnSync(store.entities) }
    try store.write { try $0.forgetOutbox() }
    try store.write { try body($0) }
    return try store.read { try $0.capturedTransactions() }.flatMap(\.operations)
  }

  private func clock(_ store: ObjectStore, _ entity: String = "Note") throws -> Int64 {
    guard case .integer(let clock)? = try store.value(entity, 1, "clock") else {
      throw TestFailure("no clock")
    }
    return clock
  }

  // MARK: - Clocks

  @Test(arguments: ["Note", "Plain"])
  func `The engine writes the clock with each change`(entity: String) throws {
    let store = try fixture.open(Self.document())
    let before = Int64(wallClock()) << 16
    let first = try captured(store) { try $0.put(entity, ["clock": 5]) }
    let clock = try clock(store, entity)
    #expect(clock >= before)
    #expect(first.map(\.kind) == [.insert])
    if entity == "Plain" { return }
    // A value of the app is replaced, and is no change by itself.
    #expect(try captured(store) { try $0.put("Note", ["clock": 9], id: 1) }.isEmpty)
    #expect(try self.clock(store) == clock)
    let second = try captured(store) { try $0.put("Note", ["text": "a", "clock": 9], id: 1) }
    #expect(try self.clock(store) > clock)
    let slots = try ["text", "clock"].map { (name) throws in
      try #require(store.entity(named: "Note").property(named: name)).slot
    }
    #expect(second.map(\.slots) == [slots])
    #expect(try store.verify().isEmpty)
  }

  @Test func `A clock increases by rewrites and prepared objects, and over openings`() throws {
    let store = try fixture.open(Self.document())
    _ = try captured(store) { try $0.put("Note", ["text": "a"]) }
    var last = try clock(store)
    let note = try store.entity(named: "Note")
    let text = try #require(note.property(named: "text")).slot
    _ = try captured(store) { transaction in
      try transaction.rewrite(note) { _, _, new in
        new.set(text, "b")
        return .replace
      }
    }
    #expect(try clock(store) > last)
    last = try clock(store)
    let prepared = PreparedObjects(note)
    var object = DynamicObject(note, id: 1)
    (object["text"], object["clock"]) = ("c", 3)
    try prepared.append(object)
    let operations = try captured(store) { try $0.putPrepared(prepared, at: 0) }
    #expect(operations.map(\.kind) == [.update])
    #expect(try clock(store) > last)
    last = try clock(store)
    store.close()
    let again = try fixture.open(Self.document())
    _ = try captured(again) { try $0.put("Note", ["text": "d"], id: 1) }
    #expect(try clock(again) > last)
    #expect(try again.verify().isEmpty)
  }

  // MARK: - Unique values

  @Test func `An object whose unique value is taken over is removed with a mark`() throws {
    let store = try fixture.open(Self.document())
    _ = try captured(store) { try $0.put("Note", ["code": "x"]) }
    let operations = try captured(store) { try $0.put("Note", ["code": "x"]) }
    #expect(operations.map(\.kind) == [.replaced, .insert])
    #expect(operations.map(\.id) == [1, 2])
  }

  @Test func `An object that gets another value in the same call is updated from what it was`()
    throws
  {
    let store = try fixture.open(Self.document())
    _ = try captured(store) { transaction in
      for code in ["x", "y"] { try transaction.put("Note", ["code": .string(code)]) }
    }
    let operations = try captured(store) { transaction in
      try transaction.displacing {
        try transaction.put("Note", ["code": "y"], id: 1)
        try transaction.put("Note", ["code": "x"], id: 2)
      }
    }
    #expect(operations.map(\.kind) == [.update, .update])
    #expect(operations.map(\.id) == [1, 2])
    #expect(operations[0].slots == operations[1].slots)
    #expect(operations[0].slots.count == 2)
    try store.read { (transaction) throws in
      var contents = try CapturedContents(transaction)
      try contents.revert(transaction)
      let record = try #require(contents.records[.init(entity: 300, id: 2)])
      let object = try transaction.object(store.entity(named: "Note"), 2, in: record)
      #expect(object["code"] == "y")
    }
  }

  // MARK: - Hidden properties and constants

  @Test func `Hidden properties are neither compared nor lost`() throws {
    try fixture.with(PeopleModel.document()) { try PeopleModel.fill($0) }
    let smaller = try PeopleModel.document().changed { model in
      try model.change("Person") { $0.properties.removeAll { $0.name == "age" } }
    }
    let store = try fixture.open(smaller)
    let operations = try captured(store) { try $0.put("Person", ["name": "Eve"], id: 1) }
    let person = try store.entity(named: "Person")
    let visible = Set(person.properties.map(\.slot))
    #expect(operations.count == 1)
    #expect(visible.isSuperset(of: operations[0].slots))
    store.close()
    try fixture.with(PeopleModel.document()) { (store) throws in
      #expect(try store.value("Person", 1, "age") == 36)
    }
  }

  @Test func `A put that writes a constant is a change, and one without a value is none`() throws {
    try fixture.with(PeopleModel.document()) { try PeopleModel.fill($0) }
    let larger = try PeopleModel.document().changed {
      try $0.add("rank", .long, uid: 777, to: "Pet")
    }
    var options = StoreOptions()
    options.constants = [777: 7]
    let store = try fixture.open(larger, options)
    #expect(try store.value("Pet", 1, "rank") == 7)
    #expect(
      try captured(store) { try $0.put("Pet", ["name": "Rex", "weight": 4.5], id: 1) }.isEmpty)
    let operations = try captured(store) {
      try $0.put("Pet", ["name": "Rex", "weight": 4.5, "rank": 7], id: 1)
    }
    let slot = try #require(store.entity(named: "Pet").property(named: "rank")).slot
    #expect(operations.map(\.slots) == [[slot]])
  }

  @Test func `A removal saves the entries of hidden relations`() throws {
    try fixture.with(PeopleModel.document()) { try PeopleModel.fill($0) }
    let smaller = try PeopleModel.document().changed { model in
      try model.change("Person") { $0.relations = nil }
    }
    let store = try fixture.open(smaller)
    let operations = try captured(store) { try $0.remove(store.entity(named: "Person"), 2) }
    #expect(operations.map(\.kind) == [.remove])
    try store.read { (transaction) throws in
      let (storage, spaces) = try transaction.captureSpaces()
      let pairs = try storage.entries(of: spaces.pairs)
      #expect(pairs.map(\.key) == [SyncKey.bytes(PeopleModel.friends, 1, 2)])
      #expect(pairs.map(\.content) == [[1]])
    }
    #expect(try store.verify().isEmpty)
  }
}
