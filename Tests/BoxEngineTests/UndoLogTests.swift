import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

/// The things that a transaction takes back itself.
struct UndoLogTests {
  private let store: ObjectStore
  private let plain: EntitySchema
  private let guest: EntitySchema

  init() throws {
    var options = StoreOptions()
    options.keepsIssuedIDs = true
    store = try ObjectStore.open(.ownMemory(), model: ObjectsModel.document(), options: options)
    plain = try store.entity(named: "Plain")
    guest = try store.entity(named: "Guest")
  }

  @Test func aPartThatSucceededLeavesWhatIsCalledForTheTransaction() throws {
    var calls: [Int] = []
    try? store.write { (transaction) throws in
      transaction.onUndo(.call(inPart: true) { calls.append(1) })
      let mark = transaction.undoMark
      transaction.onUndo(.call { calls.append(2) })
      transaction.onUndo(.call(inPart: true) { calls.append(3) })
      transaction.onUndo(.call { calls.append(4) })
      transaction.onUndo(.remove(plain, 1))
      transaction.forget(since: mark)
      #expect(transaction.insertions(since: .begin).isEmpty && calls.isEmpty)
      throw TestFailure("on purpose")
    }
    #expect(calls == [4, 2, 1])
  }

  /// The lock is free by then: a setter of an object of the app may use the store.
  @Test func whatIsCalledAfterATransactionMayWrite() throws {
    try? store.write { (transaction) throws in
      transaction.onUndo(.call { _ = try? store.put("Plain", [:]) })
      throw TestFailure("on purpose")
    }
    #expect(try store.ids("Plain") == [1])
  }

  @Test func nothingIsCalledAfterACommitOrForAReader() throws {
    var calls = 0
    try store.write { (transaction) throws in
      transaction.onUndo(.call { calls += 1 })
      try transaction.put("Plain", [:])
    }
    try? store.read { (transaction) throws in
      transaction.onUndo(.call { calls += 1 })
      throw TestFailure("on purpose")
    }
    #expect(calls == 0)
  }

  @Test func insertedObjectsAreRemovedAndEarlierOnesStay() throws {
    var calls: [Int] = []
    try store.write { (transaction) throws in
      let first = try transaction.put("Plain", [:])
      transaction.onUndo(.remove(plain, first))
      let mark = transaction.undoMark
      for number in 2...3 {
        transaction.onUndo(.remove(plain, try transaction.put("Plain", [:])))
        transaction.onUndo(.call(inPart: true) { calls.append(number) })
      }
      #expect(transaction.insertions(since: mark).map(\.id) == [2, 3])
      try transaction.revert(to: mark)
      #expect(transaction.insertions(since: .begin).map(\.id) == [1])
    }
    #expect(try store.ids("Plain") == [1] && calls == [3, 2])
  }

  /// An object that has the id of an undone transaction has it still after its put is taken back.
  @Test func anIDThatWasStoredAgainIsUndoneAgain() throws {
    var id: UInt64 = 0
    try? store.write { (transaction) throws in
      id = try transaction.put("Plain", [:])
      throw TestFailure("on purpose")
    }
    try store.write { (transaction) throws in
      let mark = transaction.undoMark
      try transaction.put("Plain", [:], id: id)
      transaction.onUndo(.remove(plain, id))
      #expect(!transaction.isUndone(plain, id))
      try transaction.revert(to: mark)
      #expect(transaction.isUndone(plain, id))
    }
  }

  /// After any order of puts and savepoints, the ids that were given and are not stored are undone.
  @Test func idsOfSavepointsAreUndoneWithThem() throws {
    var random = TestSeed.next()
    for _ in 0..<100 {
      var (undone, open): (Set<[UInt64]>, Set<[UInt64]>) = ([], [])
      let isUndone = random.oneIn(2)
      func part(_ transaction: Transaction, depth: Int) throws {
        let before = open
        for _ in 0..<random.below(6) {
          if depth < 3, random.oneIn(3) {
            try? transaction.savepoint { try part(transaction, depth: depth + 1) }
          } else {
            let entity = random.oneIn(2) ? plain : guest
            open.insert([UInt64(entity.position), try transaction.reserveID(entity)])
          }
        }
        if depth > 0, random.oneIn(2) {
          undone.formUnion(open.subtracting(before))
          open = before
          throw TestFailure("on purpose")
        }
      }
      var last: [UInt64] = []
      try? store.write { (transaction) throws in
        try part(transaction, depth: 0)
        last = try [transaction.lastID(plain), transaction.lastID(guest)]
        if isUndone { throw TestFailure("on purpose") }
      }
      if isUndone { undone.formUnion(open) }
      try store.read { (transaction) throws in
        for (entity, last) in zip([plain, guest], last) {
          for id in last - min(last, 40)...last where id > 0 {
            let pair = [UInt64(entity.position), id]
            if undone.contains(pair) || open.contains(pair) {
              #expect(transaction.isUndone(entity, id) == undone.contains(pair))
            }
          }
        }
      }
    }
  }
}
