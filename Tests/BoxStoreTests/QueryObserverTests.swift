import BoxStore
import Dispatch
import Synchronization
import TestSupport
import Testing

/// Observers of queries, their links included.
struct QueryObserverTests {
  private let store: Store
  private let queue = DispatchQueue(label: "query-observer-tests")

  init() throws { store = try SampleStore.inMemory() }

  private var customers: Box<Customer> { store.box() }
  private var orders: Box<Order> { store.box() }

  @Test(.promise(99)) func resultsComeAtFirstAndAfterCommitsInTheOrderOfTheQuery() async throws {
    try customers.put([Customer("B"), Customer("A"), Customer("x")])
    let query = try customers.query { Customer.name != "x" }
      .ordered(by: Customer.name, flags: .descending).build()
    let log = CallLog<[String]>()
    let observer = query.subscribe(dispatchQueue: queue) { (found: [Customer], error) in
      #expect(error == nil)
      log.append(found.map(\.name))
    }
    #expect(await log.wait(for: 1))
    try customers.put(Customer("C"))
    #expect(await log.wait(for: 2))
    // A commit of the entity calls, whether or not it changes the results.
    try customers.put(Customer("x"))
    #expect(await log.wait(for: 3))
    // Another entity does not.
    try store.box().put(Setting("a"))
    try await Task.sleep(for: .milliseconds(50))
    observer.unsubscribe()
    try customers.put(Customer("D"))
    try await Task.sleep(for: .milliseconds(50))
    #expect(log.all == [["B", "A"], ["C", "B", "A"], ["C", "B", "A"]])
  }

  @Test func flagsWorkAsInBoxes() async throws {
    try customers.put(Customer("A"))
    let query = try customers.query { Customer.name == "A" }.build()
    let (once, changes) = (CallLog<Int>(), CallLog<Int>())
    _ = query.subscribeContiguous(
      dispatchQueue: queue, flags: [.sendInitial, .dontSubscribe]
    ) { (found: ContiguousArray<Customer>, _) in once.append(found.count) }
    let observer = query.subscribe(dispatchQueue: queue, flags: []) { changes.append(1) }
    #expect(await once.wait(for: 1))
    try customers.put(Customer("A"))
    #expect(await changes.wait(for: 1))
    try await Task.sleep(for: .milliseconds(50))
    #expect(once.all == [1])
    #expect(changes.all == [1])
    withExtendedLifetime(observer) {}
  }

  @Test func aCommitAtTheOtherEndOfALinkCalls() async throws {
    let (ada, bob) = (Customer("Ada"), Customer("Bob"))
    try orders.put([Order("1", of: ada), Order("2", of: bob)])
    let query = try orders.query().link(Order.customer) { Customer.name == "Ada" }.build()
    let log = CallLog<[Id]>()
    let observer = query.subscribe(dispatchQueue: queue) { (found: [Order], _) in
      log.append(found.map(\.id))
    }
    #expect(await log.wait(for: 1))
    bob.name = "Ada"
    try customers.put(bob)
    #expect(await log.wait(for: 2))
    try customers.remove(ada)
    #expect(await log.wait(for: 3))
    #expect(log.all == [[1], [1, 2], [2]])
    withExtendedLifetime(observer) {}
  }

  @Test func relationsAndNestedLinksAreObservedToo() async throws {
    let (students, teachers) = (store.box(for: Student.self), store.box(for: Teacher.self))
    let (ann, bob, kim) = (Student("Ann"), Student("Bob"), Teacher("Kim"))
    ann.teachers.append(kim)
    try students.put([ann, bob])
    // Students who share a teacher with Ann.
    let query = try students.query().link(Student.teachers) {
      .link(Teacher.students) { Student.name == "Ann" }
    }.build()
    let log = CallLog<[String]>()
    let observer = query.subscribe(dispatchQueue: queue) { (found: [Student], _) in
      log.append(found.map(\.name))
    }
    #expect(await log.wait(for: 1))
    // Only the relation changes, from its other side.
    kim.students.append(bob)
    try kim.students.applyToDb()
    #expect(await log.wait { $0.last == ["Ann", "Bob"] })
    try teachers.remove(kim)
    #expect(await log.wait { $0.last == [] })
    withExtendedLifetime(observer) {}
  }

  @Test func aConditionFromATextIsFollowedToItsLinks() async throws {
    try orders.put(Order("1", of: Customer("Ada")))
    let ofBob = try QueryCondition<Order>(parsing: "any(customer, name == 'Bob')")
    let query = try orders.query { ofBob }.build()
    let log = CallLog<Int>()
    let observer = query.subscribe(dispatchQueue: queue) { (found: [Order], _) in
      log.append(found.count)
    }
    #expect(await log.wait(for: 1))
    let customer = try #require(try customers.get(1))
    customer.name = "Bob"
    try customers.put(customer)
    #expect(await log.wait(for: 2))
    #expect(log.all == [0, 1])
    withExtendedLifetime(observer) {}
  }

  @Test func valuesThatAreSetHoldForTheNextCall() async throws {
    try customers.put([Customer("A"), Customer("B")])
    let query = try customers.query { Customer.name == "A" }.build()
    let log = CallLog<[Id]>()
    let observer = query.subscribe(dispatchQueue: queue) { (found: [Customer], _) in
      log.append(found.map(\.id))
    }
    #expect(await log.wait(for: 1))
    query.setParameter(Customer.name, to: "B")
    try await Task.sleep(for: .milliseconds(50))
    try customers.put(Customer("C"))
    #expect(await log.wait(for: 2))
    #expect(log.all == [[1], [2]])
    withExtendedLifetime(observer) {}
  }

  /// A handler that writes what it observes ends when it has nothing more to write.
  @Test func aHandlerMayWriteToWhatItObserves() async throws {
    let query = try customers.query { Customer.name == "raw" }.build()
    let log = CallLog<Int>()
    let box = customers
    let observer = query.subscribe(dispatchQueue: queue) { (found: [Customer], _) in
      log.append(found.count)
      for customer in found { customer.name = "done" }
      _ = try? box.put(found)
    }
    #expect(await log.wait(for: 1))
    try box.put([Customer("raw"), Customer("raw")])
    #expect(await log.wait { $0.suffix(2) == [2, 0] })
    try await Task.sleep(for: .milliseconds(50))
    #expect(log.all == [0, 2, 0])
    #expect(try box.all().map(\.name) == ["done", "done"])
    withExtendedLifetime(observer) {}
  }

  /// Commits and other observers do not wait for it, and it is called once for all that it missed.
  @Test func aHandlerThatBlocksHoldsUpNobody() async throws {
    let query = try customers.query { Customer.name != "" }.build()
    let gate = DispatchSemaphore(value: 0)
    let (slow, quick) = (CallLog<Int>(), CallLog<Int>())
    let blocked = query.subscribe(
      dispatchQueue: DispatchQueue(label: "blocked", attributes: .concurrent)
    ) { (found: [Customer], _) in
      slow.append(found.count)
      gate.wait()
    }
    let observer = query.subscribe(dispatchQueue: queue) { (found: [Customer], _) in
      quick.append(found.count)
    }
    #expect(await slow.wait(for: 1))
    for number in 0..<100 { try customers.put(Customer("\(number)")) }
    #expect(await quick.wait { $0.last == 100 })
    #expect(slow.all == [0])
    gate.signal()
    #expect(await slow.wait(for: 2))
    gate.signal()
    try await Task.sleep(for: .milliseconds(50))
    #expect(slow.all == [0, 100])
    blocked.unsubscribe()
    withExtendedLifetime(observer) {}
  }

  /// On a queue that runs several blocks at a time too.
  @Test(.promise(99, 372), arguments: [false, true])
  func noUpdateIsLostAndNoneIsOlderThanTheOneBefore(onAConcurrentQueue isConcurrent: Bool)
    async throws
  {
    let queue = DispatchQueue(label: "law", attributes: isConcurrent ? .concurrent : [])
    let query = try customers.query { Customer.name != "" }.build()
    for _ in 0..<20 {
      try customers.removeAll()
      let box = customers
      async let writing: Void = withThrowingTaskGroup { group in
        for _ in 0..<3 {
          group.addTask { for name in 0..<20 { try box.put(Customer("\(name)")) } }
        }
        try await group.waitForAll()
      }
      let log = CallLog<Int>()
      let isCalled = Atomic<Bool>(false)
      let observer = query.subscribe(dispatchQueue: queue) { (found: [Customer], _) in
        let wasCalled = isCalled.exchange(true, ordering: .acquiringAndReleasing)
        #expect(!wasCalled)
        log.append(found.count)
        isCalled.store(false, ordering: .releasing)
      }
      try await writing
      #expect(await log.wait { $0.last == 60 })
      #expect(log.all == Set(log.all).sorted())
      observer.unsubscribe()
    }
  }

  @Test func unsubscribingEndsTheCallsAndReleasesWhatTheyHold() async throws {
    final class Token: Sendable {}
    let query = try customers.query { Customer.name == "A" }.build()
    let log = CallLog<Int>()
    weak var released: Token?
    do {
      let token = Token()
      released = token
      let observer = query.subscribe(dispatchQueue: queue) {
        log.append(1)
        withExtendedLifetime(token) {}
      }
      #expect(await log.wait(for: 1))
      observer.unsubscribe()
    }
    // The commits before are delivered.
    for _ in 0..<500 where released != nil { try await Task.sleep(for: .milliseconds(10)) }
    #expect(released == nil)
    try customers.put(Customer("A"))
    try await Task.sleep(for: .milliseconds(50))
    #expect(log.all == [1])
  }

  // MARK: - Sequences

  @Test func aSequenceHasTheResultsOfEachState() async throws {
    try customers.put(Customer("A"))
    let query = try customers.query { Customer.name.startsWith("A") }.build()
    var names: [[String]] = []
    for try await found in query.results {
      names.append(found.map(\.name))
      if found.count == 2 { break }
      try customers.put([Customer("A2"), Customer("B")])
    }
    #expect(names == [["A"], ["A", "A2"]])
  }

  @Test func aSequenceEndsWithItsTaskAndWithTheStore() async throws {
    let query = try customers.query { Customer.name != "" }.build()
    let log = CallLog<Int>()
    let (task, other) = (watch(query, log), watch(query, log))
    #expect(await log.wait(for: 2))
    task.cancel()
    try await task.value
    let changes = customers.changes
    store.close()
    // Neither waits for ever, nor is the end a failure.
    try await other.value
    for await _ in changes {}
    #expect(log.all == [0, 0])
    // A store that is closed already cannot be read.
    await #expect(throws: ObjectBoxError.self) { for try await _ in query.results {} }
  }

  private func watch(_ query: Query<Customer>, _ log: CallLog<Int>) -> Task<Void, any Error> {
    Task.detached { for try await found in query.results { log.append(found.count) } }
  }
}
