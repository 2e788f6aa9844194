import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

/// The laws of pages: they begin where the last one ended, and together are the rows of the query.
struct QueryPageLawTests {
  /// A query, with the numbers that its answers must not depend on.
  private struct Question {
    var name: String
    var condition: Condition
    var order: [QueryOrder]
    var limits: PlannerLimits

    init(_ sample: QuerySample, _ random: inout SplitMix64) throws {
      name = random.pick(["Thing", "Thing", "Person", "Mark"])
      let entity = try sample.stores[0].entity(named: name)
      condition =
        random.oneIn(3) ? .always : try QueryModel.condition(entity, sample.stores[0], &random)
      order = QueryModel.order(entity, &random)
      limits = PlannerLimits(
        fewIDs: random.pick([0, 3, 64]), longestRatio: random.pick([2, 8, 100]),
        usedPart: random.pick([1, 2]), triedPart: random.pick([1, 1, 2, 8]),
        walkedPerObject: random.pick([0, 64]), heap: random.pick([0, 3, 1000]),
        countedKeys: random.pick([1, 4096]))
    }

    func prepare(_ store: ObjectStore) throws -> PreparedQuery {
      try store.prepare(
        StoreQuery(try store.entity(named: name), condition, order: order), ConditionPlaces(), nil,
        limits)
    }

    /// The rows after an object in a direction, by a look at all objects.
    func answer(
      _ world: NaiveWorld, after place: DynamicObject?, reversed: Bool
    ) -> [UInt64] {
      let naive = NaiveOrder(order: order)
      let rows = world.answer(name, condition, order).filter { row in
        place.map { reversed ? naive.isBefore(row, $0) : naive.isBefore($0, row) } ?? true
      }
      return (reversed ? rows.reversed() : rows).map(\.id)
    }
  }

  private static func ids(
    _ query: PreparedQuery, _ limit: Int, _ transaction: Transaction
  ) throws -> (ids: [UInt64], end: PageEnd) {
    var ids: [UInt64] = []
    let end = try transaction.visitPage(query, limit: limit) { id, _ in
      ids.append(id)
      return .next
    }
    return (ids, end)
  }

  /// Whatever is committed between them, in every order and with every index.
  @Test func pagesTogetherAreTheRows() throws {
    var random = TestSeed.next()
    var (pages, found, walked) = (0, 0, 0)
    let count = TestSeed.count("BOXJOINT_SOAK_PAGES", default: 4000)
    while pages < count {
      var sample = try QuerySample(&random, variants: [false, true, true])
      for _ in 0..<10 {
        let question = try Question(sample, &random)
        let queries = try sample.stores.map { try question.prepare($0) }
        let (isReversed, commits) = (random.oneIn(2), random.oneIn(2))
        var places: [ListKey?] = sample.stores.map { _ in nil }
        var last: DynamicObject?
        var together: [UInt64] = []
        let whole = question.answer(sample.world, after: nil, reversed: isReversed)
        while true {
          pages += 1
          let limit = random.pick([1, 2, 3, 7])
          let rest = question.answer(sample.world, after: last, reversed: isReversed)
          let wanted = Array(rest.prefix(limit))
          for (number, store) in sample.stores.enumerated() {
            let query = queries[number].page(after: places[number], reversed: isReversed)
            let note: Comment = """
              \(question.name) where \(question.condition) by \(question.order), reversed \(isReversed), after \
              \(String(describing: last)) in store \(number)
              """
            try store.read { transaction in
              if case .ordered = try transaction.explain(query, limit: limit).access { walked += 1 }
              try #require(try transaction.ids(query, limit: limit) == wanted, note)
              try #require(try transaction.count(query) == rest.count, note)
              try #require(try transaction.ids(query) == rest, note)
              let page = try Self.ids(query, limit, transaction)
              try #require(page.ids == wanted, note)
              try #require(page.end == (wanted.count == limit ? .full : .last), note)
              var visited: [UInt64] = []
              try transaction.visit(query, limit: limit) { id, _ in
                visited.append(id)
                return .next
              }
              try #require(visited == wanted, note)
              if let id = wanted.last {
                places[number] = try transaction.place(of: id, in: queries[number])
              }
            }
          }
          found += wanted.count
          together += wanted
          guard let id = wanted.last else { break }
          last = sample.world.objects[question.name]?[id]
          if commits, random.oneIn(2) { try sample.change(random.next()) }
        }
        if !commits { try #require(together == whole) }
      }
    }
    #expect(found > count)
    #expect(walked > count / 20)
  }

  // MARK: - Deadlines

  /// The deadline has passed already: each page looks at a few objects, and says where the next one begins.
  @Test(arguments: [
    [], [QueryOrder("id", descending: true)], [QueryOrder("rank")],
    [QueryOrder("rank", descending: true)],
    [QueryOrder("name", descending: true)],
  ])
  func pagesOfADeadlineTogetherAreTheRows(_ order: [QueryOrder]) throws {
    var random = TestSeed.next("\(order)")
    let store = try Self.ranked(3000, &random)
    let query = try store.prepare(
      try store.entity(named: "Row"), try ConditionParser.parse("even == true"), order: order)
    for isReversed in [false, true] {
      var place: ListKey?
      var (together, ends, looked): ([UInt64], Int, Int) = ([], 0, 0)
      reading: while true {
        let interruption = Interruption(deadline: ContinuousClock.now - .seconds(1))
        let (ids, end) = try store.read(interruption) {
          try Self.ids(query.page(after: place, reversed: isReversed), 300, $0)
        }
        together += ids
        switch end {
        case .deadline(let next, let count):
          #expect(count > 0)
          (place, ends, looked) = (next, ends + 1, looked + count)
        case .last: break reading
        default: throw TestFailure("\(end)")
        }
      }
      #expect(ends > 5, "\(order)")
      #expect(looked <= 3000)
      let whole = try store.read { try $0.ids(query) }
      #expect(together == (isReversed ? whole.reversed() : whole))
    }
  }

  /// Objects with ranks and names that have indexes, and weights that have none.
  private static func ranked(_ count: Int, _ random: inout SplitMix64) throws -> ObjectStore {
    let store = try ObjectStore.open(
      .ownMemory(),
      model: TestModel(
        .init(
          name: "Row", uid: 1001,
          fields: [
            .init("rank", 1012, .int, .indexed), .init("name", 1013, .string, .indexed),
            .init("weight", 1014, .int), .init("even", 1015, .bool),
          ])
      ).document())
    let row = try store.entity(named: "Row")
    try store.write { transaction in
      for number in 1...count {
        var object = DynamicObject(row)
        object["rank"] = .integer(Int64(random.below(50)))
        object["name"] = .string(random.pick(QueryModel.texts))
        object["weight"] = .integer(Int64(random.below(1000)))
        object["even"] = .bool(number.isMultiple(of: 2))
        try transaction.put(object)
      }
    }
    return store
  }

  @Test func anOrderWithoutAnIndexHasNoRowsAtTheDeadline() throws {
    var random = TestSeed.next()
    let store = try Self.ranked(1000, &random)
    let query = try store.prepare(
      StoreQuery(try store.entity(named: "Row"), order: [QueryOrder("weight")]))
    let past = Interruption(deadline: ContinuousClock.now - .seconds(1))
    let late = try store.read(past) { try Self.ids(query, 10, $0) }
    #expect(late.ids.isEmpty)
    guard case .unordered(let looked) = late.end else { throw TestFailure("\(late.end)") }
    #expect(looked > 0 && looked < 1000)
    // The transactions after it have their time.
    let page = try store.read(Interruption(deadline: ContinuousClock.now + .seconds(3600))) {
      try Self.ids(query, 10, $0)
    }
    #expect(page.ids.count == 10 && page.end == .full)
    #expect(throws: StoreError.interrupted) { try store.read(past) { try $0.ids(query) } }
    #expect(try store.read { try $0.ids(query).count } == 1000)
  }

  /// A request is not a deadline: the page ends with an error.
  @Test func aRequestEndsAPage() throws {
    var random = TestSeed.next()
    let store = try Self.ranked(1000, &random)
    let query = try store.prepare(
      try store.entity(named: "Row"), try ConditionParser.parse("weight < 0"))
    let request = Interruption(deadline: ContinuousClock.now - .seconds(1))
    request.request()
    #expect(throws: StoreError.interrupted) {
      try store.read(request) { try Self.ids(query, 10, $0) }
    }
    request.clear()
    store.interruption.request()
    #expect(throws: StoreError.interrupted) {
      try store.read(request) { try Self.ids(query, 10, $0) }
    }
    store.interruption.clear()
    // The errors of the function are its own, also if they are the same.
    #expect(throws: StoreError.interrupted) {
      try store.read(request) { transaction in
        _ = try transaction.visitPage(query.page(after: nil), limit: 3) { _, _ in .next }
        _ = try transaction.visitPage(store.prepare(StoreQuery(query.entity)), limit: 3) { _, _ in
          throw StoreError.interrupted
        }
      }
    }
  }

  // MARK: - Places

  @Test func aPlaceOfARemovedObjectStaysOne() throws {
    var random = TestSeed.next()
    let store = try Self.ranked(100, &random)
    let row = try store.entity(named: "Row")
    let query = try store.prepare(
      StoreQuery(row, order: [QueryOrder("name", descending: true), QueryOrder("rank")]))
    let (all, place) = try store.read { transaction in
      let all = try transaction.ids(query)
      return (all, try transaction.place(of: all[50], in: query))
    }
    try store.write { _ = try $0.remove(row, all[50]) }
    try store.read { transaction in
      #expect(try transaction.place(of: all[50], in: query) == nil)
      #expect(try transaction.ids(query.page(after: place)) == Array(all[51...]))
      #expect(
        try transaction.ids(query.page(after: place, reversed: true)) == all[..<50].reversed())
      let byID = try store.prepare(StoreQuery(row))
      let removed = try #require(try transaction.place(of: all[50], in: byID))
      #expect(
        try transaction.ids(byID.page(after: removed)) == (all[50] + 1...101).filter { $0 <= 100 })
    }
  }

  /// The ends of the ids.
  @Test func noIDComesAfterTheLast() throws {
    var random = TestSeed.next()
    let store = try Self.ranked(3, &random)
    let query = try store.prepare(StoreQuery(try store.entity(named: "Row")))
    try store.read { transaction in
      for (id, after, before) in [
        (0, [1, 2, 3], []), (1, [2, 3], []), (3, [], [2, 1]), (.max, [], [3, 2, 1]),
      ] as [(UInt64, [UInt64], [UInt64])] {
        let place = try transaction.place(of: id, in: query)
        #expect(try transaction.ids(query.page(after: place)) == after)
        #expect(try transaction.ids(query.page(after: place, reversed: true)) == before)
        #expect(try transaction.count(query.page(after: place)) == after.count)
      }
    }
  }

  /// The text of a key is the text that it was made of.
  @Test func theTextOfAKeyIsRead() throws {
    let texts: [[UInt8]] =
      QueryModel.texts.map { Array($0.utf8) } + [
        Array(repeating: 0, count: 8), Array(repeating: 0, count: 9),
        Array(repeating: 0, count: 20),
        Array(repeating: 255, count: 12), [1, 2, 3, 4, 5, 6, 7, 8, 0, 255, 0, 0],
      ]
    let entity = try ObjectStore.open(
      .ownMemory(),
      model: TestModel(.init(name: "Row", uid: 1001, fields: [.init("blob", 1012, .byteVector)]))
        .document())
    let row = try entity.entity(named: "Row")
    for isDescending in [false, true] {
      let order = QueryOrder("blob", descending: isDescending)
      let query = try entity.prepare(StoreQuery(row, order: [order]))
      try entity.write { transaction in
        for text in texts {
          var object = DynamicObject(row)
          object["blob"] = .bytes(text)
          let id = try transaction.put(object)
          let place = try #require(try transaction.place(of: id, in: query))
          #expect(place.key.text(SortRule(order)) == text)
        }
      }
    }
  }
}

extension QuerySample {
  /// Changes a few objects of all stores in the same way.
  fileprivate mutating func change(_ seed: UInt64) throws {
    var changed = world
    for store in stores { changed = try store.write { try self.changed(store, $0, seed) } }
    world = changed
  }
}
