import BoxModel
import BoxStorage
import Synchronization
import TestSupport
import Testing

@testable import BoxEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// All or nothing, one snapshot, and what is refused.
struct TransactionTests {
  private func count(_ store: ObjectStore) throws -> Int { try store.ids("Plain").count }

  @Test(.promise(36, 42)) func anErrorRollsEverythingBack() throws {
    let store = try ObjectsModel.store()
    try store.put("Item", ["code": "a"])
    #expect(throws: TestFailure.self) {
      try store.write { (transaction) throws in
        try transaction.put("Plain", [:])
        try transaction.put("Item", ["code": "b"], id: 1)
        try transaction.put("Item", ["code": "c"])
        throw TestFailure("on purpose")
      }
    }
    #expect(try count(store) == 0)
    #expect(try store.value("Item", 1, "code") == "a")
    #expect(try store.read { try $0.find("Item", "code", "c") } == [])
    #expect(try store.verify().isEmpty)
  }

  @Test(.promise(38, 250)) func nestedCallsJoin() throws {
    let store = try ObjectsModel.store()
    try store.write { (outer) throws in
      try outer.put("Plain", [:])
      try store.write { (inner) throws in
        #expect(inner === outer)
        try inner.put("Plain", [:])
      }
      try store.read { (inner) throws in
        #expect(inner === outer)
        #expect(try inner.count(store.entity(named: "Plain")) == 2)
      }
    }
    #expect(try count(store) == 2)
  }

  @Test func anErrorThatLeavesANestedCallDoomsTheWhole() throws {
    let store = try ObjectsModel.store()
    var later: StoreError?
    let error = try storeError {
      try store.write { (outer) throws in
        try outer.put("Plain", [:])
        do {
          try store.write { (inner) throws in
            try inner.put("Plain", [:])
            throw TestFailure("on purpose")
          }
        } catch is TestFailure {}
        later = try storeError { try outer.put("Plain", [:]) }
      }
    }
    #expect(error == .transactionFailed(reason: "on purpose"))
    #expect(later == .transactionFailed(reason: "on purpose"))
    #expect(try count(store) == 0)
    #expect(try store.put("Plain", [:]) == 1)
  }

  /// The same error in a nested read, or in a put, is only what the caller makes of it.
  @Test func aCaughtErrorOfAPutOrOfAReadDoesNotDoom() throws {
    let store = try ObjectsModel.store()
    try store.write { (transaction) throws in
      try transaction.put("Plain", [:])
      _ = try? transaction.put("Plain", [:], id: 99)
      _ = try? store.read { _ in throw TestFailure("on purpose") }
      try transaction.put("Plain", [:])
    }
    #expect(try count(store) == 2)
  }

  @Test func aWriteInsideAReadIsRefused() throws {
    let store = try ObjectsModel.store()
    try store.read { (transaction) throws in
      #expect(try storeError { try store.put("Plain", [:]) } == .readTransaction)
      #expect(try storeError { try transaction.put("Plain", [:]) } == .readTransaction)
      #expect(
        try storeError { try transaction.remove(store.entity(named: "Plain"), 1) }
          == .readTransaction)
      #expect(
        try storeError { try transaction.removeAll(store.entity(named: "Plain")) }
          == .readTransaction)
    }
    #expect(try count(store) == 0)
  }

  @Test func aTransactionThatHasEndedIsRefused() throws {
    let store = try ObjectsModel.store()
    let plain = try store.entity(named: "Plain")
    for kept in [try store.read { $0 }, try store.write { $0 }] {
      #expect(try storeError { _ = try kept.count(plain) } == .transactionEnded)
      #expect(try storeError { _ = try kept.get(plain, 1) } == .transactionEnded)
      #expect(
        try storeError { try kept.visit(plain) { _, _ in .next } } == .transactionEnded)
    }
    let kept = try store.write { $0 }
    #expect(try storeError { try kept.put("Plain", [:]) } == .transactionEnded)
  }

  /// The parts of a transaction that the store keeps for the next one do not bring it back.
  @Test func aTransactionThatHasEndedIsRefusedInTheNextOne() throws {
    let store = try ObjectsModel.store()
    let plain = try store.entity(named: "Plain")
    try store.put("Plain", ["text": "x"])
    let kept = try store.read { transaction in
      _ = try transaction.get(plain, 1)
      return transaction
    }
    try store.read { (transaction) throws in
      #expect(try transaction.get(plain, 1) != nil)
      #expect(try storeError { _ = try kept.get(plain, 1) } == .transactionEnded)
      #expect(try storeError { _ = try kept.lastID(plain) } == .transactionEnded)
      #expect(kept.store === store)
      #expect(transaction.verifier(plain).state != kept.verifier(plain).state)
    }
  }

  @Test func theNextTransactionKnowsTheHeadersOfRecords() throws {
    let store = try ObjectsModel.store()
    let plain = try store.entity(named: "Plain")
    try store.put("Plain", ["text": "x"])
    for round in 0..<3 {
      try store.read { (transaction) throws in
        let isKnown = transaction.verifier(plain).state.pointee.headerSize > 0
        #expect(isKnown == (round > 0))
        _ = try transaction.get(plain, 1)
      }
    }
  }

  /// A read transaction asks the storage each time, as another process can have given ids.
  @Test func theSnapshotHasTheLastID() throws {
    let store = try ObjectsModel.store()
    let plain = try store.entity(named: "Plain")
    for id in 1...3 as ClosedRange<UInt64> {
      #expect(try store.read { try $0.lastID(plain) } == id - 1)
      try store.put("Plain", ["text": "x"])
    }
    try store.write { _ = try $0.removeAll(plain) }
    #expect(try store.read { try $0.lastID(plain) } == 3)
  }

  @Test func theStoreCannotBeUsedWhileAnObjectIsCoded() throws {
    let store = try ObjectsModel.store()
    let plain = try store.entity(named: "Plain")
    try store.put("Plain", ["text": "x"])
    try store.write { (transaction) throws in
      let inPut = try storeError {
        _ = try transaction.put(plain) { _ in _ = try transaction.count(plain) }
      }
      #expect(inPut == .usedWhileCoding)
      let inGet = try storeError {
        _ = try transaction.get(plain, 1) { _ in try transaction.put("Plain", [:]) }
      }
      #expect(inGet == .usedWhileCoding)
      let inVisit = try storeError {
        try transaction.visit(plain) { _, _ in
          try transaction.remove(plain, 1)
          return .next
        }
      }
      #expect(inVisit == .usedWhileCoding)
      // Nothing of that has hurt the transaction.
      try transaction.put("Plain", [:])
    }
    #expect(try store.ids("Plain") == [1, 2])
  }

  @Test func schemasOfAnotherStoreAreRefused() throws {
    let (first, second) = (
      try ObjectsModel.store(), try ObjectsModel.store()
    )
    let plain = try first.entity(named: "Plain")
    #expect(
      try storeError { _ = try second.write { try $0.put(DynamicObject(plain)) } }
        == .foreignSchema("Plain"))
    #expect(try storeError { _ = try second.observe(plain) { _ in } } == .foreignSchema("Plain"))
    // A space of the other store has another meaning here.
    let item = try first.entity(named: "Item")
    let boxes = try #require(item.relation(named: "boxes"))
    let rank = try #require(item.property(named: "rank"))
    try second.put("Item", ["rank": 1])
    try second.put("Box", ["name": "b"])
    try second.write { (transaction) throws in
      for use in [
        { _ = try transaction.link(boxes, 1, 1) }, { _ = try transaction.unlink(boxes, 1, 1) },
        { _ = try transaction.targets(boxes, of: 1) },
        { _ = try transaction.sources(boxes, of: 1) }, { _ = try transaction.count(boxes) },
        { try transaction.visitEntries(boxes) { _, _ in .next } },
      ] as [() throws -> Void] {
        #expect(try storeError(use) == .foreignSchema("boxes"))
      }
      let here = try second.entity(named: "Item")
      #expect(
        try storeError { _ = try transaction.ids(here, where: rank, equals: 1) }
          == .notIndexed(entity: "Item", property: "rank"))
      // Nor is a property looked up in another entity than its own.
      let place = try #require(try second.entity(named: "Box").property(named: "place"))
      #expect(
        try storeError { _ = try transaction.ids(here, where: place, equals: 1) }
          == .notIndexed(entity: "Item", property: "place"))
    }
    #expect(try second.verify().isEmpty)
  }

  /// Writing under a visit of ids is an error; reading is not.
  @Test func nothingIsWrittenWhileIDsAreVisited() throws {
    let store = try ObjectsModel.store()
    let item = try store.entity(named: "Item")
    let rank = try #require(item.property(named: "rank"))
    let parts = try #require(item.relation(named: "parts"))
    try store.write { (transaction) throws in
      for _ in 0..<3 { try transaction.put("Item", ["rank": 7]) }
      try transaction.link(parts, 1, 2)
      var seen: [UInt64] = []
      let first = try storeError {
        try transaction.visitIDs(item, where: rank, equals: 7) { id in
          seen.append(id)
          #expect(try transaction.value("Item", id, "rank") == 7)
          #expect(try transaction.find("Item", "rank", 7) == [1, 2, 3])
          if id == 2 { try transaction.remove(item, id) }
          return .next
        }
      }
      #expect(first == .writtenWhileVisiting)
      #expect(seen == [1, 2])
      let second = try storeError {
        try transaction.visitIDs(item, orderedBy: rank) { _ in
          try transaction.put("Item", ["rank": 8])
          return .next
        }
      }
      #expect(second == .writtenWhileVisiting)
      let third = try storeError {
        try transaction.visitEntries(parts) { source, target in
          try transaction.unlink(parts, source, target)
          return .next
        }
      }
      #expect(third == .writtenWhileVisiting)
      // Nothing of that has hurt the transaction.
      try transaction.put("Item", ["rank": 7])
    }
    #expect(try store.read { try $0.find("Item", "rank", 7) } == [1, 2, 3, 4])
    #expect(try store.verify().isEmpty)
  }

  /// A reader sees one state while a writer commits, and does not wait for it.
  @Test(.promise(41)) func aReaderSeesOneSnapshot() async throws {
    let store = try ObjectsModel.store()
    try store.put("Plain", ["text": "before"])
    let plain = try store.entity(named: "Plain")
    try store.read { (transaction) throws in
      #expect(try transaction.count(plain) == 1)
      try onAnotherThread {
        try store.put("Plain", ["text": "after"], id: 1)
        try store.put("Plain", [:])
        #expect(try store.value("Plain", 1, "text") == "after")
      }
      #expect(try transaction.count(plain) == 1)
      #expect(try transaction.value("Plain", 1, "text") == "before")
    }
    #expect(try store.value("Plain", 1, "text") == "after")
    // While a writer is at work readers see what was committed.
    try store.write { (transaction) throws in
      try transaction.put("Plain", ["text": "half"], id: 1)
      try onAnotherThread { () throws in #expect(try store.value("Plain", 1, "text") == "after") }
    }
  }

  /// Writers wait for each other: no increment is lost.
  @Test(.promise(49)) func writersTakeTurns() async throws {
    let store = try ObjectsModel.store()
    try store.put("Item", ["rank": 0])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<25 {
            try store.write { (transaction) throws in
              guard case .integer(let rank) = try transaction.value("Item", 1, "rank") else {
                throw TestFailure("no rank")
              }
              try transaction.put("Item", ["rank": .integer(rank + 1)], id: 1)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try store.value("Item", 1, "rank") == 200)
    #expect(try store.verify().isEmpty)
  }

  /// A use that fails with an error of the storage leaves a store that works.
  @Test func theSizeLimitIsAnErrorAndNoMore() throws {
    let fixture = try StoreFixture()
    var options = StoreOptions()
    options.storage.maximumSize = 2 << 20
    let document = try ObjectsModel.document()
    try fixture.with(document, options) { (store) throws in
      try store.put("Item", ["code": "kept", "title": "t"])
      let text = Value.string(String(repeating: "x", count: 10_000))
      for mode in 0..<3 {
        let error = try storeError {
          try store.write { (transaction) throws in
            for number in 0..<1000 {
              switch mode {
              case 0: try transaction.put("Plain", ["text": text])
              case 1:
                // Caught inside, it must still not be committed in part.
                _ = try? transaction.put("Plain", ["text": text])
              default:
                try transaction.put("Item", ["code": .string("\(number)"), "title": text])
              }
            }
          }
        }
        guard case .storage(let storage) = error else {
          Issue.record("\(mode): \(String(describing: error))")
          continue
        }
        if mode != 1 { #expect(storage.kind == .sizeLimit) }
        #expect(try count(store) == 0)
        #expect(try store.ids("Item") == [1])
      }
      for _ in 0..<20 { try store.put("Plain", ["text": "small"]) }
      #expect(try count(store) == 20)
      #expect(try store.verify().isEmpty)
    }
    options.storage.maximumSize = 64 << 20
    try fixture.with(document, options) { (store) throws in
      let text = Value.string(String(repeating: "x", count: 10_000))
      try store.write { (transaction) throws in
        for _ in 0..<1000 { try transaction.put("Plain", ["text": text]) }
      }
      #expect(try count(store) == 1020)
    }
    #expect(try ObjectStore.verify(fixture.path).isEmpty)
  }
}

/// Runs a function on a thread of its own and waits for it.
private func onAnotherThread(_ body: @escaping @Sendable () throws -> Void) throws {
  final class Work: Sendable {
    let body: @Sendable () throws -> Void
    let error = Mutex<(any Error)?>(nil)
    init(_ body: @escaping @Sendable () throws -> Void) { self.body = body }
  }
  let work = Work(body)
  var thread = pthread_t()
  let started = pthread_create(
    &thread, nil,
    { context in
      guard let context else { return nil }
      let work = Unmanaged<Work>.fromOpaque(context).takeUnretainedValue()
      do { try work.body() } catch { work.error.withLock { $0 = error } }
      return nil
    }, Unmanaged.passUnretained(work).toOpaque())
  if started != 0 { throw TestFailure("no thread") }
  pthread_join(thread, nil)
  if let error = work.error.withLock({ $0 }) { throw error }
}
