import BoxModel
import BoxStore
import TestSupport
import Testing

/// Delete rules, as boxes, queries and drafts follow them.
struct DeleteRuleTests {
  /// A store in memory in which the removal of a customer has a rule for its orders.
  private static func store(_ rule: DeleteRule, _ name: String = #function) throws -> Store {
    let text = try StoreSample.text
    let model = try ModelDocument(parsing: Array(text.utf8)).model
    let order = try #require(model.entities.first { $0.name == "Order" })
    let customer = try #require(order.properties.first { $0.name == "customerId" })
    let rules = """
      {"rules":1,"declarations":[
      {"relation":"\(customer.pair.uid)","name":"Order.customer","targetRemoved":"\(rule.rawValue)"}
      ]}

      """
    return try Store(
      model: StoreModel(json: text, constants: [:], rules: rules),
      directory: "memory:rules-\(name)")
  }

  /// Two customers with two orders each.
  private static func filled(_ rule: DeleteRule, _ name: String = #function) throws -> Store {
    let store = try store(rule, name)
    for letter in ["A", "B"] {
      let customer = Customer(letter)
      try store.box().put([Order("\(letter)1", of: customer), Order("\(letter)2", of: customer)])
    }
    return store
  }

  private static func orders(_ store: Store) throws -> [String] {
    try store.box(for: Order.self).all().compactMap(\.summary)
  }

  @Test func cascadeRemovesTheOrders() throws {
    let store = try Self.filled(.cascade)
    let customers = store.box(for: Customer.self)
    #expect(try customers.remove(Id(1)))
    #expect(try Self.orders(store) == ["B1", "B2"])
    #expect(try customers.query { Customer.name == "B" }.build().remove() == 1)
    #expect(try Self.orders(store).isEmpty)
  }

  @Test func removeAllFollowsTheRule() throws {
    let store = try Self.filled(.cascade)
    #expect(try store.box(for: Customer.self).removeAll() == 2)
    #expect(try Self.orders(store).isEmpty)
  }

  @Test func anAsynchronousRemovalFollowsTheRule() throws {
    let store = try Self.filled(.cascade)
    try store.box(for: Customer.self).async.remove(Customer.EntityBindingType.IdType(1))
    _ = store.awaitAsyncCompleted()
    #expect(try Self.orders(store) == ["B1", "B2"])
  }

  @Test func nullifyKeepsTheOrders() throws {
    let store = try Self.filled(.nullify)
    #expect(try store.box(for: Customer.self).remove([Id(1)]) == 1)
    let orders = try store.box(for: Order.self).all()
    #expect(orders.map(\.customer.hasValue) == [false, false, true, true])
    #expect(orders.map(\.summary) == ["A1", "A2", "B1", "B2"])
  }

  @Test func denyRefuses() throws {
    let store = try Self.filled(.deny)
    let customers = store.box(for: Customer.self)
    #expect(thrownCase { try customers.remove(Id(1)) } == "constraintViolated")
    #expect(thrownCase { try customers.removeAll() } == "constraintViolated")
    // The transaction goes on.
    try store.runInTransaction {
      #expect(thrownCase { try customers.remove([Id(1), Id(2)]) } == "constraintViolated")
      try customers.put(Customer("C"))
    }
    #expect(try customers.count() == 3)
    #expect(try Self.orders(store).count == 4)
    #expect(try customers.remove(Id(3)))
  }

  @Test func aDraftRemovesByTheRule() throws {
    let store = try Self.filled(.cascade)
    let draft = store.makeDraft()
    try draft.box(for: Customer.self).remove(Id(1))
    #expect(try draft.box(for: Order.self).all().map(\.summary) == ["B1", "B2"])
    #expect(try Self.orders(store).count == 4)
    // Another program adds an order meanwhile.
    let customer = try #require(try store.box(for: Customer.self).get(Id(1)))
    try store.box().put(Order("A3", of: customer))
    try draft.commit()
    #expect(try Self.orders(store) == ["B1", "B2"])
    #expect(try store.box(for: Customer.self).all().map(\.name) == ["B"])
  }

  @Test(arguments: [DeleteRule.cascade, .deny, .nullify])
  func aDraftMovesOrdersAwayFirst(rule: DeleteRule) throws {
    let store = try Self.filled(rule, "moved-\(rule)")
    let draft = store.makeDraft()
    let orders = draft.box(for: Order.self)
    let other = try #require(try draft.box(for: Customer.self).get(Id(2)))
    for order in try orders.all() where order.summary?.hasPrefix("A") ?? false {
      order.customer.target = other
      try orders.put(order)
    }
    try draft.box(for: Customer.self).remove(Id(1))
    try draft.commit()
    #expect(try Self.orders(store) == ["A1", "A2", "B1", "B2"])
    #expect(try store.box(for: Order.self).all().map(\.customer.targetId?.value) == [2, 2, 2, 2])
  }

  @Test func aCascadeOfAnotherTransactionIsAConflict() throws {
    let store = try Self.filled(.cascade)
    let draft = store.makeDraft()
    let orders = draft.box(for: Order.self)
    let order = try #require(try orders.all().first)
    order.summary = "changed"
    try orders.put(order)
    try store.box(for: Customer.self).remove(Id(1))
    #expect(throws: DraftConflictError.self) { try draft.commit() }
    #expect(try Self.orders(store) == ["B1", "B2"])
  }
}
