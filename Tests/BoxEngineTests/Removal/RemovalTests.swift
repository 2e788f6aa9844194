import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

/// The effects of the four delete rules, one by one.
struct RemovalTests {
  private static let lineOrder: UID = 301
  private static let orderAddress: UID = 201
  private static let orderCustomer: UID = 202
  private static let invoiceOrder: UID = 401
  private static let tags: UID = 950

  private static func document(lineIndex: PropertyFlags = .indexed) throws -> ModelDocument {
    try TestModel(
      .init(name: "Customer", uid: 100, fields: [.init(name: "name", type: .string, uid: 150)]),
      .init(
        name: "Order", uid: 200,
        properties: [
          .init("id", 250, .long, .id),
          .init("address", orderAddress, .relation, target: "Address"),
          .init("customer", orderCustomer, .relation, target: "Customer"),
          .init(
            name: "code", type: .string, flags: [.indexed, .unique, .uniqueOnConflictReplace],
            uid: 251),
        ], relations: [.init("tags", tags, to: "Tag")]),
      .init(
        name: "Line", uid: 300,
        properties: [
          .init("id", 350, .long, .id),
          .init(name: "order", type: .relation, flags: lineIndex, target: "Order", uid: lineOrder),
          .init("next", 302, .relation, target: "Line"),
          .init(name: "text", type: .string, uid: 351),
        ]),
      .init(
        name: "Invoice", uid: 400,
        properties: [
          .init("id", 450, .long, .id), .init("order", invoiceOrder, .relation, target: "Order"),
          .init(name: "text", type: .string, uid: 451),
        ]),
      .init(name: "Address", uid: 500, fields: []), .init(name: "Tag", uid: 600, fields: [])
    ).document()
  }

  private static let shop = Declarations(relations: [
    .init(relation: orderAddress, name: "Order.address", sourceRemoved: .cascade),
    .init(relation: orderCustomer, name: "Order.customer", targetRemoved: .deny),
    .init(relation: lineOrder, name: "Line.order", targetRemoved: .cascade),
    .init(relation: 302, name: "Line.next", sourceRemoved: .cascade),
    .init(relation: invoiceOrder, name: "Invoice.order", targetRemoved: .nullify),
  ])

  private static func options(_ rules: Declarations) -> StoreOptions {
    var options = StoreOptions()
    options.declarations = rules
    return options
  }

  /// Two orders of a customer with three lines each, an address, two invoices and a tag.
  private static func store(_ rules: Declarations = shop) throws -> ObjectStore {
    let store = try ObjectStore.open(.ownMemory(), model: document(), options: options(rules))
    try store.write { transaction in
      try transaction.put("Customer", [:])
      try transaction.put("Tag", [:])
      for id in 1...2 as ClosedRange<UInt64> {
        try transaction.put("Address", [:])
        try transaction.put(
          "Order", ["address": .unsigned(id), "customer": .unsigned(1), "code": .string("\(id)")])
        for _ in 1...3 {
          try transaction.put("Line", ["order": .unsigned(id), "text": .string("line")])
          try transaction.put("Invoice", ["order": .unsigned(id), "text": .string("invoice")])
        }
        let relation = try store.entity(named: "Order").relation(named: "tags").orFail(
          "no relation")
        try transaction.link(relation, id, 1)
      }
    }
    return store
  }

  private static func order(_ store: ObjectStore) throws -> EntitySchema {
    try store.entity(named: "Order")
  }

  @discardableResult
  private static func remove(
    _ store: ObjectStore, _ name: String, _ ids: [UInt64]
  ) throws -> Int {
    let entity = try store.entity(named: name)
    return try store.write { transaction in
      ids.count == 1
        ? try transaction.remove(entity, ids[0]) ? 1 : 0 : try transaction.remove(entity, ids)
    }
  }

  @Test func eachRuleDoesItsPart() throws {
    let store = try Self.store()
    let order = try Self.order(store)
    let effects = try store.write { try $0.removal(of: [(order, [1, 77])]).effects }
    #expect(
      effects
        == RemovalEffects(
          removed: [
            .init(entity: "Order", named: 1, reached: 0, relations: []),
            .init(entity: "Line", named: 0, reached: 3, relations: ["Line.order"]),
            .init(entity: "Address", named: 0, reached: 1, relations: ["Order.address"]),
          ], nullified: [.init(relation: "Invoice.order", count: 3)]))
    #expect(try Self.remove(store, "Order", [1]) == 1)
    #expect(try store.ids("Order") == [2])
    #expect(try store.ids("Line") == [4, 5, 6])
    #expect(try store.ids("Address") == [2])
    #expect(try store.ids("Customer") == [1])
    #expect(try store.ids("Invoice") == [1, 2, 3, 4, 5, 6])
    #expect(try store.value("Invoice", 1, "order") == .null)
    #expect(try store.value("Invoice", 1, "text") == .string("invoice"))
    #expect(try store.value("Invoice", 4, "order") == .unsigned(2))
    #expect(try store.verify().isEmpty)
  }

  @Test func denySaysWhoStays() throws {
    let store = try Self.store()
    let customer = try store.entity(named: "Customer")
    let error = try storeError { try Self.remove(store, "Customer", [1]) }
    #expect(
      error
        == .removalRefused(
          entity: "Customer", id: 1, relation: "Order.customer", count: 2, first: "Order 1"))
    #expect(
      error?.description
        == "Customer 1 cannot be removed: 2 objects that stay are related to it by Order.customer (deny), first "
        + "Order 1; remove them too, or change the relation first; nothing was removed")
    #expect(try store.ids("Customer") == [1])
    // Together with those that it protects, it is allowed.
    let orders = try Self.order(store)
    #expect(try store.write { try $0.remove([(customer, [1]), (orders, [2, 1])]) } == 3)
    #expect(try store.ids("Line").isEmpty && store.ids("Customer").isEmpty)
  }

  @Test func aRefusalLeavesTheTransaction() throws {
    let store = try Self.store()
    let customer = try store.entity(named: "Customer")
    try store.write { transaction in
      try transaction.put("Tag", [:])
      #expect(throws: StoreError.self) { try transaction.removeAll(customer) }
      #expect(throws: StoreError.self) { try transaction.remove(customer, [1]) }
    }
    #expect(try store.ids("Tag") == [1, 2])
    #expect(try store.ids("Customer") == [1])
  }

  @Test func removeAllFollowsTheRules() throws {
    let store = try Self.store()
    let order = try Self.order(store)
    #expect(try store.write { try $0.removeAll(order) } == 2)
    for name in ["Order", "Line", "Address"] { #expect(try store.ids(name).isEmpty, "\(name)") }
    #expect(try store.ids("Invoice").count == 6)
    #expect(try store.value("Invoice", 6, "order") == .null)
    #expect(try store.ids("Tag") == [1])
    #expect(try store.verify().isEmpty)
    #expect(try store.put("Order", [:]) == 3)
  }

  @Test func withoutRulesNothingFollows() throws {
    let store = try Self.store(Declarations())
    #expect(try Self.remove(store, "Order", [1, 2]) == 2)
    #expect(try store.ids("Line").count == 6)
    #expect(try store.value("Line", 1, "order") == .unsigned(1))
  }

  @Test func aLongChainAndACycleGo() throws {
    let store = try Self.store()
    let line = try store.entity(named: "Line")
    try store.write { transaction in
      let count = 20_000 as UInt64
      for id in 7...count {
        try transaction.put("Line", ["next": .unsigned(id == count ? 7 : id + 1)])
      }
      #expect(try transaction.remove(line, 300))
    }
    #expect(try store.ids("Line") == [1, 2, 3, 4, 5, 6])
    #expect(try store.verify().isEmpty)
  }

  /// Enough lines that an order's entries fill pages of their own, some of them not written yet, and a removal that is
  /// undone first.
  @Test func ordersWithManyLinesGoWithTheirEntries() throws {
    struct Undone: Error {}
    let store = try Self.store()
    let (order, line) = (try Self.order(store), try store.entity(named: "Line"))
    func putLines(_ count: Int, _ transaction: Transaction) throws {
      for number in 0..<count {
        try transaction.put("Line", ["order": .unsigned(UInt64(1 + number % 2))])
      }
    }
    try store.write { try putLines(20_000, $0) }
    try store.write { transaction in
      try putLines(1_000, transaction)
      #expect(throws: Undone.self) {
        try transaction.savepoint {
          #expect(try transaction.remove(order, 1))
          #expect(try transaction.count(line) == 10_503)
          throw Undone()
        }
      }
      #expect(try transaction.count(line) == 21_006)
      try putLines(10, transaction)
      #expect(try transaction.remove(order, 2))
      // The id stands in no index any more, so a new line is the only one.
      let id = try transaction.put("Line", ["order": .unsigned(2)])
      let toOne = try #require(line.property(named: "order"))
      #expect(try transaction.sources(line, toOne, of: 2) == [id])
      #expect(try transaction.sources(line, toOne, of: 1).count == 10_508)
    }
    #expect(try store.ids("Line").count == 10_509)
    #expect(try store.verify().isEmpty)
  }

  @Test func aPutThatReplacesFollowsTheRules() throws {
    let store = try Self.store()
    try store.put("Order", ["code": .string("1")])
    #expect(try store.ids("Order") == [2, 3])
    #expect(try store.ids("Line") == [4, 5, 6])
    #expect(try store.value("Invoice", 1, "order") == .null)
  }

  @Test func aPutThatWouldRemoveItsObjectIsRefused() throws {
    let rules = Declarations(relations: [
      .init(
        relation: Self.orderCustomer, name: "", sourceRemoved: .cascade, targetRemoved: .cascade)
    ])
    let store = try Self.store(rules)
    let before = try store.write { try $0.contents() }
    let error = try storeError {
      _ = try store.put("Order", ["code": .string("1"), "customer": .unsigned(1)], id: 2)
    }
    #expect(error == .replacementRefused(entity: "Order", id: 2, replaced: "Order 1"))
    #expect(try store.write { try $0.contents() } == before)
    // As it will be, nothing leads to it.
    try store.put("Order", ["code": .string("1")], id: 2)
    #expect(try store.ids("Order") == [2])
    #expect(try store.ids("Customer").isEmpty)
  }

  @Test func aPutObjectLosesItsRelationToTheOneItReplaces() throws {
    let rules = Declarations(relations: [
      .init(relation: 502, name: "", targetRemoved: .nullify)
    ])
    let model = TestModel(
      .init(
        name: "Address", uid: 500,
        properties: [
          .init("id", 550, .long, .id), .init("next", 502, .relation, target: "Address"),
          .init(
            name: "code", type: .string, flags: [.indexed, .unique, .uniqueOnConflictReplace],
            uid: 503),
        ]))
    let store = try ObjectStore.open(
      .ownMemory(), model: model.document(), options: Self.options(rules))
    try store.put("Address", ["code": .string("a")])
    // A new one, and one that is there: the relation is to the object that goes.
    try store.put("Address", ["code": .string("a"), "next": .unsigned(1)])
    #expect(try store.value("Address", 2, "next") == .null)
    try store.put("Address", ["code": .string("b")])
    try store.put("Address", ["code": .string("b"), "next": .unsigned(3)], id: 2)
    #expect(try store.value("Address", 2, "next") == .null)
    #expect(try store.ids("Address") == [2])
    #expect(try store.verify().isEmpty)
  }

  @Test func objectsThatExchangeTheirValuesKeepTheirLines() throws {
    let store = try Self.store()
    let order = try Self.order(store)
    let objects = try store.read { transaction in
      try ([1, 2] as [UInt64]).map { id in
        var object = try #require(try transaction.get(order, id))
        object["code"] = .string(id == 1 ? "2" : "1")
        return object
      }
    }
    try store.write { transaction in
      let isWritten = try transaction.put(objects)
      #expect(isWritten == [1, 2])
    }
    #expect(try store.ids("Line").count == 6)
    #expect(try store.value("Order", 1, "code") == .string("2"))
    #expect(try store.value("Order", 2, "code") == .string("1"))
    #expect(try store.verify().isEmpty)
  }

  @Test func bothSidesOfARelationAreNamedOnce() throws {
    let rules = Declarations(relations: [
      .init(relation: 302, name: "", sourceRemoved: .cascade, targetRemoved: .cascade)
    ])
    let store = try Self.store(rules)
    let line = try store.entity(named: "Line")
    let effects = try store.write { transaction in
      for (id, next) in [(1, 2), (2, 3)] as [(UInt64, UInt64)] {
        var object = try transaction.get(line, id).orFail("no line")
        object["next"] = .unsigned(next)
        try transaction.put(object)
      }
      return try transaction.removal(of: [(line, [2])]).effects
    }
    #expect(
      effects.removed == [
        .init(entity: "Line", named: 1, reached: 2, relations: ["Line.next"])
      ])
  }

  @Test func anUndoRemovesAlone() throws {
    let store = try Self.store()
    try store.write { transaction in
      let mark = transaction.undoMark
      transaction.onUndo(.remove(try Self.order(store), 1))
      try transaction.revert(to: mark)
    }
    #expect(try store.ids("Order") == [2])
    #expect(try store.ids("Line").count == 6)
  }

  /// Changes a byte of the record of an object.
  private static func damage(_ store: ObjectStore, _ name: String, _ id: UInt64) throws {
    try store.write { transaction in
      let (storage, entity) = (try transaction.writing(), try store.entity(named: name))
      var bytes = try #require(try storage.bytes(entity.space, id))
      bytes[0] ^= 1
      try storage.put(entity.space, id, bytes)
    }
  }

  @Test func aDamagedObjectGoesOnlyIfItIsNamed() throws {
    let store = try Self.store()
    try Self.damage(store, "Line", 2)
    let before = try store.write { try $0.contents() }
    for ids in [[1], [1, 2]] as [[UInt64]] {
      let error = try storeError { try Self.remove(store, "Order", ids) }
      guard case .damagedRecord(entity: "Line", id: 2, _)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
    #expect(try store.write { try $0.contents() } == before)
    let line = try store.entity(named: "Line")
    let order = try Self.order(store)
    #expect(try store.write { try $0.remove([(line, [2]), (order, [1])]) } == 2)
    #expect(try store.ids("Line") == [4, 5, 6])
    #expect(try store.verify().isEmpty)
  }

  @Test func aDamagedObjectIsNotFollowed() throws {
    let store = try Self.store()
    try Self.damage(store, "Order", 1)
    #expect(try Self.remove(store, "Order", [1]) == 1)
    // Its address cannot be read; its lines are found by their index.
    #expect(try store.ids("Address") == [1, 2])
    #expect(try store.ids("Line") == [4, 5, 6])
    #expect(try store.verify().isEmpty)
  }

  @Test func aDamagedObjectThatWouldChangeForbidsIt() throws {
    let store = try Self.store()
    try Self.damage(store, "Invoice", 2)
    #expect(throws: StoreError.self) { try Self.remove(store, "Order", [1]) }
    #expect(try store.ids("Line").count == 6)
  }

  @Test func rulesCanBeGivenInAnyOrder() throws {
    let fixture = try StoreFixture()
    var rules = Self.shop
    rules.relations = rules.relations.reversed() + [rules.relations[0]]
    try fixture.with(Self.document(), Self.options(rules)) { _ in }
    try fixture.with(Self.document(), StoreOptions()) { store in
      #expect(store.declarations.means(Self.shop))
    }
  }

  @Test func aRuleNeedsAnIndex() throws {
    let fixture = try StoreFixture()
    let document = try Self.document(lineIndex: [])
    let findings = try fixture.refusal(document, Self.options(Self.shop))
    #expect(findings.map(\.rule.id) == ["BOX614"])
    #expect(
      findings.map(\.message) == [
        "Line.order has a delete rule for removed targets, and no index to find their sources by"
      ])
    // Nobody looks for the sources of this rule.
    let other = Declarations(relations: [
      .init(relation: Self.lineOrder, name: "", sourceRemoved: .cascade, targetRemoved: .noAction)
    ])
    #expect(try fixture.refusal(document, Self.options(other)).isEmpty)
  }

  @Test func anIndexOfARuleIsNotDeferred() throws {
    let fixture = try StoreFixture()
    var options = Self.options(Self.shop)
    options.defersIndexes = true
    try fixture.with(Self.document(), options) { store in
      try store.put("Order", [:])
      try store.put("Line", ["order": .unsigned(1)])
      #expect(try Self.remove(store, "Order", [1]) == 1)
      #expect(try store.ids("Line").isEmpty)
    }
  }
}
