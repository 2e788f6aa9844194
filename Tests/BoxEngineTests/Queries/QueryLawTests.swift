import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

/// The law of queries: the answer is that of a naive filter over all objects, whatever the indexes are.
struct QueryLawTests {
  private struct Rollback: Error {}

  @Test(.promise(75, 173, 185, 186, 367, 385)) func answersLikeANaiveFilter() throws {
    var random = TestSeed.next()
    let count = TestSeed.count("BOXJOINT_SOAK_QUERIES", default: 5000)
    var (asked, found, orderedByIndex) = (0, 0, 0)
    var kinds: Set<String> = []
    while asked < count {
      let stores = try QuerySample(&random, variants: [false, true, true])
      for _ in 0..<50 {
        asked += 1
        let name = random.pick(["Thing", "Thing", "Thing", "Person", "Mark"])
        let sample = try stores.stores[0].entity(named: name)
        let condition = try QueryModel.condition(sample, stores.stores[0], &random)
        let text = condition.description
        let parsed = try ConditionParser.parse(text)
        // By text, as NaN differs from itself.
        try #require("\(parsed.condition)" == text)
        try #require(parsed.positions.count == condition.names.count)
        if !text.contains("NaN") { try #require(parsed.condition == condition, "\(text)") }
        let order = QueryModel.order(sample, &random)
        let offset = random.pick([0, 0, 0, 1, 3])
        let limit: Int? = random.pick([nil, nil, 0, 1, 2, 5, 100])
        // All ways are taken, though there are few objects.
        let limits = PlannerLimits(
          fewIDs: random.pick([0, 3, 64]), longestRatio: random.pick([2, 8, 100]),
          usedPart: random.pick([1, 2]), triedPart: random.pick([1, 2, 8]),
          walkedPerObject: random.pick([0, 64]), heap: random.pick([0, 3, 1000]),
          countedKeys: random.pick([1, 4096]))
        let seed: UInt64? = random.oneIn(3) ? random.next() : nil
        for store in stores.stores {
          let entity = try store.entity(named: name)
          let query = try store.prepare(
            StoreQuery(entity, condition, order: order), ConditionPlaces(), nil, limits)
          func check(_ transaction: Transaction, _ world: NaiveWorld) throws {
            do { try compare(transaction, world) } catch let error as StoreError {
              throw TestFailure("\(name) where \(condition) by \(order): \(error)")
            }
          }
          func compare(_ transaction: Transaction, _ world: NaiveWorld) throws {
            let all = world.answer(name, condition, order).map(\.id)
            let wanted = Array(all.dropFirst(offset).prefix(limit ?? .max))
            let plan = try transaction.explain(query, offset: offset, limit: limit)
            let note: Comment = """
              \(name) where \(condition) by \(order) from \(offset) to \(limit ?? -1): \(plan)
              """
            try #require(
              try transaction.ids(query, offset: offset, limit: limit) == wanted, note)
            var visited: [UInt64] = []
            try transaction.visit(query, offset: offset, limit: limit) { id, record in
              visited.append(id)
              // What is lent is the object's own record.
              for (position, property) in entity.properties.enumerated()
              where position != entity.idPosition && property.type == .int32 {
                let value = world.objects[name]?[id]?.values[position]
                if record.value(property.slot, property.type) != value {
                  throw TestFailure("\(id)")
                }
              }
              return .next
            }
            try #require(visited == wanted, note)
            try #require(try transaction.count(query) == all.count, note)
            found += wanted.count
            switch plan.access {
            case .ids(let steps, _): kinds.formUnion(steps.map(\.kind))
            case .ordered: orderedByIndex += 1
            case .scan: kinds.insert("scan")
            case .nothing: kinds.insert("nothing")
            }
          }
          if let seed {
            do {
              try store.write { transaction in
                let world = try stores.changed(store, transaction, seed)
                try check(transaction, world)
                throw Rollback()
              }
            } catch is Rollback {}
          } else {
            try store.read { try check($0, stores.world) }
          }
        }
      }
    }
    #expect(found > count)
    #expect(orderedByIndex > count / 100)
    #expect(
      kinds.isSuperset(of: [
        "scan", "nothing", "ids", "index", "index range", "index prefix", "relation",
        "relation index", "union",
      ]), "\(kinds)")
  }
}
