import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The same writes to a store that is switched on and to one that is not; `scripts/bench store --sync` prints what they
/// took.
struct CaptureSpeedTests {
  private static let count = TestSeed.count("BOXJOINT_CAPTURED", default: 2_000)
  private static let singles = max(10, count / 5_000)

  private static func document() throws -> ModelDocument {
    let properties: [TestModel.Property] = [
      .id(), .init(name: "a", type: .long), .init(name: "b", type: .int),
      .init(name: "c", type: .double), .init(name: "d", type: .date),
      .init(name: "f", type: .int, flags: .indexed), .init(name: "name", type: .string),
    ]
    return try TestModel(
      .init(name: "Mixed", uid: 500, properties: properties),
      .init(name: "Other", uid: 600, properties: properties)
    ).document()
  }

  @Test func `What is captured costs a part of what is written`() throws {
    let fixtures = [try StoreFixture(), try StoreFixture()]
    let stores = try fixtures.map { try $0.open(Self.document()) }
    try stores[1].switchOnSync([stores[1].entity(named: "Mixed")])
    let works: [(String, (ObjectStore) throws -> Void)] = [
      ("put of an array", { try Self.put($0, "Mixed", 1...Self.count) }),
      ("rewrite", { try Self.rewrite($0) }),
      (
        "durable single put",
        { store in for _ in 0..<Self.singles { try Self.put(store, "Mixed", 1...1) } }
      ),
      ("put of an entity that is not captured", { try Self.put($0, "Other", 1...Self.count) }),
    ]
    for (name, work) in works {
      let times = try stores.map { store in
        try ContinuousClock().measure { try work(store) } / .seconds(1)
      }
      Self.record("\(name) without", times[0])
      Self.record("\(name) with", times[1])
    }
    #expect(try stores[1].verify().isEmpty)
    let sync = try #require(try stores[1].statistics().sync)
    let parts = (Self.count - 1) / Int(Capture.maximumOperations) + 1
    #expect(sync.transactions >= 2 * parts + Self.singles)
    stores[1].close()
    var opened: ObjectStore?
    let opening = try ContinuousClock().measure {
      opened = try fixtures[1].open(Self.document())
    }
    Self.record("opening", 1000 * (opening / .seconds(1)))
    #expect(opened?.synchronizedEntities?.count == 1)
  }

  private static func put(
    _ store: ObjectStore, _ name: String, _ numbers: ClosedRange<Int>
  ) throws {
    let entity = try store.entity(named: name)
    let slots = entity.properties.dropFirst().map(\.slot)
    try store.write { transaction in
      for number in numbers {
        try transaction.put(entity) { writer in
          writer.set(slots[0], Int64(number))
          writer.set(slots[2], Double(number))
          writer.set(slots[3], Int64(number) * 1000)
          writer.set(slots[1], Int32(number))
          writer.set(slots[4], Int32(number / 10))
          writer.set(slots[5], "an object of a store with a name")
        }
      }
    }
  }

  private static func rewrite(_ store: ObjectStore) throws {
    let entity = try store.entity(named: "Mixed")
    let slots = entity.properties.dropFirst().map(\.slot)
    try store.write { transaction in
      try transaction.rewrite(entity) { _, old, new in
        new.set(slots[0], (old.int64(slots[0]) ?? 0) + 1)
        for slot in slots.dropFirst() { new.copy(slot, from: old, slot) }
        return .replace
      }
    }
  }

  /// Writes a figure to the file that scripts/bench reads.
  private static func record(_ name: String, _ value: Double) {
    guard let path = getenv("BOXJOINT_MEASURED"), let file = fopen(path, "a") else { return }
    fputs("\(name)\t\(value)\n", file)
    fclose(file)
  }
}
