import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

/// A random model of a few entities with relations, and random delete rules for them.
struct RuledModel {
  /// A relation to one or to many.
  struct Relation {
    var uid: UID
    var name: String
    var source: Int
    var target: Int
    var isToMany: Bool
    var flags: PropertyFlags = .indexed
  }

  private(set) var relations: [Relation] = []
  private(set) var count: Int
  /// The entities of the model with which objects are removed; the others are hidden then.
  private(set) var shown: Int
  /// Relations that the model with which objects are removed lacks.
  private(set) var hidden: Set<UID> = []

  /// Creates a model; one that SQL can express has relations to one alone, and hides nothing.
  init(_ random: inout SplitMix64, isRelational: Bool = false) {
    count = 1 + random.below(6)
    shown = random.oneIn(4) && count > 1 && !isRelational ? count - 1 : count
    for number in 0..<1 + random.below(2 * count + 1) {
      let isToMany = random.oneIn(3) && !isRelational
      let flags: [PropertyFlags] = [
        .indexed, [.indexed, .indexPartialSkipZero], [.indexed, .unique],
      ]
      let uid = UID(90_000 + 10 * number)
      relations.append(
        Relation(
          uid: uid, name: "r\(number)", source: random.below(count), target: random.below(count),
          isToMany: isToMany,
          flags: random.oneIn(8) && !isRelational ? flags[2] : random.pick(flags[..<2])))
      if random.oneIn(10) && !isRelational { hidden.insert(uid) }
    }
  }

  /// Relations with a rule that holds: neither they nor their entities are hidden.
  func isShown(_ relation: Relation) -> Bool {
    relation.source < shown && relation.target < shown && !hidden.contains(relation.uid)
  }

  func rules(_ random: inout SplitMix64) -> Declarations {
    func rule() -> DeleteRule? {
      random.oneIn(3)
        ? nil : random.pick([.noAction, .nullify, .nullify, .cascade, .cascade, .deny])
    }
    return Declarations(
      relations: relations.compactMap { relation in
        if random.oneIn(4) { return nil }
        return RelationDeclaration(
          relation: relation.uid, name: relation.name, sourceRemoved: rule(), targetRemoved: rule())
      })
  }

  /// The whole model, or what is shown of it.
  func document(isWhole: Bool) throws -> ModelDocument {
    var model = TestModel()
    for entity in 0..<count {
      let own = relations.filter { $0.source == entity }
      model.entities.append(
        .init(
          name: "E\(entity)", uid: UID(100 * (entity + 1)),
          fields: [
            .init(name: "text", type: .string, uid: UID(100 * (entity + 1) + 2)),
            .init(
              name: "code", type: .string, flags: [.indexed, .unique, .uniqueOnConflictReplace],
              uid: UID(100 * (entity + 1) + 3)),
          ]
            + own.filter { !$0.isToMany }.map {
              .init(
                name: $0.name, type: .relation, flags: $0.flags, target: "E\($0.target)",
                uid: $0.uid)
            },
          relations: own.filter(\.isToMany).map { .init($0.name, $0.uid, to: "E\($0.target)") }))
    }
    let document = try model.document()
    if isWhole { return document }
    return try document.changed { model in
      model.entities.removeLast(count - shown)
      for position in model.entities.indices {
        model.entities[position].properties.removeAll { property in
          relations.contains { $0.uid == property.pair.uid && !isShown($0) }
        }
        let kept = model.entities[position].relations?.filter { stored in
          !relations.contains { $0.uid == stored.pair.uid && !isShown($0) }
        }
        model.entities[position].relations = kept?.isEmpty ?? true ? nil : kept
      }
    }
  }
}

/// The objects of a store with their links, and what a removal makes of them: a naive model of the rules.
struct RuledWorld: Equatable {
  struct Key: Hashable, Comparable {
    var entity: Int
    var id: UInt64

    static func < (a: Key, b: Key) -> Bool { (a.entity, a.id) < (b.entity, b.id) }
  }

  struct Pair: Hashable {
    var relation: UID
    var source: UInt64
    var target: UInt64
  }

  /// The targets of the relations to one, by object.
  var objects: [Key: [UID: UInt64]] = [:]
  /// The values of the unique property that another object can take over, of the objects that have one.
  var codes: [Key: String] = [:]
  var pairs: Set<Pair> = []

  /// The effects of a removal.
  struct Removal {
    var removed: Set<Key>
    var nullified: Set<Key>
    var world: RuledWorld
  }

  /// The links of a relation between objects that exist.
  private func links(_ relation: RuledModel.Relation) -> [(source: Key, target: Key)] {
    let ends: [(UInt64, UInt64)] =
      relation.isToMany
      ? pairs.filter { $0.relation == relation.uid }.map { ($0.source, $0.target) }
      : objects.compactMap { key, values in
        key.entity == relation.source ? values[relation.uid].map { (key.id, $0) } : nil
      }
    return ends.map { (Key(entity: relation.source, id: $0), Key(entity: relation.target, id: $1)) }
      .filter { objects[$0.0] != nil && objects[$0.1] != nil }
  }

  /// Removes some objects by some rules; nil if a rule forbids it.
  func removing(_ named: Set<Key>, _ rules: Declarations, in model: RuledModel) -> Removal? {
    let ruled = model.relations.filter { model.isShown($0) }.compactMap { relation in
      rules.relations.first { $0.relation == relation.uid }.map { (links(relation), relation, $0) }
    }
    // One: the closure.
    var gone = named.filter { objects[$0] != nil }
    var size = -1
    while size != gone.count {
      size = gone.count
      for (links, _, rule) in ruled {
        for (source, target) in links {
          if rule.targetRemoved == .cascade, gone.contains(target) { gone.insert(source) }
          if rule.sourceRemoved == .cascade, gone.contains(source) { gone.insert(target) }
        }
      }
    }
    // Two: what forbids it.
    for (links, _, rule) in ruled {
      for (source, target) in links {
        if rule.targetRemoved == .deny, gone.contains(target), !gone.contains(source) { return nil }
        if rule.sourceRemoved == .deny, gone.contains(source), !gone.contains(target) { return nil }
      }
    }
    // Three and four.
    var (world, changed) = (self, Set<Key>())
    for (links, relation, rule) in ruled where !relation.isToMany && rule.targetRemoved == .nullify
    {
      for (source, target) in links where gone.contains(target) && !gone.contains(source) {
        world.objects[source]?[relation.uid] = nil
        changed.insert(source)
      }
    }
    world.objects = world.objects.filter { !gone.contains($0.key) }
    world.codes = world.codes.filter { !gone.contains($0.key) }
    for relation in model.relations where relation.isToMany {
      world.pairs = world.pairs.filter {
        $0.relation != relation.uid
          || !gone.contains(Key(entity: relation.source, id: $0.source))
            && !gone.contains(Key(entity: relation.target, id: $0.target))
      }
    }
    return Removal(removed: gone, nullified: changed, world: world)
  }
}

extension RuledWorld {
  /// Fills a new store with random objects, some of which refer to others that do not exist.
  init(
    filling store: ObjectStore, of model: RuledModel, _ random: inout SplitMix64,
    leavesDangling: Bool = true
  ) throws {
    let sizes = (0..<model.count).map { _ in 1 + random.below(9) }
    var world = RuledWorld()
    try store.write { transaction in
      for (entity, size) in sizes.enumerated() {
        let schema = try store.entity(named: "E\(entity)")
        for id in 1...UInt64(size) {
          var object = DynamicObject(schema)
          object["text"] = .string(String(repeating: "x", count: random.below(30)))
          var values: [UID: UInt64] = [:]
          for relation in model.relations
          where relation.source == entity && !relation.isToMany && !random.oneIn(3) {
            let target = 1 + UInt64(random.below(sizes[relation.target]))
            let isTaken = world.objects.contains {
              $0.key.entity == entity && $0.value[relation.uid] == target
            }
            if relation.flags.contains(.unique), isTaken { continue }
            values[relation.uid] = target
            object[relation.name] = .unsigned(target)
          }
          let key = Key(entity: entity, id: id)
          if random.oneIn(2) {
            world.codes[key] = "c\(id)"
            object["code"] = .string("c\(id)")
          }
          #expect(try transaction.put(object) == id)
          world.objects[key] = values
        }
      }
      for relation in model.relations where relation.isToMany {
        let schema = try #require(
          store.entity(named: "E\(relation.source)").relation(named: relation.name))
        for _ in 0..<random.below(12) {
          let source = 1 + UInt64(random.below(sizes[relation.source]))
          let target = 1 + UInt64(random.below(sizes[relation.target]))
          try transaction.link(schema, source, target)
          world.pairs.insert(Pair(relation: relation.uid, source: source, target: target))
        }
      }
      // The links to one of these stay.
      for key in world.objects.keys.sorted() where leavesDangling && random.oneIn(8) {
        try transaction.removeAlone(store.entity(named: "E\(key.entity)"), key.id)
        world = world.without(key, in: model)
      }
    }
    self = world
  }

  private func without(_ key: Key, in model: RuledModel) -> RuledWorld {
    removing([key], Declarations(), in: model)?.world ?? self
  }

  /// Reads what a store has.
  init(reading transaction: Transaction, _ model: RuledModel) throws {
    for schema in transaction.store.entities {
      let entity = try #require(Int(schema.name.dropFirst()))
      let own = model.relations.filter { $0.source == entity }
      try transaction.visitObjects(schema) { object in
        var values: [UID: UInt64] = [:]
        for relation in own
        where !relation.isToMany && schema.property(named: relation.name) != nil {
          if case .unsigned(let target) = object[relation.name] { values[relation.uid] = target }
        }
        let key = Key(entity: entity, id: object.id)
        objects[key] = values
        if case .string(let code) = object["code"] { codes[key] = code }
        return .next
      }
      for relation in schema.relations {
        try transaction.visitEntries(relation) { source, target in
          pairs.insert(Pair(relation: relation.uid, source: source, target: target))
          try #require(try transaction.hasTwin(relation, source, target))
          return .next
        }
      }
    }
  }

  /// The part that a model shows.
  func shown(in model: RuledModel) -> RuledWorld {
    let shown = Set(model.relations.filter { model.isShown($0) }.map(\.uid))
    var world = RuledWorld()
    for (key, values) in objects where key.entity < model.shown {
      world.objects[key] = values.filter { shown.contains($0.key) }
    }
    world.codes = codes.filter { $0.key.entity < model.shown }
    world.pairs = pairs.filter { shown.contains($0.relation) }
    return world
  }
}

extension Transaction {
  /// All bytes of the spaces of the objects, indexes and relations.
  func contents() throws -> [[UInt8]] {
    try flush()
    let storage = try reading()
    var contents: [[UInt8]] = []
    func bytes(_ number: UInt64) -> [UInt8] { withUnsafeBytes(of: number) { Array($0) } }
    for entity in store.entities {
      try storage.visitRecords(entity.space, from: nil, .forward) { id, record in
        contents.append(bytes(id) + Array(record))
        return .next
      }
      let relations = entity.outgoing.flatMap { [$0.forward, $0.backward] }
      for space in entity.indexes.map(\.space) + relations {
        try storage.visitEntries(space, from: nil as UInt64?, .forward) { key, member in
          contents.append(bytes(key) + bytes(member))
          return .next
        }
        contents.append([])
      }
    }
    return contents
  }
}
