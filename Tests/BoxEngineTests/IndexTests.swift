import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

/// The objects that indexes find, and their order.
struct IndexTests {
  /// Puts one item for each value, in this order, so that item n has value n.
  private func store(_ property: String, _ values: [Value]) throws -> ObjectStore {
    let store = try ObjectStore.open(
      .ownMemory(), model: ObjectsModel.document())
    _ = try store.write { (transaction) throws in
      try transaction.put(
        values.map { value in
          var object = DynamicObject(try store.entity(named: "Item"))
          object[property] = value
          return object
        })
    }
    return store
  }

  private func expectOrder(
    _ property: String, _ values: [Value], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    // Put in another order than that of the values.
    let shuffled = values.indices.reversed().map { ($0 * 7 + 3) % values.count }
    let order = Set(shuffled).count == values.count ? shuffled : Array(values.indices.reversed())
    let store = try store(property, order.map { values[$0] })
    let expected = values.indices.map { UInt64(order.firstIndex(of: $0).map { $0 + 1 } ?? 0) }
    try store.read { (transaction) throws in
      #expect(
        try transaction.order("Item", by: property) == expected, sourceLocation: sourceLocation)
      #expect(
        try transaction.order("Item", by: property, .backward) == expected.reversed(),
        sourceLocation: sourceLocation)
      for (position, value) in values.enumerated() {
        #expect(
          try transaction.find("Item", property, value) == [expected[position]],
          "\(value)", sourceLocation: sourceLocation)
        #expect(
          try transaction.order("Item", by: property, from: value)
            == Array(expected[position...]), "\(value)", sourceLocation: sourceLocation)
        #expect(
          try transaction.order("Item", by: property, from: value, .backward)
            == Array(expected[...position].reversed()), "\(value)",
          sourceLocation: sourceLocation)
      }
    }
    #expect(try store.verify().isEmpty, sourceLocation: sourceLocation)
  }

  @Test func doublesInOrder() throws {
    try expectOrder(
      "price",
      [
        -.infinity, -.greatestFiniteMagnitude, -1e300, -2, -1.5, -.leastNonzeroMagnitude, 0,
        .leastNonzeroMagnitude, 1, 1.0000000000000002, 2, 10, 1e300, .infinity, .nan,
      ].map { .double($0) })
  }

  @Test func floatsInOrder() throws {
    try expectOrder(
      "ratio",
      [
        -.infinity, -3e38, -1, -.leastNonzeroMagnitude, 0, .leastNonzeroMagnitude, 0.1, 1,
        1.0000001,
        .infinity, .nan,
      ].map { .float($0) })
  }

  @Test func signedIntegersInOrder() throws {
    try expectOrder(
      "rank", [Int64.min, .min + 1, -256, -255, -1, 0, 1, 255, 256, .max].map { .integer($0) })
    try expectOrder("tiny", [-128, -127, -1, 0, 1, 2, 127].map { .integer($0) })
  }

  @Test func unsignedIntegersInOrder() throws {
    try expectOrder(
      "size", [0, 1, 255, 256, 1 << 63 - 1, 1 << 63, .max].map { .unsigned($0) })
  }

  /// A type of property with flags, and values of it in order.
  private struct IndexedType {
    var type: PropertyType
    var flags: PropertyFlags = []
    var values: [Value]
  }

  /// Every other type that can have an index, at both ends of its range.
  @Test func otherTypesInOrder() throws {
    let cases: [IndexedType] = [
      .init(type: .bool, values: [.bool(false), .bool(true)]),
      .init(type: .byte, flags: .unsigned, values: [0, 1, 255].map { .unsigned($0) }),
      .init(type: .short, values: [-32768, -1, 0, 32767].map { .integer($0) }),
      .init(type: .short, flags: .unsigned, values: [0, 1 << 15, 65535].map { .unsigned($0) }),
      .init(type: .char, values: [0, 0x41, 0xD800, 0xFFFF].map { .unsigned($0) }),
      .init(type: .int, values: [-1 << 31, -1, 0, 1 << 31 - 1].map { .integer($0) }),
      .init(type: .int, flags: .unsigned, values: [0, 1 << 31, 1 << 32 - 1].map { .unsigned($0) }),
      .init(type: .date, values: [Int64.min, -1, 0, .max].map { .integer($0) }),
      .init(type: .dateNano, values: [Int64.min, -1, 0, .max].map { .integer($0) }),
      .init(
        type: .relation, flags: .indexPartialSkipZero,
        values: [1, 1 << 63 - 1].map { .unsigned($0) }),
    ]
    for (number, indexed) in cases.enumerated() {
      let model = TestModel(
        .init(
          name: "Item", uid: 100,
          properties: [
            .id(),
            .init(
              name: "value", type: indexed.type, flags: indexed.flags.union(.indexed),
              target: indexed.type == .relation ? "Item" : nil),
          ]))
      let store = try ObjectStore.open(
        .ownMemory(), model: model.document())
      let values = indexed.values
      for value in values.reversed() { try store.put("Item", ["value": value]) }
      try store.put("Item", [:])
      let expected = values.indices.map { UInt64(values.count - $0) }
      try store.read { (transaction) throws in
        #expect(try transaction.order("Item", by: "value") == expected, "\(indexed.type)")
        #expect(
          try transaction.order("Item", by: "value", .backward) == expected.reversed(),
          "\(indexed.type)")
        for (value, id) in zip(values, expected) {
          #expect(
            try transaction.find("Item", "value", value) == [id], "\(indexed.type) \(value)")
        }
      }
      #expect(try store.verify().isEmpty)
    }
  }

  /// By UTF-8 bytes, whatever a language thinks of it; also where strings are longer than a key.
  @Test(.promise(75)) func stringsInOrder() throws {
    let long = String(repeating: "m", count: 509)
    try expectOrder(
      "title",
      [
        "", "\u{0}", "\u{0}a", "A", "Z", "a", "a\u{0}", "a\u{0}b", "aa", "b", "e\u{301}", long,
        long + "\u{0}", long + "a", long + "aa", long + "ab", long + "b",
        long + "b" + String(repeating: "x", count: 3000), long + "bz", "z", "é", "語", "🙂",
      ].map { .string($0) })
  }

  @Test func zerosAndNaNsAreOneValueEach() throws {
    let store = try store(
      "price", [.double(0), .double(-0.0), .double(.nan), .double(-.nan), .null])
    try store.read { (transaction) throws in
      for zero in [0.0, -0.0] {
        #expect(try transaction.find("Item", "price", .double(zero)) == [1, 2])
      }
      #expect(try transaction.find("Item", "price", .double(.signalingNaN)) == [3, 4])
      #expect(try transaction.order("Item", by: "price") == [1, 2, 3, 4])
      #expect(try transaction.find("Item", "price", .null) == [])
      #expect(try transaction.value("Item", 2, "price") == .double(-0.0))
    }
  }

  @Test(.promise(185), arguments: ["title", "label", "code"])
  func longStringsAreExact(_ property: String) throws {
    for count in 505...515 {
      let prefix = String(repeating: "x", count: count)
      let texts = [prefix, prefix + "a", prefix + "b", prefix + "ab"]
      let store = try ObjectStore.open(
        .ownMemory(), model: ObjectsModel.document())
      for text in texts { try store.put("Item", [property: .string(text)]) }
      try store.read { (transaction) throws in
        for (position, text) in texts.enumerated() {
          let found = try transaction.find("Item", property, .string(text))
          #expect(found == [UInt64(position + 1)])
        }
        #expect(try transaction.find("Item", property, .string(prefix + "c")) == [])
      }
      // A change behind what is in the key is a change.
      try store.put("Item", [property: .string(prefix + "c")], id: 2)
      #expect(try store.read { try $0.find("Item", property, .string(prefix + "a")) } == [])
      #expect(try store.read { try $0.find("Item", property, .string(prefix + "c")) } == [2])
      #expect(try store.verify().isEmpty)
    }
  }

  /// Strings that look the same are two, as their bytes are.
  @Test func stringsAreComparedByTheirBytes() throws {
    let store = try store("code", ["é", "e\u{301}"])
    #expect(try store.read { try $0.find("Item", "code", "é") } == [1])
    #expect(try store.read { try $0.find("Item", "code", "e\u{301}") } == [2])
  }

  @Test func indexesFollowChangesWithinATransaction() throws {
    let store = try ObjectsModel.store()
    try store.write { (transaction) throws in
      try transaction.put("Item", ["rank": 1, "title": "a"])
      #expect(try transaction.find("Item", "rank", 1) == [1])
      try transaction.put("Item", ["rank": 2, "title": "b"], id: 1)
      #expect(try transaction.find("Item", "rank", 1) == [])
      #expect(try transaction.find("Item", "rank", 2) == [1])
      #expect(try transaction.find("Item", "title", "a") == [])
      try transaction.put("Item", ["rank": 1], id: 1)
      #expect(try transaction.find("Item", "rank", 2) == [])
      try transaction.remove(store.entity(named: "Item"), 1)
      #expect(try transaction.order("Item", by: "rank") == [])
    }
    #expect(try store.verify().isEmpty)
  }

  /// Entries of strings are held back and sorted; the last that is done about an object counts.
  ///
  /// An entity with a unique index beside it takes another way to the same entries.
  @Test(arguments: [false, true])
  func manyStringsInOneTransaction(besideUnique: Bool) throws {
    var random = TestSeed.next("\(besideUnique)")
    let code = PropertyFlags([.unique, .indexHash])
    let model = TestModel(
      .init(
        name: "Item", uid: 100,
        properties: [
          .id(), .init(name: "title", type: .string, flags: .indexed),
          .init(name: "code", type: .string, flags: besideUnique ? code : []),
        ]))
    let store = try ObjectStore.open(
      .ownMemory(), model: model.document())
    let item = try store.entity(named: "Item")
    let starts = ["", "prefix", "prefix\u{0}", String(repeating: "y", count: 509)]
    func text() -> String {
      let letters = (0..<random.below(12)).map { _ in random.pick(["\u{0}", "a", "b", "ö"]) }
      return random.pick(starts) + letters.joined()
    }
    var titles: [UInt64: String] = [:]
    try store.write { transaction in
      for step in 0..<3000 {
        let id = step < 1500 || random.oneIn(4) ? 0 : UInt64(1 + random.below(1500))
        if id != 0 && random.oneIn(5) {
          try transaction.remove(item, id)
          titles[id] = nil
          continue
        }
        let title = random.oneIn(8) ? nil : text()
        let value = title.map { Value.string($0) } ?? .null
        let given = try transaction.put("Item", ["title": value], id: id)
        titles[given] = title
      }
    }
    let expected = titles.sorted { a, b in
      let (first, second) = (Array(a.value.utf8), Array(b.value.utf8))
      return first == second ? a.key < b.key : first.lexicographicallyPrecedes(second)
    }
    let order = try store.read { try $0.order("Item", by: "title") }
    #expect(order == expected.map(\.key))
    #expect(try store.verify().isEmpty)
  }

  /// Entries that would take too much memory are written in the middle of the transaction.
  @Test func moreStringsThanAreHeldBack() throws {
    let model = TestModel(
      .init(
        name: "Item", uid: 100,
        properties: [.id(), .init(name: "title", type: .string, flags: .indexed)]))
    let store = try ObjectStore.open(.ownMemory(), model: model.document())
    let item = try store.entity(named: "Item")
    let slot = try item.property(named: "title").orFail("title").slot
    let start = String(repeating: "z", count: 490)
    let count: UInt64 = 70_000
    try store.write { transaction in
      // Downwards, so that the order is not that of the ids.
      for number in (0..<count).reversed() {
        try transaction.put(item) { $0.set(slot, start + String(100_000 + number)) }
      }
    }
    let order = try store.read { try $0.order("Item", by: "title") }
    #expect(order == (1...count).reversed())
    #expect(try store.verify().isEmpty)
  }

  @Test(.promise(173, 184)) func indexesOfAnyTypeOfLookUp() throws {
    let store = try store("rank", [1])
    let item = try store.entity(named: "Item")
    let code = try #require(item.property(named: "code"))
    let id = try #require(item.property(named: "id"))
    try store.read { (transaction) throws in
      #expect(
        try storeError { _ = try transaction.ids(item, where: id, equals: 1) }
          == .notIndexed(entity: "Item", property: "id"))
      // A hash has no order.
      #expect(
        try storeError {
          try transaction.visitIDs(item, orderedBy: code) { _ in .next }
        } == .notIndexed(entity: "Item", property: "code"))
      #expect(
        try storeError { _ = try transaction.ids(item, where: code, equals: 1) }
          == .wrongValue(entity: "Item", property: "code", value: 1, expected: "a string"))
    }
  }

  // MARK: - Unique

  @Test(.promise(188)) func uniqueNamesWhatIsInTheWay() throws {
    let store = try ObjectsModel.store()
    try store.put("Item", ["code": "a"])
    try store.put("Item", ["code": "b"])
    let violation = StoreError.uniqueViolation(
      entity: "Item", property: "code", value: "a", existing: 1)
    #expect(try storeError { try store.put("Item", ["code": "a"]) } == violation)
    #expect(try storeError { try store.put("Item", ["code": "a"], id: 2) } == violation)
    #expect(
      violation.description
        == "Item.code is unique, and Item 1 has the value \"a\" already")
    // Itself is not in its way, and null is in nobody's.
    try store.put("Item", ["code": "a", "rank": 5], id: 1)
    try store.put("Item", [:])
    try store.put("Item", [:])
    #expect(try store.ids("Item") == [1, 2, 3, 4])
    #expect(try store.value("Item", 2, "code") == "b")
    #expect(try store.verify().isEmpty)
  }

  /// A caught violation leaves the transaction as it was before the put.
  @Test func aCaughtViolationDoesNotDoomTheTransaction() throws {
    let store = try ObjectsModel.store()
    try store.put("Item", ["code": "a", "title": "one"])
    try store.write { (transaction) throws in
      try transaction.put("Item", ["code": "b"])
      let error = try storeError {
        try transaction.put("Item", ["code": "a", "title": "two", "rank": 9], id: 2)
      }
      #expect(error != nil)
      #expect(try transaction.find("Item", "title", "two") == [])
      #expect(try transaction.find("Item", "rank", 9) == [])
      #expect(try transaction.find("Item", "code", "b") == [2])
      #expect(try transaction.put("Item", ["code": "c"]) == 3)
    }
    #expect(try store.ids("Item") == [1, 2, 3])
    #expect(try store.verify().isEmpty)
  }

  @Test(.promise(77)) func replaceOnConflictRemovesWhatIsInTheWay() throws {
    let store = try ObjectsModel.store()
    try store.put("Box", ["name": "one", "place": 1, "tag": "t"])
    try store.put("Box", ["name": "two", "place": 2])
    let boxes = try #require(try store.entity(named: "Item").relation(named: "boxes"))
    try store.put("Item", ["box": .unsigned(1)])
    try store.write { (transaction) throws in
      try transaction.link(boxes, 1, 1)
      try transaction.link(boxes, 1, 2)
    }
    // Both are in the way, by two properties.
    #expect(try store.put("Box", ["name": "three", "place": 2, "tag": "t"]) == 3)
    #expect(try store.ids("Box") == [3])
    #expect(try store.read { try $0.targets(boxes, of: 1) } == [])
    #expect(try store.read { try $0.find("Box", "name", "one") } == [])
    // The name is in the way and not to be replaced: nothing happens to the others.
    try store.put("Box", ["name": "four", "place": 4])
    #expect(
      try storeError { try store.put("Box", ["name": "three", "place": 4]) }
        == .uniqueViolation(entity: "Box", property: "name", value: "three", existing: 3))
    #expect(try store.ids("Box") == [3, 4])
    // An update replaces too.
    try store.put("Box", ["name": "four", "place": 2], id: 4)
    #expect(try store.ids("Box") == [4])
    #expect(try store.verify().isEmpty)
  }

  /// A damaged object under the key of the new value stops the put before another one is replaced.
  @Test func aDamagedObjectUnderTheKeyStopsAReplacement() throws {
    let model = TestModel(
      .init(
        name: "Item", uid: 100,
        properties: [
          .id(),
          .init(
            name: "text", type: .string, flags: [.indexed, .unique, .uniqueOnConflictReplace]),
        ]))
    let store = try ObjectStore.open(.ownMemory(), model: model.document())
    let item = try store.entity(named: "Item")
    let start = String(repeating: "x", count: 600)
    try store.put("Item", ["text": .string(start + "a")])
    try store.put("Item", ["text": .string(start + "b")])
    try store.write { (transaction) throws in
      let storage = try transaction.reading()
      var record = [UInt8](try #require(try storage.value(item.space, UInt64(2))))
      record[0] ^= 1
      try record.withUnsafeBytes { try storage.put(item.space, UInt64(2), $0, .replace) }
    }
    try store.write { (transaction) throws in
      let error = try storeError { try transaction.put("Item", ["text": .string(start + "a")]) }
      guard case .damagedRecord("Item", 2, _) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
    #expect(try store.read { try $0.contains(item, 1) })
    #expect(try store.read { try $0.count(item) } == 2)
  }

  /// The key of a value is that of a record which has it, for every type that an index can have.
  @Test func keysOfValuesEqualKeysOfRecords() throws {
    var random = TestSeed.next()
    let types = (SlotType.bool.rawValue...SlotType.string.rawValue).compactMap(SlotType.init)
    for type in types {
      for _ in 0..<200 {
        let hasBytes = type == .string && random.oneIn(3)
        let space = Space(handle: 0, kind: hasBytes ? .byteSets : .integerSets)
        let index = IndexSchema(
          uid: UID(1), kind: random.pick([.value, .hash, .hash64]), isUnique: false,
          replacesOnConflict: false, skipsZero: random.oneIn(2), entity: "E", property: "p",
          slot: 0, type: type, space: space, position: 0)
        let value = RecordSamples.value(type, &random)
        let layout = RecordLayout([type])
        let record = try RecordSamples.record(1, layout, [value])
        let reader = RecordReader(layout)
        let expected = try record.withUnsafeBytes { index.key(try reader.view(1, $0)) }
        #expect(try index.key(value) == expected, "\(value)")
      }
    }
  }
}
