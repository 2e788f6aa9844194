import BoxStore
import Dispatch
import Synchronization
import TestSupport
import Testing

/// The texts that a debugger shows, and the reports of reads that cannot throw.
struct DescriptionTests {
  private let store: Store

  init() throws { store = try SampleStore.inMemory() }

  @Test(.promise(254)) func storesAndBoxesNameTheirPlace() throws {
    let path = store.directoryPath
    let orders: Box<Order> = store.box()
    #expect("\(store.debugDescription)" == "Store(\(path))")
    #expect(orders.debugDescription == "Box<Order>(\(path))")
    #expect(orders.async.debugDescription == "AsyncBox<Order>")
    #expect(Order.entityInfo.debugDescription == "EntityInfo(Order, 2)")
    #expect(StoreModel(json: "{").debugDescription.hasPrefix("StoreModel(the model of the store"))
    #expect(try SampleStore.model.debugDescription.hasPrefix("StoreModel(Customer, Order, "))
    try store.runInTransaction { transaction in
      #expect(transaction.debugDescription == "Transaction(without changes)")
      try orders.put(Order("Hat"))
      #expect(transaction.debugDescription == "Transaction(with changes)")
    }
    store.close()
    #expect(store.debugDescription == "Store(\(path), closed)")
  }

  @Test(.promise(254)) func changesAndListsAreShown() throws {
    let orders: Box<Order> = store.box()
    try store.runInTransaction { transaction in
      try orders.put([Order("Hat"), Order("Coat")])
      #expect(
        transaction.changes(of: Order.self).debugDescription
          == "TransactionChanges<Order>(inserted: [1, 2], updated: [], removed: [])")
    }
    let events: [ListEvent<Order>] = [
      .removeSection("a", from: 1), .insertSection("b", at: 2),
      .remove(1, from: ListPosition(item: 3)), .insert(2, at: ListPosition(section: 1, item: 0)),
      .move(3, from: ListPosition(item: 1), to: ListPosition(item: 0)),
      .update(4, at: ListPosition(item: 5)),
    ]
    #expect(
      events.map(\.debugDescription) == [
        "remove section a from 1", "insert section b at 2", "remove 1 from [0, 3]",
        "insert 2 at [1, 0]", "move 3 from [0, 1] to [0, 0]", "update 4 at [0, 5]",
      ])
    let list = try orders.query().ordered(by: Order.summary).build().monitor().list()
    #expect(list.sections.map(\.debugDescription) == ["Section(, 2 objects)"])
    var fields = ImportFields(["b": 1, "a": "x"])
    #expect(fields.debugDescription == "ImportFields(a, b)")
    _ = fields.required("c", or: 0)
    #expect(fields.debugDescription == "ImportFields(a, b; c is missing)")
    let model = try ModelBuilder()
    #expect(model.debugDescription == "ModelBuilder()")
    let entity = try model.entityBuilder(for: Order.self, id: 1, uid: 1001)
    let property = try entity.addProperty(
      name: "summary", type: .string, flags: [], id: 1, uid: 2001)
    #expect(entity.debugDescription == "EntityBuilder(Order: summary)")
    #expect(property.debugDescription == "PropertyBuilder(Order.summary)")
  }

  @Test(.promise(254)) func selectionsAreShown() throws {
    let query = try QueryStore.people(ages: 1).query { Person.age > 3 }.build()
    #expect(
      query.select(.max(Person.age)).grouped(by: Person.firstName).debugDescription
        == "ValueSelection(max(property(4)), grouped by property(2) of Query<Person>(1 condition: age > 3))"
    )
    #expect(
      query.select(.value(Person.age), .count(Person.id)).debugDescription
        == "Selection(property(4), count(property(1)) of Query<Person>(1 condition: age > 3))")
  }

  @Test func relationsNameTheirTargets() throws {
    let order = Order("Hat", of: Customer("Ada"))
    #expect(order.customer.debugDescription == "ToOne<Customer>(new)")
    try store.box(for: Order.self).put(order)
    #expect(order.customer.debugDescription == "ToOne<Customer>(1)")
    order.customer.target = nil
    #expect(order.customer.debugDescription == "nil")
    #expect(Order.summary.debugDescription == "Property<Order, Optional<String>>(2)")
    #expect(Customer.orders.debugDescription == "ToManyProperty<Order>(valuePropertyId(3))")
  }

  @Test(.promise(254)) func conditionsAndQueriesAreShown() throws {
    let people = try QueryStore.people(ages: 1)
    let condition =
      "min" .= Person.age > 10
      && (Person.age ∈ (20..<30) || !(Person.firstName == "A") || Person.nickname.isNil())
    #expect(
      condition.debugDescription
        == """
        QueryCondition<Person>("min" .= property(4) > 10 && (property(4) ∈ 20..<30 \
        || !(property(2) == "A") || property(7) == nil))
        """)
    #expect(QueryCondition<Person>.always.debugDescription == "QueryCondition<Person>(true)")
    #expect(QueryCondition<Person>.never.debugDescription == "QueryCondition<Person>(false)")
    let parsed = try QueryCondition<Person>(parsing: "age < 3")
    #expect(parsed.debugDescription == "QueryCondition<Person>(age < 3)")

    let builder = people.query { Person.age > 10 }.ordered(by: Person.firstName)
    let query = try builder.build()
    #expect(
      query.debugDescription.hasPrefix("Query<Person>(1 condition: age > 10, ordered by firstName"))
    #expect(
      try people.query { condition }.build().debugDescription.hasPrefix(
        "Query<Person>(4 conditions: age > 10 && ("))
    #expect(try people.query().build().debugDescription == "Query<Person>()")
    #expect(builder.debugDescription == "QueryBuilder of \(query.debugDescription)")
    #expect(
      try query.property(Person.nickname).with(nullString: "-").distinct(
        caseSensitiveCompare: false
      )
      .debugDescription
        == """
        PropertyQuery<Person, String>(nickname, distinct ignoringCase, nil as "-" \
        of \(query.debugDescription))
        """)
    let missing = people.query { Property<Person, Int, Void>(propertyId: 99) == 1 }
    #expect(missing.debugDescription.contains("property(99) == 1, which cannot be built: "))
  }

  @Test func observersSayWhetherTheyAreSubscribed() {
    let queue = DispatchQueue(label: "descriptions")
    let observer = store.box(for: Order.self).subscribe(dispatchQueue: queue) {}
    #expect(observer.debugDescription == "Observer(subscribed)")
    observer.unsubscribe()
    #expect(observer.debugDescription == "Observer(not subscribed)")
    let flags: Observer.Flags = [.dontSubscribe, .sendInitial]
    #expect(flags.debugDescription == "Observer.Flags(sendInitial, dontSubscribe)")
    #expect(Observer.Flags().debugDescription == "Observer.Flags()")
  }

  @Test func subscriptionsToMonitorsSayWhetherTheyAreSubscribed() throws {
    let orders: Box<Order> = store.box()
    try orders.put(Order("Hat"))
    let subscription = try orders.monitor(1).subscribe { _ in }
    #expect(subscription.debugDescription == "MonitorSubscription(subscribed)")
    subscription.unsubscribe()
    subscription.unsubscribe()
    #expect(subscription.debugDescription == "MonitorSubscription(not subscribed)")
  }

  @Test(.promise(330, 370)) func aReadThatCannotThrowIsReported() throws {
    let orders: Box<Order> = store.box()
    let ada = Customer("Ada")
    try orders.put([Order("Hat", of: ada), Order("Coat", of: ada)])
    let order = try #require(try orders.get(1))
    let customer = try #require(try store.box(for: Customer.self).get(1))
    let gone = try #require(try orders.get(2))
    let reports = Mutex<[String]>([])
    store.onFailedRead { error, message in
      reports.withLock { $0.append("\(caseName(error)): \(message)") }
    }
    // A target that does not exist is not a failure.
    gone.customer.targetId = 77
    #expect(gone.customer.target == nil)
    #expect(reports.withLock { $0.isEmpty })
    store.close()
    #expect(order.customer.target == nil)
    #expect(customer.orders.isEmpty)
    let all = reports.withLock { $0 }
    try #require(all.count == 2)
    #expect(
      all[0].hasPrefix("illegalState: cannot read the Customer 1 of a relation to one in mem"))
    #expect(all[1].hasPrefix("illegalState: cannot read a relation to many Order objects in mem"))
    #expect(all.allSatisfy { $0.contains("closed") })
    store.onFailedRead(nil)
    #expect(order.customer.target == nil)
    #expect(reports.withLock { $0.count } == 2)
  }
}
