import BoxStore
import Dispatch
import Synchronization
import TestSupport
import Testing

struct AsyncBoxTests {
  private let store: Store
  private let box: Box<Customer>

  init() throws {
    store = try SampleStore.inMemory()
    box = store.box()
  }

  @Test(.promise(100)) func idsAreGivenAtOnceAndObjectsAreThereAfterwards() throws {
    let customer = Customer("Ada")
    let id = try box.async.put(customer)
    #expect(customer.id == id.value)
    customer.name = "later"
    #expect(store.awaitAsyncCompleted())
    #expect(try box.get(id)?.name == "Ada")
    let ids = try box.async.put([Customer("B"), Customer("C")])
    #expect(try box.async.put(ContiguousArray([Customer("D")])).count == 1)
    #expect(store.awaitAsyncSubmitted())
    #expect(try box.get(ids).map(\.name) == ["B", "C"])
    #expect(try box.count() == 4)
    try box.async.remove(ids[0])
    try box.async.remove(customer)
    #expect(store.awaitAsyncCompleted())
    #expect(try box.all().map(\.name) == ["C", "D"])
  }

  @Test func idsDifferFromIdsOfConcurrentTransactions() async throws {
    let (store, box) = (store, box)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for thread in 0..<6 {
        group.addTask {
          for _ in 0..<200 {
            if thread % 2 == 0 {
              _ = try box.async.put(Customer("async"))
            } else {
              _ = try box.put(Customer("sync"))
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(store.awaitAsyncCompleted())
    #expect(try box.count() == 1200)
    #expect(try box.all().count { $0.name == "async" } == 600)
  }

  @Test(.promise(100, 330)) func failuresAreReportedAndLeaveTheOthers() throws {
    let errors = Mutex<[String]>([])
    store.onAsyncFailure { error in errors.withLock { $0.append(caseName(error)) } }
    let books = store.box(for: Book.self)
    for isbn in ["1", "1", "2"] {
      let book = Book(isbn)
      book.isbn = isbn
      try books.async.put(book)
    }
    #expect(!store.awaitAsyncCompleted())
    #expect(store.awaitAsyncCompleted())
    #expect(errors.withLock { $0 } == ["uniqueViolation"])
    #expect(try books.all().map(\.title) == ["1", "2"])
    #expect(thrownCase { try box.async.put(Customer("A"), mode: .update) } == "notFound")
    let never = Customer("A")
    never.id = 99
    try box.async.put(never)
    #expect(!store.awaitAsyncCompleted())
    #expect(errors.withLock { $0 } == ["uniqueViolation", "illegalArgument"])
  }

  @Test func aNewTargetIsPutAtTheCall() throws {
    let customer = Customer("A")
    let order = Order("1", of: customer)
    try store.box(for: Order.self).async.put(order)
    #expect(customer.id != 0)
    #expect(try box.count() == 1)
    #expect(store.awaitAsyncCompleted())
    #expect(try store.box(for: Order.self).get(order.id)?.customer.target?.name == "A")
  }

  @Test func aTargetOfAnUndoneTransactionIsPut() throws {
    struct Stop: Error {}
    let customer = Customer("A")
    #expect(throws: Stop.self) {
      try store.runInTransaction {
        try box.put(customer)
        throw Stop()
      }
    }
    let order = Order("1", of: customer)
    try store.box(for: Order.self).async.put(order)
    #expect(store.awaitAsyncCompleted())
    #expect(try box.all().map(\.name) == ["A"])
    #expect(try store.box(for: Order.self).get(order.id)?.customer.target?.name == "A")
  }

  @Test func aCallThatThrowsPutsNoTarget() throws {
    let orders = store.box(for: Order.self)
    // Inside of a transaction too, which goes on.
    for isJoined in [false, true] {
      let pair = [Order("1", of: Customer("A")), Order("2", of: Customer("B"))]
      pair[1].id = 1 << 63
      let put = { #expect(thrownCase { try orders.async.put(pair) } == "illegalArgument") }
      if isJoined { try store.runInTransaction { put() } } else { put() }
      #expect(try box.isEmpty())
      #expect(pair[0].id == 0)
    }
  }

  @Test(arguments: [false, true])
  func anIdWhosePutFailedIsNobodyElses(_ isOpenedAgain: Bool) throws {
    let directory = try TemporaryDirectory()
    var store = try SampleStore.open(directory)
    let lost = Book("lost")
    do {
      let books = store.box(for: Book.self)
      let taken = Book("taken")
      taken.isbn = "1"
      try books.put(taken)
      lost.isbn = "1"
      try books.async.put([Book("also lost"), lost])
      #expect(!store.awaitAsyncCompleted())
    }
    if isOpenedAgain {
      store.close()
      store = try SampleStore.open(directory)
    }
    let books = store.box(for: Book.self)
    try books.put(Book("other"))
    lost.isbn = nil
    try books.put(lost)
    #expect(try books.all().map(\.title).sorted() == ["lost", "other", "taken"])
  }

  @Test func nothingIsTakenByAClosedStoreOrAwaitedInATransaction() throws {
    let isAwaited = try store.runInTransaction { store.awaitAsyncSubmitted() }
    #expect(!isAwaited)
    store.close()
    #expect(thrownCase { try box.async.put(Customer("A")) } == "illegalState")
    #expect(!store.awaitAsyncCompleted())
  }

  @Test func whatWaitsIsStoredBeforeTheStoreIsClosed() throws {
    let directory = try TemporaryDirectory()
    let failures = Mutex(0)
    do {
      let store = try SampleStore.open(directory)
      store.onAsyncFailure { _ in failures.withLock { $0 += 1 } }
      for number in 0..<3000 { try store.box(for: Customer.self).async.put(Customer("\(number)")) }
      store.close()
    }
    #expect(failures.withLock { $0 } == 0)
    #expect(try SampleStore.open(directory).box(for: Customer.self).count() == 3000)
  }

  /// A wait for itself would have no end.
  @Test func aHandlerOfFailuresCanCloseTheStore() throws {
    let store = try SampleStore.inMemory()
    let closed = DispatchSemaphore(value: 0)
    store.onAsyncFailure { [weak store] _ in
      store?.close()
      closed.signal()
    }
    let never = Customer("A")
    never.id = 1000
    try store.box().async.put(never)
    for _ in 0..<100 { _ = try? store.box(for: Customer.self).async.put(Customer("B")) }
    closed.wait()
    #expect(store.isClosed)
  }
}
