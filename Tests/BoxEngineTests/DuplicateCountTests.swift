import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

/// The counted duplicates are those that a unique index refuses.
struct DuplicateCountTests {
  private static let rounds = TestSeed.count("BOXJOINT_SOAK_DUPLICATES", default: 60)

  /// A type of property, and values of it that are hard to tell apart.
  private struct Sample {
    var type: PropertyType
    var values: [Value]
  }

  private static let samples = [
    Sample(
      type: .string,
      values: [
        "", "a", "A", "\u{E9}", "e\u{301}", "\u{212B}", "\u{C5}",
        // These differ behind what is in a key.
        .string(String(repeating: "k", count: 600) + "x"),
        .string(String(repeating: "k", count: 600) + "y"),
      ]),
    Sample(
      type: .double,
      values: [
        .double(0), .double(-0.0), .double(.nan),
        .double(Double(nan: 5, signaling: false)), .double(1), .double(-1),
      ]),
    Sample(
      type: .float,
      values: [
        .float(0), .float(-0.0), .float(.nan), .float(Float(nan: 5, signaling: false)), .float(2),
      ]),
    Sample(type: .long, values: [0, 1, -1, .integer(.min), .integer(.max)]),
    Sample(type: .bool, values: [.bool(false), .bool(true)]),
  ]

  /// The identity of a value, computed without the code of indexes; nil for a value without an
  /// entry.
  private static func identity(_ value: Value, skipsZero: Bool) -> [UInt8]? {
    switch value {
    case .string(let text): return Array(text.utf8)
    case .double(let number):
      if number.isNaN { return Array("nan".utf8) }
      if number == 0 { return skipsZero ? nil : Array("zero".utf8) }
      return Array("\(number)".utf8)
    case .float(let number): return identity(.double(Double(number)), skipsZero: skipsZero)
    case .integer(let number): return skipsZero && number == 0 ? nil : Array("\(number)".utf8)
    case .bool(let truth): return skipsZero && !truth ? nil : [truth ? 1 : 0]
    default: return nil
    }
  }

  @Test func countsWhatAUniqueIndexRefuses() throws {
    var random = TestSeed.next()
    var (refused, opened) = (0, 0)
    for round in 0..<Self.rounds {
      let sample = random.pick(Self.samples)
      let skipsZero = random.oneIn(2)
      let values = (0..<random.below(random.pick([3, 7]))).map { _ in
        random.oneIn(5) ? Value.null : random.pick(sample.values)
      }
      let identities = values.compactMap { Self.identity($0, skipsZero: skipsZero) }
      let expected = identities.count - Set(identities).count
      let comment: Comment = "round \(round): \(values), zero left out: \(skipsZero)"
      let fixture = try StoreFixture()
      let document = try TestModel(
        .init(
          name: "Item", uid: 100, properties: [.id(), .init(name: "value", type: sample.type)])
      ).document()
      try fixture.with(document) { (store) throws in
        try store.write { (transaction) throws in
          for value in values { try transaction.put("Item", ["value": value]) }
        }
        let item = try store.entity(named: "Item")
        let property = try #require(item.property(named: "value"))
        let count = try store.read {
          try $0.countDuplicates(of: property, in: item, skipsZero: skipsZero)
        }
        #expect(count == expected, comment)
      }
      let unique = try document.changed { model in
        let flags: PropertyFlags = skipsZero ? .indexPartialSkipZero : []
        try model.addIndex(
          flags.union([.indexed, .unique]), uid: 9_000, to: "value", of: "Item")
      }
      let findings = try fixture.refusal(unique)
      #expect(findings.map(\.rule.id) == (expected > 0 ? ["BOX606"] : []), comment)
      if findings.isEmpty { opened += 1 } else { refused += 1 }
    }
    #expect(opened > 0)
    #expect(refused > 0)
  }

  /// No index is built of bytes, so nothing is a duplicate.
  @Test func bytesHaveNoDuplicates() throws {
    let fixture = try StoreFixture()
    let document = try TestModel(
      .init(name: "Item", uid: 100, properties: [.id(), .init(name: "data", type: .byteVector)])
    ).document()
    try fixture.with(document) { (store) throws in
      try store.write { (transaction) throws in
        for _ in 0..<2 { try transaction.put("Item", ["data": .bytes([1])]) }
      }
      let item = try store.entity(named: "Item")
      let property = try #require(item.property(named: "data"))
      #expect(
        try store.read { try $0.countDuplicates(of: property, in: item, skipsZero: false) } == 0)
    }
  }
}
