import BoxStore
import Dispatch
import Synchronization
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Eight threads that put, read, query and observe one store; `scripts/test --sanitize thread` runs it
/// for 20 seconds.
struct StoreThreadsTests {
  /// The work of the threads, and what they count.
  private final class Bench: Sendable {
    let store: Store
    let orders: Box<Order>
    let customers: Box<Customer>
    let settings: Box<Setting>
    /// Shared by all threads, which change its value.
    let byName: Query<Order>
    private let end: Int
    let commits = Atomic<Int>(0)
    let looks = Atomic<Int>(0)

    init(_ store: Store, seconds: Int) throws {
      self.store = store
      orders = store.box()
      customers = store.box()
      settings = store.box()
      byName = try orders.query { Order.summary != "" }
        .link(Order.customer) { "name" .= Customer.name == "0" }.build()
      end = time(nil) + seconds
    }

    var isOver: Bool { time(nil) >= end }

    /// Counts a transaction up in the store, and changes objects with relations in it.
    func write(_ thread: Int, _ random: inout SplitMix64) throws {
      try store.runInTransaction {
        let number = Setting("commits", Int32(try count()) + 1)
        try settings.put(number)
        let customer = random.oneIn(3) ? nil : try customers.get(Id(1 + random.below(20)))
        try orders.put(Order("\(thread)", of: customer ?? Customer("\(random.below(4))")))
        try orders.remove(Id(1 + random.below(400)))
      }
      commits.add(1, ordering: .relaxed)
    }

    private func count() throws -> Int {
      let found = try settings.query { Setting.key == "commits" }.build().findUnique()
      return Int(found?.count ?? 0)
    }

    func putLater(_ random: inout SplitMix64) throws {
      let id = try customers.async.put(Customer("\(random.below(4))"))
      if random.oneIn(50) {
        #expect(store.awaitAsyncCompleted())
        #expect(try customers.contains(id.value))
      }
    }

    func read(_ random: inout SplitMix64) throws {
      try store.runInReadOnlyTransaction { () throws -> Void in
        let all = try orders.all()
        #expect(try orders.count() == all.count)
        for order in all.prefix(20) {
          // Customers are never removed, and an order is put with one.
          let customer = order.customer.target
          #expect(customer != nil)
          if random.oneIn(10) { #expect(customer?.orders.contains { $0.id == order.id } == true) }
        }
      }
      looks.add(1, ordering: .relaxed)
    }

    func ask(_ random: inout SplitMix64) throws {
      byName.setParameter("name", to: "\(random.below(4))")
      let found = try store.runInReadOnlyTransaction { () throws -> [Order] in
        let found = try byName.find()
        let names = Set(found.compactMap { $0.customer.target?.name })
        #expect(names.count <= 1)
        #expect(try orders.query().build().count() >= found.count)
        return found
      }
      #expect(
        try customers.query().link(Customer.orders) { Order.summary == "0" }.build().find()
          .allSatisfy { $0.id > 0 })
      looks.add(found.isEmpty ? 0 : 1, ordering: .relaxed)
    }

    /// Observes for a moment; what an observer sees never gets older.
    func observe(_ random: inout SplitMix64) throws {
      let seen = CallLog<Int>()
      let queue = DispatchQueue(label: "observer", attributes: .concurrent)
      let query = try settings.query { Setting.key == "commits" }.build()
      let observer = query.subscribe(dispatchQueue: queue) { (found: [Setting], error) in
        #expect(error == nil)
        seen.append(Int(found.first?.count ?? 0))
      }
      let other = orders.subscribe(dispatchQueue: queue) { [self] in
        looks.add(1, ordering: .relaxed)
      }
      usleep(UInt32(random.below(5000)))
      if random.oneIn(2) { observer.unsubscribe() }
      let all = seen.all
      #expect(all == all.sorted())
      withExtendedLifetime((observer, other)) {}
    }
  }

  @Test(.promise(33, 152)) func eightThreadsPutReadQueryAndObserve() async throws {
    let seconds = TestSeed.count("BOXJOINT_SOAK_API_SECONDS", default: 2)
    let bench = try Bench(SampleStore.inMemory(), seconds: seconds)
    let last = CallLog<Int>()
    let watching = Task.detached {
      let query = try bench.settings.query { Setting.key == "commits" }.build()
      for try await found in query.results {
        last.append(Int(found.first?.count ?? 0))
      }
    }
    let threads = DispatchGroup()
    let failures = CallLog<String>()
    for thread in 0..<8 {
      // A queue of its own is a thread of its own, other than a task.
      DispatchQueue(label: "thread-\(thread)").async(group: threads) {
        var random = SplitMix64(seed: UInt64(thread))
        do {
          while !bench.isOver {
            switch thread {
            case 0, 1: try bench.write(thread, &random)
            case 2: try bench.putLater(&random)
            case 3, 4: try bench.read(&random)
            case 5, 6: try bench.ask(&random)
            default: try bench.observe(&random)
            }
          }
        } catch { failures.append("\(thread): \(error)") }
      }
    }
    await withCheckedContinuation { done in threads.notify(queue: .global()) { done.resume() } }
    #expect(failures.all == [])
    let commits = bench.commits.load(ordering: .relaxed)
    #expect(commits > 0)
    #expect(bench.looks.load(ordering: .relaxed) > 0)
    // The counter in the store lost no transaction, and the sequence ends with its last value.
    #expect(await last.wait { $0.last == commits })
    #expect(last.all == last.all.sorted())
    bench.store.close()
    try await watching.value
  }
}
