import BoxModel
import BoxStore
import TestSupport
import Testing

/// Conditions that operators build, compared with filters of objects in memory.
struct ConditionLawTests {
  /// Also of a model in the form of ObjectBox's generator, which gives optional integers no sign.
  @Test(.promise(196, 199, 200, 201, 225, 319, 350, 368, 390, 402), arguments: [true, false])
  func aQueryFindsTheObjectsThatFulfilItsCondition(hasSigns: Bool) throws {
    var generator = ConditionGenerator(random: TestSeed.next())
    let box = try (hasSigns ? QueryStore.sample() : Self.storeWithoutSigns())
      .box(for: Everything.self)
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

  @Test(.promise(196)) func theTextOfAQueryIsItsConditionAgain() throws {
    var generator = ConditionGenerator(random: TestSeed.next())
    let box = try QueryStore.sample().box(for: Everything.self)
    var objects = (0..<60).map { _ in generator.object() }
    try box.put(&objects)
    for _ in 0..<200 {
      let random = generator.condition(depth: 2)
      let query = try box.query { random.condition }.build()
      guard let colon = query.debugDescription.firstRange(of: ": ") else { continue }
      let text = query.debugDescription[colon.upperBound...].dropLast()
      if text.isEmpty || text.contains("()") || text.contains("(true)") || text.contains("(false)")
      {
        continue
      }
      let parsed = try QueryCondition<Everything>(parsing: String(text))
      #expect(try box.query { parsed }.build().findIds() == query.findIds(), "\(text)")
    }
  }

  /// A store whose model lacks the signs of unsigned properties.
  private static func storeWithoutSigns() throws -> Store {
    let document = try ModelDocument(parsing: Array(StoreSample.text.utf8))
    var model = document.model
    var count = 0
    for e in model.entities.indices {
      for p in model.entities[e].properties.indices
      where model.entities[e].properties[p].flags.contains(.unsigned) {
        model.entities[e].properties[p].flags.remove(.unsigned)
        count += 1
      }
    }
    try #require(count > 3)
    let text = String(decoding: document.rendered(model), as: UTF8.self)
    return try QueryStore.open(text)
  }

  @Test func ordersAndSumsOfAModelWithoutSignsAreTheSame() throws {
    var generator = ConditionGenerator(random: TestSeed.next())
    let boxes = try [QueryStore.sample(), Self.storeWithoutSigns()].map {
      $0.box(for: Everything.self)
    }
    var objects = (0..<100).map { _ in generator.object() }
    for box in boxes {
      for position in objects.indices { objects[position].id = 0 }
      try box.put(&objects)
    }
    func same<R: Equatable>(_ answer: (Box<Everything>) throws -> R) throws {
      let answers = try boxes.map(answer)
      #expect(answers[0] == answers[1])
    }
    try same { try $0.query().ordered(by: Everything.uint16).build().findIds().map(\.value) }
    try same {
      try $0.query().ordered(by: Everything.uint64, flags: [.descending, .nullsLast]).build()
        .findIds().map(\.value)
    }
    let order: ResultOrder<Everything> =
      .descending(Everything.uint16) + .ascending(Everything.bool)
    try same { try $0.query().ordered(by: order).build().findIds().map(\.value) }
    try same { try $0.query().build().property(Everything.uint16).find() }
    try same { try $0.query().build().property(Everything.uint16).max() }
    try same { try $0.query().build().property(Everything.uint16).min() }
    try same { try $0.query().build().property(Everything.uint16).average() }
    try same {
      try $0.query().build().property(Everything.uint16).with(nullValue: 40_000).distinct().find()
    }
    try same { try $0.query().build().property(Everything.uint64).max() }
    try same { try $0.query().build().property(Everything.uint64).distinct().find() }
    #expect(try boxes[1].query().build().property(Everything.uint16).max() == .max)
    // Rows too, as values, keys and aggregates.
    func rows<R>(_ rows: (Query<Everything>) throws -> [R]) throws {
      try same { try rows($0.query().build()).map { "\($0)" } }
    }
    try rows { try $0.select(.value(Everything.uint16), .value(Everything.uint64)).find() }
    try rows {
      try $0.select(
        .max(Everything.uint16), .min(Everything.uint16), .average(Everything.uint16),
        .sum(Everything.uint16), .max(Everything.uint64), .min(Everything.uint64)
      ).find()
    }
    try rows {
      try $0.attributes(
        [.value(Everything.uint64), .max(Everything.uint16)], groupedBy: [.value(Everything.uint64)]
      )
    }
  }

  @Test(.promise(300)) func removingLeavesTheOthers() throws {
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
