import BoxStore
import TestSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A condition that operators built, and its meaning as a filter of objects.
struct RandomCondition {
  var condition: QueryCondition<Everything>
  var matches: (Everything) -> Bool
}

/// Builds random conditions on ``Everything``, and random objects that fulfil some of them.
struct ConditionGenerator {
  var random: SplitMix64

  static let texts = ["", "a", "A", "b", "ab", "aB", "ba", "a\u{0}", "é"]
  static let dates = [-1.5, 0, 0.001, 1, 1.0015, 1_700_000_000].map {
    Date(timeIntervalSince1970: $0)
  }
  static let bytes: [[UInt8]] = [[], [0], [0, 1], [1], [255]]
  static let numbers: [Double] = [-2.5, -0.0, 0, 0.1, 2.5, .infinity]

  // MARK: - Objects

  mutating func object() -> Everything {
    var object = Everything()
    func integer<T: FixedWidthInteger>(_ random: inout SplitMix64) -> T? {
      random.oneIn(4) ? nil : random.pick([T.min, T.max, 0, 1, 2, 3])
    }
    object.bool = random.oneIn(4) ? nil : random.oneIn(2)
    object.int8 = integer(&random)
    object.uint16 = integer(&random)
    object.int32 = integer(&random)
    object.int64 = integer(&random)
    object.uint64 = integer(&random)
    object.float = random.oneIn(4) ? nil : Float(random.pick(Self.numbers))
    object.double = random.oneIn(4) ? nil : random.pick(Self.numbers)
    object.string = random.oneIn(4) ? nil : random.pick(Self.texts)
    object.date = random.oneIn(4) ? nil : random.pick(Self.dates)
    object.dateNano = random.oneIn(4) ? nil : random.pick(Self.dates)
    object.data = random.oneIn(4) ? nil : Data(random.pick(Self.bytes))
    object.flex = random.oneIn(4) ? nil : random.pick(Self.bytes)
    object.int32s =
      random.oneIn(4) ? nil : (0..<random.below(3)).map { _ in random.pick([1, 2, 3]) }
    object.floats = random.oneIn(4) ? nil : (0..<random.below(3)).map { _ in random.pick([1, 2]) }
    object.bools = random.oneIn(4) ? nil : []
    object.int16s = random.oneIn(4) ? nil : (0..<random.below(3)).map { _ in random.pick([-1, 2]) }
    object.chars =
      random.oneIn(4) ? nil : (0..<random.below(3)).map { _ in random.pick([1, 60_000]) }
    object.doubles =
      random.oneIn(4) ? nil : (0..<random.below(3)).map { _ in random.pick(Self.numbers) }
    object.strings =
      random.oneIn(4) ? nil : (0..<random.below(3)).map { _ in random.pick(Self.texts) }
    return object
  }

  // MARK: - Conditions

  mutating func condition(depth: Int) -> RandomCondition {
    if depth == 0 || random.oneIn(4) { return leaf() }
    switch random.below(5) {
    case 0:
      let inner = condition(depth: depth - 1)
      return RandomCondition(condition: !inner.condition) { !inner.matches($0) }
    case 1, 2:
      let (a, b) = (condition(depth: depth - 1), condition(depth: depth - 1))
      return RandomCondition(condition: a.condition && b.condition) {
        a.matches($0) && b.matches($0)
      }
    case 3:
      let (a, b) = (condition(depth: depth - 1), condition(depth: depth - 1))
      return RandomCondition(condition: a.condition || b.condition) {
        a.matches($0) || b.matches($0)
      }
    default:
      let parts = (0..<random.below(4)).map { _ in condition(depth: depth - 1) }
      let conditions = parts.map(\.condition)
      if random.oneIn(2) {
        return RandomCondition(condition: allOf(conditions)) { object in
          parts.allSatisfy { $0.matches(object) }
        }
      }
      return RandomCondition(condition: anyOf(conditions)) { object in
        parts.contains { $0.matches(object) }
      }
    }
  }

  private mutating func leaf() -> RandomCondition {
    switch random.below(13) {
    case 0: integer(Everything.int8, \.int8)
    case 1: integer(Everything.uint16, \.uint16)
    case 2: integer(Everything.int32, \.int32)
    case 3: integer(Everything.int64, \.int64)
    case 4: integer(Everything.uint64, \.uint64)
    case 5: number(Everything.double, \.double)
    case 6: number(Everything.float, \.float)
    case 7, 8: string()
    case 9:
      random.oneIn(2)
        ? date(Everything.date, \.date, 1e3) : date(Everything.dateNano, \.dateNano, 1e9)
    case 10: bytes()
    case 11: list()
    default: other()
    }
  }

  private mutating func integer<T: FixedWidthInteger>(
    _ property: Property<Everything, T?, Void>, _ path: KeyPath<Everything, T?>
  ) -> RandomCondition {
    let pool = [T.min, T.max, 0, 1, 2, 3]
    let (a, b) = (random.pick(pool), random.pick(pool))
    let (low, high) = (min(a, b), max(a, b))
    func test(_ condition: QueryCondition<Everything>, _ holds: @escaping (T) -> Bool)
      -> RandomCondition
    {
      RandomCondition(condition: condition) { $0[keyPath: path].map(holds) ?? false }
    }
    switch random.below(13) {
    case 0: return test(property == a) { $0 == a }
    case 1: return test(property != a) { $0 != a }
    case 2: return test(property < a) { $0 < a }
    case 3: return test(property > a) { $0 > a }
    case 4: return test(property <= a) { $0 <= a }
    case 5: return test(property >= a) { $0 >= a }
    case 6: return test(property ∈ low..<high) { (low..<high).contains($0) }
    case 7: return test(property ∈ low...high) { (low...high).contains($0) }
    case 8: return test(property ∉ low..<high) { !(low..<high).contains($0) }
    case 9: return test(property ∉ low...high) { !(low...high).contains($0) }
    case 10: return test(property ∈ [a, b]) { $0 == a || $0 == b }
    case 11: return test(property ∉ [a, b]) { $0 != a && $0 != b }
    default:
      return random.oneIn(2)
        ? RandomCondition(condition: property.isNil()) { $0[keyPath: path] == nil }
        : RandomCondition(condition: property.isNotNil()) { $0[keyPath: path] != nil }
    }
  }

  private mutating func number<T: BinaryFloatingPoint & EntityPropertyTypeConvertible>(
    _ property: Property<Everything, T?, Void>, _ path: KeyPath<Everything, T?>
  ) -> RandomCondition {
    let value = T(random.pick(Self.numbers))
    func test(_ condition: QueryCondition<Everything>, _ holds: @escaping (T) -> Bool)
      -> RandomCondition
    {
      RandomCondition(condition: condition) { $0[keyPath: path].map(holds) ?? false }
    }
    switch random.below(4) {
    case 0: return test(property < value) { $0 < value }
    case 1: return test(property > value) { $0 > value }
    case 2: return test(property <= value) { $0 <= value }
    default: return test(property >= value) { $0 >= value }
    }
  }

  private mutating func string() -> RandomCondition {
    let (a, b) = (random.pick(Self.texts), random.pick(Self.texts))
    let isSensitive = random.oneIn(2)
    func fold(_ text: String) -> [UInt8] { Array((isSensitive ? text : text.lowercased()).utf8) }
    func test(
      _ condition: QueryCondition<Everything>, _ holds: @escaping ([UInt8]) -> Bool
    ) -> RandomCondition {
      RandomCondition(condition: condition) { $0.string.map { holds(fold($0)) } ?? false }
    }
    let (x, y) = (fold(a), fold(b))
    let property = Everything.string
    func precedes(_ a: [UInt8], _ b: [UInt8]) -> Bool { a.lexicographicallyPrecedes(b) }
    switch random.below(8) {
    case 0: return test(property.isEqual(to: a, caseSensitive: isSensitive)) { $0 == x }
    case 1: return test(property.isNotEqual(to: a, caseSensitive: isSensitive)) { $0 != x }
    case 2: return test(property.isLessThan(a, caseSensitive: isSensitive)) { precedes($0, x) }
    case 3: return test(property.isGreaterThan(a, caseSensitive: isSensitive)) { precedes(x, $0) }
    case 4: return test(property.isIn([a, b], caseSensitive: isSensitive)) { $0 == x || $0 == y }
    case 5: return test(property.startsWith(a, caseSensitive: isSensitive)) { $0.starts(with: x) }
    case 6:
      return test(property.endsWith(a, caseSensitive: isSensitive)) { $0.suffix(x.count) == x[...] }
    default:
      return test(property.contains(a, caseSensitive: isSensitive)) { text in
        x.isEmpty || text.indices.contains { text[$0...].starts(with: x) }
      }
    }
  }

  private mutating func date(
    _ property: Property<Everything, Date?, Void>, _ path: KeyPath<Everything, Date?>,
    _ perSecond: Double
  ) -> RandomCondition {
    func unit(_ date: Date) -> Double {
      (date.timeIntervalSince1970 * perSecond).rounded(.toNearestOrEven)
    }
    let (a, b) = (random.pick(Self.dates), random.pick(Self.dates))
    let (low, high) = (min(a, b), max(a, b))
    func test(_ condition: QueryCondition<Everything>, _ holds: @escaping (Double) -> Bool)
      -> RandomCondition
    {
      RandomCondition(condition: condition) { $0[keyPath: path].map { holds(unit($0)) } ?? false }
    }
    let (x, y) = (unit(low), unit(high))
    switch random.below(7) {
    case 0: return test(property == low) { $0 == x }
    case 1: return test(property != low) { $0 != x }
    case 2: return test(property < low) { $0 < x }
    case 3: return test(property.isAfter(low)) { $0 > x }
    case 4: return test(property ∈ low..<high) { $0 >= x && $0 < y }
    case 5: return test(property.isBetween(high, and: low)) { $0 >= x && $0 <= y }
    default: return test(property ∉ [low, high]) { $0 != x && $0 != y }
    }
  }

  private mutating func bytes() -> RandomCondition {
    let other = random.pick(Self.bytes)
    if random.oneIn(2) {
      return RandomCondition(condition: Everything.flex.isLessThanEqual(other)) { object in
        object.flex.map { !other.lexicographicallyPrecedes($0) } ?? false
      }
    }
    let property = Everything.data
    func test(
      _ condition: QueryCondition<Everything>, _ holds: @escaping ([UInt8]) -> Bool
    ) -> RandomCondition {
      RandomCondition(condition: condition) { $0.data.map { holds([UInt8]($0)) } ?? false }
    }
    switch random.below(3) {
    case 0: return test(property == Data(other)) { $0 == other }
    case 1: return test(property < Data(other)) { $0.lexicographicallyPrecedes(other) }
    default: return test(property > Data(other)) { other.lexicographicallyPrecedes($0) }
    }
  }

  private mutating func list() -> RandomCondition {
    func test<T>(
      _ path: KeyPath<Everything, [T]?>, _ condition: QueryCondition<Everything>,
      _ holds: @escaping (T) -> Bool
    ) -> RandomCondition {
      RandomCondition(condition: condition) { $0[keyPath: path]?.contains(where: holds) ?? false }
    }
    let (short, char) = (random.pick([Int16(-1), 0, 2]), random.pick([UInt16(1), 2, 60_000]))
    let number = random.pick(Self.numbers)
    switch random.below(8) {
    case 0: return test(\.int16s, Everything.int16s.isEqual(to: short)) { $0 == short }
    case 1: return test(\.int16s, Everything.int16s.isLessOrEqual(short)) { $0 <= short }
    case 2: return test(\.chars, Everything.chars.isGreaterThan(char)) { $0 > char }
    case 3: return test(\.chars, Everything.chars.isLessThan(char)) { $0 < char }
    case 4: return test(\.doubles, Everything.doubles.isLessThan(number)) { $0 < number }
    case 5: return test(\.doubles, Everything.doubles.isGreaterOrEqual(number)) { $0 >= number }
    case 6: return RandomCondition(condition: Everything.bools.isNil()) { $0.bools == nil }
    default:
      return RandomCondition(condition: Everything.doubles.isNotNil()) { $0.doubles != nil }
    }
  }

  private mutating func other() -> RandomCondition {
    switch random.below(6) {
    case 0:
      let value = random.oneIn(2)
      return RandomCondition(condition: Everything.bool == value) { $0.bool == value }
    case 1:
      let value = random.oneIn(2)
      return RandomCondition(condition: Everything.bool != value) { $0.bool == !value }
    case 2:
      let value = random.pick([Int32(1), 2, 3])
      return RandomCondition(condition: Everything.int32s.isGreaterOrEqual(value)) { object in
        object.int32s?.contains { $0 >= value } ?? false
      }
    case 3:
      return RandomCondition(condition: Everything.floats.isLessThan(1.5)) { object in
        object.floats?.contains { $0 < 1.5 } ?? false
      }
    case 4:
      let text = random.pick(Self.texts)
      return RandomCondition(
        condition: Everything.strings.containsElement(element: text, caseSensitive: false)
      ) { object in
        object.strings?.contains { $0.lowercased() == text.lowercased() } ?? false
      }
    default:
      let isAlways = random.oneIn(2)
      return RandomCondition(condition: isAlways ? .always : .never) { _ in isAlways }
    }
  }
}
