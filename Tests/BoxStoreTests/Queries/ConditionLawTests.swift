import BoxStore
import TestSupport
import Testing

/// Conditions that operators build, compared with filters of objects in memory.
struct ConditionLawTests {
  @Test func aQueryFindsTheObjectsThatFulfilItsCondition() throws {
    var generator = ConditionGenerator(random: TestSeed.next())
    let box = try QueryStore.sample().box(for: Everything.self)
    var objects = (0..<120).map { _ in generator.object() }
    try box.put(&objects)
    let stored = try box.all()
    for round in 0..<TestSeed.count("BOXJOINT_SOAK_OBJECT_CONDITIONS", default: 1_500) {
      let random = generator.condition(depth: 3)
      let query = try box.query { random.condition }.build()
      let expected = stored.filter(random.matches).map(\.id)
      #expect(try query.findIds().map(\.value) == expected, "round \(round): \(query)")
      #expect(try query.count() == expected.count, "round \(round): \(query)")
      #expect(try query.findFirst()?.id == expected.first, "round \(round): \(query)")
      let (offset, limit) = (generator.random.below(5), 1 + generator.random.below(5))
      let window = expected.dropFirst(offset).prefix(limit)
      #expect(try query.find(offset: offset, limit: limit).map(\.id) == Array(window))
    }
  }

  @Test func theTextOfAQueryIsItsConditionAgain() throws {
    var generator = ConditionGenerator(random: TestSeed.next())
    let box = try QueryStore.sample().box(for: Everything.self)
    var objects = (0..<60).map { _ in generator.object() }
    try box.put(&objects)
    for _ in 0..<200 {
      let random = generator.condition(depth: 2)
      let query = try box.query { random.condition }.build()
      let text = query.debugDescription.dropFirst("Query<Everything>(".count).dropLast()
      if text.isEmpty || text.contains("()") || text.contains("(true)") || text.contains("(false)")
      {
        continue
      }
      let parsed = try QueryCondition<Everything>(parsing: String(text))
      #expect(try box.query { parsed }.build().findIds() == query.findIds(), "\(text)")
    }
  }

  @Test func removingLeavesTheOthers() throws {
    var generator = ConditionGenerator(random: TestSeed.next())
    for _ in 0..<20 {
      let box = try QueryStore.sample().box(for: Everything.self)
      var objects = (0..<40).map { _ in generator.object() }
      try box.put(&objects)
      let random = generator.condition(depth: 2)
      let kept = try box.all().filter { !random.matches($0) }.map(\.id)
      let count = try box.query { random.condition }.build().remove()
      #expect(Int(count) == objects.count - kept.count)
      #expect(try box.all().map(\.id) == kept)
    }
  }
}
