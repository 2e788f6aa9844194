import BoxStore
import Dispatch
import Synchronization
import TestSupport
import Testing

struct ObserverTests {
  private let store: Store
  private let box: Box<Customer>
  private let queue = DispatchQueue(label: "observer-tests")

  init() throws {
    store = try SampleStore.inMemory()
    box = store.box()
  }

  @Test(.promise(99)) func aChangeHandlerIsCalledAtFirstAndForEachCommit() async throws {
    let log = CallLog<Int>()
    let observer = box.subscribe(dispatchQueue: queue) { log.append(1) }
    #expect(await log.wait(for: 1))
    try box.put(Customer("A"))
    #expect(await log.wait(for: 2))
    try box.removeAll()
    #expect(await log.wait(for: 3))
    // Another entity, and a transaction that is undone.
    try store.box().put(Setting("a"))
    struct Stop: Error {}
    try? store.runInTransaction {
      try box.put(Customer("B"))
      throw Stop()
    }
    observer.unsubscribe()
    observer.unsubscribe()
    try box.put(Customer("C"))
    try await Task.sleep(for: .milliseconds(50))
    #expect(log.all.count == 3)
  }

  @Test func resultsAreTheObjectsOfOneState() async throws {
    let log = CallLog<[String]>()
    try box.put(Customer("A"))
    let observer = box.subscribe(dispatchQueue: queue) { (customers: [Customer], error) in
      #expect(error == nil)
      log.append(customers.map(\.name))
    }
    #expect(await log.wait(for: 1))
    for name in ["B", "C", "D"] { try box.put(Customer(name)) }
    for _ in 0..<500 where log.all.last?.count != 4 {
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(log.all.last == ["A", "B", "C", "D"])
    // No state comes twice, and none is older than the one before.
    #expect(log.all.map(\.count) == Set(log.all.map(\.count)).sorted())
    withExtendedLifetime(observer) {}
  }

  @Test func withoutSubscribingItIsCalledOnce() async throws {
    let log = CallLog<Int>()
    _ = box.subscribe(dispatchQueue: queue, flags: [.sendInitial, .dontSubscribe]) { log.append(1) }
    #expect(await log.wait(for: 1))
    try box.put(Customer("A"))
    try await Task.sleep(for: .milliseconds(50))
    #expect(log.all.count == 1)
  }

  @Test(.promise(372)) func aHandlerMayWriteAndUnsubscribe() async throws {
    let log = CallLog<Int>()
    let kept = Mutex<Observer?>(nil)
    let (store, box) = (store, box)
    let observer = box.subscribe(dispatchQueue: queue, flags: []) {
      log.append((try? box.count()) ?? -1)
      kept.withLock { $0 }?.unsubscribe()
      _ = try? store.box(for: Setting.self).put(Setting("seen"))
    }
    kept.withLock { $0 = observer }
    try box.put(Customer("A"))
    #expect(await log.wait(for: 1))
    try box.put(Customer("B"))
    try await Task.sleep(for: .milliseconds(50))
    #expect(log.all.count == 1)
    #expect(try store.box(for: Setting.self).count() == 1)
  }

  @Test(.promise(372)) func nothingIsLostOrToldTwiceBesideAWriter() async throws {
    for _ in 0..<20 {
      let (store, box) = (store, box)
      try box.removeAll()
      async let writing: Void = Task.detached {
        for name in 0..<20 {
          try store.runInTransaction { _ = try box.put(Customer("\(name)")) }
        }
      }.value
      let log = CallLog<Int>()
      let observer = box.subscribe(dispatchQueue: queue) { (customers: [Customer], _) in
        log.append(customers.count)
      }
      try await writing
      for _ in 0..<500 where log.all.last != 20 { try await Task.sleep(for: .milliseconds(5)) }
      #expect(log.all.last == 20)
      #expect(log.all == Set(log.all).sorted())
      observer.unsubscribe()
    }
  }

  @Test func aSequenceOfChangesHasTheIDsOfEachCommit() async throws {
    let changes = box.changes
    try store.runInTransaction {
      let (a, b) = (Customer("A"), Customer("B"))
      try box.put([a, b])
      a.name = "C"
      try box.put(a)
      try box.remove(b)
    }
    try box.removeAll()
    var iterator = changes.makeAsyncIterator()
    #expect(await iterator.next() == [1])
    #expect(await iterator.next() == [1])
  }

  @Test func aSequenceOfResultsBeginsWithTheObjects() async throws {
    try box.put(Customer("A"))
    var counts: [Int] = []
    for try await customers in box.results {
      counts.append(customers.count)
      if customers.count == 2 { break }
      try box.put(Customer("B"))
    }
    #expect(counts == [1, 2])
  }

  @Test func resultsThatCannotBeReadComeAsAnError() async throws {
    let log = CallLog<String>()
    store.close()
    let observer = box.subscribe(dispatchQueue: queue) { (customers: [Customer], error) in
      log.append("\(customers.count) \(error.map(caseName) ?? "none")")
    }
    #expect(await log.wait(for: 1))
    #expect(log.all == ["0 illegalState"])
    withExtendedLifetime(observer) {}
  }
}
