import BoxStore
import TestSupport
import Testing

struct TransactionTests {
  private struct Stop: Error {}

  private let store: Store
  private let box: Box<Setting>

  init() throws {
    store = try SampleStore.inMemory()
    box = store.box()
  }

  @Test(.promise(38, 39, 41, 42, 46, 166, 294)) func allOperationsInOneTransactionAreKeptOrNone()
    throws
  {
    try store.runInTransaction {
      try box.put(Setting("a"))
      try store.box().put(Customer("A"))
      #expect(try box.count() == 1)
    }
    #expect(throws: Stop.self) {
      try store.runInTransaction {
        try box.put(Setting("b"))
        throw Stop()
      }
    }
    #expect(try box.all().map(\.key) == ["a"])
    #expect(try store.runInTransaction { try box.count() } == 1)
  }

  @Test(.promise(45, 250)) func aPutInAReadTransactionThrows() throws {
    try store.runInReadOnlyTransaction { () throws in
      #expect(thrownCase { try box.put(Setting("a")) } == "cannotWriteWhileReading")
      #expect(
        thrownCase { try store.runInTransaction { _ = try box.count() } }
          == "cannotWriteWhileReading")
      #expect(try box.isEmpty())
    }
    #expect(
      try store.runInTransaction { try store.runInReadOnlyTransaction { try box.count() } } == 0)
  }

  @Test(.promise(51)) func anErrorThatLeavesANestedCallEndsTheWhole() throws {
    #expect(
      thrownCase {
        try store.runInTransaction {
          try box.put(Setting("a"))
          #expect(throws: Stop.self) { try store.runInTransaction { throw Stop() } }
        }
      } == "illegalState")
    #expect(try box.isEmpty())
  }

  @Test(.promise(51, 365)) func theFailureOfACallLeavesTheTransactionGoing() throws {
    try store.runInTransaction {
      try box.put(Setting("a"))
      #expect(thrownCase { try box.put(Setting("b", id: 1 << 63)) } == "illegalArgument")
      try box.put(Setting("c"))
    }
    #expect(try box.all().map(\.key) == ["a", "c"])
  }

  @Test(.promise(366)) func anObjectKeepsTheIDOfATransactionThatWasUndone() throws {
    let customers = store.box(for: Customer.self)
    let ada = Customer("Ada")
    #expect(throws: Stop.self) {
      try store.runInTransaction {
        try customers.put(ada)
        throw Stop()
      }
    }
    #expect(ada.id == 1)
    #expect(try customers.isEmpty())
    let bob = Customer("Bob")
    try customers.put(bob)
    #expect(bob.id == 2)
    try customers.put(ada)
    #expect(try customers.all().map(\.name) == ["Ada", "Bob"])
  }

  @Test(.promise(366)) func anIDOfAnUndoneTransactionIsNotGivenByALaterOpening() throws {
    let directory = try TemporaryDirectory()
    let ada = Customer("Ada")
    do {
      let store = try SampleStore.open(directory)
      #expect(throws: Stop.self) {
        try store.runInTransaction {
          try store.box().put(ada)
          throw Stop()
        }
      }
      store.close()
    }
    let store = try SampleStore.open(directory)
    #expect(try store.box().put(Customer("Bob")) == 2)
    #expect(try store.box().put(ada) == 1)
    #expect(try store.box(for: Customer.self).all().map(\.name) == ["Ada", "Bob"])
  }

  @Test(.promise(290, 292, 383)) func aTransactionKnowsItsChangesAndCanBeCancelled() throws {
    let before = try store.runInTransaction { transaction in
      let before = transaction.hasChanges
      try box.put(Setting("a"))
      #expect(transaction.hasChanges)
      return before
    }
    #expect(!before)
    #expect(throws: CancellationError.self) {
      try store.runInTransaction { transaction in
        try box.removeAll()
        try transaction.cancel()
      }
    }
    #expect(try box.count() == 1)
  }

  @Test(.promise(288, 382)) func asynchronousTransactionsReadAndWrite() async throws {
    let id = try await store.runInTransaction { [store] _ in
      try store.box(for: Setting.self).put(Setting("a", 5))
    }
    let read = try await store.runInReadOnlyTransaction { [store] _ in
      try store.box(for: Setting.self).all()
    }
    #expect(read.map(\.id) == [id])
    await #expect(throws: Stop.self) {
      try await store.runInTransaction { [store] _ in
        try store.box(for: Setting.self).removeAll()
        throw Stop()
      }
    }
    #expect(try box.count() == 1)
  }

  @Test(.promise(49, 152)) func writersOnSeveralThreadsAreSerialized() async throws {
    let store = store
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<25 {
            try store.runInTransaction {
              let box = store.box(for: Customer.self)
              let count = try box.count()
              try box.put(Customer("\(count)"))
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(
      try store.box(for: Customer.self).all().map(\.name) == (0..<200).map { "\($0)" })
  }
}
