import BoxStore
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Values of conditions that are changed after a query was built.
struct QueryParameterTests {
  /// The eighth behaviour.
  @Test(.promise(95, 210, 211, 361)) func anAliasNamesOneCondition() throws {
    let box = try QueryStore.people(ages: 5, 20, 30, 60)
    let query = try box.query { "Min" .= Person.age > 10 && "Max" .= Person.age < 50 }.build()
    #expect(try query.find().map(\.age) == [20, 30])
    query.setParameter("Min", to: 25)
    #expect(try query.find().map(\.age) == [30])
    query.setParameter("Max", to: 100)
    #expect(try query.find().map(\.age) == [30, 60])
    // A property means its first condition in the order of the text.
    query.setParameter(Person.age, to: 50)
    #expect(try query.find().map(\.age) == [60])
  }

  @Test func aConditionWithoutValuesIsSkipped() throws {
    let box = try QueryStore.people(Person(nickname: "a"), Person(nickname: "b"), Person())
    let query = try box.query { Person.nickname.isNotNil() && Person.nickname == "a" }.build()
    query.setParameter(Person.nickname, to: "b")
    #expect(try query.find().map(\.id) == [2])
  }

  @Test(.promise(208, 212)) func rangesListsAndPartsAreChanged() throws {
    let box = try QueryStore.people(ages: 1, 2, 3, 4, 5)
    let between = try box.query { Person.age.isBetween(1, and: 2) }.build()
    between.setParameters(Person.age, to: 5, and: 4)
    #expect(try between.find().map(\.age) == [4, 5])
    let range = try box.query { "range" .= Person.age ∈ 1..<2 }.build()
    range.setParameters("range", to: 2, 4)
    #expect(try range.find().map(\.age) == [2, 3, 4])
    let list = try box.query { Person.age ∉ [1] }.build()
    list.setParameters(Person.age, to: [1, 2, 3, 4])
    #expect(try list.find().map(\.age) == [5])
    let text = try box.query { Person.firstName.startsWith("1") }.build()
    text.setParameter(Person.firstName, to: "3")
    #expect(try text.find().map(\.age) == [3])
    let names = try box.query { "names" .= Person.firstName.isIn(["1"]) }.build()
    names.setParameters("names", to: ["2", "5"])
    #expect(try names.find().map(\.age) == [2, 5])
  }

  @Test(.promise(93, 207, 225)) func valuesOfEveryTypeAreChanged() throws {
    let box = try QueryStore.sample().box(for: Everything.self)
    var (one, two) = (Everything(), Everything())
    let (early, late) = (Date(timeIntervalSince1970: 1), Date(timeIntervalSince1970: 2))
    (one.bool, one.date, one.data, one.double) = (false, early, Data([1]), 1.5)
    (two.bool, two.date, two.data, two.double) = (true, late, Data([2]), 2.5)
    var both = [one, two]
    try box.put(&both)
    func ids(_ condition: QueryCondition<Everything>, _ change: (Query<Everything>) -> Void) throws
      -> [Id]
    {
      let query = try box.query { condition }.build()
      #expect(try query.find().map(\.id) == [1])
      change(query)
      return try query.find().map(\.id)
    }
    #expect(try ids(Everything.bool == false) { $0.setParameter(Everything.bool, to: true) } == [2])
    #expect(try ids(Everything.date == early) { $0.setParameter(Everything.date, to: late) } == [2])
    #expect(try ids("d" .= Everything.date ∈ [early]) { $0.setParameters("d", to: [late]) } == [2])
    #expect(
      try ids("d" .= Everything.date.isBetween(early, and: early)) {
        $0.setParameters("d", to: early, and: late)
      } == [1, 2])
    #expect(
      try ids(Everything.data == Data([1])) { $0.setParameter(Everything.data, to: Data([2])) } == [
        2
      ])
    #expect(try ids("x" .= Everything.double < 2) { $0.setParameter("x", to: 3.0) } == [1, 2])
    #expect(try ids(Everything.double < 2) { $0.setParameter(Everything.double, to: 3) } == [1, 2])
  }

  @Test func aToleranceIsChangedWithItsValue() throws {
    let box = try QueryStore.sample().box(for: Book.self)
    try box.put(
      [1.0, 2.0, 2.25].map { price in
        let book = Book("\(price)")
        book.price = price
        return book
      })
    let query = try box.query { Book.price.isEqual(to: 1, tolerance: 0.1) }.build()
    #expect(try query.find().map(\.price) == [1])
    query.setParameter(Book.price, toEqual: 2.125, tolerance: 0.125)
    #expect(try query.find().map(\.price) == [2, 2.25])
  }

  /// Threads change values of a query that others run: each run has one set of them.
  @Test(.promise(152, 195)) func threadsShareAQuery() async throws {
    let box = try QueryStore.people(ages: 1, 2, 3)
    let query = try box.query { Person.age.isBetween(1, and: 1) }.build()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<4 {
        group.addTask {
          for _ in 0..<200 {
            if number == 0 { query.setParameters(Person.age, to: 2, and: 3) }
            if number == 1 { query.setParameters(Person.age, to: 1, and: 1) }
            let found = try query.find().map(\.age)
            #expect(found == [1] || found == [2, 3])
          }
        }
      }
      try await group.waitForAll()
    }
  }

  // MARK: - Mistakes

  private func expectTrap(
    _ message: String, _ result: ExitTest.Result?, _ location: SourceLocation = #_sourceLocation
  ) {
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains(message), "\(text)", sourceLocation: location)
  }

  @Test(.promise(209, 361)) func thePluralOnASingleValueTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let box = try QueryStore.people(ages: 1)
      let query = try box.query { "Min" .= Person.age > 10 && "Max" .= Person.age < 50 }.build()
      query.setParameters("Min", to: 1, 2)
    }
    expectTrap(
      "a condition with the alias \"Min\" is changed by setParameter(_:to:) with one value", result)
  }

  @Test(.promise(209)) func theSingularOnTwoValuesTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let box = try QueryStore.people(ages: 1)
      try box.query { Person.age.isBetween(1, and: 2) }.build().setParameter(Person.age, to: 1)
    }
    expectTrap(
      "a condition on Person.age is changed by setParameters(_:to:_:) with two values", result)
  }

  @Test(.promise(213)) func anUnknownAliasTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let box = try QueryStore.people(ages: 1)
      try box.query { "Min" .= Person.age > 10 }.build().setParameter("Mni", to: 1)
    }
    expectTrap("a condition with the alias \"Mni\" does not exist in the query", result)
  }

  @Test(.promise(213)) func aValueOfAnotherTypeTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let box = try QueryStore.people(ages: 1)
      try box.query { "Min" .= Person.age > 10 }.build().setParameter("Min", to: "ten")
    }
    expectTrap("a condition with the alias \"Min\" cannot have this value", result)
  }
}
