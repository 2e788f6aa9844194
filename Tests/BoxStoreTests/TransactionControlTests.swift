import BoxStore
import Dispatch
import TestSupport
import Testing

/// Cancellation, changes and the committed state of transactions.
struct TransactionControlTests {
  private let store: Store
  private let box: Box<Setting>

  init() throws {
    store = try SampleStore.inMemory()
    box = store.box()
    try box.put([Setting("a", 1), Setting("b", 2)])
  }

  // MARK: - Cancelling

  /// CoreStore commits here.
  @Test(.promise(383)) func aSwallowedCancellationRollsBackToo() async throws {
    #expect(throws: CancellationError.self) {
      try store.runInTransaction { (transaction: Transaction) in
        try box.put(Setting("c"))
        try? transaction.cancel()
        try box.put(Setting("d"))
      }
    }
    #expect(throws: CancellationError.self) {
      try store.runInTransaction {
        try box.put(Setting("c"))
        try? store.runInTransaction { (transaction: Transaction) in try? transaction.cancel() }
      }
    }
    await #expect(throws: CancellationError.self) {
      try await store.runInTransaction { [box] transaction in
        try box.put(Setting("c"))
        try? transaction.cancel()
      }
    }
    #expect(try box.count() == 2)
  }

  @Test(.promise(290)) func aCancelledCallDoesNotDisturbThoseThatShareItsCommit() async throws {
    let kept = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<40 {
        group.addTask { [store, box] in
          do {
            return try await store.runInTransaction { transaction in
              #expect(!transaction.hasChanges)
              try box.put(Setting("\(number)"))
              if number % 2 == 1 { try? transaction.cancel() }
              return transaction.hasChanges
            }
          } catch is CancellationError {
            return false
          }
        }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(kept == 20)
    #expect(try box.count() == 22)
  }

  // MARK: - Changes

  @Test(.promise(292, 382)) func changesAreListedByTheirKinds() throws {
    try store.runInTransaction { transaction in
      #expect(transaction.changes(of: Setting.self).isEmpty)
      let added = Setting("c")
      try box.put(added)
      try box.put(Setting("b", 5, id: 2))
      try box.remove(1 as Id)
      try box.remove(try box.put(Setting("d")))
      try store.box().put(Customer("A"))
      let changes = transaction.changes(of: Setting.self)
      #expect(changes.inserted == [3] && changes.updated == [2] && changes.removed == [1])
      #expect(transaction.changes(of: Customer.self).inserted == [1])
      #expect(transaction.changes(of: Order.self).isEmpty)
      // Those of a nested call alone.
      try store.runInTransaction { nested in
        #expect(nested.changes(of: Setting.self).isEmpty)
        try box.removeAll()
        #expect(nested.changes(of: Setting.self).removed == [2, 3])
      }
      #expect(transaction.changes(of: Setting.self).removed.count == 2)
    }
    try store.runInReadOnlyTransaction { (transaction: Transaction) in
      #expect(transaction.changes(of: Setting.self).isEmpty)
    }
  }

  @Test func aNestedCallSeesTheLinksOfAnObjectThatWasLinkedBefore() throws {
    let (students, teachers): (Box<Student>, Box<Teacher>) = (store.box(), store.box())
    try teachers.put([Teacher("x"), Teacher("y")])
    try students.put(Student("s"))
    let student = try #require(try students.get(1 as Id))
    func link(_ id: Id) throws {
      student.teachers.append(try #require(try teachers.get(id)))
      try student.teachers.applyToDb()
    }
    try store.runInTransaction { (_: Transaction) in
      try link(1)
      try store.runInTransaction { nested in
        try link(2)
        #expect(nested.changes(of: Student.self).updated == [1])
      }
    }
  }

  /// The changes that a transaction notes for itself are only a part of what it changed.
  @Test func anObserverGetsNoPartOfARunningTransaction() async throws {
    let changes = try store.runInTransaction {
      try box.put(Setting("c"))
      let changes = box.changes
      try store.runInTransaction { (nested: Transaction) in
        try box.put(Setting("d"))
        #expect(nested.changes(of: Setting.self).inserted == [4])
      }
      return changes
    }
    try box.put(Setting("e"))
    var iterator = changes.makeAsyncIterator()
    #expect(await iterator.next() == [])
    #expect(await iterator.next() == [5])
  }

  // MARK: - The committed state

  @Test(.promise(313, 323)) func theCommittedStateIsReadBesideAnOpenWrite() throws {
    try store.runInTransaction {
      try box.put(Setting("c"))
      try box.remove(1 as Id)
      let (committed, current) = try (
        store.runInReadOnlyTransaction(.committed) { try box.all().map(\.id) },
        store.runInReadOnlyTransaction(.current) { try box.all().map(\.id) }
      )
      #expect(committed == [1, 2] && current == [2, 3])
      let query = try box.query().build()
      #expect(
        try store.runInReadOnlyTransaction(.committed) {
          try query.select(.sum(Setting.count)).findFirst()
        } == 3)
      #expect(
        thrownCase {
          try store.runInReadOnlyTransaction(.committed) { _ = try box.put(Setting("d")) }
        } == "cannotWriteWhileReading")
      try box.put(Setting("e"))
    }
    #expect(try box.all().map(\.id) == [2, 3, 4])
    #expect(try store.runInReadOnlyTransaction(.committed) { try box.count() } == 3)
  }

  // MARK: - Completions

  @Test(.promise(288, 382)) func completionsGetTheValueOrTheErrorInOrder() async throws {
    let queue = DispatchQueue(label: "transaction-control-tests")
    let log = CallLog<String>()
    for number in 0..<5 {
      store.runInTransaction(
        { [box] transaction in
          try box.put(Setting("\(number)"))
          if number == 2 { try transaction.cancel() }
          return try box.count()
        }, completionQueue: queue
      ) { result in
        log.append((try? result.get()).map { "\($0)" } ?? "cancelled")
      }
    }
    #expect(await log.wait(for: 5))
    #expect(log.all == ["3", "4", "cancelled", "5", "6"])
    store.close()
    store.runInTransaction({ _ in 1 }, completionQueue: queue) { result in
      log.append(thrownCase { _ = try result.get() } ?? "none")
    }
    #expect(await log.wait(for: 6))
    #expect(log.all.last == "illegalState")
  }

  // MARK: - Objects

  @Test(.promise(301, 386)) func objectsAreReadAgain() throws {
    let all = try box.all()
    try box.put(Setting("a", 9, id: 1))
    try box.remove(2 as Id)
    #expect(try box.refreshed(all[0])?.count == 9)
    #expect(try box.refreshed(all[1]) == nil)
    #expect(try box.refreshed(Setting("new")) == nil)
    #expect(try box.refreshed(all).map(\.id) == [1])
    #expect(try box.getExisting([2, 1] as [Id]).map(\.id) == [1])
  }

  @Test(.promise(293)) func removingNilRemovesNothing() throws {
    #expect(try !box.remove(nil))
    #expect(try box.remove(try box.get(1 as Id)))
    #expect(try !box.remove(try box.get(1 as Id)))
    #expect(try box.count() == 1)
  }
}
