import BoxStore
import Dispatch
import Synchronization
import Testing

#if canImport(Combine)
  import Combine
#else
  import OpenCombine
#endif

/// Publishers of monitors, by the rules of Combine.
struct MonitorPublisherTests {
  private let store: Store
  private let box: Box<Note>
  private let queue = DispatchQueue(label: "monitor-publishers", attributes: .concurrent)
  private static let count = Atomic<Int>(0)

  init() throws {
    let number = Self.count.add(1, ordering: .relaxed).newValue
    store = try Store(model: .notes, directory: "memory:monitor-publishers-\(number)")
    box = store.box()
  }

  /// A subscriber that asks for as many events as a test says, and logs its calls.
  private final class Reader<Input>: Subscriber, @unchecked Sendable {
    typealias Failure = any Error

    private struct State: @unchecked Sendable {
      var log: [String] = []
      var subscription: (any Subscription)?
      var isCalled = false
    }

    private let first: Subscribers.Demand
    private let describe: @Sendable (Input) -> String
    private let state = Mutex(State())

    init(_ first: Subscribers.Demand, _ describe: @escaping @Sendable (Input) -> String) {
      self.first = first
      self.describe = describe
    }

    func receive(subscription: any Subscription) {
      nonisolated(unsafe) let kept = subscription
      state.withLock { $0.subscription = kept }
      note("begin")
      subscription.request(first)
    }

    func receive(_ event: Input) -> Subscribers.Demand {
      note(describe(event))
      return .none
    }

    func receive(completion: Subscribers.Completion<any Error>) {
      switch completion {
      case .finished: note("finished")
      case .failure(let error): note("failed: \(error)")
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

    func request(_ count: Int) { kept?.request(.max(count)) }

    func cancel() { kept?.cancel() }

    func forget() { state.withLock { $0.subscription = nil } }

    private var kept: (any Subscription)? {
      nonisolated(unsafe) let kept = state.withLock { state in
        nonisolated(unsafe) let kept = state.subscription
        return kept
      }
      return kept
    }

    var log: [String] { state.withLock { $0.log } }

    /// Waits for an entry, for up to ten seconds.
    func wait(for entry: String) async -> Bool {
      for _ in 0..<1000 where log.last != entry { try? await Task.sleep(for: .milliseconds(10)) }
      return log.last == entry
    }
  }

  private func lists(_ demand: Subscribers.Demand) -> Reader<ListChange<Note>> {
    Reader(demand) { change in
      "\(change.isInitial ? "at first" : "\(change.events.count) events"): "
        + change.list.ids.map(\.description).joined(separator: ",")
    }
  }

  private func monitor() throws -> ListMonitor<Note> {
    try box.query().ordered(by: .ascending(Note.text)).build().monitor()
  }

  @Test func aListPublishesItsChanges() async throws {
    try box.put([Note("b"), Note("c")])
    let reader = lists(.unlimited)
    let publisher = try monitor().publisher
    #expect(publisher.debugDescription == "ListMonitorPublisher<Note>")
    publisher.receive(subscriber: reader, dispatchQueue: queue)
    #expect(await reader.wait(for: "at first: 1,2"))
    try box.put(Note("a"))
    #expect(await reader.wait(for: "1 events: 3,1,2"))
    try box.remove(1 as Id)
    #expect(await reader.wait(for: "1 events: 3,2"))
    reader.cancel()
    try box.removeAll()
    try await Task.sleep(for: .milliseconds(50))
    #expect(reader.log.count == 4)
  }

  /// Nothing comes without demand; then one change comes for all commits.
  @Test func aSubscriberGetsNoMoreThanItAsksFor() async throws {
    let reader = lists(.none)
    try monitor().publisher.receive(subscriber: reader, dispatchQueue: queue)
    for text in ["a", "b"] { try box.put(Note(text)) }
    try await Task.sleep(for: .milliseconds(50))
    #expect(reader.log == ["begin"])
    reader.request(1)
    #expect(await reader.wait(for: "at first: 1,2"))
    for text in ["c", "d", "e"] { try box.put(Note(text)) }
    try await Task.sleep(for: .milliseconds(50))
    #expect(reader.log.count == 2)
    reader.request(2)
    #expect(await reader.wait(for: "3 events: 1,2,3,4,5"))
    try box.put(Note("f"))
    #expect(await reader.wait(for: "1 events: 1,2,3,4,5,6"))
  }

  @Test func theEndOfAMonitorEndsItsPublishers() async throws {
    let monitor = try monitor()
    let (reader, waiting) = (lists(.unlimited), lists(.none))
    monitor.publisher.receive(subscriber: reader, dispatchQueue: queue)
    monitor.publisher.receive(subscriber: waiting, dispatchQueue: queue)
    #expect(await reader.wait(for: "at first: "))
    monitor.stop()
    // The end needs no demand.
    #expect(await reader.wait(for: "finished"))
    #expect(await waiting.wait(for: "finished"))
  }

  @Test func theErrorOfAMonitorFailsItsPublishers() async throws {
    struct Unnamed: Error {}
    try box.put(Note("a"))
    let monitor = try box.query().ordered(by: .ascending(Note.text)).build()
      .monitor(sectionedBy: Note.text) { text in
        if text == "x" { throw Unnamed() }
        return text
      }
    let reader = lists(.unlimited)
    monitor.publisher.receive(subscriber: reader, dispatchQueue: queue)
    #expect(await reader.wait(for: "at first: 1"))
    try box.put(Note("x"))
    #expect(await reader.wait(for: "failed: Unnamed()"))
  }

  @Test func anObjectPublishesItsChanges() async throws {
    let note = Note("a")
    try box.put(note)
    let reader = Reader<ObjectEvent>(.unlimited) { event in
      if case .updated(let names) = event { "updated \(names.sorted())" } else { "\(event)" }
    }
    let publisher = try box.monitor(note.id).publisher
    #expect(publisher.debugDescription == "ObjectMonitorPublisher<Note>")
    publisher.receive(subscriber: reader, dispatchQueue: queue)
    note.text = "b"
    try box.put(note)
    #expect(await reader.wait(for: "updated [\"text\"]"))
    try box.remove(note)
    #expect(await reader.wait(for: "removed"))
    store.close()
    #expect(await reader.wait(for: "finished"))
  }

  @Test func aSubscriptionThatIsReleasedEnds() async throws {
    let reader = lists(.unlimited)
    try monitor().publisher.receive(subscriber: reader, dispatchQueue: queue)
    #expect(await reader.wait(for: "at first: "))
    reader.forget()
    try box.put(Note("a"))
    try await Task.sleep(for: .milliseconds(50))
    #expect(reader.log.count == 2)
  }
}
