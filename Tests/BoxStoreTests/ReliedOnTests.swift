import BoxStore
import Dispatch
import TestSupport
import Testing

/// Behaviours of ObjectBox Swift that no document has, and that existing code relies on.
struct ReliedOnTests {
  @Test(.promise(376)) func undocumentedBehavioursOfBoxes() throws {
    let store = try SampleStore.inMemory()
    let orders: Box<Order> = store.box()
    let ids = try orders.putAndReturnIDs([Order("a"), Order("b"), Order("c")])

    // Ids stay on objects after an abort, and such an object can be put again.
    struct Stop: Error {}
    let late = Order("late")
    try? store.runInTransaction {
      try orders.put(late)
      throw Stop()
    }
    #expect(late.id != 0)
    let lateID = late.id
    try orders.put(late)
    #expect(late.id == lateID)
    #expect(try orders.get(lateID)?.summary == "late")

    var seen: [String?] = []
    try orders.for([ids[1], 999, ids[0]]) { seen.append($0?.summary) }
    #expect(seen == ["b", nil, "a"])
    #expect(
      try orders.get([999, ids[2], ids[0], ids[1]], maxCount: 2).map(\.id) == [ids[2], ids[0]])

    #expect(try orders.remove(Order("new")) == false)
    #expect(try orders.remove(Id(0)) == false)
    #expect(try orders.count() == 4)

    // An asynchronous put gives the id at once.
    let later = Order("later")
    let laterID = try orders.async.put(later)
    #expect(laterID.value != 0)
    #expect(store.awaitAsyncCompleted())
    #expect(try orders.get(laterID)?.summary == "later")
  }

  @Test(.promise(376)) func undocumentedBehavioursOfStores() async throws {
    let directory = try TemporaryDirectory()
    let store = try SampleStore.open(directory)
    let log = CallLog<Int>()
    let queue = DispatchQueue(label: "relied-on")
    let observer = store.box(for: Order.self).subscribe(
      dispatchQueue: queue, flags: [.sendInitial, .dontSubscribe]
    ) { (orders: [Order], _: ObjectBoxError?) in log.append(orders.count) }
    #expect(await log.wait(for: 1))
    try store.box().put(Order("a"))
    queue.sync {}
    #expect(log.all == [0])
    observer.unsubscribe()
    store.close()
    store.close()

    let reader = try SampleStore.open(directory, readOnly: true)
    #expect(thrownCase { try reader.runInTransaction {} } == "cannotWriteWhileReading")
    #expect(try reader.runInReadOnlyTransaction { try reader.box(for: Order.self).count() } == 1)
  }

  @Test(.promise(376)) func undocumentedBehavioursOfQueries() throws {
    let people = try QueryStore.people(ages: 10, 20, 30)
    // The first of several conditions on a property is changed.
    let between = try people.query { Person.age > 5 && Person.age < 25 }.build()
    between.setParameter(Person.age, to: 15)
    #expect(try between.find().map(\.age) == [20])
    // Bounds can be the wrong way round, at once and later.
    let turned = try people.query { Person.age.isBetween(25, and: 15) }.build()
    #expect(try turned.find().map(\.age) == [20])
    turned.setParameters(Person.age, to: 35, 15)
    #expect(try turned.find().map(\.age) == [20, 30])
    // `distinct()` changes the property query that it is called on, and returns it.
    try people.put(Person("x", age: 10))
    let ages = try people.query().build().property(Person.age)
    let distinct = try ages.distinct()
    #expect(ages === distinct)
    #expect(try ages.count() == 3)
  }
}
