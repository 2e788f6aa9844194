import BoxStore
import Dispatch
import Synchronization
import Testing

#if canImport(Combine)
  import Combine
#else
  import OpenCombine
#endif

/// Publishers of boxes and queries, by the rules of Combine.
struct PublisherTests {
  private let store: Store
  private let box: Box<Note>
  private static let count = Atomic<Int>(0)

  init() throws {
    let number = Self.count.add(1, ordering: .relaxed).newValue
    store = try Store(model: .notes, directory: "memory:publishers-\(number)")
    box = store.box()
  }

  /// A subscriber that asks for as many results as a test says, and logs its calls.
  private final class Reader: Subscriber, @unchecked Sendable {
    private struct State: @unchecked Sendable {
      var log: [String] = []
      var subscription: Kept?
      var isCalled = false
    }

    /// A subscription of BoxStore, which any thread can use.
    private struct Kept: @unchecked Sendable {
      let subscription: any Subscription
      init(_ subscription: any Subscription) { self.subscription = subscription }
    }

    private let first: Subscribers.Demand
    private let more: Subscribers.Demand
    private let state = Mutex(State())

    init(_ first: Subscribers.Demand, then more: Subscribers.Demand = .none) {
      self.first = first
      self.more = more
    }

    func receive(subscription: any Subscription) {
      state.withLock { [subscription = Kept(subscription)] in $0.subscription = subscription }
      note("begin")
      subscription.request(first)
    }

    func receive(_ notes: [Note]) -> Subscribers.Demand {
      note(notes.map(\.text).joined(separator: ","))
      return more
    }

    func receive(completion: Subscribers.Completion<ObjectBoxError>) {
      switch completion {
      case .finished: note("finished")
      case .failure(let error): note("\(error)".contains("closed") ? "failed: closed" : "\(error)")
      }
    }

    private func note(_ entry: String) {
      let wasCalled = state.withLock { state in
        defer { state.isCalled = true }
        state.log.append(entry)
        return state.isCalled
      }
      #expect(!wasCalled, "two calls at a time")
      state.withLock { $0.isCalled = false }
    }

    var subscription: (any Subscription)? { state.withLock { $0.subscription }?.subscription }

    var log: [String] { state.withLock { $0.log } }

    /// Waits for an entry, for up to ten seconds.
    func wait(for entry: String) async -> Bool {
      for _ in 0..<1000 where log.last != entry { try? await Task.sleep(for: .milliseconds(10)) }
      return log.last == entry
    }
  }

  private let queue = DispatchQueue(label: "publishers", attributes: .concurrent)

  @Test func aBoxPublishesItsObjects() async throws {
    let reader = Reader(.unlimited)
    try box.put(Note("a"))
    box.publisher.receive(subscriber: reader, dispatchQueue: queue)
    #expect(await reader.wait(for: "a"))
    try box.put(Note("b"))
    #expect(await reader.wait(for: "a,b"))
    try box.removeAll()
    #expect(await reader.wait(for: ""))
    #expect(reader.log == ["begin", "a", "a,b", ""])
    #expect(box.publisher.debugDescription == "BoxPublisher<Note>")
  }

  @Test func aQueryPublishesItsResultsInItsOrder() async throws {
    let reader = Reader(.unlimited)
    let query = try box.query { Note.text != "x" }
      .ordered(by: Note.text, flags: .descending).build()
    try box.put([Note("a"), Note("x"), Note("c")])
    query.publisher.receive(subscriber: reader, dispatchQueue: queue)
    #expect(await reader.wait(for: "c,a"))
    try box.put(Note("b"))
    #expect(await reader.wait(for: "c,b,a"))
    #expect(query.publisher.debugDescription == "QueryPublisher<Note>")
  }

  /// Nothing comes without demand; then the newest comes, once for all commits.
  @Test func aSubscriberGetsNoMoreThanItAsksFor() async throws {
    let reader = Reader(.max(1))
    box.publisher.receive(subscriber: reader, dispatchQueue: queue)
    #expect(await reader.wait(for: ""))
    for text in ["a", "b", "c"] { try box.put(Note(text)) }
    try await Task.sleep(for: .milliseconds(50))
    #expect(reader.log == ["begin", ""])
    reader.subscription?.request(.max(1))
    #expect(await reader.wait(for: "a,b,c"))
    reader.subscription?.request(.max(1))
    try await Task.sleep(for: .milliseconds(50))
    #expect(reader.log == ["begin", "", "a,b,c"])
    try box.put(Note("d"))
    #expect(await reader.wait(for: "a,b,c,d"))
  }

  @Test func whatASubscriberReturnsIsDemandToo() async throws {
    let reader = Reader(.max(1), then: .max(1))
    box.publisher.receive(subscriber: reader, dispatchQueue: queue)
    for text in ["a", "b", "c"] {
      try box.put(Note(text))
      #expect(await reader.wait(for: try box.all().map(\.text).joined(separator: ",")))
    }
  }

  @Test func cancellingEndsTheCalls() async throws {
    let reader = Reader(.unlimited)
    box.publisher.receive(subscriber: reader, dispatchQueue: queue)
    #expect(await reader.wait(for: ""))
    reader.subscription?.cancel()
    reader.subscription?.cancel()
    try box.put(Note("a"))
    store.close()
    try await Task.sleep(for: .milliseconds(50))
    #expect(reader.log == ["begin", ""])
  }

  @Test func theEndOfTheStoreIsTheEndOfThePublisher() async throws {
    let (reader, waiting) = (Reader(.unlimited), Reader(.none))
    box.publisher.receive(subscriber: reader, dispatchQueue: queue)
    box.publisher.receive(subscriber: waiting, dispatchQueue: queue)
    #expect(await reader.wait(for: ""))
    store.close()
    // The end needs no demand.
    #expect(await reader.wait(for: "finished"))
    #expect(await waiting.wait(for: "finished"))
    let late = Reader(.unlimited)
    box.publisher.receive(subscriber: late, dispatchQueue: queue)
    #expect(await late.wait(for: "failed: closed"))
  }

  @Test func operatorsApply() async throws {
    let counts = Mutex<[Int]>([])
    let reader = Reader(.unlimited)
    let token = box.publisher.map(\.count).removeDuplicates()
      .sink(
        receiveCompletion: { _ in }, receiveValue: { count in counts.withLock { $0.append(count) } }
      )
    box.publisher.receive(subscriber: reader, dispatchQueue: queue)
    #expect(await reader.wait(for: ""))
    // The queue of a plain `sink` is the main one, which the test runner runs.
    try box.put(Note("a"))
    for _ in 0..<1000 where counts.withLock({ $0.last }) != 1 {
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(counts.withLock { $0.last } == 1)
    token.cancel()
  }

  /// An observer of a box can be kept where subscriptions are.
  @Test func anObserverIsASubscription() async throws {
    let calls = Atomic<Int>(0)
    let observer: any Subscription = box.subscribe(dispatchQueue: queue) {
      _ = calls.add(1, ordering: .relaxed)
    }
    observer.request(.max(1))
    for _ in 0..<1000 where calls.load(ordering: .relaxed) == 0 {
      try await Task.sleep(for: .milliseconds(10))
    }
    observer.cancel()
    try box.put(Note("a"))
    try await Task.sleep(for: .milliseconds(50))
    #expect(calls.load(ordering: .relaxed) == 1)
  }
}
