import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

/// Objects that are changed on a walk, and records that are verified once.
///
/// That a walk equals single puts is among ``RandomOperationsTests``.
struct RewriteTests {
  private func texts(_ store: ObjectStore) throws -> [Value?] {
    try store.ids("Plain").map { try store.value("Plain", $0, "text") }
  }

  @Test func replacesKeepsAndStops() throws {
    let store = try ObjectsModel.store()
    let plain = try store.entity(named: "Plain")
    let slot = try plain.property(named: "text").orFail("text").slot
    for text in ["a", "b", "c", "d", "e"] as [Value] { try store.put("Plain", ["text": text]) }
    var visited: [UInt64] = []
    try store.write { transaction in
      try transaction.rewrite(plain, from: 2) { id, old, new in
        visited.append(id)
        if id == 3 { return .keep }
        if id == 5 { return .stop }
        new.set(slot, String(repeating: old.string(slot) ?? "", count: 1000))
        return .replace
      }
    }
    #expect(visited == [2, 3, 4, 5])
    let long: (String) -> Value = { .string(String(repeating: $0, count: 1000)) }
    #expect(try texts(store) == ["a", long("b"), "c", long("d"), "e"])
    // What is not set is null, and an empty entity is visited not at all.
    try store.write { transaction in
      try transaction.rewrite(plain) { _, _, _ in .replace }
      try transaction.rewrite(store.entity(named: "Guest")) { _, _, _ in
        Issue.record("there is no guest")
        return .stop
      }
    }
    #expect(try texts(store) == [.null, .null, .null, .null, .null])
    #expect(try store.verify().isEmpty)
  }

  @Test func anErrorLeavesTheObjectAsItWas() throws {
    let store = try ObjectsModel.store()
    let plain = try store.entity(named: "Plain")
    let slot = try plain.property(named: "text").orFail("text").slot
    for text in ["a", "b", "c"] as [Value] { try store.put("Plain", ["text": text]) }
    try store.write { transaction in
      let error = try storeError {
        try transaction.rewrite(plain) { id, _, new in
          if id == 1 { new.set(slot, "x") }
          if id == 2 { try [0xFF].withUnsafeBufferPointer { try new.set(slot, utf8: $0) } }
          return .replace
        }
      }
      #expect(error == .notUTF8(entity: "Plain", property: "text"))
      let inside = try storeError {
        try transaction.rewrite(plain) { id, _, _ in
          try transaction.remove(plain, id)
          return .keep
        }
      }
      #expect(inside == .usedWhileCoding)
    }
    #expect(try texts(store) == ["x", "b", "c"])
    let reading = try storeError {
      try store.read { try $0.rewrite(plain) { _, _, _ in .replace } }
    }
    #expect(reading == .readTransaction)
  }

  /// Values that a model lacks are kept by a walk as by a put.
  @Test func keepsWhatIsHidden() throws {
    let fixture = try StoreFixture()
    let document = try PeopleModel.document()
    try fixture.with(document) { try PeopleModel.fill($0) }
    let smaller = try document.changed { model in
      try model.change("Person") { $0.properties.removeAll { $0.name == "age" } }
      model.retiredPropertyUIDs = [PeopleModel.age]
      model.retiredIndexUIDs = [PeopleModel.age + 1]
    }
    try fixture.with(smaller) { (store) throws in
      let person = try store.entity(named: "Person")
      let slot = try person.property(named: "name").orFail("name").slot
      try store.write { transaction in
        try transaction.rewrite(person) { _, old, new in
          new.set(slot, (old.string(slot) ?? "") + "!")
          return .replace
        }
      }
    }
    try fixture.with(document) { (store) throws in
      #expect(try store.value("Person", 1, "name") == "Ada!")
      #expect(try store.value("Person", 1, "age") == 36)
      #expect(try store.verify().isEmpty)
    }
  }

  /// A record that was verified in a part that was undone is another one now.
  @Test func whatWasUndoneIsVerifiedAgain() throws {
    let store = try ObjectsModel.store()
    let plain = try store.entity(named: "Plain")
    try store.put("Plain", ["text": "a"])
    _ = try? store.write { transaction in
      let storage = try transaction.writing()
      var record = try storage.value(plain.space, UInt64(1)).map { [UInt8]($0) } ?? []
      record[record.count - 2] ^= 1
      try record.withUnsafeBytes { try storage.put(plain.space, UInt64(1), $0, .replace) }
      _ = try? transaction.savepoint {
        try transaction.put("Plain", ["text": "b"], id: 1)
        #expect(try transaction.value("Plain", 1, "text") == "b")
        throw TestFailure("on purpose")
      }
      #expect(
        try storeError { _ = try transaction.get(plain, 1) }
          == .damagedRecord(entity: "Plain", id: 1, .checksum))
      #expect(
        try storeError { try transaction.rewrite(plain) { _, _, _ in .keep } }
          == .damagedRecord(entity: "Plain", id: 1, .checksum))
      throw TestFailure("on purpose")
    }
    #expect(try store.value("Plain", 1, "text") == "a")
  }
}
