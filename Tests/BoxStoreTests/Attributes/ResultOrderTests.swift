import BoxStore
import TestSupport
import Testing

/// Orders as values.
struct ResultOrderTests {
  @Test(.promise(322, 392)) func ordersAppendAndTheLaterDecidesWhereTheFirstLeavesOpen() throws {
    let box = try QueryStore.people(
      Person("b", age: 1), Person("a", age: 2), Person("A", age: 1), Person("B", age: 2))
    func ids(_ orders: ResultOrder<Person>...) throws -> [Id] {
      try box.query().ordered(by: .combined(orders)).build().find().map(\.id)
    }
    #expect(try ids() == [1, 2, 3, 4])
    #expect(try ids(.descending(Person.age)) == [2, 4, 1, 3])
    var order: ResultOrder<Person> = .descending(Person.age)
    order += .ascending(Person.firstName)
    #expect(try ids(order) == [2, 4, 3, 1])
    #expect(try ids(.ascending(Person.firstName, flags: [.caseSensitive])) == [3, 4, 2, 1])
    #expect(try ids(.ascending(Person.firstName) + .descending(Person.id)) == [3, 2, 4, 1])
    // After the orders of earlier calls.
    let both = try box.query().ordered(by: Person.age)
      .ordered(by: .descending(Person.firstName), .descending(Person.id)).build()
    #expect(try both.find().map(\.id) == [1, 3, 4, 2])
  }

  @Test(.promise(392)) func ordersAreEqualByTheirPropertiesAndFlags() {
    let orders: [ResultOrder<Person>] = [
      ResultOrder(), .ascending(Person.age), .descending(Person.age),
      .ascending(Person.firstName), .ascending(Person.age, flags: [.nullsLast]),
      .ascending(Person.age) + .ascending(Person.firstName),
      .ascending(Person.firstName) + .ascending(Person.age),
    ]
    #expect(Set(orders + orders).count == orders.count)
    #expect(ResultOrder<Person>.combined([]) == ResultOrder())
    #expect(
      ResultOrder.ascending(Person.age, flags: [.descending]) == ResultOrder.ascending(Person.age))
    #expect(
      (.descending(Person.age) + ResultOrder<Person>.ascending(Person.firstName)).debugDescription
        == "ResultOrder<Person>(4 descending, 2)")
  }
}
