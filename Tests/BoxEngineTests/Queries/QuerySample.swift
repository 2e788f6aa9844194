import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

/// Stores with the same objects and other indexes, and the objects in memory.
struct QuerySample {
  var stores: [ObjectStore] = []
  var world = NaiveWorld()

  init(_ random: inout SplitMix64, variants: [Bool]) throws {
    for indexed in variants {
      stores.append(
        try ObjectStore.open(
          .ownMemory(), model: QueryModel.document(&random, indexed: indexed)))
    }
    for name in ["Person", "Mark", "Thing"] {
      for _ in 0..<random.pick([3, 8, 30]) {
        try put(QueryModel.object(try stores[0].entity(named: name), &random))
      }
    }
    for (name, target) in NaiveWorld.targets
    where ["marks", "likes"].contains(where: name.hasSuffix) {
      world.pairs[name] = []
      for _ in 0..<random.below(30) { try link(name, target, &random) }
    }
  }

  private mutating func put(_ object: DynamicObject) throws {
    var id: UInt64 = 0
    for store in stores {
      var copy = DynamicObject(try store.entity(named: object.entity.name))
      copy.values = object.values
      id = try store.write { try $0.put(copy) }
    }
    var object = object
    object.id = id
    world.add(object)
  }

  private mutating func link(
    _ name: String, _ target: String, _ random: inout SplitMix64
  ) throws {
    let parts = name.split(separator: ".").map(String.init)
    guard let source = world.objects[parts[0]]?.keys.sorted().randomElement(using: &random),
      let end = world.objects[target]?.keys.sorted().randomElement(using: &random)
    else { return }
    for store in stores {
      let relation = try #require(try store.entity(named: parts[0]).relation(named: parts[1]))
      _ = try store.write { try $0.link(relation, source, end) }
    }
    world.pairs[name]?.insert(.init(source: source, target: end))
  }

  /// Changes a few objects in a transaction, which is not committed, and in a copy of the world.
  func changed(
    _ store: ObjectStore, _ transaction: Transaction, _ seed: UInt64
  ) throws -> NaiveWorld {
    var (world, random) = (world, SplitMix64(seed: seed))
    for name in ["Thing", "Person"] {
      let entity = try store.entity(named: name)
      for _ in 0..<random.below(4) {
        let ids = (world.objects[name] ?? [:]).keys.sorted()
        if random.oneIn(3), let id = ids.randomElement(using: &random) {
          _ = try transaction.remove(entity, id)
          world.objects[name]?[id] = nil
          for (key, target) in NaiveWorld.targets {
            world.pairs[key] = world.pairs[key]?.filter {
              !(key.hasPrefix(name + ".") && $0.source == id)
                && !(target == name && $0.target == id)
            }
          }
        } else {
          var object = QueryModel.object(entity, &random)
          object.id = random.oneIn(2) ? 0 : ids.randomElement(using: &random) ?? 0
          object.id = try transaction.put(object)
          world.add(object)
        }
      }
    }
    return world
  }
}
