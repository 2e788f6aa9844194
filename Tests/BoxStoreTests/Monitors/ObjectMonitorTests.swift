import BoxStore
import Dispatch
import TestSupport
import Testing

/// Monitors of single objects.
struct ObjectMonitorTests {
  private let queue = DispatchQueue(label: "object-monitor-tests")

  private func log<E>(
    _ monitor: ObjectMonitor<E>
  ) -> (CallLog<ObjectEvent>, MonitorSubscription) {
    let log = CallLog<ObjectEvent>()
    let subscription = monitor.subscribe(dispatchQueue: queue) { result in
      if let event = try? result.get() { log.append(event) }
    }
    return (log, subscription)
  }

  @Test(.promise(333, 334, 400)) func theChangedPropertiesAreNamed() async throws {
    let box = try QueryStore.people()
    let ann = Person("Ann", age: 30, nickname: "é")
    try box.put([ann, Person("Bob")])
    let monitor = try box.monitor(ann.id)
    let (log, subscription) = log(monitor)
    ann.age = 31
    // Another string for the database, and none for Swift.
    ann.nickname = "e\u{301}"
    try box.put(ann)
    #expect(await log.wait(for: 1))
    // The same values, and another object.
    try box.put(ann)
    try box.put(Person("Cy"))
    ann.rating = .nan
    try box.put(ann)
    #expect(await log.wait(for: 2))
    try box.remove(ann)
    #expect(await log.wait(for: 3))
    #expect(
      log.all == [.updated(["age", "nickname"]), .updated(["rating"]), .removed])
    #expect(try monitor.object() == nil)
    withExtendedLifetime(subscription) {}
  }

  @Test func anObjectThatDoesNotExistIsWaitedFor() async throws {
    let box = try SampleStore.inMemory().box(for: Setting.self)
    let monitor = try box.monitor(7 as Id)
    let (log, subscription) = log(monitor)
    try box.put(Setting("a", 1, id: 7))
    #expect(await log.wait(for: 1))
    try box.put(Setting("a", 2, id: 7))
    #expect(await log.wait(for: 2))
    #expect(log.all == [.inserted, .updated(["count"])])
    #expect(try monitor.object()?.count == 2)
    withExtendedLifetime(subscription) {}
  }

  @Test(.promise(333)) func relationsToManyAreChangesOfTheirSource() async throws {
    let store = try QueryStore.sample()
    let students = store.box(for: Student.self)
    let ann = Student("Ann")
    try students.put(ann)
    let monitor = try students.monitor(ann.id)
    let (log, subscription) = log(monitor)
    ann.teachers.append(Teacher("Kim"))
    try ann.teachers.applyToDb()
    #expect(await log.wait(for: 1))
    #expect(log.all == [.updated(["teachers"])])
    withExtendedLifetime(subscription) {}
  }

  @Test func commitsThatASlowTaskMissesAreOneChange() async throws {
    let box = try QueryStore.people()
    let ann = Person("Ann")
    try box.put(ann)
    let monitor = try box.monitor(ann.id)
    let changes = monitor.changes
    for age in 1...3 {
      ann.age = age
      try box.put(ann)
    }
    ann.nickname = "A"
    try box.put(ann)
    var names: Set<String> = []
    for try await event in changes {
      if case .updated(let changed) = event { names.formUnion(changed) }
      if names.contains("nickname") { break }
    }
    #expect(names == ["age", "nickname"])
  }

  @Test func itEndsWithTheStore() async throws {
    let store = try SampleStore.inMemory()
    let box = store.box(for: Customer.self)
    let changes = try box.monitor(1 as Id).changes
    store.close()
    for try await _ in changes { Issue.record("an event of a closed store") }
    #expect(thrownCase { _ = try box.monitor(1 as Id) } == "illegalState")
  }
}
