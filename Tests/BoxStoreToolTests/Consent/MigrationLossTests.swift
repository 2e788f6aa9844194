import BoxEngine
import BoxMigration
import BoxModel
import BoxStorage
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxStoreTool

/// The loss of migrations: what mappings throw away, round and leave behind, and what was hidden.
struct MigrationLossTests {
  private let directory: TemporaryDirectory
  private let observer = SilentObserver()

  init() throws {
    directory = try TemporaryDirectory()
    try directory.write(Self.model(.int, .int, .float, .date).text, to: "new.json")
    try directory.write(Self.mapping, to: "mapping.yml")
  }

  private static func model(
    _ text: PropertyType, _ number: PropertyType, _ ratio: PropertyType, _ time: PropertyType
  ) -> TestModel {
    TestModel(
      .init(
        name: "P", uid: 1000,
        fields: [
          .init("text", 1010, text), .init("number", 1020, number), .init("ratio", 1030, ratio),
          .init("time", 1040, time), .init("keep", 1050, .bool),
        ], relations: [.init("many", 1900, to: "P")]))
  }

  private static let mapping = """
    mappings:
      - entities:
          - transform: P
            when: [{ property: keep, is: true }]
            properties:
              text: { from: text, unfit: "null" }
              number: { from: number, unfit: "null" }
              ratio: { from: ratio, unfit: "null" }
              time: { from: time, unfit: "null" }

    """

  private var data: String { directory.path(of: "data") }

  private func request(isDryRun: Bool = false) -> MigrationRequest {
    var request = MigrationRequest(data, to: directory.path(of: "new.json"))
    request.mapping = directory.path(of: "mapping.yml")
    request.isDryRun = isDryRun
    return request
  }

  /// The loss of a migration, by the elements that it is about.
  private struct Expected: Equatable {
    var objects = 0
    var values: Set<String> = []
    var entries = 0

    init() {}

    init(_ loss: Loss?) {
      objects = loss?.objects.reduce(0) { $0 + $1.removed } ?? 0
      values = Set(loss?.values.map { "\($0.property[1]) \($0.removed)" } ?? [])
      entries = loss?.entries.reduce(0) { $0 + $1.removed } ?? 0
    }
  }

  /// Fills a new store with objects; returns what the mapping loses of them, by the words of `docs/migrating.md`.
  private func fill(_ random: inout SplitMix64) throws -> Expected {
    directory.removeEverything("data")
    let store = try ObjectStore.open(
      .directory(data), model: Self.model(.string, .long, .double, .dateNano).document())
    defer { store.close() }
    let entity = try store.entity(named: "P")
    let count = random.below(6) + 2
    var lost: [(name: String, count: Int)] = ["text", "number", "ratio", "time"].map { ($0, 0) }
    var expected = Expected()
    try store.write { transaction in
      var kept: Set<UInt64> = []
      for id in 1...UInt64(count) {
        let (keeps, fits) = (!random.oneIn(4), (0..<4).map { _ in random.oneIn(2) })
        var object = DynamicObject(entity)
        object["keep"] = .bool(keeps)
        object["text"] = .string(fits[0] ? "12" : "abc")
        object["number"] = .integer(fits[1] ? 7 : 5_000_000_000)
        object["ratio"] = .double(fits[2] ? 0.5 : 0.1)
        object["time"] = .integer(fits[3] ? 3_000_000 : 3_000_001)
        try transaction.put(object)
        if keeps { kept.insert(id) } else { expected.objects += 1 }
        for (place, fits) in fits.enumerated() where keeps && !fits { lost[place].count += 1 }
      }
      var links: Set<[UInt64]> = []
      for _ in 0..<count * 2 {
        links.insert([UInt64(random.below(count) + 1), UInt64(random.below(count) + 1)])
      }
      for link in links {
        try transaction.link(entity.relations[0], link[0], link[1])
        if !kept.isSuperset(of: link) { expected.entries += 1 }
      }
    }
    expected.values = Set(lost.filter { $0.count > 0 }.map { "\($0.name) \($0.count)" })
    return expected
  }

  /// A migration loses what its dry run says, and that is what the rules of the mapping say.
  @Test func aMigrationLosesWhatItsMappingThrowsAway() async throws {
    var random = TestSeed.next()
    for number in 0..<TestSeed.count("BOXJOINT_SOAK_CONSENT", default: 6) {
      let expected = try fill(&random)
      let dry = try await request(isDryRun: true).prepare(in: directory.place())
      let trial = try #require(try dry.tryOut(observer))
      let printed = try dry.findLoss(observer, after: trial)
      #expect(Expected(printed) == expected, "\(number)")
      let migration = try await request().prepare(in: directory.place())
      // Without the trial of a dry run it is found by one.
      #expect(try migration.findLoss(observer) == printed, "\(number)")
      let report = try migration.carryOut(observer)
      #expect(migration.hasLost(report) == (printed != nil), "\(number)")
      #expect(report.summary.dropped == trial.summary.dropped, "\(number)")
    }
  }

  @Test func theTotalIsThatOfTheEntity() async throws {
    let store = try ObjectStore.open(
      .directory(data), model: Self.model(.string, .long, .double, .dateNano).document())
    let entity = try store.entity(named: "P")
    try store.write { transaction in
      for id in 1...3 {
        var object = DynamicObject(entity)
        object["keep"] = .bool(id < 3)
        if id == 2 { object["text"] = .string("abc") }
        try transaction.put(object)
      }
      for ends in [(1, 3), (2, 3), (3, 1), (1, 2)] as [(UInt64, UInt64)] {
        try transaction.link(entity.relations[0], ends.0, ends.1)
      }
    }
    store.close()
    let migration = try await request().prepare(in: directory.place())
    let loss = try #require(try migration.findLoss(observer))
    #expect(
      loss.text == """
        P: 1 would be removed, of 3
        P.text: 1 value would be removed
        P.many: 3 entries would be removed

        """)
    // Another object is unfit in place of that one: as many values, and another code.
    let changed = try ObjectStore.open(.directory(data))
    try changed.write { transaction in
      for (id, text) in [(1, "abc"), (2, "12")] as [(UInt64, String)] {
        let entity = try changed.entity(named: "P")
        var object = try #require(try transaction.get(entity, id))
        object["text"] = .string(text)
        try transaction.put(object)
      }
    }
    changed.close()
    let other = try #require(
      try await request().prepare(in: directory.place()).findLoss(observer))
    #expect(other.text == loss.text)
    #expect(other.code != loss.code)
  }

  @Test func aLinkThatARelationToOneCannotHoldIsLost() async throws {
    let old = TestModel(
      .init(name: "P", uid: 1000, fields: [], relations: [.init("many", 1900, to: "P")]))
    let new = TestModel(
      .init(name: "P", uid: 1000, fields: [.init("one", 1060, .relation, target: "P")]),
      retired: [.relation: [1900]])
    try directory.write(new.text, to: "new.json")
    for (unfit, count) in [("first", 2), ("\"null\"", 3)] {
      directory.removeEverything("data")
      try directory.write(
        """
        mappings:
          - entities:
              - transform: P
                properties:
                  one: { from: many, unfit: \(unfit) }

        """, to: "mapping.yml")
      let store = try ObjectStore.open(.directory(data), model: old.document())
      let entity = try store.entity(named: "P")
      try store.write { transaction in
        for _ in 0..<3 { try transaction.put(DynamicObject(entity)) }
        for target in 1...3 as ClosedRange<UInt64> {
          try transaction.link(entity.relations[0], 1, target)
        }
        try transaction.link(entity.relations[0], 2, 3)
      }
      store.close()
      let loss = try #require(
        try await request().prepare(in: directory.place()).findLoss(observer))
      #expect(loss.entries.map(\.removed) == [count], "\(unfit): \(loss.text)")
    }
  }

  /// A heavy step frees what a light one has hidden, and says how much that is.
  @Test func whatWasHiddenIsCounted() async throws {
    func model(_ type: PropertyType, isWhole: Bool) -> TestModel {
      TestModel(
        .init(
          name: "P", uid: 1000,
          fields: [.init("number", 1010, type)] + (isWhole ? [.init("age", 1020, .int)] : []),
          relations: isWhole ? [.init("many", 1900, to: "P")] : []))
    }
    try directory.write(model(.long, isWhole: false).text, to: "new.json")
    let store = try ObjectStore.open(
      .directory(data), model: model(.int, isWhole: true).document())
    let entity = try store.entity(named: "P")
    try store.write { transaction in
      for number in 1...3 {
        var object = DynamicObject(entity)
        if number > 1 { object["age"] = .integer(Int64(number)) }
        try transaction.put(object)
      }
      try transaction.link(entity.relations[0], 1, 2)
    }
    store.close()
    try ObjectStore.open(.directory(data), model: model(.int, isWhole: false).document()).close()
    var request = request()
    request.mapping = nil
    let migration = try await request.prepare(in: directory.place())
    let loss = try #require(try migration.findLoss(observer))
    #expect(
      loss.text == """
        P.age: 2 values would be removed
        P.many: 1 entry would be removed

        """)
    #expect(loss.count == 2)
  }

  /// An object that loses nothing does not matter.
  @Test func aPurgeGoesOnBesideAnotherPut() async throws {
    func put(_ age: Int64?) throws {
      let store = try ObjectStore.open(.directory(data), model: ConsentTests.model.document())
      defer { store.close() }
      try store.write { transaction in
        var object = DynamicObject(try store.entity(named: "Person"))
        object["age"] = age.map { .integer($0) } ?? .null
        try transaction.put(object)
      }
    }
    let smaller = TestModel(
      .init(name: "Person", uid: 1000, fields: [.init("name", 1010, .string)]),
      retired: [.property: [1020], .relation: [1900]])
    try directory.write(smaller.text, to: "new.json")
    var request = request(isDryRun: true)
    (request.mapping, request.freesHiddenData) = (nil, true)
    func code() async throws -> LossCode? {
      try await request.prepare(in: directory.place()).findLoss(observer)?.code
    }
    try put(7)
    let before = try #require(try await code())
    try put(nil)
    #expect(try await code() == before)
    try put(8)
    #expect(try await code() != before)
  }
}
