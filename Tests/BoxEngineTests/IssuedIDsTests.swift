import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

/// Ids that are given before the commit, and stay given after a transaction that was undone.
struct IssuedIDsTests {
  private let store: ObjectStore
  private let plain: EntitySchema

  init() throws {
    var options = StoreOptions()
    options.keepsIssuedIDs = true
    store = try ObjectStore.open(.ownMemory(), model: ObjectsModel.document(), options: options)
    plain = try store.entity(named: "Plain")
  }

  private func putAndUndo() throws -> UInt64 {
    var id: UInt64 = 0
    try? store.write { (transaction) throws in
      id = try transaction.put("Plain", [:])
      throw TestFailure("on purpose")
    }
    return id
  }

  @Test func anIDOfAnUndoneTransactionIsNotGivenAgainAndCanBePut() throws {
    #expect(try putAndUndo() == 1)
    #expect(try store.put("Plain", [:]) == 2)
    #expect(try store.put("Plain", ["text": "back"], id: 1) == 1)
    #expect(try store.ids("Plain") == [1, 2])
    #expect(
      try storeError { try store.put("Plain", [:], id: 9) }
        == .idNotGiven(entity: "Plain", id: 9, last: 2))
  }

  @Test func withoutTheOptionItIsGivenAgain() throws {
    let store = try ObjectsModel.store()
    try? store.write { (transaction) throws in
      try transaction.put("Plain", [:])
      throw TestFailure("on purpose")
    }
    #expect(try store.put("Plain", [:]) == 1)
    #expect(
      try storeError { _ = try store.reserveIDs(store.entity(named: "Plain"), count: 1) }
        == .readTransaction)
  }

  @Test func reservedIDsArePutLater() throws {
    try store.put("Plain", [:])
    #expect(try store.reserveIDs(plain, count: 3) == 2...4)
    #expect(try store.put("Plain", [:]) == 5)
    #expect(try store.put("Plain", [:], id: 3, mode: .insert) == 3)
    #expect(try store.ids("Plain") == [1, 3, 5])
    #expect(
      try storeError { try store.put("Plain", [:], id: 3, mode: .insert) }
        == .alreadyExists(entity: "Plain", id: 3))
  }

  @Test func threadsNeverGetTheSameID() async throws {
    let (store, plain) = (store, plain)
    let ids = try await withThrowingTaskGroup(of: [UInt64].self) { group in
      for thread in 0..<8 {
        group.addTask {
          var mine: [UInt64] = []
          for round in 0..<100 {
            switch (thread + round) % 3 {
            case 0: mine += try store.reserveIDs(plain, count: 1 + round % 4)
            case 1: mine.append(try store.put("Plain", [:]))
            default:
              // Undone: the ids stay given.
              try? store.write { (transaction) throws in
                mine.append(try transaction.reserveID(plain))
                mine.append(try transaction.put("Plain", [:]))
                throw TestFailure("on purpose")
              }
            }
          }
          return mine
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(Set(ids).count == ids.count)
    #expect(try store.ids("Plain").allSatisfy(Set(ids).contains))
  }

  @Test func theLastIDsAreNotPassed() throws {
    let guest = try store.entity(named: "Guest")
    try store.put("Guest", [:], id: ObjectStore.maximumID - 2)
    #expect(
      try storeError { _ = try store.reserveIDs(guest, count: 3) }
        == .idsExhausted(entity: "Guest"))
    #expect(try store.reserveIDs(guest, count: 2).count == 2)
    #expect(try storeError { try store.put("Guest", [:]) } == .idsExhausted(entity: "Guest"))
  }

  /// Neither another opening of the store nor a later one gives them.
  @Test func otherOpeningsDoNotGiveThem() throws {
    let directory = try TemporaryDirectory()
    func open() throws -> ObjectStore {
      var options = StoreOptions()
      options.keepsIssuedIDs = true
      return try ObjectStore.open(
        .directory(directory.path(of: "store")), model: ObjectsModel.document(), options: options)
    }
    func putAndUndo(_ store: ObjectStore) throws -> UInt64 {
      var id: UInt64 = 0
      try? store.write { (transaction) throws in
        id = try transaction.put("Plain", [:])
        throw TestFailure("on purpose")
      }
      return id
    }
    let (first, other) = (try open(), try open())
    #expect(try putAndUndo(first) == 1)
    #expect(try other.put("Plain", ["text": "other"]) == 2)
    #expect(try first.put("Plain", ["text": "back"], id: 1) == 1)
    #expect(try putAndUndo(first) == 3)
    first.close()
    other.close()
    let later = try open()
    #expect(try later.put("Plain", [:]) == 4)
    #expect(try later.put("Plain", [:], id: 3) == 3)
    #expect(try later.ids("Plain") == [1, 2, 3, 4])
  }

  @Test func aFailedPartOfATransactionLeavesItsIDs() throws {
    var id: UInt64 = 0
    try store.write { (transaction) throws in
      try? transaction.savepoint {
        id = try transaction.reserveID(plain)
        throw TestFailure("on purpose")
      }
      #expect(transaction.isUndone(plain, id))
      #expect(try transaction.reserveID(plain) == id + 1)
      try transaction.put("Plain", [:], id: id)
      #expect(!transaction.isUndone(plain, id))
    }
  }

  @Test func undoneIDsAreASet() {
    var random = TestSeed.next()
    for _ in 0..<200 {
      let undone = UndoneIDs()
      var expected: Set<UInt64> = []
      var next: UInt64 = 1
      for _ in 0..<60 {
        if random.oneIn(2) {
          next += UInt64(random.below(3))
          let ids = next...next + UInt64(random.below(4))
          undone.add(ids, of: plain)
          expected.formUnion(ids)
          next = ids.upperBound + 1
        } else {
          let id = UInt64(random.below(Int(next) + 2))
          #expect(undone.remove(id, of: plain) == (expected.remove(id) != nil))
        }
      }
      for id in 0...next { #expect(undone.contains(id, of: plain) == expected.contains(id)) }
    }
  }

  @Test func whatIsNotedIsCalledForWhatIsUndone() throws {
    var calls: [Int] = []
    try store.write { (transaction) throws in
      transaction.onUndo(.call { calls.append(1) })
      try? transaction.savepoint {
        transaction.onUndo(.call { calls.append(2) })
        transaction.onUndo(.call { calls.append(3) })
        throw TestFailure("on purpose")
      }
      try transaction.savepoint { transaction.onUndo(.call { calls.append(4) }) }
    }
    #expect(calls == [3, 2])
    try? store.write { (transaction) throws in
      transaction.onUndo(.call { calls.append(5) })
      try transaction.savepoint { transaction.onUndo(.call { calls.append(6) }) }
      throw TestFailure("on purpose")
    }
    #expect(calls == [3, 2, 6, 5])
  }
}
