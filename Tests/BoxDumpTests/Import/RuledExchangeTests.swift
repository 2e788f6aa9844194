import BoxDump
import BoxEngine
import BoxModel
import BoxStorage
import TestSupport
import Testing

/// Imported objects that take unique values over from others, in stores with delete rules.
struct RuledExchangeTests {
  /// Orders whose code another order can take over, and their lines.
  private static func model() throws -> ModelDocument {
    try TestModel(
      .init(
        name: "Order", uid: 100,
        fields: [
          .init(
            name: "code", type: .string, flags: [.indexed, .unique, .uniqueOnConflictReplace],
            uid: 102)
        ]),
      .init(name: "Line", uid: 200, fields: [.init("order", 202, .relation, target: "Order")])
    ).document()
  }

  /// The contents of a store: the codes of the orders and the orders of the lines.
  private struct Shop: Hashable {
    var orders: [UInt64: String?] = [:]
    var lines: [UInt64: UInt64] = [:]
    /// The orders that lost their code and were not put again.
    var displaced: Set<UInt64> = []

    mutating func put(_ id: UInt64, _ code: String?) {
      for (other, theirs) in orders where theirs != nil && theirs == code && other != id {
        orders[other] = .some(nil)
        displaced.insert(other)
      }
      orders[id] = .some(code)
      displaced.remove(id)
    }

    /// Removes the orders that lost their code, with their lines.
    mutating func end() {
      for id in displaced { orders[id] = nil }
      lines = lines.filter { !displaced.contains($0.value) }
      displaced = []
    }
  }

  private func open(_ fixture: ImportFixture, _ rule: DeleteRule) throws -> ObjectStore {
    var options = StoreOptions()
    options.storesCheckpoints = true
    options.declarations = Declarations(relations: [
      .init(relation: 202, name: "Line.order", targetRemoved: rule)
    ])
    return try ObjectStore.open(
      .directory(fixture.path("store")), model: Self.model(), options: options)
  }

  /// Orders with a code and two lines each.
  private func fill(_ store: ObjectStore, orders: UInt64) throws -> Shop {
    var shop = Shop()
    try store.write { transaction in
      for id in 1...orders {
        var order = DynamicObject(try store.entity(named: "Order"))
        order["code"] = .string("c\(id)")
        try transaction.put(order)
        shop.orders[id] = "c\(id)"
        for number in 1...2 as ClosedRange<UInt64> {
          var line = DynamicObject(try store.entity(named: "Line"))
          line["order"] = .unsigned(id)
          try transaction.put(line)
          shop.lines[2 * (id - 1) + number] = id
        }
      }
    }
    return shop
  }

  private func shop(_ store: ObjectStore) throws -> Shop {
    var shop = Shop()
    try store.read { transaction in
      try transaction.visitObjects(store.entity(named: "Order")) { object in
        shop.orders[object.id] = .some(nil)
        if case .string(let code) = object["code"] { shop.orders[object.id] = .some(code) }
        return .next
      }
      try transaction.visitObjects(store.entity(named: "Line")) { object in
        if case .unsigned(let order) = object["order"] { shop.lines[object.id] = order }
        return .next
      }
    }
    return shop
  }

  private static func line(_ id: UInt64, _ code: String?) -> String {
    "{\"Order\":{\"id\":\(id),\"code\":\(code.map { "\"\($0)\"" } ?? "null")}}"
  }

  @Test func everyImportEqualsANaiveModel() throws {
    var random = TestSeed.next()
    var counts = (removed: 0, again: 0)
    for _ in 0..<TestSeed.count("BOXJOINT_SOAK_RULED_IMPORTS", default: 150) {
      let fixture = try ImportFixture()
      let store = try open(fixture, .cascade)
      defer { store.close() }
      var expected = try fill(store, orders: 6)
      // The first of several inputs ends with an error, and the import begins again.
      for round in 0..<1 + random.below(3) {
        var lines: [String] = []
        for _ in 0..<1 + random.below(8) {
          let (id, code) = (UInt64(1 + random.below(8)), "c\(1 + random.below(8))")
          let given = random.oneIn(8) ? nil : code
          lines.append(Self.line(id, given))
          let before = expected.displaced
          expected.put(id, given)
          if before.contains(id) { counts.again += 1 }
        }
        let isInterrupted = random.oneIn(3)
        if isInterrupted { lines.append(#"{"Order":{"id":"x"}}"#) }
        let size = 1 + random.below(4)
        func load() throws {
          try fixture.load(text: lines.joined(separator: "\n"), into: store) {
            $0.mode = .replace
            $0.batch = isInterrupted ? 1 : size
            $0.restarts = round > 0
          }
        }
        if isInterrupted {
          #expect(throws: ImportIssue.self) { try load() }
          continue
        }
        try load()
        counts.removed += expected.displaced.count
        expected.end()
      }
      if try Importer.isInterrupted(in: store) {
        try fixture.load(text: "", into: store) { $0.restarts = true }
        expected.end()
      }
      let found = try shop(store)
      try #require(found == expected)
      try #require(try store.verify().isEmpty)
    }
    #expect(counts.removed > 50 && counts.again > 50, "\(counts)")
  }

  @Test func exchangedValuesKeepTheLines() throws {
    for rule in [.cascade, .deny, .nullify] as [DeleteRule] {
      let fixture = try ImportFixture()
      let store = try open(fixture, rule)
      var expected = try fill(store, orders: 2)
      let summary = try fixture.load(
        text: [Self.line(1, "c2"), Self.line(2, "c1")].joined(separator: "\n"), into: store
      ) { $0.mode = .replace }
      (expected.orders[1], expected.orders[2]) = ("c2", "c1")
      #expect(try shop(store) == expected)
      #expect(summary.notes.isEmpty)
      store.close()
    }
  }

  /// Without rules a displaced object that is put again is the same object.
  @Test func exchangedValuesKeepTheOtherValuesWithoutRules() throws {
    let model = try TestModel(
      .init(
        name: "Item", uid: 100,
        fields: [
          .init(
            name: "code", type: .string, flags: [.indexed, .unique, .uniqueOnConflictReplace],
            uid: 102),
          .init("size", 103, .long),
        ], relations: [.init("others", 600, to: "Item")])
    ).document()
    for batch in [nil, 1] {
      let fixture = try ImportFixture()
      let store = try fixture.open("store", model)
      defer { store.close() }
      let item = try store.entity(named: "Item")
      try store.write { transaction in
        for id in 1...2 as ClosedRange<Int64> {
          var object = DynamicObject(item)
          object["code"] = .string("c\(id)")
          object["size"] = .integer(id)
          try transaction.put(object)
        }
        try transaction.link(item.relations[0], 2, 1)
      }
      let lines = [#"{"Item":{"id":1,"code":"c2"}}"#, #"{"Item":{"id":2,"code":"c1"}}"#]
      let summary = try fixture.load(text: lines.joined(separator: "\n"), into: store) {
        $0.mode = .upsert
        $0.batch = batch
      }
      #expect(summary.entities.map { [$0.inserted, $0.updated] } == [[0, 2]])
      let (objects, targets) = try store.read { transaction in
        (
          try transaction.get(item, [1, 2] as [UInt64]),
          try transaction.targets(item.relations[0], of: 2)
        )
      }
      #expect(objects.map { $0?["code"] } == [.string("c2"), .string("c1")])
      #expect(objects[1]?["size"] == .integer(2))
      #expect(targets == [1])
    }
  }

  /// An interrupted import does not remove what a user has changed since.
  @Test func anObjectThatWasChangedMeanwhileStays() throws {
    let fixture = try ImportFixture()
    let store = try open(fixture, .cascade)
    defer { store.close() }
    _ = try fill(store, orders: 2)
    #expect(throws: ImportIssue.self) {
      try fixture.load(
        text: [Self.line(7, "c1"), Self.line(8, "c2"), #"{"Order":{"id":"x"}}"#]
          .joined(separator: "\n"), into: store
      ) {
        $0.mode = .replace
        $0.batch = 1
      }
    }
    try store.write { transaction in
      var order = try #require(try transaction.get(store.entity(named: "Order"), 1))
      order["code"] = .string("again")
      try transaction.put(order)
    }
    try fixture.load(text: Self.line(9, "c9"), into: store) { $0.restarts = true }
    let found = try shop(store)
    #expect(found.orders == [1: "again", 7: "c1", 8: "c2", 9: "c9"])
    #expect(Set(found.lines.values) == [1])
  }

  @Test func aNoteSaysWhatWasRemoved() throws {
    let fixture = try ImportFixture()
    let store = try open(fixture, .cascade)
    defer { store.close() }
    _ = try fill(store, orders: 2)
    let summary = try fixture.load(text: Self.line(1, "c2"), into: store) { $0.mode = .replace }
    #expect(
      summary.notes == [
        "objects were removed, as others have their unique values now: 1 of Order; by delete rules with them: "
          + "2 of Line by Line.order"
      ])
  }

  @Test func anElementThatARuleRefusesIsRejected() throws {
    let fixture = try ImportFixture()
    let store = try open(fixture, .deny)
    defer { store.close() }
    let before = try fill(store, orders: 2)
    let text = [Self.line(3, "c2"), Self.line(4, "new")].joined(separator: "\n")
    let summary = try fixture.load(text: text, into: store) {
      $0.mode = .replace
      $0.maximumErrors = 10
    }
    #expect(summary.rejected == 1)
    var expected = before
    expected.put(4, "new")
    #expect(try shop(store) == expected)
    #expect(throws: StoreError.self) {
      try fixture.load(text: Self.line(3, "c2"), into: store) { $0.mode = .replace }
    }
  }

  /// Items with two unique values, of which others can take over the first.
  private func items(_ fixture: ImportFixture) throws -> ObjectStore {
    let model = try TestModel(
      .init(
        name: "Item", uid: 100,
        fields: [
          .init(
            name: "code", type: .string, flags: [.indexed, .unique, .uniqueOnConflictReplace],
            uid: 102),
          .init(name: "number", type: .long, flags: [.indexed, .unique], uid: 103),
          .init("size", 104, .long),
        ])
    ).document()
    let store = try fixture.open("store", model)
    try store.write { transaction in
      for id in 1...2 as ClosedRange<Int64> {
        var object = DynamicObject(try store.entity(named: "Item"))
        object["code"] = .string("c\(id)")
        object["number"] = .integer(id)
        object["size"] = .integer(id * 10)
        try transaction.put(object)
      }
    }
    return store
  }

  private func values(_ store: ObjectStore) throws -> [[Value]] {
    var values: [[Value]] = []
    try store.read { transaction in
      try transaction.visitObjects(store.entity(named: "Item")) { item in
        values.append([.unsigned(item.id), item["code"], item["number"], item["size"]])
        return .next
      }
    }
    return values
  }

  @Test func aRejectedElementDisplacesNothing() throws {
    for batch in [nil, 1] {
      let fixture = try ImportFixture()
      let store = try items(fixture)
      defer { store.close() }
      let before = try values(store)
      // It takes the code of the first item before the number of the second one refuses it.
      let lines = [#"{"Item":{"id":3,"code":"c1","number":2}}"#, #"{"Item":{"id":"x"}}"#]
      let summary = try fixture.load(text: lines.joined(separator: "\n"), into: store) {
        $0.mode = .replace
        $0.maximumErrors = 10
        $0.batch = batch
      }
      #expect(summary.rejected == 2)
      #expect(summary.notes.isEmpty)
      #expect(try values(store) == before)
      #expect(try store.verify().isEmpty)
    }
  }

  @Test func aDisplacedObjectIsFoundByItsOtherValue() throws {
    for batch in [nil, 1] {
      let fixture = try ImportFixture()
      let store = try items(fixture)
      defer { store.close() }
      let lines = [
        #"{"Item":{"number":1,"code":"c2"}}"#, #"{"Item":{"number":2,"code":"c1"}}"#,
      ]
      try fixture.load(text: lines.joined(separator: "\n"), into: store) {
        $0.mode = .upsert
        $0.match = "Item.number"
        $0.batch = batch
      }
      #expect(
        try values(store) == [
          [.unsigned(1), .string("c2"), .integer(1), .integer(10)],
          [.unsigned(2), .string("c1"), .integer(2), .integer(20)],
        ])
    }
  }

  @Test func anObjectThatIsDueForRemovalYieldsItsOtherValue() throws {
    for batch in [nil, 1] {
      let fixture = try ImportFixture()
      let store = try items(fixture)
      defer { store.close() }
      let lines = [
        #"{"Item":{"id":1,"code":"c2","number":1,"size":1}}"#,
        #"{"Item":{"id":7,"code":"c7","number":2,"size":7}}"#,
      ]
      try fixture.load(text: lines.joined(separator: "\n"), into: store) {
        $0.mode = .replace
        $0.batch = batch
      }
      #expect(
        try values(store) == [
          [.unsigned(1), .string("c2"), .integer(1), .integer(1)],
          [.unsigned(7), .string("c7"), .integer(2), .integer(7)],
        ])
      #expect(try store.verify().isEmpty)
    }
  }
}
