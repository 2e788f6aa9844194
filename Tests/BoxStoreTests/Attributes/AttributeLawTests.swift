import BoxStore
import TestSupport
import Testing

/// Groups and their aggregates, compared with those of objects in memory.
struct AttributeLawTests {
  /// A key of the groups, and its value of an object.
  private typealias Key = (
    term: AttributeTerm<Person>, value: @Sendable (Person) -> PropertyValue?
  )

  private static let keys: [Key] = [
    (.value(Person.age), { .integer(Int64($0.age)) }),
    (.value(Person.nickname), { $0.nickname.map { .string($0) } }),
    (.value(Person.balance), { $0.balance.map { .integer($0) } }),
    (.value(Person.rating), { $0.rating.map { .number(Double($0)) } }),
  ]

  private static let terms: [AttributeTerm<Person>] = [
    .count(Person.id), .count(Person.balance), .sum(Person.balance), .average(Person.balance),
    .max(Person.balance), .min(Person.nickname), .max(Person.nickname), .max(Person.rating),
    .sum(Person.rating),
  ]

  private static func aggregates(_ group: [Person]) -> [PropertyValue?] {
    let balances = group.compactMap(\.balance)
    let names = group.compactMap(\.nickname).map { Array($0.utf8) }
      .sorted { $0.lexicographicallyPrecedes($1) }.map { String(decoding: $0, as: UTF8.self) }
    let ratings = group.compactMap(\.rating)
    return [
      .integer(Int64(group.count)), .integer(Int64(balances.count)),
      .integer(balances.reduce(0, +)),
      balances.isEmpty
        ? nil : .number(Double(balances.reduce(0, +)) / Double(balances.count)),
      balances.max().map { .integer($0) }, names.first.map { .string($0) },
      names.last.map { .string($0) }, ratings.max().map { .number(Double($0)) },
      .number(ratings.reduce(0) { $0 + Double($1) }),
    ]
  }

  /// A value as it is compared: Swift takes strings for equal whose bytes differ.
  private static func asBytes(_ value: PropertyValue?) -> PropertyValue? {
    if case .string(let text) = value { .bytes(Array(text.utf8)) } else { value }
  }

  private func person(_ random: inout SplitMix64) -> Person {
    let person = Person(age: random.below(4))
    // Quarters, so that sums are exact in any order.
    person.rating = random.oneIn(3) ? nil : Float(random.below(9) - 4) / 4
    person.balance = random.oneIn(3) ? nil : Int64(random.below(7)) - 3
    person.nickname = random.oneIn(4) ? nil : random.pick(["", "a", "A", "é", "e\u{301}", "ab"])
    return person
  }

  @Test(.promise(329, 393, 406)) func groupsMatchTheObjectsInMemory() throws {
    var random = TestSeed.next()
    let box = try QueryStore.people()
    try box.put((0..<150).map { _ in person(&random) })
    for round in 0..<TestSeed.count("BOXJOINT_SOAK_ATTRIBUTES", default: 200) {
      let limit = random.below(5)
      let order: ResultOrder<Person> = .combined(
        (0..<random.below(3)).map { _ in
          random.oneIn(2) ? .descending(Person.age) : .ascending(Person.nickname)
        })
      let query = try box.query { Person.age < limit }.ordered(by: order).build()
      let objects = try query.find()
      let keys = random.shuffled(Self.keys).prefix(random.below(3))
      var groups: [[PropertyValue?]: [Person]] = [:]
      var met: [[PropertyValue?]] = keys.isEmpty ? [[]] : []
      if keys.isEmpty { groups[[]] = [] }
      for object in objects {
        let key = keys.map { $0.value(object) }
        let bytes = key.map(Self.asBytes)
        if groups[bytes] == nil { met.append(key) }
        groups[bytes, default: []].append(object)
      }
      let expected = met.map { $0 + Self.aggregates(groups[$0.map(Self.asBytes)] ?? []) }
      let rows = try query.attributes(keys.map(\.term) + Self.terms, groupedBy: keys.map(\.term))
      #expect(rows.map(\.values) == expected, "round \(round): \(query) by \(keys.count) keys")
      let (offset, count) = (random.below(3), 1 + random.below(3))
      let window = try query.attributes(
        Self.terms, groupedBy: keys.map(\.term), offset: offset, limit: count)
      #expect(
        window.map(\.values)
          == expected.dropFirst(offset).prefix(count).map { Array($0.dropFirst(keys.count)) })
    }
  }

  @Test(.promise(325)) func rowsFollowTheOrderOfTheQuery() throws {
    var random = TestSeed.next()
    let box = try QueryStore.people()
    try box.put((0..<60).map { _ in person(&random) })
    for _ in 0..<50 {
      let limit = random.below(5)
      let query = try box.query { Person.age < limit }.ordered(by: .descending(Person.rating))
        .build()
      let (offset, count) = (random.below(5), random.below(9))
      let objects = try query.find(offset: offset, limit: count)
      let rows = try query.select(
        .id, .value(Person.age), .value(Person.rating), .value(Person.nickname)
      ).find(offset: offset, limit: count)
      #expect(rows.map(\.0.value) == objects.map(\.id))
      #expect(rows.map(\.1) == objects.map(\.age))
      #expect(rows.map(\.2) == objects.map(\.rating))
      #expect(rows.map(\.3) == objects.map(\.nickname))
    }
  }
}
