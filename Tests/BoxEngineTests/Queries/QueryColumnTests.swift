import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

/// Sums, limits and groups, against the same over objects in memory.
struct QueryColumnTests {
  private static let paths = [
    "id", "flag", "tiny", "smallUnsigned", "count", "long", "longUnsigned", "ratio", "price",
    "born",
    "owner", "owner.age", "owner.boss.age", "marks.id", "owner.likes.count", "owner.likes.marks.id",
  ]
  private static let groupPaths =
    paths + [
      "name", "title", "blob", "letter", "tags", "floats", "doubles", "ints", "flags", "owner.name",
      "marks.name", "owner.boss.name", "Thing.title",
    ]

  @Test(.promise(326)) func summariesAndGroupsMatchTheObjects() throws {
    var random = TestSeed.next()
    let count = TestSeed.count("BOXJOINT_SOAK_QUERIES", default: 5000) / 20
    var grouped = 0
    for _ in 0..<count {
      let sample = try QuerySample(&random, variants: [true])
      let store = sample.stores[0]
      let entity = try store.entity(named: "Thing")
      for _ in 0..<5 {
        let condition = try QueryModel.condition(entity, store, &random, depth: 1)
        let order = QueryModel.order(entity, &random)
        let query = try store.prepare(StoreQuery(entity, condition, order: order))
        let names = (0..<1 + random.below(3)).map { _ in random.pick(Self.paths) }
        let columns = try names.map { try store.column($0, of: entity) }
        let by = random.pick(Self.groupPaths)
        let column = try store.column(by, of: entity)
        let objects = sample.world.answer("Thing", condition, order)
        try store.read { transaction in
          let found = try transaction.summarize(query, columns)
          try #require(found.count == objects.count)
          for (name, summary) in zip(names, found.summaries) {
            try Self.require(summary, sample.world.values(name, objects), "\(name) of \(condition)")
          }
          let groups = try transaction.groups(query, by: column, columns)
          let expected = sample.world.groups(by, objects)
          grouped += expected.count
          let note: Comment = "by \(by), \(condition) by \(order)"
          try #require(groups.map { $0.count } == expected.map { $0.objects.count }, note)
          for (group, other) in zip(groups, expected) {
            try #require(NaiveKey(group.value) == other.key, note)
            for (name, summary) in zip(names, group.summaries) {
              try Self.require(summary, sample.world.values(name, other.objects), note)
            }
          }
        }
      }
    }
    #expect(grouped > count)
  }

  private static func require(
    _ summary: ColumnSummary, _ values: [Value], _ note: Comment
  ) throws {
    try #require(summary.count == values.count, note)
    guard let first = values.first else {
      return try #require(summary == ColumnSummary(), note)
    }
    switch first {
    case .float, .double:
      let numbers = values.map(\.number)
      guard case .number(let sum) = summary.sum else { throw TestFailure("no number: \(note)") }
      let plain = numbers.reduce(0, +)
      if plain.isFinite {
        let scale = numbers.reduce(0) { $0 + $1.magnitude }
        try #require((sum - plain).magnitude <= scale * 1e-12, note)
      } else {
        try #require(sum == plain || (sum.isNaN && plain.isNaN), note)
      }
      let sorted = numbers.sorted { a, b in b.isNaN ? !a.isNaN : a < b }
      try #require(
        NaiveKey(.double(summary.minimum?.number ?? -1)) == NaiveKey(.double(sorted[0])), note)
      try #require(
        NaiveKey(.double(summary.maximum?.number ?? -1))
          == NaiveKey(.double(sorted[sorted.count - 1])), note)
    default:
      let integers = values.map(\.wideInteger)
      try #require(summary.sum == .integer(integers.reduce(0, +)), note)
      try #require(summary.minimum?.wideInteger == integers.min(), note)
      try #require(summary.maximum?.wideInteger == integers.max(), note)
    }
  }

  @Test(.promise(94)) func sumsAreExactBeyond64Bits() throws {
    let store = try ObjectStore.open(.ownMemory(), model: ConditionModel.document())
    let entity = try store.entity(named: "Thing")
    try store.write { transaction in
      for _ in 0..<4 {
        var object = DynamicObject(entity)
        object["long"] = .integer(.min)
        object["longUnsigned"] = .unsigned(.max)
        try transaction.put(object)
      }
      // In the order of these a plain sum of doubles is 0.
      for price in [1e100, 1, -1e100] {
        var object = DynamicObject(entity)
        object["price"] = .double(price)
        try transaction.put(object)
      }
    }
    let names = ["long", "longUnsigned", "price"]
    let columns = try names.map { try store.column($0, of: entity) }
    let found = try store.read {
      try $0.summarize(try store.prepare(StoreQuery(entity)), columns)
    }
    #expect(found.count == 7)
    #expect(found.summaries[0].sum == .integer(Int128(Int64.min) * 4))
    #expect(found.summaries[0].average == -0x1p63)
    #expect(found.summaries[1].sum == .integer(Int128(UInt64.max) * 4))
    #expect(found.summaries[2].sum == .number(1))
    #expect(found.summaries[2].average == 1.0 / 3)
  }

  @Test func refusesNamesAndTypes() throws {
    var random = TestSeed.next()
    let store = try QuerySample(&random, variants: [false]).stores[0]
    let entity = try store.entity(named: "Thing")
    func message(_ path: String) -> String {
      do throws(ConditionError) {
        _ = try store.column(path, of: entity)
        return ""
      } catch {
        return error.message
      }
    }
    #expect(message("prise") == "Thing has no property prise; did you mean price?")
    #expect(message("ownr.name") == "Thing has no relation ownr; did you mean owner?")
    #expect(message("owner.nme") == "Person has no property nme; did you mean name?")
    #expect(
      message("marks").hasPrefix(
        "Thing.marks is a relation to many; name a property of its objects"))
    let query = try store.prepare(StoreQuery(entity))
    let name = try store.column("name", of: entity)
    let error = try #require(throws: StoreError.self) {
      try store.read { try $0.summarize(query, [name]) }
    }
    #expect(error == .notNumeric(entity: "Thing", property: "name"))
  }
}

/// A value as groups are told apart: numbers by value, and strings by their bytes.
enum NaiveKey: Hashable {
  case null, integer(Int128), number(UInt64), bytes([UInt8])

  init(_ value: Value) {
    switch value {
    case .null: self = .null
    case .string(let text): self = .bytes(Array(text.utf8))
    case .bytes(let bytes): self = .bytes(bytes)
    case .float, .double:
      let number = value.number
      self = .number(number.isNaN ? 1 : number == 0 ? 0 : number.bitPattern)
    default: self = .integer(value.wideInteger)
    }
  }
}

extension Value {
  fileprivate var number: Double {
    switch self {
    case .float(let value): Double(value)
    case .double(let value): value
    default: .nan
    }
  }

  fileprivate var wideInteger: Int128 {
    switch self {
    case .bool(let value): value ? 1 : 0
    case .integer(let value): Int128(value)
    case .unsigned(let value): Int128(value)
    default: 0
    }
  }

  /// The value itself, or the elements of a vector.
  fileprivate var parts: [Value] {
    switch self {
    case .null: []
    case .bools(let elements): elements.map { .bool($0) }
    case .integers(let elements): elements.map { .integer($0) }
    case .unsignedIntegers(let elements): elements.map { .unsigned($0) }
    case .floats(let elements): elements.map { .float($0) }
    case .doubles(let elements): elements.map { .double($0) }
    case .strings(let elements): elements.map { .string($0) }
    default: [self]
    }
  }
}

extension NaiveWorld {
  /// The objects that fulfil a condition, in order.
  func answer(_ name: String, _ condition: Condition, _ order: [QueryOrder]) -> [DynamicObject] {
    (objects[name] ?? [:]).values
      .filter { NaiveCondition(object: $0, world: self).holds(condition) }
      .sorted { NaiveOrder(order: order).isBefore($0, $1) }
  }

  private func values(_ path: [String], _ object: DynamicObject) -> [Value] {
    var ends = [object.id: object]
    for relation in path.dropLast() {
      let targets = ends.values.flatMap { self.targets(of: $0, .forward(relation)) }
      ends = Dictionary(targets.map { ($0.id, $0) }) { first, _ in first }
    }
    return ends.sorted { $0.key < $1.key }.map { $0.value.value(named: path.last ?? "") ?? .null }
  }

  private func path(_ text: String) -> [String] {
    text.split(separator: ".").map(String.init).filter { $0 != "Thing" }
  }

  /// The values of a path that are not null.
  fileprivate func values(_ text: String, _ objects: [DynamicObject]) -> [Value] {
    objects.flatMap { values(path(text), $0) }.filter { $0 != .null }
  }

  fileprivate func groups(
    _ text: String, _ objects: [DynamicObject]
  ) -> [(key: NaiveKey, objects: [DynamicObject])] {
    var groups: [(key: NaiveKey, objects: [DynamicObject])] = []
    for object in objects {
      var keys = values(path(text), object).flatMap(\.parts).map { NaiveKey($0) }
      if keys.isEmpty { keys = [.null] }
      var seen: Set<NaiveKey> = []
      for key in keys where seen.insert(key).inserted {
        if let position = groups.firstIndex(where: { $0.key == key }) {
          groups[position].objects.append(object)
        } else {
          groups.append((key, [object]))
        }
      }
    }
    return groups
  }
}
