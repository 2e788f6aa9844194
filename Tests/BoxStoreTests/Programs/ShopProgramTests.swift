import BoxStore
import TestSupport
import Testing

/// A shop as somebody writes it who has read about relations: orders that change hands, in all the ways
/// that the documents name.
struct ShopProgramTests {
  private let store: Store
  private let customers: Box<Customer>
  private let orders: Box<Order>

  init() throws {
    store = try SampleStore.inMemory()
    customers = store.box()
    orders = store.box()
  }

  /// The summaries of the orders of each customer, as they are stored, and of those without one.
  private func shop() throws -> [String: [String]] {
    var shop: [String: [String]] = [:]
    for order in try orders.all() {
      shop[order.customer.target?.name ?? "nobody", default: []].append(order.summary ?? "-")
    }
    return shop
  }

  private func stored(_ name: String) throws -> Customer {
    try #require(try customers.query { Customer.name == name }.build().findUnique())
  }

  @Test func ordersChangeHands() throws {
    let ada = Customer("Ada")
    let bob = Customer("Bob")
    try orders.put([Order("Hat", of: ada), Order("Scarf", of: ada), Order("Coat", of: bob)])
    #expect(try shop() == ["Ada": ["Hat", "Scarf"], "Bob": ["Coat"]])
    #expect(ada.id == 1 && bob.id == 2)

    // The customer who was put has relations that work, as the one who is read.
    #expect(ada.orders.map(\.summary) == ["Hat", "Scarf"])

    // An order of one customer is given to another, by the list of the other.
    let reader = try stored("Bob")
    let hat = try #require(try orders.get(1))
    reader.orders.append(hat)
    #expect(reader.orders.hasPendingDbChanges)
    try reader.orders.applyToDb()
    #expect(try shop() == ["Ada": ["Scarf"], "Bob": ["Hat", "Coat"]])
    #expect(hat.customer.target?.name == "Bob")
    // Who had looked before sees it after a reset, and not earlier.
    #expect(ada.orders.count == 2)
    ada.orders.reset()
    #expect(ada.orders.map(\.summary) == ["Scarf"])

    // A list is an array in all that it can do.
    reader.orders += [Order("Glove"), Order("Shoe")]
    reader.orders.insert(Order("Belt"), at: 0)
    reader.orders.removeAll { $0.summary == "Coat" }
    #expect(reader.orders.compactMap(\.summary) == ["Belt", "Hat", "Glove", "Shoe"])
    #expect(reader.orders.first?.id == 0 && reader.orders.last?.summary == "Shoe")
    try reader.orders.applyToDb()
    #expect(reader.orders.allSatisfy { $0.id != 0 })
    #expect(!reader.orders.hasPendingDbChanges)
    #expect(
      try shop() == [
        "Ada": ["Scarf"], "Bob": ["Hat", "Belt", "Glove", "Shoe"], "nobody": ["Coat"],
      ])

    // All orders leave, and none is removed.
    reader.orders.replace([])
    try reader.orders.applyToDb()
    #expect(try shop()["Bob"] == nil)
    #expect(try orders.count() == 6)
  }

  @Test func aTargetIsSetByItsIDAndReadFromTheStore() throws {
    let id = try customers.put(Customer("Ada"))
    let order = Order("Hat")
    order.customer.targetId = EntityId(id)
    #expect(order.customer.hasValue && order.customer.target == nil)
    try orders.put(order)
    #expect(order.customer.target?.name == "Ada")

    // The customer that the order has read is a copy of its own.
    let ada = try stored("Ada")
    ada.name = "Ada L."
    try customers.put(ada)
    #expect(order.customer.target?.name == "Ada")
    order.customer.reset()
    #expect(order.customer.target?.name == "Ada L.")

    // The customer is removed; the order stays, with an id that leads nowhere.
    try customers.remove(id)
    order.customer.reset()
    #expect(order.customer.target == nil)
    #expect(order.customer.targetId == EntityId(id))
    try orders.put(order)
    #expect(try orders.get(order.id)?.customer.targetId == EntityId(id))
    let links = try orders.query().link(Order.customer) { Customer.name == "Ada L." }.build()
    #expect(try links.count() == 0)
  }

  @Test func theRelationItselfIsReplaced() throws {
    let order = Order("Hat", of: Customer("Ada"))
    try orders.put(order)
    order.customer = nil
    try orders.put(order)
    #expect(try orders.get(order.id)?.customer.hasValue == false)
    order.customer = ToOne(Customer("Bob"))
    try orders.put(order)
    #expect(try orders.get(order.id)?.customer.target?.name == "Bob")
    // A list of another customer in place of the own one: what was in it is not lost on the way.
    let cid = Customer("Cid")
    cid.orders.append(order)
    try customers.put(cid)
    #expect(try shop() == ["Cid": ["Hat"]])
    #expect(order.customer.target?.name == "Cid")
    #expect(try stored("Bob").orders.isEmpty)
  }

  @Test func aPutThatFailsInTheMiddleLeavesTheShop() throws {
    struct Stop: Error {}
    let ada = Customer("Ada")
    #expect(throws: Stop.self) {
      try store.runInTransaction {
        try orders.put(Order("Hat", of: ada))
        #expect(try shop() == ["Ada": ["Hat"]])
        throw Stop()
      }
    }
    #expect(try shop() == [:])
    // The same objects are put again: nothing is there twice, and nothing is missing.
    try orders.put(Order("Coat", of: ada))
    ada.orders.append(Order("Hat"))
    #expect(throws: ObjectBoxError.self) { try orders.put(Order("Belt", of: ada), mode: .update) }
    #expect(try customers.count() <= 1)
  }
}
