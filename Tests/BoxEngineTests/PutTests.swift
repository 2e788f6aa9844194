import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

/// The results of putting objects, and their ids.
struct PutTests {
  @Test func modes() throws {
    let store = try ObjectsModel.store()
    #expect(try store.put("Plain", ["text": "a"], mode: .insert) == 1)
    #expect(try store.put("Plain", ["text": "b"], id: 1, mode: .update) == 1)
    #expect(try store.value("Plain", 1, "text") == "b")
    #expect(try store.put("Plain", ["text": "c"], id: 1) == 1)
    #expect(try store.value("Plain", 1, "text") == "c")
    #expect(
      try storeError { try store.put("Plain", [:], id: 1, mode: .insert) }
        == .alreadyExists(entity: "Plain", id: 1))
    #expect(
      try storeError { try store.put("Plain", [:], id: 2, mode: .update) }
        == .notFound(entity: "Plain", id: 2))
    #expect(
      try storeError { try store.put("Plain", [:], mode: .update) }
        == .notFound(entity: "Plain", id: 0))
    #expect(try store.value("Plain", 1, "text") == "c")
    #expect(try store.ids("Plain") == [1])
  }

  @Test func dynamicObjectsHaveTheirIdAmongTheirValues() throws {
    let store = try ObjectsModel.store()
    try store.put("Plain", ["text": "a"])
    var object = DynamicObject(try store.entity(named: "Plain"))
    object["id"] = 1
    object["text"] = "b"
    #expect(object.id == 1)
    #expect(object["id"] == .unsigned(1))
    #expect(try store.write { try $0.put(object) } == 1)
    #expect(try store.value("Plain", 1, "text") == "b")
    object["text"] = nil
    #expect(object["text"] == .null)
    object["id"] = -1
    #expect(
      try storeError { try store.write { _ = try $0.put(object) } }
        == .idTooLarge(entity: "Plain", id: .max))
    object["id"] = nil
    #expect(object.id == 0)
    #expect(try store.write { try $0.put(object) } == 2)
  }

  @Test func manyAreRemovedAtOnce() throws {
    let store = try ObjectsModel.store()
    for rank in 1...5 as ClosedRange<Int64> { try store.put("Item", ["rank": .integer(rank)]) }
    let items = try store.entity(named: "Item")
    #expect(try store.write { try $0.remove(items, [4, 2, 9, 2]) } == 2)
    #expect(try store.ids("Item") == [1, 3, 5])
    #expect(try store.read { try $0.find("Item", "rank", 2) } == [])
    #expect(try store.verify().isEmpty)
  }

  /// A put replaces the whole object: what it does not set is null.
  @Test func replacesTheWholeObject() throws {
    let store = try ObjectsModel.store()
    try store.put("Item", ["title": "a", "rank": 1, "label": "x"])
    try store.put("Item", ["title": "b"], id: 1)
    #expect(try store.value("Item", 1, "title") == "b")
    #expect(try store.value("Item", 1, "rank") == .null)
    #expect(try store.read { try $0.find("Item", "rank", 1) } == [])
    #expect(try store.read { try $0.find("Item", "title", "a") } == [])
    #expect(try store.read { try $0.find("Item", "label", "x") } == [])
    #expect(try store.verify().isEmpty)
  }

  @Test(.promise(114)) func idsAreNeverGivenTwice() throws {
    let fixture = try StoreFixture()
    let document = try ObjectsModel.document()
    try fixture.with(document) { (store) throws in
      for id in 1...3 as ClosedRange<UInt64> {
        #expect(try store.put("Plain", ["text": "x"]) == id)
      }
      let plain = try store.entity(named: "Plain")
      #expect(try store.write { try $0.remove(plain, 3) })
      #expect(try store.put("Plain", [:]) == 4)
      #expect(try store.write { try $0.removeAll(plain) } == 3)
      #expect(try store.write { try $0.removeAll(plain) } == 0)
    }
    try fixture.with(document) { (store) throws in
      #expect(try store.put("Plain", [:]) == 5)
      let plain = try store.entity(named: "Plain")
      _ = try store.write { try $0.remove(plain, 5) }
    }
    try fixture.with(document) { (store) throws in #expect(try store.put("Plain", [:]) == 6) }
  }

  /// Whatever is put, removed, rolled back and reopened: the next id is above all that were given.
  @Test func idsGoOnAboveAllThatWereGiven() throws {
    var random = TestSeed.next()
    func roll(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
    for _ in 0..<20 {
      let fixture = try StoreFixture()
      let document = try ObjectsModel.document()
      var last: UInt64 = 0
      for _ in 0..<roll(12) + 1 {
        try fixture.with(document) { (store) throws in
          let plain = try store.entity(named: "Plain")
          for _ in 0..<roll(4) {
            let isKept = roll(4) > 0
            let before = last
            func change(_ transaction: Transaction) throws {
              for _ in 0..<roll(6) {
                switch roll(5) {
                case 0: _ = try transaction.remove(plain, last)
                case 1 where last > 0:
                  _ = try transaction.remove(plain, UInt64(roll(Int(last))) + 1)
                case 2 where roll(4) == 0: _ = try transaction.removeAll(plain)
                case 3 where roll(4) == 0:
                  last += 3
                  try transaction.reserveIDs(plain, through: last)
                default:
                  last += 1
                  #expect(try transaction.put("Plain", [:]) == last)
                }
                #expect(try transaction.lastID(plain) == last)
              }
              if !isKept { throw TestFailure("on purpose") }
            }
            if roll(2) == 0 {
              try? store.write { (transaction) throws in try change(transaction) }
            } else {
              try store.write { (transaction) throws in
                try? transaction.savepoint { try change(transaction) }
              }
            }
            if !isKept { last = before }
            #expect(try store.read { try $0.lastID(plain) } == last)
          }
        }
      }
      #expect(try ObjectStore.verify(fixture.path).isEmpty)
    }
  }

  @Test func verifyFindsAnIDThatNoObjectCanHave() throws {
    let store = try ObjectsModel.store()
    let id = try store.put("Plain", ["text": "x"])
    let plain = try store.entity(named: "Plain")
    for wrong in [0, 1 << 63] as [UInt64] {
      try store.write { (transaction) throws in
        let storage = try transaction.reading()
        let record = [UInt8](try #require(try storage.value(plain.space, id)))
        try record.withUnsafeBytes { try storage.put(plain.space, wrong, $0, .replace) }
      }
      let rules = try store.verify().map(\.rule.id)
      #expect(rules.contains("BOX707"))
      try store.write { _ = try $0.reading().remove(plain.space, wrong) }
    }
    #expect(try store.verify().isEmpty)
  }

  /// Ids of a transaction that is rolled back were never given.
  @Test func aRollbackGivesIDsBack() throws {
    let store = try ObjectsModel.store()
    try store.put("Plain", [:])
    _ = try? store.write { (transaction) throws in
      try transaction.put("Plain", [:])
      throw TestFailure("on purpose")
    }
    #expect(try store.put("Plain", [:]) == 2)
  }

  @Test func idsThatWereNeverGivenAreRefused() throws {
    let store = try ObjectsModel.store()
    try store.put("Plain", [:])
    #expect(
      try storeError { try store.put("Plain", ["text": "x"], id: 2) }
        == .idNotGiven(entity: "Plain", id: 2, last: 1))
    #expect(try store.ids("Plain") == [1])
    // An id that was given and is free may be put again.
    let plain = try store.entity(named: "Plain")
    _ = try store.write { try $0.remove(plain, 1) }
    #expect(try store.put("Plain", [:], id: 1) == 1)
  }

  @Test(.promise(172)) func idsOfTheCaller() throws {
    let store = try ObjectsModel.store()
    #expect(try store.put("Guest", ["name": "a"], id: 700) == 700)
    #expect(try store.put("Guest", ["name": "b"], id: 5) == 5)
    #expect(try store.put("Guest", ["name": "c"]) == 701)
    #expect(try store.put("Guest", ["name": "d"], id: 700) == 700)
    #expect(try store.value("Guest", 700, "name") == "d")
    #expect(try store.ids("Guest") == [5, 700, 701])
    #expect(
      try storeError { try store.put("Guest", [:], id: ObjectStore.maximumID + 1) }
        == .idTooLarge(entity: "Guest", id: 1 << 63))
    #expect(
      try storeError { try store.put("Guest", [:], id: .max) }
        == .idTooLarge(entity: "Guest", id: .max))
    #expect(try store.put("Guest", ["name": "last"], id: ObjectStore.maximumID) == 1 << 63 - 1)
    #expect(try storeError { try store.put("Guest", [:]) } == .idsExhausted(entity: "Guest"))
    #expect(try store.value("Guest", ObjectStore.maximumID, "name") == "last")
    // Old ids can still be put.
    #expect(try store.put("Guest", ["name": "e"], id: 6) == 6)
    #expect(try store.ids("Guest") == [5, 6, 700, 701, 1 << 63 - 1])
    #expect(try store.verify().isEmpty)
  }

  @Test func arraysAreAllOrNothing() throws {
    let store = try ObjectsModel.store()
    let item = try store.entity(named: "Item")
    func items(_ codes: [Value]) -> [DynamicObject] {
      codes.map { code in
        var object = DynamicObject(item)
        object["code"] = code
        return object
      }
    }
    #expect(try store.write { try $0.put(items(["a", "b"])) } == [1, 2])
    try store.write { (transaction) throws in
      try transaction.put("Plain", ["text": "before"])
      let error = try storeError { try transaction.put(items(["c", "d", "a"])) }
      #expect(
        error
          == .uniqueViolation(entity: "Item", property: "code", value: "a", existing: 1))
      // The transaction goes on, without anything of the call.
      #expect(try transaction.count(item) == 2)
      #expect(try transaction.find("Item", "code", "c") == [])
      try transaction.put("Plain", ["text": "after"])
      #expect(try transaction.put(items(["c"])) == [3])
    }
    #expect(try store.ids("Plain") == [1, 2])
    #expect(try store.ids("Item") == [1, 2, 3])
    #expect(try store.read { try $0.find("Item", "code", "c") } == [3])
    #expect(try store.verify().isEmpty)
  }

  @Test func countsAndContains() throws {
    let store = try ObjectsModel.store()
    let plain = try store.entity(named: "Plain")
    #expect(try store.read { try $0.isEmpty(plain) })
    #expect(try store.read { try $0.count(plain) } == 0)
    for _ in 0..<5 { try store.put("Plain", [:]) }
    try store.read { (transaction) throws in
      #expect(try transaction.count(plain) == 5)
      #expect(try transaction.count(plain, limit: 3) == 3)
      #expect(try transaction.count(plain, limit: 9) == 5)
      #expect(try !transaction.isEmpty(plain))
      #expect(try transaction.contains(plain, 5))
      #expect(try !transaction.contains(plain, 6))
      #expect(try !transaction.contains(plain, 0))
      #expect(try transaction.get(plain, 6) == nil)
      #expect(try transaction.get(plain, [2, 9, 1]).map { $0?.id } == [2, nil, 1])
    }
    #expect(try !store.write { try $0.remove(plain, 6) })
  }

  @Test func visits() throws {
    let store = try ObjectsModel.store()
    for id in [2, 4, 6, 8] as [UInt64] { try store.put("Guest", [:], id: id) }
    let guest = try store.entity(named: "Guest")
    func visit(from: UInt64?, _ direction: VisitDirection, stopAt: UInt64 = 0) throws -> [UInt64] {
      try store.read { (transaction) throws in
        var ids: [UInt64] = []
        try transaction.visit(guest, from: from, direction) { id, _ in
          ids.append(id)
          return id == stopAt ? .stop : .next
        }
        return ids
      }
    }
    #expect(try visit(from: nil, .forward) == [2, 4, 6, 8])
    #expect(try visit(from: nil, .backward) == [8, 6, 4, 2])
    #expect(try visit(from: 4, .forward) == [4, 6, 8])
    #expect(try visit(from: 5, .forward) == [6, 8])
    #expect(try visit(from: 9, .forward) == [])
    #expect(try visit(from: 0, .forward) == [2, 4, 6, 8])
    #expect(try visit(from: 6, .backward) == [6, 4, 2])
    #expect(try visit(from: 5, .backward) == [4, 2])
    #expect(try visit(from: 1, .backward) == [])
    #expect(try visit(from: .max, .backward) == [8, 6, 4, 2])
    #expect(try visit(from: nil, .forward, stopAt: 4) == [2, 4])
    #expect(try visit(from: nil, .backward, stopAt: 8) == [8])
  }

  @Test func valuesThatDoNotFitAreRefused() throws {
    let store = try ObjectsModel.store()
    try store.put("Item", ["rank": 1])
    for (property, value, expected) in [
      ("rank", "one", "an integer"), ("rank", 1.5, "an integer"),
      ("title", 3, "a string"), ("price", 3, "a double"), ("ratio", 3.0, "a float"),
      ("tiny", 128, "a number from -128 to 127"),
      ("size", -1, "a number from 0 to 18446744073709551615"),
      ("rank", .unsigned(1 << 63), "a number from -9223372036854775808 to 9223372036854775807"),
      ("box", -1, "a number from 0 to 18446744073709551615"), ("title", .bytes([65]), "a string"),
    ] as [(String, Value, String)] {
      let error = try storeError { try store.put("Item", ["code": "x", property: value], id: 1) }
      #expect(
        error
          == .wrongValue(entity: "Item", property: property, value: value, expected: expected))
      #expect(error?.description.hasPrefix("Item.\(property) cannot be ") == true)
    }
    #expect(try store.value("Item", 1, "rank") == 1)
    #expect(try store.value("Item", 1, "code") == .null)
    #expect(try store.verify().isEmpty)
  }

  @Test func textThatIsNotUTF8NamesTheProperty() throws {
    let store = try ObjectsModel.store()
    let plain = try store.entity(named: "Plain")
    let text = try #require(plain.property(named: "text"))
    let error = try storeError {
      _ = try store.write { (transaction) throws in
        try transaction.put(plain) { writer in
          try [UInt8]([0x61, 0xFF]).withUnsafeBufferPointer { bytes throws(InvalidUTF8) in
            try writer.set(text.slot, utf8: bytes)
          }
        }
      }
    }
    #expect(error == .notUTF8(entity: "Plain", property: "text"))
    #expect(
      error?.description.hasPrefix("Plain.text cannot be set: its bytes are not UTF-8; ") == true)
    #expect(try store.ids("Plain") == [])
  }

  @Test func objectsThatAreTooLargeAreRefused() throws {
    let store = try ObjectsModel.store()
    let plain = try store.entity(named: "Plain")
    try store.write { (transaction) throws in
      let error = try storeError {
        // As if that many bytes had been set: nobody has the memory to try.
        _ = try transaction.put(plain) { $0.heapSize = Int(Int32.max) }
      }
      #expect(error == .objectTooLarge(entity: "Plain"))
      try transaction.put("Plain", ["text": "small"])
    }
    #expect(try store.ids("Plain") == [1])
  }

  @Test func largeObjectsComeBack() throws {
    let store = try ObjectsModel.store()
    for count in [0, 1, 4000, 4096, 100_000, 5_000_000] {
      let text = Value.string(String(repeating: "ß", count: count))
      let id = try store.put("Plain", ["text": text])
      #expect(try store.value("Plain", id, "text") == text)
    }
  }
}
