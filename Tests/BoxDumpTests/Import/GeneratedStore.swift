import BoxEngine
import BoxModel
import BoxStorage
import TestSupport

/// Fills a store of ``ImportModel`` with random objects.
struct GeneratedStore {
  let store: ObjectStore
  var random: SplitMix64

  mutating func fill(objects: Int) throws {
    var random = random
    defer { self.random = random }
    try store.write { transaction in
      let person = try store.entity(named: "Person")
      let everything = try store.entity(named: "Everything")
      var people: [UInt64] = []
      for number in 0..<objects {
        var object = DynamicObject(person)
        object["email"] = .string("\(number)@example.org")
        if !random.oneIn(3) { object["name"] = .string(Self.string(&random)) }
        if !random.oneIn(3) { object["age"] = .integer(Int64(random.below(90))) }
        if let friend = people.randomElement(using: &random) {
          object["friend"] = .unsigned(friend)
        }
        people.append(try transaction.put(object))
      }
      var all: [UInt64] = []
      for _ in 0..<objects {
        var object = DynamicObject(everything)
        for (position, property) in everything.properties.enumerated()
        where position != everything.idPosition && !random.oneIn(4) {
          object.values[position] = Self.value(property, &random)
        }
        let leads = random.below(4)
        object["owner"] =
          leads == 0 ? .null : leads == 1 ? 0 : .unsigned(people.randomElement(using: &random) ?? 0)
        all.append(try transaction.put(object))
      }
      // Gaps, ids that were given and are free, and relations that lead nowhere.
      for id in people + all where random.oneIn(6) {
        try transaction.remove(people.contains(id) && random.oneIn(2) ? person : everything, id)
      }
      for (relation, sources) in [
        (everything.relations[0], (everything, all)), (person.relations[0], (person, people)),
      ] {
        for source in sources.1 where random.oneIn(2) {
          guard try transaction.contains(sources.0, source) else { continue }
          for target in people where random.oneIn(4) {
            if try transaction.contains(person, target) {
              try transaction.link(relation, source, target)
            }
          }
        }
      }
    }
  }

  private static func value(_ property: PropertySchema, _ random: inout SplitMix64) -> Value {
    switch property.type {
    case .bool: .bool(random.oneIn(2))
    case .int8: .integer(Int64(integer(&random) as Int8))
    case .uint8: .unsigned(UInt64(integer(&random) as UInt8))
    case .int16: .integer(Int64(integer(&random) as Int16))
    case .uint16: .unsigned(UInt64(integer(&random) as UInt16))
    case .int32: .integer(Int64(integer(&random) as Int32))
    case .uint32: .unsigned(UInt64(integer(&random) as UInt32))
    case .int64: .integer(integer(&random))
    case .uint64: .unsigned(integer(&random))
    case .float: .float(float(&random))
    case .double: .double(double(&random))
    case .string: .string(string(&random))
    case .bytes: .bytes(many(&random) { integer(&$0) })
    case .bools: .bools(many(&random) { $0.oneIn(2) })
    case .int16s: .integers(many(&random) { Int64(integer(&$0) as Int16) })
    case .uint16s: .unsignedIntegers(many(&random) { UInt64(integer(&$0) as UInt16) })
    case .int32s: .integers(many(&random) { Int64(integer(&$0) as Int32) })
    case .uint32s: .unsignedIntegers(many(&random) { UInt64(integer(&$0) as UInt32) })
    case .int64s: .integers(many(&random) { integer(&$0) })
    case .uint64s: .unsignedIntegers(many(&random) { integer(&$0) })
    case .floats: .floats(many(&random) { float(&$0) })
    case .doubles: .doubles(many(&random) { double(&$0) })
    case .strings: .strings(many(&random) { string(&$0) })
    }
  }

  private static func integer<T: FixedWidthInteger>(_ random: inout SplitMix64) -> T {
    switch random.below(6) {
    case 0: 0
    case 1: .min
    case 2: .max
    case 3: T(truncatingIfNeeded: random.below(200))
    default: T(truncatingIfNeeded: random.next())
    }
  }

  private static func float(_ random: inout SplitMix64) -> Float {
    if random.oneIn(3) {
      return random.pick([
        0, -0.0, .infinity, -.infinity, .nan, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 0.1,
      ])
    }
    // One in eight is a NaN of some bits.
    let bits = UInt32(truncatingIfNeeded: random.next())
    return Float(bitPattern: random.oneIn(8) ? bits | 0x7F80_0001 : bits)
  }

  private static func double(_ random: inout SplitMix64) -> Double {
    if random.oneIn(3) {
      return random.pick([
        0, -0.0, .infinity, -.infinity, .nan, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 0.1,
        9_007_199_254_740_992, 1e22, 1e23,
      ])
    }
    if random.oneIn(2) { return Double(random.below(1_000_000_000)) / 1000 }
    let bits = random.next()
    return Double(bitPattern: random.oneIn(8) ? bits | 0x7FF0_0000_0000_0001 : bits)
  }

  private static func string(_ random: inout SplitMix64) -> String {
    let letters = [
      "a", "B", "7", " ", "\u{0}", "é", "e\u{301}", "語", "🙂", "\n", "\"", "\\", "/", "\u{7F}",
      "\u{1F}", "\u{2028}", "\u{FEFF}", "\u{10FFFF}", "\u{D7FF}", "\u{E000}", "\t", "\r", "{", "]",
    ]
    return (0..<length(&random)).map { _ in random.pick(letters) }.joined()
  }

  private static func many<T>(
    _ random: inout SplitMix64, _ make: (inout SplitMix64) -> T
  ) -> [T] {
    (0..<length(&random)).map { _ in make(&random) }
  }

  private static func length(_ random: inout SplitMix64) -> Int {
    switch random.below(12) {
    case 0..<3: 0
    case 3..<11: random.below(12)
    default: random.below(400)
    }
  }
}
