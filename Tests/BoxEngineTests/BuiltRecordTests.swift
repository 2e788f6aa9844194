import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

/// Records that are built before they are put, and integers that are set and read by their width.
struct BuiltRecordTests {
  private func slot(_ entity: EntitySchema, _ property: String) throws -> Int {
    try #require(entity.property(named: property)).slot
  }

  @Test func aRecordIsBuiltWhileAnotherWaits() throws {
    let store = try ObjectsModel.store()
    let item = try store.entity(named: "Item")
    let box = try store.entity(named: "Box")
    let (rank, toOne, name) = (
      try slot(item, "rank"), try slot(item, "box"), try slot(box, "name")
    )
    try store.write { transaction in
      let id = try transaction.reserveID(item)
      try transaction.withRecordWriter { writer in
        writer.pointee.begin(item)
        writer.pointee.set(rank, 7 as Int64)
        let target = try transaction.reserveID(box)
        try transaction.withRecordWriter { inner in
          inner.pointee.begin(box)
          inner.pointee.set(name, "inner")
          let isNew = try transaction.putBuilt(box, id: target, mode: .insert, in: &inner.pointee)
          #expect(isNew)
        }
        writer.pointee.set(toOne, target)
        let isNew = try transaction.putBuilt(item, id: id, mode: .put, in: &writer.pointee)
        #expect(isNew)
        // The other way round: an object that is there.
        writer.pointee.begin(item)
        writer.pointee.set(rank, 8 as Int64)
        writer.pointee.set(toOne, target)
        let isNewAgain = try transaction.putBuilt(item, id: id, mode: .put, in: &writer.pointee)
        #expect(!isNewAgain)
      }
    }
    #expect(try store.value("Item", 1, "rank") == .integer(8))
    #expect(try store.value("Item", 1, "box") == .unsigned(1))
    #expect(try store.value("Box", 1, "name") == .string("inner"))
    let ranks = try #require(item.property(named: "rank"))
    #expect(try store.read { try $0.ids(item, where: ranks, equals: .integer(8)) } == [1])
    #expect(try store.read { try $0.ids(item, where: ranks, equals: .integer(7)) } == [])
  }

  @Test func aPutOfABuiltRecordIsCheckedLikeAnyOther() throws {
    let store = try ObjectsModel.store()
    let plain = try store.entity(named: "Plain")
    func put(_ id: UInt64, _ mode: PutMode) throws -> StoreError? {
      try storeError {
        try store.write { transaction in
          try transaction.withRecordWriter { writer in
            writer.pointee.begin(plain)
            _ = try transaction.putBuilt(plain, id: id, mode: mode, in: &writer.pointee)
          }
        }
      }
    }
    #expect(try put(0, .put) == .notFound(entity: "Plain", id: 0))
    #expect(try put(5, .put) == .idNotGiven(entity: "Plain", id: 5, last: 0))
    #expect(try put(5, .update) == .notFound(entity: "Plain", id: 5))
    try store.put("Plain", [:])
    #expect(try put(1, .insert) == .alreadyExists(entity: "Plain", id: 1))
    #expect(try put(1, .update) == nil)
    #expect(
      try storeError { try store.read { try $0.withRecordWriter { _ in } } }
        == .readTransaction)
  }

  @Test func aClosureOfTheCallerCannotUseTheStoreUnlessItIsInterrupted() throws {
    let store = try ObjectsModel.store()
    let plain = try store.entity(named: "Plain")
    try store.write { (transaction) throws in
      transaction.beginCoding()
      #expect(try storeError { _ = try transaction.count(plain) } == .usedWhileCoding)
      #expect(try transaction.interruptingCoding { try transaction.count(plain) } == 0)
      #expect(transaction.isCoding)
      transaction.endCoding()
      #expect(try transaction.count(plain) == 0)
    }
  }

  @Test func integersAreSetByWidthAndReadWithTheSignOfTheModel() throws {
    let types: [SlotType] = [
      .bool, .int8, .uint8, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double,
    ]
    let layout = RecordLayout(types)
    var random = TestSeed.next()
    for _ in 0..<200 {
      var writer = RecordWriter()
      writer.begin(layout)
      let bits = random.next() >> UInt64(random.below(64))
      var isSet: [Bool] = []
      for slot in types.indices { isSet.append(writer.setInteger(slot, bits: bits)) }
      #expect(isSet == types.map { $0 != .double })
      let isSetAgain = writer.setInteger(1, bits: bits)
      let isSetOutside = writer.setInteger(99, bits: bits)
      #expect(!isSetAgain && !isSetOutside)
      _ = writer.finish(1)
      let view = writer.view
      var read: [UInt64?] = []
      for slot in types.indices { read.append(view.integerBits(slot)) }
      let expected: [UInt64?] = [
        UInt64(UInt8(truncatingIfNeeded: bits)),
        UInt64(bitPattern: Int64(Int8(truncatingIfNeeded: bits))),
        UInt64(UInt8(truncatingIfNeeded: bits)),
        UInt64(bitPattern: Int64(Int16(truncatingIfNeeded: bits))),
        UInt64(UInt16(truncatingIfNeeded: bits)),
        UInt64(bitPattern: Int64(Int32(truncatingIfNeeded: bits))),
        UInt64(UInt32(truncatingIfNeeded: bits)), bits, bits, nil,
      ]
      #expect(read == expected)
    }
  }
}
