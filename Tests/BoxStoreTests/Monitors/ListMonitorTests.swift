import BoxStore
import Dispatch
import TestSupport
import Testing

/// Monitors of lists, with and without sections.
struct ListMonitorTests {
  private let box: Box<Person>
  private let queue = DispatchQueue(label: "list-monitor-tests")

  init() throws { box = try QueryStore.people() }

  /// The people of an age, as sections: those of one age are a section.
  private func byAge() throws -> ListMonitor<Person> {
    try box.query().ordered(by: .ascending(Person.age), .ascending(Person.firstName)).build()
      .monitor(sectionedBy: Person.age) { "\($0) years" }
  }

  /// The events of a change, as text.
  private func words(_ change: ListChange<Person>) -> [String] {
    change.events.map { event in
      switch event {
      case .removeSection(let name, let index): "removeSection \(name) \(index)"
      case .insertSection(let name, let index): "insertSection \(name) \(index)"
      case .remove(let id, let place): "remove \(id) \(place)"
      case .insert(let id, let place): "insert \(id) \(place)"
      case .move(let id, let from, let to): "move \(id) \(from) \(to)"
      case .update(let id, let place): "update \(id) \(place)"
      @unknown default: "other"
      }
    }
  }

  private func log(_ monitor: ListMonitor<Person>) -> (CallLog<[String]>, MonitorSubscription) {
    let log = CallLog<[String]>()
    let subscription = monitor.subscribe(dispatchQueue: queue) { result in
      switch result {
      case .success(let change): log.append(change.isInitial ? ["initial"] : words(change))
      case .failure(let error): log.append([caseName(error)])
      }
    }
    return (log, subscription)
  }

  // MARK: - Events

  @Test(.promise(338, 399)) func anInsertOpensASectionAndARemovalClosesIt() async throws {
    let monitor = try byAge()
    let (log, subscription) = log(monitor)
    #expect(await log.wait(for: 1))
    try box.put(Person("Ann", age: 30))
    #expect(await log.wait(for: 2))
    try box.put([Person("Bob", age: 20), Person("Cy", age: 30)])
    #expect(await log.wait(for: 3))
    try box.query { Person.age == 30 }.build().remove()
    #expect(await log.wait(for: 4))
    #expect(
      log.all == [
        ["initial"], ["insertSection 30 years 0", "insert 1 [0, 0]"],
        ["insertSection 20 years 0", "insert 2 [0, 0]", "insert 3 [1, 1]"],
        ["removeSection 30 years 1", "remove 3 [1, 1]", "remove 1 [1, 0]"],
      ])
    withExtendedLifetime(subscription) {}
  }

  @Test(.promise(337, 399)) func twoUpdatesInOneCommitAreOneChange() async throws {
    let people = [Person("Ann", age: 30), Person("Bob", age: 30), Person("Cy", age: 30)]
    try box.put(people)
    let (log, subscription) = log(try byAge())
    #expect(await log.wait(for: 1))
    people[0].nickname = "A"
    people[2].nickname = "C"
    try box.put([people[2], people[0]])
    #expect(await log.wait(for: 2))
    #expect(log.all.last == ["update 1 [0, 0]", "update 3 [0, 2]"])
    withExtendedLifetime(subscription) {}
  }

  @Test(.promise(341, 399)) func aChangedValueMovesAnObjectToAnotherSection() async throws {
    let people = [
      Person("Ann", age: 20), Person("Bob", age: 20), Person("Cy", age: 30),
    ]
    try box.put(people)
    let monitor = try byAge()
    let (log, subscription) = log(monitor)
    #expect(await log.wait(for: 1))
    people[0].age = 30
    try box.put(people[0])
    #expect(await log.wait(for: 2))
    people[1].age = 40
    try box.put(people[1])
    #expect(await log.wait(for: 3))
    #expect(
      log.all == [
        ["initial"], ["move 1 [0, 0] [1, 0]"],
        [
          "removeSection 20 years 0", "insertSection 40 years 1", "move 2 [0, 0] [1, 0]",
        ],
      ])
    #expect(try monitor.list().sections.map(\.name) == ["30 years", "40 years"])
    withExtendedLifetime(subscription) {}
  }

  @Test(.promise(337)) func aMoveInsideOfAListKeepsTheOthers() async throws {
    let people = ["a", "b", "c", "d"].map { Person($0) }
    try box.put(people)
    let monitor = try box.query().ordered(by: Person.firstName).build().monitor()
    let (log, subscription) = log(monitor)
    #expect(await log.wait(for: 1))
    people[0].firstName = "x"
    try box.put(people)
    #expect(await log.wait(for: 2))
    #expect(
      log.all.last == [
        "move 1 [0, 0] [0, 3]", "update 2 [0, 0]", "update 3 [0, 1]", "update 4 [0, 2]",
      ])
    withExtendedLifetime(subscription) {}
  }

  @Test func whatDoesNotConcernTheListIsNotDelivered() async throws {
    let monitor = try box.query { Person.age > 10 }.ordered(by: Person.age).build().monitor()
    let (log, subscription) = log(monitor)
    #expect(await log.wait(for: 1))
    try box.put(Person("Ann", age: 5))
    // What a transaction puts and removes again was never there.
    try box.store.runInTransaction { try box.remove(try box.put(Person("Bob", age: 20))) }
    try box.put(Person("Cy", age: 20))
    #expect(await log.wait(for: 2))
    #expect(log.all == [["initial"], ["insert 3 [0, 0]"]])
    withExtendedLifetime(subscription) {}
  }

  // MARK: - The list

  @Test(.promise(340, 343)) func objectsAreReadByTheirPositions() throws {
    try box.put([Person("Ann", age: 30), Person("Bob", age: 20), Person("Cy", age: 30)])
    let monitor = try byAge()
    #expect(try monitor[0, 0]?.firstName == "Bob")
    #expect(try monitor[1, 1]?.firstName == "Cy")
    #expect(try monitor[2]?.firstName == "Cy")
    #expect(try monitor[3] == nil && monitor[-1] == nil)
    #expect(try monitor[1, 2] == nil && monitor[2, 0] == nil && monitor[-1, 0] == nil)
    let list = try monitor.list()
    #expect(list.count == 3 && !list.isEmpty)
    #expect(list.ids.map(\.value) == [2, 1, 3])
    #expect(list.ids(inSection: 1).map(\.value) == [1, 3] && list.ids(inSection: 2).isEmpty)
    #expect(list.position(of: 3) == ListPosition(section: 1, item: 1))
    #expect(list.position(of: 4) == nil)
    #expect(list.sections.map(\.count) == [1, 2])
    #expect(list.debugDescription == "MonitoredList<Person>(3 objects in 2 sections)")
  }

  // MARK: - Mistakes

  @Test(.promise(339, 341, 342, 394)) func aListNeedsAnOrderThatKeepsSectionsTogether() throws {
    #expect(thrownCase { _ = try box.query().build().monitor() } == "illegalArgument")
    let byName = try box.query().ordered(by: Person.firstName).ordered(by: Person.age).build()
    #expect(
      thrownCase { _ = try byName.monitor(sectionedBy: Person.age) } == "illegalArgument")
    try box.put([Person(age: 1), Person(age: 2), Person(age: 3)])
    let byAge = try box.query().ordered(by: Person.age).build()
    #expect(
      thrownCase {
        _ = try byAge.monitor(sectionedBy: Person.age) { $0 == 2 ? "even" : "odd" }
      } == "illegalArgument")
    let halves = try byAge.monitor(sectionedBy: Person.age) { $0 < 3 ? "low" : "high" }
    #expect(try halves.list().sections.map(\.count) == [2, 1])
  }

  @Test func aCommitThatSplitsASectionEndsTheMonitor() async throws {
    try box.put([Person(age: 1), Person(age: 3)])
    let monitor = try box.query().ordered(by: Person.age).build()
      .monitor(sectionedBy: Person.age) { $0 == 2 ? "even" : "odd" }
    let (log, subscription) = log(monitor)
    #expect(await log.wait(for: 1))
    try box.put(Person(age: 2))
    #expect(await log.wait(for: 2))
    #expect(log.all == [["initial"], ["illegalArgument"]])
    #expect(thrownCase { _ = try monitor.list() } == "illegalArgument")
    // Whoever comes later gets the error too.
    var iterator = monitor.changes.makeAsyncIterator()
    await #expect(throws: ObjectBoxError.self) { _ = try await iterator.next() }
    withExtendedLifetime(subscription) {}
  }

  @Test(.promise(342, 394)) func anErrorOfTheClosureEndsTheMonitor() async throws {
    struct Unnamed: Error {}
    let query = try box.query().ordered(by: Person.age).build()
    let monitor = try query.monitor(sectionedBy: Person.age) { age in
      if age == 13 { throw Unnamed() }
      return "\(age)"
    }
    var iterator = monitor.changes.makeAsyncIterator()
    #expect(try await iterator.next()?.isInitial == true)
    try box.put(Person(age: 13))
    await #expect(throws: Unnamed.self) { _ = try await iterator.next() }
    #expect(throws: Unnamed.self) {
      _ = try query.monitor(sectionedBy: Person.age) { _ in throw Unnamed() }
    }
  }

  // MARK: - Controls

  @Test func commitsDuringAPauseAreOneChange() async throws {
    let monitor = try byAge()
    let (log, subscription) = log(monitor)
    #expect(await log.wait(for: 1))
    monitor.pause()
    let ann = Person("Ann", age: 30)
    try box.put(ann)
    try box.put(Person("Bob", age: 30))
    try box.remove(ann)
    try await Task.sleep(for: .milliseconds(30))
    #expect(try monitor.list().isEmpty)
    monitor.resume()
    #expect(await log.wait(for: 2))
    #expect(log.all.last == ["insertSection 30 years 0", "insert 2 [0, 0]"])
    withExtendedLifetime(subscription) {}
  }

  @Test(.promise(336, 344, 406)) func aRefetchTakesNewValuesAndAnotherOrder() async throws {
    try box.put((1...5).map { Person("\($0)", age: $0) })
    let query = try box.query { Person.age < 3 }.ordered(by: Person.age).build()
    let monitor = try query.monitor()
    let (log, subscription) = log(monitor)
    #expect(await log.wait(for: 1))
    query.setParameter(Person.age, to: 5)
    try monitor.refetch(query)
    #expect(await log.wait(for: 2))
    #expect(log.all.last == ["insert 3 [0, 2]", "insert 4 [0, 3]"])
    try monitor.refetch(
      try box.query { Person.age < 4 }.ordered(by: .descending(Person.age)).build())
    #expect(await log.wait(for: 3))
    #expect(try monitor.list().ids.map(\.value) == [3, 2, 1])
    #expect(
      thrownCase { try monitor.refetch(try box.query().build()) } == "illegalArgument")
    withExtendedLifetime(subscription) {}
  }

  @Test func aLinkIsFollowed() async throws {
    let store = try QueryStore.sample()
    let (books, authors) = (store.box(for: Book.self), store.box(for: Author.self))
    var ada = Author(name: "Ada")
    try authors.put(&ada)
    try books.put([Book("a", by: ada), Book("b")])
    let monitor = try books.query().link(Book.author) { Author.name == "Ada" }
      .ordered(by: Book.title).build().monitor()
    #expect(try monitor.list().count == 1)
    var iterator = monitor.changes.makeAsyncIterator()
    _ = try await iterator.next()
    try authors.put(Author(id: ada.id, name: "Bob"))
    let change = try #require(try await iterator.next())
    #expect(change.events == [.remove(1, from: ListPosition(item: 0))])
    #expect(change.list.isEmpty)
  }

  // MARK: - Observers

  @Test(.promise(332)) func severalObserversSeeTheSameAndEndAlone() async throws {
    let monitor = try byAge()
    let (first, one) = log(monitor)
    let (second, two) = log(monitor)
    #expect(await first.wait(for: 1))
    #expect(await second.wait(for: 1))
    try box.put(Person("Ann", age: 30))
    #expect(await first.wait(for: 2))
    #expect(await second.wait(for: 2))
    one.unsubscribe()
    one.unsubscribe()
    try box.put(Person("Bob", age: 30))
    #expect(await second.wait(for: 3))
    #expect(first.count == 2)
    withExtendedLifetime(two) {}
  }

  @Test(.promise(335)) func aWeakObserverVanishesByItself() async throws {
    final class Screen: Sendable {
      let log: CallLog<Int>
      init(_ log: CallLog<Int>) { self.log = log }
    }
    let monitor = try byAge()
    let log = CallLog<Int>()
    var screen: Screen? = Screen(log)
    if let screen {
      monitor.subscribe(weakly: screen, dispatchQueue: queue) { screen, result in
        screen.log.append((try? result.get().list.count) ?? -1)
      }
    }
    #expect(await log.wait(for: 1))
    try box.put(Person("Ann", age: 30))
    #expect(await log.wait(for: 2))
    weak let released = screen
    screen = nil
    #expect(released == nil)
    let (other, subscription) = self.log(monitor)
    try box.put(Person("Bob", age: 30))
    #expect(await other.wait { $0.count >= 2 || $0.last == ["initial"] })
    #expect(log.all == [0, 1])
    withExtendedLifetime(subscription) {}
  }

  @Test func aMonitorThatIsStoppedInACallOfAnotherEnds() async throws {
    let query = try box.query().ordered(by: Person.age).build()
    let (one, two) = (try query.monitor(), try query.monitor())
    let (log, subscription) = log(two)
    #expect(await log.wait(for: 1))
    let calls = CallLog<Int>()
    let stopping = one.subscribe(dispatchQueue: queue) { result in
      if let change = try? result.get(), !change.isInitial { two.stop() }
      calls.append(1)
    }
    #expect(await calls.wait(for: 1))
    try box.put(Person("Ann"))
    #expect(await calls.wait(for: 2))
    try box.put(Person("Bob"))
    #expect(await calls.wait(for: 3))
    #expect(log.count <= 2)
    var iterator = two.changes.makeAsyncIterator()
    #expect(try await iterator.next() == nil)
    withExtendedLifetime((subscription, stopping)) {}
  }

  @Test func theSequenceEndsWithTheStoreAndWithItsTask() async throws {
    let store = try SampleStore.inMemory()
    let customers = store.box(for: Customer.self)
    let monitor = try customers.query().ordered(by: Customer.name).build().monitor()
    let seen = CallLog<Int>()
    let task = Task {
      for try await change in monitor.changes { seen.append(change.list.count) }
      return true
    }
    #expect(await seen.wait(for: 1))
    try customers.put(Customer("A"))
    #expect(await seen.wait(for: 2))
    let cancelled = Task {
      for try await _ in monitor.changes {}
      return true
    }
    cancelled.cancel()
    #expect(try await cancelled.value)
    store.close()
    #expect(try await task.value)
    #expect(seen.all == [0, 1])
  }
}
