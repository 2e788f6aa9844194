import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

/// Filling a store with index entries that are written at the end is the same as putting.
struct DeferredEntriesTests {
  private static let limits: [DeferredEntries.Limits] = [
    .init(), .init(bytes: 0, entries: 1), .init(bytes: 2_000, entries: 7),
  ]

  /// One change of the objects, from numbers that were drawn before.
  private static func change(
    _ transaction: Transaction, _ random: inout SplitMix64
  ) throws {
    let item = try transaction.store.entity(named: "Item")
    let id = UInt64(1 + random.below(40))
    switch random.below(12) {
    case 0: _ = try transaction.remove(item, id)
    case 1 where random.oneIn(10): _ = try transaction.removeAll(item)
    case 1, 2:
      // Entries of what is taken back must not be written.
      let object = self.object(item, &random)
      let error = try storeError {
        try transaction.put([object, DynamicObject(item, id: 1 << 40)], mode: .put)
      }
      #expect(error != nil)
    default:
      var object = self.object(item, &random)
      if try transaction.contains(item, id) { object.id = id }
      _ = try storeError { try transaction.put(object) }
    }
  }

  private static func object(_ item: EntitySchema, _ random: inout SplitMix64) -> DynamicObject {
    var object = DynamicObject(item)
    if random.oneIn(2) { object["code"] = .string("c\(random.below(60))") }
    if random.oneIn(2) { object["title"] = .string(String(repeating: "t", count: random.below(9))) }
    if random.oneIn(2) { object["label"] = .string("l\(random.below(5))") }
    if random.oneIn(2) { object["rank"] = .integer(Int64(random.below(9)) - 4) }
    if random.oneIn(2) { object["price"] = .double(Double(random.below(9)) / 2) }
    return object
  }

  /// All objects, and the ids in the order of each index.
  private static func content(_ store: ObjectStore) throws -> [[UInt64]: [Value]] {
    let item = try store.entity(named: "Item")
    var content: [[UInt64]: [Value]] = [:]
    try store.read { transaction in
      try transaction.visitObjects(item) { object in
        content[[0, object.id]] = object.values
        return .next
      }
      for (position, name) in ["title", "rank", "price"].enumerated() {
        var place: UInt64 = 0
        try transaction.visitIDs(item, orderedBy: item.property(named: name).orFail(name)) { id in
          place += 1
          content[[UInt64(position) + 1, place]] = [.unsigned(id)]
          return .next
        }
      }
    }
    return content
  }

  @Test(arguments: limits.indices)
  func fillsAsPutsDo(_ number: Int) throws {
    var random = TestSeed.next()
    for round in 0..<40 {
      let kept = try ObjectsModel.store()
      let plain = try ObjectsModel.store()
      try kept.deferringEntries(Self.limits[number]) {
        for _ in 0..<random.below(12) {
          var (first, second) = (random, random)
          let count = random.below(30)
          try kept.write { for _ in 0..<count { try Self.change($0, &first) } }
          try plain.write { for _ in 0..<count { try Self.change($0, &second) } }
          random = first
          // Whoever reads meanwhile finds every entry.
          if random.oneIn(4) { #expect(try Self.content(kept) == Self.content(plain)) }
        }
      }
      #expect(try Self.content(kept) == Self.content(plain))
      #expect(try kept.verify().isEmpty)
    }
  }

  @Test func aTransactionThatFailedEndsTheFilling() throws {
    let store = try ObjectsModel.store()
    let error = try storeError {
      try store.deferringEntries {
        try store.put("Item", ["rank": 1])
        _ = try? store.write { (_) throws in throw TestFailure("given up") }
        try store.put("Item", ["rank": 2])
      }
    }
    #expect(error == .transactionFailed(reason: "an earlier one, which filled the store, failed"))
  }
}
