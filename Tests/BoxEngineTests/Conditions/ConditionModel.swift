import BoxModel
import TestSupport

@testable import BoxEngine

/// An entity with a property of every type, random objects of it, and random conditions.
enum ConditionModel {
  static let types: [(name: String, type: PropertyType, flags: PropertyFlags)] = [
    ("flag", .bool, []), ("tiny", .byte, []), ("tinyUnsigned", .byte, .unsigned),
    ("small", .short, []), ("smallUnsigned", .short, .unsigned), ("letter", .char, []),
    ("count", .int, []), ("countUnsigned", .int, .unsigned), ("long", .long, []),
    ("longUnsigned", .long, .unsigned), ("ratio", .float, []), ("price", .double, []),
    ("name", .string, []), ("born", .date, []), ("seen", .dateNano, []),
    ("blob", .byteVector, []), ("flags", PropertyType(rawValue: 22), []),
    ("shorts", PropertyType(rawValue: 24), []), ("letters", PropertyType(rawValue: 25), []),
    ("ints", PropertyType(rawValue: 26), .unsigned), ("longs", PropertyType(rawValue: 27), []),
    ("floats", .floatVector, []), ("doubles", PropertyType(rawValue: 29), []),
    ("tags", PropertyType(rawValue: 30), []), ("dates", PropertyType(rawValue: 31), []),
  ]

  static func document() throws -> ModelDocument {
    try TestModel(
      .init(
        name: "Thing", uid: 100,
        properties: [.id()]
          + types.map { .init(name: $0.name, type: $0.type, flags: $0.flags) })
    ).document()
  }

  // Few values, so that comparisons are often true.
  static let integers: [Int64] = [.min, -129, -128, -1, 0, 1, 2, 65, 97, 127, 255, 256, 1000, .max]
  static let numbers: [Double] = [
    -.infinity, -1.5, -0.0, 0, 0.1, 0.5, 1, 2, 1e300, .infinity, .nan,
  ]
  static let texts = [
    "", "a", "A", "ab", "AB", "aé", "AÉ", "ß", "SS", "σς", "ΣΣ", "\u{131}", "\"\\\n",
  ]

  static func value(_ property: PropertySchema, _ random: inout SplitMix64) -> Value {
    if random.oneIn(5) { return .null }
    func integer(_ type: SlotType, _ random: inout SplitMix64) -> Value {
      let value = random.pick(integers)
      return switch type {
      case .int8, .int16s: .integer(Int64(Int8(truncatingIfNeeded: value)))
      case .uint8: .unsigned(UInt64(UInt8(truncatingIfNeeded: value)))
      case .int16: .integer(Int64(Int16(truncatingIfNeeded: value)))
      case .uint16, .uint16s: .unsigned(UInt64(UInt16(truncatingIfNeeded: value)))
      case .int32: .integer(Int64(Int32(truncatingIfNeeded: value)))
      case .uint32, .uint32s: .unsigned(UInt64(UInt32(truncatingIfNeeded: value)))
      case .uint64: .unsigned(UInt64(bitPattern: value))
      default: .integer(value)
      }
    }
    let count = random.below(4)
    switch property.type {
    case .bool: return .bool(random.oneIn(2))
    case .float: return .float(Float(random.pick(numbers)))
    case .double: return .double(random.pick(numbers))
    case .string: return .string(random.pick(texts))
    case .bytes: return .bytes((0..<count).map { _ in UInt8(random.below(3)) })
    case .bools: return .bools((0..<count).map { _ in random.oneIn(2) })
    case .floats: return .floats((0..<count).map { _ in Float(random.pick(numbers)) })
    case .doubles: return .doubles((0..<count).map { _ in random.pick(numbers) })
    case .strings: return .strings((0..<count).map { _ in random.pick(texts) })
    case .int16s, .int32s, .int64s:
      return .integers(
        (0..<count).map { _ in
          if case .integer(let value) = integer(property.type, &random) { value } else { 0 }
        })
    case .uint16s, .uint32s, .uint64s:
      return .unsignedIntegers(
        (0..<count).map { _ in
          if case .unsigned(let value) = integer(property.type, &random) { value } else { 0 }
        })
    default: return integer(property.type, &random)
    }
  }

  static func literal(
    _ property: PropertySchema, _ random: inout SplitMix64
  ) -> Condition.Literal {
    switch property.modelType.rawValue {
    case 1, 22: return .bool(random.oneIn(2))
    case 9, 30: return .string(random.pick(texts))
    case 23: return .bytes((0..<random.below(3)).map { _ in UInt8(random.below(3)) })
    case 7, 8, 28, 29:
      return random.oneIn(4) ? .integer(Int64(random.below(3))) : .number(random.pick(numbers))
    case 4 where random.oneIn(2), 25 where random.oneIn(2):
      return .string(random.pick(["a", "A", "é"]))
    case 10 where random.oneIn(2), 12 where random.oneIn(2), 31, 32:
      return .date(
        seconds: random.pick([-1, 0, 1]), nanoseconds: random.pick([0, 1, 1_000_000, 999_999_999]))
    default:
      if random.oneIn(6) { return .number(random.pick([-0.5, 0.5, 96.5, 1e30, -.infinity])) }
      if random.oneIn(6) { return .unsigned(UInt64.max) }
      return .integer(random.pick(integers))
    }
  }

  static func condition(
    _ entity: EntitySchema, _ random: inout SplitMix64, depth: Int = 3
  ) -> Condition {
    if depth > 0, random.oneIn(2) {
      let parts = (0..<2 + random.below(2)).map { _ in
        condition(entity, &random, depth: depth - 1)
      }
      switch random.below(3) {
      case 0: return .and(parts)
      case 1: return .or(parts)
      default: return .not(parts[0])
      }
    }
    let property = random.pick(entity.properties)
    let name = Condition.PropertyName(property.name, of: random.oneIn(2) ? entity.name : nil)
    let isID = property.flags.contains(.id)
    let type = isID ? .uint64 : property.type
    if random.oneIn(8) { return random.oneIn(2) ? .isNull(name) : .isNotNull(name) }
    let isString = type == .string || type == .bytes
    let ignoringCase = (type == .string || type == .strings) && random.oneIn(2)
    func literal(_ random: inout SplitMix64) -> Condition.Literal {
      isID ? .integer(Int64(random.below(20))) : self.literal(property, &random)
    }
    if type == .strings, random.oneIn(3) {
      return .elementMatch(
        name, random.pick(Condition.Match.allCases), literal(&random), ignoringCase: ignoringCase)
    }
    if type.elementWidth > 0, !isString {
      if random.oneIn(2) {
        return .element(
          name, random.pick(Condition.Comparison.allCases), literal(&random),
          ignoringCase: ignoringCase)
      }
      return .match(name, .contains, literal(&random), ignoringCase: ignoringCase)
    }
    switch random.below(isString ? 5 : 3) {
    case 0:
      return .compare(
        name, random.pick(Condition.Comparison.allCases), literal(&random),
        ignoringCase: ignoringCase)
    case 1:
      return .between(name, literal(&random), literal(&random), ignoringCase: ignoringCase)
    case 2:
      let literals = (0..<random.below(4)).map { _ in literal(&random) }
      return .isOneOf(name, literals, ignoringCase: ignoringCase)
    default:
      return .match(
        name, random.pick(Condition.Match.allCases), literal(&random), ignoringCase: ignoringCase)
    }
  }
}
