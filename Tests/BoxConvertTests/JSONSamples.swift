import BoxJSON
import TestSupport

/// Random JSON, near to a form or far from it.
enum JSONSamples {
  static func value(near form: JSONValue, _ random: inout SplitMix64) -> JSONValue {
    switch random.below(8) {
    case 0: return ["raw": form]
    case 1: return .object([JSONValue.Member("raw", any(&random)), JSONValue.Member("x", form)])
    case 2: return .array([form, any(&random)])
    case 3:
      guard case .array(let elements) = form, !elements.isEmpty else { return any(&random) }
      return .array(elements + [random.pick(elements)])
    case 4: return ["raw": any(&random)]
    case 5, 6: return form
    default: return any(&random)
    }
  }

  private static func any(_ random: inout SplitMix64) -> JSONValue {
    switch random.below(14) {
    case 0: .null
    case 1: .bool(random.oneIn(2))
    case 2: .int(Int(truncatingIfNeeded: random.next()))
    case 3: .int(random.below(20) - 5)
    case 4: .uint(random.next() | 1 << 63)
    case 5: .double(Double(random.below(2000)) / 8 - 100)
    case 6: .double(.infinity)
    case 7:
      .string(random.pick(["", "a", "reader", "o", "Y", "1.5", "NaN", "AAAA", "=", "e\u{301}"]))
    case 8:
      .string(random.pick(["2024-02-30", "2024-02-29T23:59:60Z", "0001-01-01T00:00:00+00:01"]))
    case 9: .array([])
    case 10: .object([])
    case 11: .number(random.pick(["1.10", "-0", "1e3", "1e400", "12345678901234567890123"]))
    case 12: ["n": .number("0.10")]
    default: ["a": [1, .null]]
    }
  }
}
