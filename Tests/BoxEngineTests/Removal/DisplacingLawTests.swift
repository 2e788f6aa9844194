import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

/// The laws of puts that take unique values of other objects, in stores with delete rules: the others are removed as if
/// all objects of the call were stored first.
struct DisplacingLawTests {
  private typealias Key = RuledWorld.Key

  /// An object to put, with its relations to one.
  private struct Put {
    var id: UInt64
    var code: String?
    var values: [UID: UInt64]
  }

  @Test func everyPutEqualsANaiveModel() throws {
    var random = TestSeed.next()
    let graphs = TestSeed.count("BOXJOINT_SOAK_DISPLACING", default: 600)
    var counts = (puts: 0, refused: 0, displaced: 0, cascaded: 0, again: 0)
    for _ in 0..<graphs {
      let fixture = try StoreFixture()
      let model = RuledModel(&random)
      var world = try fixture.with(model.document(isWhole: true)) {
        try RuledWorld(filling: $0, of: model, &random)
      }
      let rules = model.rules(&random)
      var options = StoreOptions()
      options.declarations = rules
      options.acceptsRegeneratedModel = true
      try fixture.with(model.document(isWhole: false), options) { store in
        for _ in 0..<2 + random.below(4) {
          let schema = try store.entity(named: "E\(random.below(model.shown))")
          try store.write { transaction in
            let puts = try Self.puts(schema, world, model, transaction, &random)
            let expected = Self.putting(puts, schema, world, rules, model, &counts)
            let before = try transaction.contents()
            counts.puts += 1
            do {
              try Self.put(puts, schema, transaction, model, isPrepared: random.oneIn(3))
              world = try #require(expected, "the rules forbid it")
            } catch StoreError.removalRefused, StoreError.replacementRefused {
              counts.refused += 1
              try #require(expected == nil, "the rules allow it")
              try #require(try transaction.contents() == before)
            }
            try #require(
              try RuledWorld(reading: transaction, model) == world.shown(in: model))
          }
          let findings = try store.verify()
          try #require(findings.isEmpty, "\(findings.map(\.message))")
        }
      }
    }
    print("\(graphs) graphs: \(counts)")
    #expect(counts.refused > graphs / 10 && counts.displaced > graphs)
    #expect(counts.cascaded > graphs / 10 && counts.again > graphs / 20)
  }

  /// One to three objects to put by one call, each new or in the place of another.
  private static func puts(
    _ schema: EntitySchema, _ world: RuledWorld, _ model: RuledModel, _ transaction: Transaction,
    _ random: inout SplitMix64
  ) throws -> [Put] {
    let entity = try #require(Int(schema.name.dropFirst()))
    let own = world.objects.keys.filter { $0.entity == entity }.map(\.id).sorted()
    let codes = world.codes.filter { $0.key.entity == entity }.map(\.value).sorted() + ["new"]
    var last = try transaction.lastID(schema)
    return (0..<1 + random.below(3)).map { _ in
      var put = Put(id: 0, code: nil, values: [:])
      if own.isEmpty || random.oneIn(3) {
        last += 1
        put.id = last
      } else {
        put.id = random.pick(own)
      }
      if !random.oneIn(5) { put.code = random.pick(codes) }
      for relation in model.relations
      where relation.source == entity && !relation.isToMany && model.isShown(relation) {
        let targets = world.objects.keys.filter { $0.entity == relation.target }.map(\.id).sorted()
        if targets.isEmpty || relation.flags.contains(.unique) || random.oneIn(3) { continue }
        put.values[relation.uid] = random.pick(targets)
      }
      return put
    }
  }

  private static func put(
    _ puts: [Put], _ schema: EntitySchema, _ transaction: Transaction, _ model: RuledModel,
    isPrepared: Bool
  ) throws {
    let objects = puts.map { put in
      var object = DynamicObject(schema, id: put.id)
      if let code = put.code { object["code"] = .string(code) }
      for relation in model.relations {
        if let target = put.values[relation.uid] { object[relation.name] = .unsigned(target) }
      }
      return object
    }
    if isPrepared {
      let prepared = PreparedObjects(schema)
      for object in objects { try prepared.append(object) }
      try transaction.savepoint {
        try transaction.displacing {
          for position in puts.indices { try transaction.putPrepared(prepared, at: position) }
        }
      }
    } else {
      try transaction.savepoint {
        try transaction.displacing {
          for object in objects {
            // A new id is given, not chosen.
            var object = object
            if object.id > (try transaction.lastID(schema)) { object.id = 0 }
            try transaction.put(object)
          }
        }
      }
    }
  }

  /// The contents of a store after the puts of one call; nil if the rules forbid it.
  private static func putting(
    _ puts: [Put], _ schema: EntitySchema, _ world: RuledWorld, _ rules: Declarations,
    _ model: RuledModel,
    _ counts: inout (puts: Int, refused: Int, displaced: Int, cascaded: Int, again: Int)
  ) -> RuledWorld? {
    let entity = schema.position
    var (after, displaced, put) = (world, Set<Key>(), Set<Key>())
    for object in puts {
      let key = Key(entity: entity, id: object.id)
      for (other, code) in after.codes
      where code == object.code && other.entity == entity && other != key {
        after.codes[other] = nil
        counts.displaced += 1
        displaced.insert(other)
      }
      // What is hidden stays.
      let hidden = after.objects[key]?.filter { value in
        model.relations.contains { $0.uid == value.key && !model.isShown($0) }
      }
      after.objects[key] = object.values.merging(hidden ?? [:]) { $1 }
      after.codes[key] = object.code
      if displaced.remove(key) != nil { counts.again += 1 }
      put.insert(key)
    }
    guard let removal = after.removing(displaced, rules, in: model),
      removal.removed.intersection(put).isSubset(of: displaced)
    else { return nil }
    counts.cascaded += removal.removed.count - displaced.count
    return removal.world
  }
}
