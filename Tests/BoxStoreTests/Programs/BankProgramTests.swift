import BoxStore
import Dispatch
import TestSupport
import Testing

/// A bank: transfers in transactions inside of transactions, which are all or nothing.
struct BankProgramTests {
  private let accounts: Box<Person>
  private var store: Store { accounts.store }

  init() throws { accounts = try QueryStore.people(ages: 100, 50, 0) }

  struct Overdrawn: Error {}

  private func transfer(_ amount: Int, from: Id, to: Id) throws {
    try store.runInTransaction {
      guard let source = try accounts.get(from), let target = try accounts.get(to) else {
        throw ObjectBoxError.notFound(message: "no such account")
      }
      source.age -= amount
      target.age += amount
      try accounts.put([source, target])
      if source.age < 0 { throw Overdrawn() }
    }
  }

  private func balances() throws -> [Int] { try accounts.all().map(\.age) }

  @Test func transfersAreWholeOrNothing() throws {
    try transfer(30, from: 1, to: 2)
    #expect(try balances() == [70, 80, 0])
    #expect(throws: Overdrawn.self) { try transfer(71, from: 1, to: 2) }
    #expect(try balances() == [70, 80, 0])
    // Several in one: the last fails, and takes the first with it.
    #expect(throws: Overdrawn.self) {
      try store.runInTransaction {
        try transfer(70, from: 1, to: 3)
        try transfer(81, from: 2, to: 3)
      }
    }
    #expect(try balances() == [70, 80, 0])
  }

  @Test func anErrorOfANestedTransactionThatIsCaughtEndsTheWhole() throws {
    var reached = false
    let failure = thrownCase {
      try store.runInTransaction {
        try transfer(70, from: 1, to: 3)
        do { try transfer(81, from: 2, to: 3) } catch is Overdrawn { reached = true }
        // What comes now is too late.
        try accounts.put(Person("Late", age: 1))
      }
    }
    #expect(reached)
    #expect(failure == "illegalState")
    #expect(try balances() == [100, 50, 0])
    #expect(try accounts.count() == 3)
  }

  @Test func aTransactionInAnyCallJoins() throws {
    // In a visitor, in a block that reads, with results of several types.
    try accounts.forEach(writable: true) { account in
      try store.runInTransaction {
        account.age += 1
        try accounts.put(account)
      }
    }
    #expect(try balances() == [101, 51, 1])
    let (sum, most): (Int64, Int) = try store.runInReadOnlyTransaction {
      let ages = try accounts.query().build().property(Person.age)
      return (try ages.sum(), try store.runInReadOnlyTransaction { try ages.max() })
    }
    #expect(sum == 153 && most == 101)
    // A read inside of a write sees what was written, and a write inside of a read is refused.
    try store.runInTransaction {
      try accounts.remove(3)
      let count = try store.runInReadOnlyTransaction { try accounts.count() }
      #expect(count == 2)
    }
    #expect(
      thrownCase {
        try store.runInReadOnlyTransaction {
          _ = try store.runInTransaction { try accounts.removeAll() }
        }
      } == "cannotWriteWhileReading")
    #expect(
      thrownCase { try store.runInReadOnlyTransaction { try accounts.forEach { _ = $0 } } } == nil)
    #expect(try accounts.count() == 2)
  }

  @Test func cancellingInsideEndsTheWholeAndLeavesTheStore() async throws {
    await #expect(throws: CancellationError.self) {
      try await store.runInTransaction { transaction in
        try accounts.put(Person("New", age: 1))
        #expect(transaction.hasChanges)
        try transaction.cancel()
      }
    }
    #expect(try balances() == [100, 50, 0])
    let id = try accounts.put(Person("Next", age: 2))
    #expect(try accounts.get(id)?.firstName == "Next")
  }

  @Test func transfersOfManyThreadsKeepTheSum() throws {
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for number in 0..<50 {
        let from = Id((thread + number) % 3 + 1)
        try? transfer(number % 40, from: from, to: from % 3 + 1)
      }
    }
    #expect(try balances().reduce(0, +) == 150)
    #expect(try balances().allSatisfy { $0 >= 0 })
  }
}
