import BoxStore
import Dispatch
import Synchronization
import TestSupport
import Testing

/// An app with a screen: objects are loaded in the background, shown elsewhere, and observed.
struct ScreenProgramTests {
  private let store: Store
  private let customers: Box<Customer>
  private let orders: Box<Order>

  init() throws {
    store = try SampleStore.inMemory()
    customers = store.box()
    orders = store.box()
  }

  @MainActor final class Screen {
    var customers: [Customer] = []
    var lines: [String] = []

    func load(_ store: Store) async throws {
      customers = try await store.runInReadOnlyTransaction { _ in
        try store.box(for: Customer.self).query().ordered(by: Customer.name).build().find()
      }
    }

    /// Shows what the relations of loaded objects have, which are read here and now.
    func show() {
      lines = customers.map { customer in
        customer.name + ": " + customer.orders.map { $0.summary ?? "-" }.joined(separator: ", ")
      }
    }
  }

  @Test func relationsLoadWhereTheyAreShown() async throws {
    try await store.runInTransaction { _ in
      for name in ["Bob", "ada"] {
        let customer = Customer(name)
        try orders.put((1...3).map { Order("\(name)\($0)", of: customer) })
      }
    }
    let screen = await Screen()
    try await screen.load(store)
    await screen.show()
    #expect(await screen.lines == ["ada: ada1, ada2, ada3", "Bob: Bob1, Bob2, Bob3"])
    // What was shown is kept, and the store can change below it.
    try orders.query { Order.summary.startsWith("ada") }.build().remove()
    await screen.show()
    #expect(await screen.lines.first == "ada: ada1, ada2, ada3")
    try await screen.load(store)
    await screen.show()
    #expect(await screen.lines.first == "ada: ")
  }

  @Test(.promise(362)) func manyThreadsLoadOneRelationOnce() throws {
    let customer = Customer("Ada")
    try orders.put((0..<200).map { Order("\($0)", of: customer) })
    for _ in 0..<20 {
      nonisolated(unsafe) let read = try #require(try customers.get(customer.id))
      nonisolated(unsafe) let order = try #require(try orders.get(1))
      let seen = Mutex<Set<ObjectIdentifier>>([])
      DispatchQueue.concurrentPerform(iterations: 8) { _ in
        let firsts = [read.orders[0], read.orders.first { $0.summary == "0" } ?? Order()]
        let target = order.customer.target ?? Customer()
        seen.withLock { seen in
          seen.formUnion(firsts.map { ObjectIdentifier($0) })
          seen.insert(ObjectIdentifier(target))
        }
      }
      // One order and one customer, whoever came first.
      #expect(seen.withLock { $0.count } == 2)
      #expect(read.orders.count == 200)
    }
  }

  @Test(.promise(372)) func aListThatIsObservedHasTheStateOfTheStoreAtLast() async throws {
    let log = CallLog<[String]>()
    let queue = DispatchQueue(label: "screen")
    let query = try orders.query { Order.summary.isNotNil() }
      .link(Order.customer) { Customer.name == "Ada" }.ordered(by: Order.summary).build()
    let observer = query.subscribe(dispatchQueue: queue) { (orders: [Order], _: ObjectBoxError?) in
      log.append(orders.compactMap(\.summary))
    }
    #expect(await log.wait(for: 1))
    let ada = Customer("Ada")
    let bob = Customer("Bob")
    // In a nested transaction, later, by a relation, by the other end of it, and by what is undone.
    try store.runInTransaction {
      try orders.put(Order("b", of: ada))
      try store.runInTransaction { try orders.put(Order("a", of: bob)) }
    }
    _ = try orders.async.put(Order("c", of: ada))
    #expect(store.awaitAsyncCompleted())
    ada.orders.append(try #require(try orders.get(2)))
    try ada.orders.applyToDb()
    struct Stop: Error {}
    try? store.runInTransaction {
      try orders.removeAll()
      throw Stop()
    }
    bob.name = "Ada"
    try customers.put(bob)
    try orders.put(Order("d", of: bob))
    let expected = try query.find().compactMap(\.summary)
    #expect(expected == ["a", "b", "c", "d"])
    for _ in 0..<200 where log.all.last != expected { try await Task.sleep(for: .milliseconds(10)) }
    #expect(log.all.last == expected)
    #expect(log.all.first == [])
    #expect(!log.all.dropFirst().contains([]))
    observer.unsubscribe()
  }

  @Test func aSequenceIsLeftAndBegunAgain() async throws {
    for count in 0..<3 {
      for try await all in customers.results {
        #expect(all.count == count)
        break
      }
      try customers.put(Customer("\(count)"))
    }
  }
}
