import BoxModel
import BoxStorage
import Synchronization
import TestSupport
import Testing

@testable import BoxEngine
@testable import EngineFaultsChild

/// The laws of delete rules: a removal does what a naive model of the rules does, or changes nothing.
struct RemovalLawTests {
  private typealias Key = RuledWorld.Key

  private struct Undone: Error {}

  /// A way to remove objects.
  private enum Way: CaseIterable {
    case ids, several, all, query, split, undone
  }

  private static func options(_ rules: Declarations) -> StoreOptions {
    var options = StoreOptions()
    options.declarations = rules
    options.acceptsRegeneratedModel = true
    return options
  }

  @Test func everyRemovalEqualsANaiveModel() throws {
    var random = TestSeed.next()
    let graphs = TestSeed.count("BOXJOINT_SOAK_REMOVALS", default: 600)
    var counts = (removals: 0, refusals: 0, cascaded: 0, nullified: 0)
    for _ in 0..<graphs {
      let fixture = try StoreFixture()
      let model = RuledModel(&random)
      var world = try fixture.with(model.document(isWhole: true)) {
        try RuledWorld(filling: $0, of: model, &random)
      }
      // Each opening has other rules.
      for _ in 0..<1 + random.below(3) {
        let rules = model.rules(&random)
        try fixture.with(model.document(isWhole: false), Self.options(rules)) { store in
          for _ in 0..<1 + random.below(3) {
            let named = Self.objects(of: world, model, &random)
            let expected = world.removing(named.keys, rules, in: model)
            counts.removals += 1
            if expected == nil { counts.refusals += 1 }
            counts.cascaded += (expected?.removed.count ?? named.keys.count) - named.keys.count
            counts.nullified += expected?.nullified.count ?? 0
            world = try Self.remove(named, expected, from: store, world, model, rules, &random)
          }
          let findings = try store.verify()
          try #require(findings.isEmpty, "\(findings.map(\.message))")
        }
      }
      try fixture.with(model.document(isWhole: true), Self.options(Declarations())) { store in
        try #require(try store.read { try RuledWorld(reading: $0, model) } == world)
        try #require(try store.verify().isEmpty)
      }
    }
    print("\(graphs) graphs: \(counts)")
    #expect(counts.refusals > graphs / 10 && counts.removals - counts.refusals > graphs / 2)
    #expect(counts.cascaded > graphs / 5 && counts.nullified > graphs / 10)
  }

  /// The objects to remove, all of one entity unless several are named at once.
  private static func objects(
    of world: RuledWorld, _ model: RuledModel, _ random: inout SplitMix64
  ) -> (way: Way, keys: Set<Key>) {
    let way = random.pick(Way.allCases)
    let entity = random.below(model.shown)
    let shown = world.objects.keys.sorted().filter { $0.entity < model.shown }
    let own = shown.filter { $0.entity == entity }
    switch way {
    case .all: return (way, Set(own))
    case .several: return (way, Set(shown.filter { _ in random.oneIn(4) }))
    default: return (way, Set(own.filter { _ in random.oneIn(3) }))
    }
  }

  /// Removes objects, and compares what it does with what is expected; returns what the store has afterwards.
  private static func remove(
    _ named: (way: Way, keys: Set<Key>), _ expected: RuledWorld.Removal?, from store: ObjectStore,
    _ world: RuledWorld, _ model: RuledModel, _ rules: Declarations, _ random: inout SplitMix64
  ) throws -> RuledWorld {
    let told = Mutex<[CommitChanges]>([])
    let observation = try store.observe(store.entities) { changes in
      told.withLock { $0.append(changes) }
    }
    defer { observation.cancel() }
    var isKept = expected != nil
    do {
      try store.write { transaction in
        let before = try transaction.contents()
        do throws(any Error) {
          let effects = try effects(named.keys, transaction)
          let count = try remove(named, from: transaction, expected, model, rules, world, &random)
          try #require(count == named.keys.count)
          let removal = try #require(expected, "the rules forbid it")
          try #require(effects == removal.removed.count)
          if named.way == .undone { throw Undone() }
        } catch StoreError.removalRefused {
          try #require(expected == nil, "the rules allow it")
          try #require(try transaction.contents() == before)
        }
        try #require(
          try RuledWorld(reading: transaction, model)
            == (expected?.world ?? world).shown(in: model))
      }
    } catch is Undone {
      isKept = false
    }
    store.waitForObservers()
    if let expected, isKept {
      // Without rules objects go in the order in which they are named.
      let isRuled = named.keys.contains { store.entities[$0.entity].hasDeleteRules }
      check(told.withLock { $0 }, expected, store, inOrder: isRuled && named.way != .split)
    } else {
      #expect(told.withLock { $0 }.isEmpty)
    }
    return isKept ? expected?.world ?? world : world
  }

  /// The number of objects that a removal of objects of one entity would remove; nil where they are of several.
  private static func effects(_ keys: Set<Key>, _ transaction: Transaction) throws -> Int {
    let objects = try grouped(keys, transaction, shuffled: nil)
    let effects = try RemovalClosure(objects, transaction).effects
    return effects.removed.reduce(0) { $0 + $1.named + $1.reached }
  }

  private static func grouped(
    _ keys: Set<Key>, _ transaction: Transaction, shuffled random: SplitMix64?
  ) throws -> [(entity: EntitySchema, ids: [UInt64])] {
    var random = random ?? SplitMix64(seed: 1)
    return try Dictionary(grouping: random.shuffled(keys.sorted()), by: \.entity)
      .sorted { $0.key < $1.key }
      .map { (try transaction.store.entity(named: "E\($0.key)"), $0.value.map(\.id)) }
  }

  private static func remove(
    _ named: (way: Way, keys: Set<Key>), from transaction: Transaction,
    _ expected: RuledWorld.Removal?, _ model: RuledModel, _ rules: Declarations,
    _ world: RuledWorld, _ random: inout SplitMix64
  ) throws -> Int {
    let objects = try grouped(named.keys, transaction, shuffled: random)
    _ = random.next()
    guard named.way != .several, let (entity, ids) = objects.first else {
      return try transaction.remove(objects)
    }
    switch named.way {
    case .all: return try transaction.removeAll(entity)
    case .query:
      let list = ids.map { Condition.Literal.integer(Int64($0)) }
      return try transaction.remove(
        transaction.store.prepare(StoreQuery(entity, .isOneOf(Condition.PropertyName("id"), list))))
    case .split:
      // In two parts, where the first one alone is allowed; the second one is then too.
      let first = Set(named.keys.sorted().prefix(named.keys.count / 2))
      guard expected != nil, let part = world.removing(first, rules, in: model),
        part.world.removing(named.keys, rules, in: model) != nil
      else { return try transaction.remove(entity, ids) }
      try transaction.remove(entity, first.map(\.id))
      try transaction.remove(entity, ids)
      return named.keys.count
    default: return try transaction.remove(entity, ids + ids)
    }
  }

  /// One change for each object, those that stay first, each by its id.
  private static func check(
    _ told: [CommitChanges], _ expected: RuledWorld.Removal, _ store: ObjectStore, inOrder: Bool
  ) {
    var all: [Int: [ObjectChange]] = [:]
    for changes in told.flatMap(\.entities) {
      guard let entity = store.entity(changes.entity) else { continue }
      all[entity.position, default: []] += changes.changes
    }
    for entity in store.entities {
      let updated = expected.nullified.filter { $0.entity == entity.position }.sorted()
      let removed = expected.removed.filter { $0.entity == entity.position }.sorted()
      let changes =
        updated.map { ObjectChange(kind: .updated, id: $0.id) }
        + removed.map { ObjectChange(kind: .removed, id: $0.id) }
      let found = all[entity.position] ?? []
      if inOrder {
        #expect(found == changes)
      } else {
        // What became null by a first part may be removed by a second one.
        let gone = Set(removed.map(\.id))
        #expect(
          Set(found.filter { $0.kind == .removed || !gone.contains($0.id) }) == Set(changes))
      }
    }
  }

  @Test func anotherOpeningHearsAll() throws {
    var random = TestSeed.next()
    for _ in 0..<TestSeed.count("BOXJOINT_SOAK_HEARD_REMOVALS", default: 20) {
      let fixture = try StoreFixture()
      let model = RuledModel(&random)
      let rules = model.rules(&random)
      let store = try fixture.open(model.document(isWhole: true), Self.options(rules))
      defer { store.close() }
      let world = try RuledWorld(filling: store, of: model, &random)
      var options = Self.options(rules)
      options.hearing = .everywhere()
      let listener = try fixture.open(model.document(isWhole: true), options)
      defer { listener.close() }
      let copy = try FollowedCopy(listener, listener.entities)
      let named = Set(world.objects.keys.filter { _ in random.oneIn(4) })
      try store.write { transaction in
        do {
          try transaction.remove(try Self.grouped(named, transaction, shuffled: random))
        } catch StoreError.removalRefused {}
      }
      let difference = try copy.difference()
      #expect(difference == nil)
      copy.end()
    }
  }
}
