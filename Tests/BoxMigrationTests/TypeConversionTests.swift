import BoxConvert
import BoxEngine
import BoxModel
import BoxReport
import BoxStorage
import TestSupport
import Testing

@testable import BoxMigration

/// A change of type is without loss where every value of the old type is one of the new.
struct TypeConversionTests {
  /// A finite number other than zero becomes neither infinite nor zero: it does not fit.
  @Test(
    arguments: [
      (.double(1e300), .float, nil), (.double(5e-324), .float, nil),
      (.double(0.1), .float, .float(0.1)),
      (.double(.infinity), .float, .float(.infinity)), (.double(-0.0), .float, .float(-0.0)),
      (.string("1e400"), .double, nil), (.string("1e-400"), .double, nil),
      (.string("0e5"), .double, .double(0)), (.string("2.5e3"), .double, .double(2500)),
      (.string("1e39"), .float, nil), (.string("1e-50"), .float, nil),
      (.string("-1e38"), .float, .float(-1e38)),
    ] as [(Value, PropertyType, Value?)])
  func nothingBecomesInfiniteOrZero(_ value: Value, _ type: PropertyType, _ wanted: Value?) throws {
    let from: PropertyType = if case .string = value { .string } else { .double }
    let conversion = TypeConversion(from: from, [], to: type, [], of: "A.v")
    let property = Property(pair: IDPair(id: 1, uid: 1), name: "v", type: type)
    let stored = try #require(StoredType(property))
    #expect(conversion.converted(value, to: stored) == wanted)
  }

  /// A type of integers with the ends of its range.
  private struct Integers {
    var type: PropertyType
    var flags: PropertyFlags
    var least: Int128
    var greatest: Int128

    /// Every type that there is, with the flag for unsigned numbers and without it.
    static let all: [Integers] = {
      var all = [
        Integers(type: .byte, flags: [], least: -128, greatest: 127),
        Integers(type: .byte, flags: .unsigned, least: 0, greatest: 255),
        Integers(type: .short, flags: [], least: -32_768, greatest: 32_767),
        Integers(type: .short, flags: .unsigned, least: 0, greatest: 65_535),
        Integers(type: .int, flags: [], least: -2_147_483_648, greatest: 2_147_483_647),
        Integers(type: .int, flags: .unsigned, least: 0, greatest: 4_294_967_295),
        // A code unit and an id are unsigned, whatever the flags say.
        Integers(type: .char, flags: [], least: 0, greatest: 65_535),
        Integers(type: .char, flags: .unsigned, least: 0, greatest: 65_535),
        Integers(type: .relation, flags: [], least: 0, greatest: Int128(UInt64.max)),
        Integers(type: .relation, flags: .unsigned, least: 0, greatest: Int128(UInt64.max)),
      ]
      for type in [PropertyType.long, .date, .dateNano] {
        all.append(
          Integers(type: type, flags: [], least: Int128(Int64.min), greatest: Int128(Int64.max)))
        all.append(
          Integers(type: type, flags: .unsigned, least: 0, greatest: Int128(UInt64.max)))
      }
      return all
    }()

    var name: String { (flags.contains(.unsigned) ? "unsigned " : "") + "\(type)" }

    /// The ends, and what lies at zero.
    var values: [Int128] { least < 0 ? [least, -1, 0, greatest] : [0, greatest] }

    func holds(_ integer: Int128) -> Bool { least <= integer && integer <= greatest }

    func value(_ integer: Int128) -> Value {
      least < 0
        ? .integer(Int64(truncatingIfNeeded: integer))
        : .unsigned(UInt64(truncatingIfNeeded: integer))
    }
  }

  @Test func isExactWhereEveryIntegerFits() throws {
    for from in Integers.all {
      for to in Integers.all {
        // Dates have another unit.
        if Set([from.type, to.type]) == [.date, .dateNano] { continue }
        let conversion = TypeConversion(
          from: from.type, from.flags, to: to.type, to.flags, of: "p")
        let isExact = from.values.allSatisfy { to.holds($0) }
        let comment: Comment = "\(from.name) to \(to.name)"
        #expect(conversion.fidelity == (isExact ? .exact : .checked), comment)
        #expect(conversion.converter?.contains("exactly") == !isExact, comment)
        let type = try #require(StoredType(to.type, to.flags))
        for integer in from.values {
          let value = from.value(integer)
          #expect(conversion.carries(value) == to.holds(integer), comment)
          let expected = to.holds(integer) ? Value?.some(to.value(integer)) : .none
          #expect(conversion.converted(value, to: type) == expected, comment)
        }
      }
    }
  }

  @Test func datesAreScaledWhateverTheirSign() throws {
    for flags in [PropertyFlags(), .unsigned] {
      let finer = TypeConversion(from: .date, flags, to: .dateNano, flags, of: "p")
      let type = try #require(StoredType(.dateNano, flags))
      let value: Value = flags.isEmpty ? .integer(3) : .unsigned(3)
      let expected: Value = flags.isEmpty ? .integer(3_000_000) : .unsigned(3_000_000)
      #expect(finer.converted(value, to: type) == expected)
      #expect(finer.carries(value))
      let largest: Value = flags.isEmpty ? .integer(.max) : .unsigned(.max)
      #expect(finer.converted(largest, to: type) == nil)
      #expect(!finer.carries(largest))
    }
    let rough = TypeConversion(from: .dateNano, [], to: .date, .unsigned, of: "p")
    #expect(rough.fidelity == .checked)
    #expect(!rough.carries(.integer(-1_000_000)))
    #expect(rough.carries(.integer(1_000_000)))
  }

  // MARK: - In a store

  private static func document(
    _ type: PropertyType, _ flags: PropertyFlags = []
  ) throws -> ModelDocument {
    try TestModel(
      .init(
        name: "Item", uid: 100,
        fields: [.init("size", 110, type, flags, target: type == .relation ? "Item" : nil)])
    ).document()
  }

  private static func store(_ document: ModelDocument, _ value: Value) throws -> MigrationStore {
    try MigrationStore(document) { store, transaction in
      var object = DynamicObject(try store.entity(named: "Item"))
      object["size"] = value
      try transaction.put(object)
    }
  }

  /// A conversion to a type without a sign is not inferred, since a value may be below zero.
  @Test(arguments: [PropertyType.char, .relation])
  func isNotInferredWhereANumberMayBeNegative(_ type: PropertyType) throws {
    let store = try Self.store(Self.document(.byte), 1)
    let run = try store.run(to: Self.document(type))
    #expect {
      try run.carryOut()
    } throws: { error in
      guard case MigrationError.noMapping(_, let reasons) = error else { return false }
      return reasons.contains { $0.contains("changes from byte to \(type)") }
    }
  }

  @Test func aSignChangesByItselfWhereNoValueIsInTheWay() throws {
    let (old, new) = (try Self.document(.int), try Self.document(.int, .unsigned))
    let fitting = try Self.store(old, 7)
    let run = try fitting.run(to: new)
    #expect(try run.pending().map(\.kind) == [.heavy])
    try run.carryOut()
    #expect(try fitting.content().objects == ["Item": [1: ["size": .unsigned(7)]]])
    // Nothing is begun where a value is in the way.
    let negative = try Self.store(old, -1)
    let refused = try negative.run(to: new)
    #expect {
      try refused.carryOut()
    } throws: { error in
      guard case MigrationError.noMapping(_, let reasons) = error else { return false }
      return reasons.contains { $0.contains("changes from int to unsigned int") }
    }
    #expect(try negative.content().objects == ["Item": [1: ["size": -1]]])
  }

  /// A number may be too large for the other sign long before it has 64 bits.
  @Test func aPlanCountsWhatDoesNotFitTheOtherSign() throws {
    let (old, new) = (try Self.document(.int, .unsigned), try Self.document(.int))
    let store = try Self.store(old, .unsigned(4_000_000_000))
    var plan = MigrationPlan(
      from: PlanSide(old, path: "old.json"), to: PlanSide(new, path: "new.json"),
      for: [.boxjoint])
    try plan.count(in: ObjectStore.open(.directory(store.path)))
    let step = try #require(plan.steps.first { $0.rule.id == "BOX331" })
    #expect(step.counts == DataCounts(affected: 1, unit: .values, unfit: 1))
  }
}
