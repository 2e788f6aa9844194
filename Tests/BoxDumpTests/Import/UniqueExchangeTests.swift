import BoxDump
import BoxEngine
import BoxModel
import BoxStorage
import TestSupport
import Testing

/// Replaced objects that pass unique values on to each other.
struct UniqueExchangeTests {
  /// Two unique properties, a relation to one and one to many.
  private static func model() throws -> ModelDocument {
    try TestModel(
      .init(
        name: "Item", uid: 100,
        fields: [
          .init("name", 102, .string, [.indexHash, .unique]),
          .init("code", 103, .long, [.indexed, .unique]), .init("size", 104, .int, .indexed),
          .init("next", 105, .relation, target: "Item"),
        ], relations: [.init("others", 600, to: "Item")])
    ).document()
  }

  private struct Item: Hashable {
    var name: String?
    var code: Int?
    var next: Int?
    var others: [Int] = []

    func line(_ id: Int) -> String {
      let name = name.map { "\"\($0)\"" } ?? "null"
      return """
        {"Item":{"id":\(id),"name":\(name),"code":\(code.map(String.init) ?? "null"),\
        "size":1,"next":\(next.map(String.init) ?? "null")}}
        """
    }

    func links(_ id: Int) -> String { "{\"Item.others\":{\"source\":\(id),\"targets\":\(others)}}" }
  }

  private func fixture(_ items: [Int: Item]) throws -> (ImportFixture, ObjectStore) {
    let fixture = try ImportFixture()
    let store = try fixture.open("store", Self.model())
    try fixture.load(text: text(items), into: store)
    return (fixture, store)
  }

  private func text(_ items: [Int: Item]) -> String {
    lines(items.keys.sorted(), items).joined(separator: "\n")
  }

  private func lines(
    _ order: [Int], _ items: [Int: Item], hasEmptyEntries: Bool = false
  ) -> [String] {
    order.compactMap { id in items[id]?.line(id) }
      + order.compactMap { id in
        items[id].flatMap { $0.others.isEmpty && !hasEmptyEntries ? nil : $0.links(id) }
      }
  }

  private func items(_ store: ObjectStore) throws -> [Int: Item] {
    let entity = try store.entity(named: "Item")
    return try store.read { transaction in
      var items: [Int: Item] = [:]
      try transaction.visitObjects(entity) { object in
        var item = Item()
        if case .string(let name) = object["name"] { item.name = name }
        if case .integer(let code) = object["code"] { item.code = Int(code) }
        if case .unsigned(let next) = object["next"] { item.next = Int(next) }
        items[Int(object.id)] = item
        return .next
      }
      for id in items.keys {
        items[id]?.others = try transaction.targets(entity.relations[0], of: UInt64(id)).map(
          Int.init)
      }
      return items
    }
  }

  private func named(_ names: [Int: String?]) -> [Int: Item] { names.mapValues { Item(name: $0) } }

  // MARK: - Cases

  /// A dump in which two objects exchanged a value: afterwards the store is the dump.
  @Test func twoObjectsExchangeAValue() throws {
    let before = [1: Item(name: "a", code: 1), 2: Item(name: "b", code: 2)]
    let after = [1: Item(name: "b", code: 1), 2: Item(name: "a", code: 2)]
    for batch in [nil, 1, 10] {
      let (fixture, store) = try fixture(before)
      let other = try fixture.open("other", Self.model())
      try fixture.load(text: text(after), into: other)
      let dump = try fixture.export(other, to: "dump")
      let summary = try fixture.load(dump, into: store) {
        $0.mode = .replace
        $0.batch = batch
      }
      #expect(summary.entities.map { [$0.inserted, $0.updated] } == [[0, 2]])
      #expect(try items(store) == after)
      try fixture.export(store, to: "replaced")
      #expect(try fixture.directory.bytes(of: "dump") == fixture.directory.bytes(of: "replaced"))
      #expect(try store.verify().isEmpty)
    }
  }

  @Test func aValueGoesToANewObject() throws {
    for order in [[1, 2, 3], [3, 2, 1], [2, 3, 1]] {
      let (fixture, store) = try fixture(named([1: "a", 2: "b"]))
      let after = [
        1: Item(name: "b", next: 3, others: [2, 3]), 2: Item(name: nil),
        3: Item(name: "a", next: 1, others: [1]),
      ]
      let summary = try fixture.load(
        text: lines(order, after).joined(separator: "\n"), into: store
      ) {
        $0.mode = .replace
        $0.batch = 1
      }
      #expect(summary.entities.map { [$0.inserted, $0.updated] } == [[1, 2]])
      #expect(try items(store) == after)
      #expect(try store.verify().isEmpty)
    }
  }

  /// A value that the input has twice is refused at its second element, as in an empty store.
  @Test func aValueThatIsThereTwiceIsRefused() throws {
    let (fixture, store) = try fixture(named([1: "a", 2: "b"]))
    let empty = try fixture.open("empty", Self.model())
    let input = text(named([1: "x", 2: "x"]))
    let refusal = try fixture.refusal(input, into: store) { $0.mode = .replace }
    let expected = try #require(try fixture.refusal(input, into: empty))
    #expect(refusal?.message == expected.message)
    #expect(refusal?.line == 2)
    #expect(refusal?.column == expected.column)
    #expect(try items(store) == named([1: "a", 2: "b"]))
  }

  /// A value of an object that keeps it, or that the input does not have, is refused at the end.
  @Test func aValueThatIsNotReleasedIsRefused() throws {
    let before = named([1: "a", 2: "b"])
    for after in [named([1: "b"]), named([1: "b", 2: "b"])] {
      for batch in [nil, 1] {
        let (fixture, store) = try fixture(before)
        let refusal = try fixture.refusal(text(after), into: store) {
          $0.mode = .replace
          $0.batch = batch
        }
        #expect(refusal?.line == 1)
        let message = try #require(refusal?.message)
        #expect(message.hasPrefix("Item.name: "))
        #expect(message.contains("Item 2 has the value \"b\""))
        #expect(try items(store) == before)
        #expect(try store.verify().isEmpty)
      }
    }
  }

  /// An element that waits and is rejected leaves its object as it was, and with it those whose values
  /// it would have given up.
  @Test func rejectedElementsGiveUpNothing() throws {
    let before = named([1: "a", 2: "b", 3: "c", 4: "d"])
    let (fixture, store) = try fixture(before)
    // 1 takes the value of 4, which the input lacks; so 2 cannot have that of 1, nor 3 that of 2.
    let input = lines([3, 2, 1, 5], named([1: "d", 2: "a", 3: "b", 5: "c"]))
    let summary = try fixture.load(
      text: input.joined(separator: "\n"), into: store, rejects: fixture.path("bad")
    ) {
      $0.mode = .replace
      $0.maximumErrors = 10
      $0.batch = 2
    }
    #expect(summary.rejected == 4)
    #expect(try items(store) == before)
    #expect(
      Set(try fixture.directory.text(of: "bad").split(separator: "\n").map(String.init))
        == Set(input))
    #expect(try store.verify().isEmpty)
  }

  /// Objects that are found by one unique property exchange the values of another one.
  @Test func objectsThatAreMatchedExchangeValues() throws {
    for (ids, code) in [(ImportIDs.keep, 3), (.new, 3)] {
      let (fixture, store) = try fixture([
        1: Item(name: "a", code: 1), 2: Item(name: "b", code: 2), 7: Item(name: "g", code: 7),
      ])
      // The third is new, and takes a value that the first one gives up.
      let input = [
        Item(name: "c", code: 1, next: 5), Item(name: "a", code: 2, next: 4),
        Item(name: "b", code: code),
      ]
      try fixture.load(
        text: zip([4, 5, 6], input).map { $1.line($0) }.joined(separator: "\n"), into: store
      ) {
        $0.mode = .replace
        $0.match = "Item.code"
        $0.ids = ids
        $0.batch = 1
      }
      let new = ids == .keep ? 6 : 8
      #expect(
        try items(store) == [
          1: Item(name: "c", code: 1, next: 2), 2: Item(name: "a", code: 2, next: 1),
          7: Item(name: "g", code: 7), new: Item(name: "b", code: code),
        ])
      #expect(try store.verify().isEmpty)
    }
  }

  /// Of several elements for one object the last one counts, whether it waits or not.
  @Test func theLastElementOfAnObjectCounts() throws {
    for (last, expected) in [("x", "x"), ("b", "b")] {
      let (fixture, store) = try fixture(named([1: "a", 2: "b"]))
      let lines = [(1, "b"), (1, last == "x" ? "x" : "y"), (2, "c"), (1, last)]
      try fixture.load(
        text: lines.map { Item(name: $0.1).line($0.0) }.joined(separator: "\n"), into: store
      ) {
        $0.mode = .replace
        $0.batch = 1
      }
      #expect(try items(store) == named([1: expected, 2: "c"]))
    }
  }

  // MARK: - Laws

  /// Whatever values objects exchange, in whatever order they come: the store equals the input.
  @Test func replacingGivesEachObjectItsValues() throws {
    var random = TestSeed.next()
    for number in 0..<TestSeed.count("BOXJOINT_SOAK_STORES", default: 100) {
      let count = 1 + random.below(number % 10 == 0 ? 60 : 8)
      let before = randomItems(Array(1...count), &random)
      // All objects are in the input, and some that are new.
      let after = randomItems(Array(1...(count + random.below(3))), &random)
      let (fixture, store) = try fixture(before)
      try store.write { transaction in
        if random.oneIn(4) { try transaction.remove(store.entity(named: "Item"), 1) }
      }
      var order = Array(after.keys.sorted())
      var prefix: [String] = []
      let usesDump = random.oneIn(3)
      if usesDump {
        let other = try fixture.open("other", Self.model())
        try fixture.load(text: text(after), into: other)
        try fixture.export(other, to: "dump")
      } else {
        order.shuffle(using: &random)
        // Only a dump of everything has all targets of an object that it has none for.
        prefix = lines(order, after, hasEmptyEntries: true)
        try fixture.directory.write(prefix.joined(separator: "\n"), to: "dump")
      }
      let (batch, dangling) = (
        random.oneIn(3) ? nil : 1 + random.below(6), random.pick([DanglingPolicy.keep, .null])
      )
      func settings(_ options: inout ImportOptions) {
        options.mode = .replace
        options.batch = batch
        options.dangling = dangling
      }
      if !usesDump && random.oneIn(2) {
        // The import is interrupted after some elements.
        let broken = prefix[..<random.below(prefix.count)] + ["nonsense"]
        try fixture.directory.write(broken.joined(separator: "\n"), to: "part")
        #expect(try fixture.refusal(path: fixture.path("part"), into: store, settings) != nil)
        #expect(try store.verify().isEmpty)
      }
      try fixture.load(fixture.path("dump"), into: store) {
        settings(&$0)
        $0.resumes = true
      }
      #expect(try items(store) == after, "store \(number)")
      #expect(try store.verify().isEmpty, "store \(number)")
    }
  }

  /// Whatever an input has: each object is as before or as an element says, and no value is lost.
  @Test func nothingIsLostToWrongInput() throws {
    var random = TestSeed.next()
    for number in 0..<TestSeed.count("BOXJOINT_SOAK_STORES", default: 100) {
      let count = 1 + random.below(12)
      let before = randomItems(Array(1...count), &random)
      var after = randomItems(Array(1...(count + 2)).filter { _ in !random.oneIn(4) }, &random)
      for id in after.keys where random.oneIn(8) { after[id]?.name = "n\(random.below(8))" }
      for id in Set(before.keys).union(after.keys) { after[id]?.others = before[id]?.others ?? [] }
      let (fixture, store) = try fixture(before)
      let order = after.keys.shuffled(using: &random)
      let skips = random.oneIn(2)
      try fixture.directory.write(
        order.compactMap { id in after[id]?.line(id) }.joined(separator: "\n"), to: "input")
      let batch = random.oneIn(3) ? nil : 1 + random.below(6)
      do {
        let summary = try fixture.load(fixture.path("input"), into: store) {
          $0.mode = .replace
          $0.batch = batch
          if skips { $0.maximumErrors = 1000 }
        }
        let written = summary.entities.reduce(0) { $0 + $1.inserted + $1.updated }
        #expect(written + summary.rejected == after.count, "store \(number)")
      } catch is ImportIssue where !skips {}
      let found = try items(store)
      for id in Set(before.keys).union(after.keys).union(found.keys) {
        #expect(found[id] == before[id] || found[id] == after[id], "store \(number), object \(id)")
      }
      #expect(try store.verify().isEmpty, "store \(number)")
    }
  }

  /// Objects with values out of a small set, each of them once.
  private func randomItems(_ ids: [Int], _ random: inout SplitMix64) -> [Int: Item] {
    let names = (0..<ids.count + 3).shuffled(using: &random).map { "n\($0)" }
    let codes = (0..<ids.count + 3).shuffled(using: &random)
    var items: [Int: Item] = [:]
    for (position, id) in ids.enumerated() {
      items[id] = Item(
        name: random.oneIn(6) ? nil : names[position],
        code: random.oneIn(3) ? nil : codes[position],
        next: random.oneIn(2) ? nil : random.pick(ids),
        others: ids.filter { _ in random.oneIn(4) })
    }
    return items
  }
}
