import BoxStore
import TestSupport
import Testing

/// The order of the results of a query.
struct QueryOrderTests {
  private func nicknames(_ flags: [OrderFlags], _ names: String?...) throws -> [String?] {
    let box = try QueryStore.people()
    try box.put(names.map { Person(nickname: $0) })
    return try box.query().ordered(by: Person.nickname, flags: flags).build().find().map(\.nickname)
  }

  /// The fifth behaviour.
  @Test(.promise(197, 201, 204, 205, 358)) func nilComesFirstAndCaseCountsOnlyWithItsFlag() throws {
    let names = [nil, "b", "A", "a", "B"]
    #expect(try nicknames([], nil, "b", "A", "a", "B") == [nil, "A", "a", "b", "B"])
    #expect(try nicknames([.caseSensitive], nil, "b", "A", "a", "B") == [nil, "A", "B", "a", "b"])
    #expect(try nicknames([.nullsLast], nil, "b", "A") == ["A", "b", nil])
    #expect(try nicknames([.descending], "A", nil, "b") == [nil, "b", "A"])
    #expect(try nicknames([.descending, .nullsLast], "A", nil, "b") == ["b", "A", nil])
    let box = try QueryStore.people()
    try box.put(names.map { Person(nickname: $0) })
    #expect(try box.query { Person.nickname == "a" }.build().find().map(\.nickname) == ["a"])
    #expect(
      try box.query { Person.nickname.isEqual(to: "a", caseSensitive: false) }.build()
        .find().map(\.nickname) == ["A", "a"])
  }

  @Test(.promise(206, 315, 320, 321)) func ordersAreChainedAndTheIdDecidesAtLast() throws {
    let box = try QueryStore.people(
      Person("b", "y", age: 1), Person("a", "x", age: 1), Person("a", "z", age: 1),
      Person("A", "x", age: 2))
    let query = try box.query().ordered(by: Person.age, flags: .descending)
      .ordered(by: Person.firstName).build()
    #expect(try query.find().map(\.id) == [4, 2, 3, 1])
    #expect(try query.find(offset: 1, limit: 2).map(\.id) == [2, 3])
    #expect(try query.findIds(offset: 2).map(\.value) == [3, 1])
    #expect(try query.findFirst()?.id == 4)
  }

  @Test(.promise(93, 205, 368)) func numbersWithoutAValueCanBeZeroAndNegativeOnesLast() throws {
    let box = try QueryStore.people()
    try box.put(
      [Int64?.some(-1), nil, 1, 0, .min].map { balance in
        let person = Person()
        person.balance = balance
        return person
      })
    func balances(_ flags: [OrderFlags]) throws -> [Int64?] {
      try box.query().ordered(by: Person.balance, flags: flags).build().find().map(\.balance)
    }
    #expect(try balances([]) == [nil, .min, -1, 0, 1])
    #expect(try balances([.nullsZero]) == [.min, -1, nil, 0, 1])
    #expect(try balances([.unsigned, .nullsLast]) == [0, 1, .min, -1, nil])
    #expect(try balances([.unsigned, .descending, .nullsLast]) == [-1, .min, 1, 0, nil])
  }

  /// An index of the property changes nothing: `count` of a setting has one.
  @Test(.promise(367)) func anIndexDoesNotChangeTheOrder() throws {
    let box = try QueryStore.sample().box(for: Setting.self)
    var random = TestSeed.next()
    let settings = (0..<300).map { Setting("\($0)", Int32(random.below(20)) - 10) }
    try box.put(settings)
    for flags: [OrderFlags] in [[], [.descending], [.unsigned], [.unsigned, .descending]] {
      let query = try box.query { Setting.count != 3 }.ordered(by: Setting.count, flags: flags)
        .build()
      func key(_ count: Int32) -> Int64 {
        let key = flags.contains(.unsigned) ? Int64(UInt32(bitPattern: count)) : Int64(count)
        return flags.contains(.descending) ? -key : key
      }
      let expected = settings.filter { $0.count != 3 }
        .sorted { (key($0.count), $0.id) < (key($1.count), $1.id) }.map(\.id)
      #expect(try query.find().map(\.id) == expected)
      #expect(try query.find(offset: 1, limit: 3).map(\.id) == Array(expected[1..<4]))
    }
  }
}
