import BoxJSON
import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

/// Numbers in conditions, of which the digits decide and not the nearest double.
struct ExactNumberTests {
  /// Integers next to the ones that a double has not, in every comparison, with decimals of six digits.
  @Test func comparisonsAreExactForFractions() throws {
    var random = TestSeed.next()
    let store = try ObjectStore.open(.ownMemory(), model: ConditionModel.document())
    let entity = try store.entity(named: "Thing")
    let long = try #require(entity.properties.firstIndex { $0.name == "long" })
    let unsigned = try #require(entity.properties.firstIndex { $0.name == "longUnsigned" })
    let near: [Int128] = [
      0, 1, 1 << 52, 1 << 53, 1 << 62, Int128(Int64.max), 1 << 63, Int128(UInt64.max),
      123_456_789_012_345_678, 45_035_996_273_704_980,
    ]
    let operators: [(String, (Int128, Int128) -> Bool)] = [
      ("==", { $0 == $1 }), ("!=", { $0 != $1 }), ("<", { $0 < $1 }), ("<=", { $0 <= $1 }),
      (">", { $0 > $1 }), (">=", { $0 >= $1 }),
    ]
    for _ in 0..<1_000 {
      let value = random.pick(near) + Int128(random.below(5)) - 2
      let isNegative = random.oneIn(3)
      let signed = Int64(clamping: isNegative ? -value : value)
      var object = DynamicObject(entity)
      object.values[long] = .integer(signed)
      object.values[unsigned] = .unsigned(UInt64(clamping: value))
      object.id = try store.write { try $0.put(object) }
      // A decimal next to it, as millionths and as a text.
      let whole = value + Int128(random.below(3)) - 1
      let millionths = random.pick([0, 0, 1, 500_000, 999_999])
      let sign = isNegative && whole > 0
      if whole < 0 { continue }
      let fraction = String(repeating: "0", count: 6 - "\(millionths)".count) + "\(millionths)"
      var spellings = ["\(whole).\(fraction)"]
      if millionths == 0 {
        spellings += ["\(whole)", "\(whole)e0", "\(whole)0e-1", "\(whole)00.0E-2"]
        if whole % 10 == 0 { spellings += ["\(whole / 10)e1", "\(whole / 10).0e+1"] }
      }
      let text = "\(sign ? "-" : "")\(random.pick(spellings))"
      let number = (whole * 1_000_000 + Int128(millionths)) * (sign ? -1 : 1)
      for (name, holds) in operators {
        let unsignedValue = Int128(UInt64(clamping: value))
        for (property, stored) in [("long", Int128(signed)), ("longUnsigned", unsignedValue)] {
          let condition = try ConditionParser.parse("\(property) \(name) \(text)").condition
          let query = try store.prepare(StoreQuery(entity, condition))
          let found = try store.read { transaction in
            let matcher = try QueryMatcher(query, in: transaction)
            return try transaction.get(entity, object.id) { matcher.matches(object.id, $0) }
          }
          #expect(found == holds(stored * 1_000_000, number), "\(stored) \(name) \(text)")
        }
      }
    }
  }

  @Test(
    arguments: [
      ("a == 9007199254740993.0", "a == 9007199254740993.0"), ("a == 0.1", "a == 0.1"),
      ("a == 1e3", "a == 1000.0"), ("a == -0", "a == -0.0"), ("a == 0.30000000000000001", nil),
      ("a == 0.9999999999999999999", "a == 0.9999999999999999999"),
      ("a in (1.50, 4503599627370497.5)", "a in (1.5, 4503599627370497.5)"),
    ] as [(String, String?)])
  func theTextKeepsTheDigits(_ text: String, _ printed: String?) throws {
    #expect(try "\(ConditionParser.parse(text).condition)" == printed ?? text)
  }

  /// A property of 32 bits equals the digits that it was written as, rounded once.
  @Test(arguments: ["0.1", "16777217.0", "1.00000017881393432617187499", "3.4e38", "1e-45"])
  func floatsAreRoundedOnce(_ digits: String) throws {
    let store = try ObjectStore.open(.ownMemory(), model: ConditionModel.document())
    let entity = try store.entity(named: "Thing")
    let ratio = try #require(entity.properties.firstIndex { $0.name == "ratio" })
    var object = DynamicObject(entity)
    object.values[ratio] = .float(try #require(Float(digits)))
    let id = try store.write { try $0.put(object) }
    let query = try store.prepare(entity, ConditionParser.parse("ratio == \(digits)"))
    #expect(try store.read { try $0.ids(query) } == [id])
  }
}
