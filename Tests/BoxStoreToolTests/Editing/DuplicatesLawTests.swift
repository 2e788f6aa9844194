import BoxEngine
import BoxModel
import BoxStorage
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxStoreTool

/// After `boxjoint store duplicates --remove` a store opens with a model in which the property is unique,
/// and has what a computation in memory says.
struct DuplicatesLawTests {
  private struct Pair: Hashable {
    var source: UInt64
    var target: UInt64
  }

  /// Everything in a store; values are told apart by their texts, as NaN is not equal to itself.
  private struct Contents: Equatable {
    struct Item: Equatable {
      var value: Value = .null
      var rank: Int64 = 0
      var boss: UInt64?

      static func == (a: Item, b: Item) -> Bool {
        "\(a.value)" == "\(b.value)" && a.rank == b.rank && a.boss == b.boss
      }
    }

    struct Team: Equatable {
      var lead: UInt64?
      var deputy: UInt64?
    }

    var items: [UInt64: Item] = [:]
    var teams: [UInt64: Team] = [:]
    /// From items to items.
    var friends: Set<Pair> = []
    /// From items to teams.
    var seats: Set<Pair> = []
    /// From teams to items.
    var members: Set<Pair> = []

    /// Moves the links of items to their successors.
    mutating func repoint(_ successors: [UInt64: UInt64]) {
      func moved(_ id: UInt64) -> UInt64 { successors[id] ?? id }
      for (id, item) in items { items[id]?.boss = item.boss.map(moved) }
      for (id, team) in teams {
        teams[id]?.lead = team.lead.map(moved)
        teams[id]?.deputy = team.deputy.map(moved)
      }
      friends = Set(friends.map { Pair(source: moved($0.source), target: moved($0.target)) })
      seats = Set(seats.map { Pair(source: moved($0.source), target: $0.target) })
      members = Set(members.map { Pair(source: $0.source, target: moved($0.target)) })
    }

    mutating func remove(_ ids: Set<UInt64>) {
      items = items.filter { !ids.contains($0.key) }
      friends = friends.filter { !ids.contains($0.source) && !ids.contains($0.target) }
      seats = seats.filter { !ids.contains($0.source) }
      members = members.filter { !ids.contains($0.target) }
    }
  }

  /// A type of property, and values of it that are hard to tell apart.
  private struct Sample {
    var type: PropertyType
    var values: [Value]
    var indexes: [PropertyFlags] = [.indexed]
  }

  private static let samples = [
    Sample(
      type: .string,
      values: [
        "", "a", "A", "\u{E9}", "e\u{301}", .string(String(repeating: "k", count: 600) + "x"),
        .string(String(repeating: "k", count: 600) + "y"),
      ], indexes: [.indexed, .indexHash, .indexHash64]),
    Sample(
      type: .double,
      values: [.double(0), .double(-0.0), .double(.nan), .double(1), .double(-1)]),
    Sample(type: .long, values: [0, 1, -1, .integer(.min), .integer(.max)]),
    Sample(type: .bool, values: [.bool(false), .bool(true)]),
    Sample(type: .relation, values: [.unsigned(1), .unsigned(2), .unsigned(3), .unsigned(4)]),
  ]

  /// The identity of a value, computed without the code of indexes; nil for a value without an entry.
  private static func identity(_ value: Value, skipsZero: Bool) -> [UInt8]? {
    switch value {
    case .string(let text): Array(text.utf8)
    case .double(let number):
      number == 0 ? skipsZero ? nil : [0] : Array("\(number.isNaN ? .nan : number)".utf8)
    case .integer(let number): skipsZero && number == 0 ? nil : Array("\(number)".utf8)
    case .unsigned(let number): Array("\(number)".utf8)
    case .bool(let truth): skipsZero && !truth ? nil : [truth ? 1 : 0]
    default: nil
    }
  }

  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private static func model(_ type: PropertyType, _ flags: PropertyFlags = []) -> TestModel {
    TestModel(
      .init(
        name: "Team", uid: 1000,
        fields: [
          .init("lead", 1010, .relation, target: "Item"),
          // Without an index, all objects are looked at.
          .init(name: "deputy", type: .relation, target: "Item", uid: 1020),
        ], relations: [.init("members", 1900, to: "Item")]),
      .init(
        name: "Item", uid: 2000,
        fields: [
          .init("boss", 2010, .relation, target: "Item"), .init("rank", 2020, .long),
          .init("value", 2030, type, flags, target: type == .relation ? "Team" : nil),
        ], relations: [.init("friends", 2900, to: "Item"), .init("seats", 2910, to: "Team")]))
  }

  private func open(_ model: TestModel) throws -> ObjectStore {
    try ObjectStore.open(.directory(directory.path(of: "data")), model: model.document())
  }

  private func entities(
    of store: ObjectStore
  ) throws -> (item: EntitySchema, team: EntitySchema) {
    (
      try #require(store.entities.first { $0.name == "Item" }),
      try #require(store.entities.first { $0.name == "Team" })
    )
  }

  private func contents(of store: ObjectStore) throws -> Contents {
    let (item, team) = try entities(of: store)
    let friends = try #require(item.relation(named: "friends"))
    let seats = try #require(item.relation(named: "seats"))
    let members = try #require(team.relation(named: "members"))
    func id(_ object: DynamicObject, _ name: String) -> UInt64? {
      if case .unsigned(let id)? = object.value(named: name) { id } else { nil }
    }
    return try store.read { transaction in
      var contents = Contents()
      try transaction.visitObjects(item) { object in
        guard case .integer(let rank)? = object.value(named: "rank") else { return .next }
        contents.items[object.id] = .init(
          value: object.value(named: "value") ?? .null, rank: rank, boss: id(object, "boss"))
        return .next
      }
      try transaction.visitObjects(team) { object in
        contents.teams[object.id] = .init(lead: id(object, "lead"), deputy: id(object, "deputy"))
        return .next
      }
      func pairs(_ relation: RelationSchema, _ ids: some Sequence<UInt64>) throws -> Set<Pair> {
        var pairs: Set<Pair> = []
        for source in ids {
          for target in try transaction.targets(relation, of: source) {
            pairs.insert(Pair(source: source, target: target))
          }
        }
        return pairs
      }
      contents.friends = try pairs(friends, contents.items.keys)
      contents.seats = try pairs(seats, contents.items.keys)
      contents.members = try pairs(members, contents.teams.keys)
      return contents
    }
  }

  private func fill(
    _ store: ObjectStore, _ sample: Sample, _ random: inout SplitMix64
  ) throws {
    let (item, team) = try entities(of: store)
    let count = 1 + random.below(random.pick([4, 12, 40]))
    func anyone() -> Value {
      random.oneIn(4) ? .null : .unsigned(UInt64(1 + random.below(count)))
    }
    try store.write { transaction in
      for _ in 0..<4 {
        var object = DynamicObject(team)
        (object["lead"], object["deputy"]) = (anyone(), anyone())
        try transaction.put(object)
      }
      for _ in 0..<count {
        var object = DynamicObject(item)
        object["value"] = random.oneIn(5) ? .null : random.pick(sample.values)
        object["rank"] = .integer(Int64(random.below(4)))
        object["boss"] = anyone()
        try transaction.put(object)
      }
      for (name, entity, sources, targets) in [
        ("friends", item, count, count), ("seats", item, count, 4), ("members", team, 4, count),
      ] {
        guard let relation = entity.relation(named: name) else { continue }
        for _ in 0..<random.below(2 * count) {
          try transaction.link(
            relation, UInt64(1 + random.below(sources)), UInt64(1 + random.below(targets)))
        }
      }
    }
  }

  /// The objects that stay, by those that go.
  private func successors(
    in contents: Contents, _ keep: DuplicatesRequest.Keep, skipsZero: Bool
  ) -> [UInt64: UInt64] {
    var groups: [[UInt8]: [UInt64]] = [:]
    for (id, item) in contents.items {
      guard let identity = Self.identity(item.value, skipsZero: skipsZero) else { continue }
      groups[identity, default: []].append(id)
    }
    var successors: [UInt64: UInt64] = [:]
    for ids in groups.values {
      let sorted = ids.sorted { a, b in
        let (left, right) = (contents.items[a]?.rank ?? 0, contents.items[b]?.rank ?? 0)
        switch keep {
        case .oldest: return a < b
        case .newest: return a > b
        case .first: return left == right ? a < b : left > right
        }
      }
      for id in sorted.dropFirst() { successors[id] = sorted[0] }
    }
    return successors
  }

  @Test func aStoreOpensWithTheUniqueModelAndHasNothingElseChanged() async throws {
    var random = TestSeed.next()
    var (removals, nothing) = (0, 0)
    for round in 0..<TestSeed.count("BOXJOINT_SOAK_REMOVED_DUPLICATES", default: 80) {
      let sample = random.pick(Self.samples)
      let keep = random.pick(DuplicatesRequest.Keep.allCases)
      let (repoints, skipsZero) = (random.oneIn(2), random.oneIn(2))
      let comment: Comment = "round \(round): \(sample.type) \(keep) \(repoints) \(skipsZero)"
      directory.removeEverything("data")
      let store = try open(Self.model(sample.type))
      try fill(store, sample, &random)
      let before = try contents(of: store)
      store.close()

      let successors = successors(in: before, keep, skipsZero: skipsZero)
      var expected = before
      if repoints { expected.repoint(successors) }
      expected.remove(Set(successors.keys))
      func request(_ request: inout DuplicatesRequest) {
        (request.keep, request.skipsZero, request.repoints) = (keep, skipsZero, repoints)
        request.order = [QueryOrder("rank", descending: true)]
      }
      let list = try await directory.duplicates("Item.value", request)
      #expect(list.outcome == (successors.isEmpty ? .success : .findings), comment)
      for isDryRun in [true, false] {
        let run = try await directory.duplicates("Item.value") {
          request(&$0)
          $0.removes = true
          $0.options.isDryRun = isDryRun
        }
        #expect(run.outcome == .success, "\(comment): \(run.messages)")
        let reopened = try open(Self.model(sample.type))
        let after = try contents(of: reopened)
        reopened.close()
        #expect(after == (isDryRun ? before : expected), comment)
      }
      var flags = random.pick(sample.indexes).union(.unique)
      if skipsZero { flags.insert(.indexPartialSkipZero) }
      let unique = try open(Self.model(sample.type, flags))
      #expect(try contents(of: unique) == expected, comment)
      #expect(try unique.verify().isEmpty, comment)
      unique.close()
      if successors.isEmpty { nothing += 1 } else { removals += 1 }
    }
    #expect(removals > 0)
    #expect(nothing > 0)
  }
}
