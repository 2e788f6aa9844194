/// A test of an integer, made of a comparison so that it is fast to evaluate.
enum IntegerTest<Number: FixedWidthInteger & Sendable>: Sendable {
  case never
  case isIn(ClosedRange<Number>)
  case isNot(Number)
  case any
  /// Sorted, without repetitions.
  case isOneOf([Number])

  /// Whether zero passes.
  var holdsOfZero: Bool {
    switch self {
    case .never: false
    case .isIn(let range): range.contains(0)
    case .isNot(let other): other != 0
    case .any: true
    case .isOneOf(let values): values.contains(0)
    }
  }
}

extension IntegerTest {
  /// The integers from one limit to another, cut to what the type holds.
  init(from low: Int128, through high: Int128) {
    let low = Swift.max(low, Int128(Number.min))
    let high = Swift.min(high, Int128(Number.max))
    if low > high {
      self = .never
    } else {
      self = .isIn(Number(truncatingIfNeeded: low)...Number(truncatingIfNeeded: high))
    }
  }

  init(_ comparison: Condition.Comparison, _ limit: IntegerLimit) {
    let (least, greatest) = (Int128(Number.min), Int128(Number.max))
    switch comparison {
    case .equal: self = limit.isExact ? Self(from: limit.floor, through: limit.floor) : .never
    case .notEqual:
      let other = limit.isExact ? Number(exactly: limit.floor) : nil
      self = other.map { .isNot($0) } ?? .any
    case .less:
      self = Self(from: least, through: limit.isExact ? limit.floor - 1 : limit.floor)
    case .lessOrEqual: self = Self(from: least, through: limit.floor)
    case .greater: self = Self(from: limit.floor + 1, through: greatest)
    case .greaterOrEqual:
      self = Self(from: limit.isExact ? limit.floor : limit.floor + 1, through: greatest)
    }
  }

  init(between low: IntegerLimit, and high: IntegerLimit) {
    self = Self(from: low.isExact ? low.floor : low.floor + 1, through: high.floor)
  }

  init(oneOf limits: [IntegerLimit]) {
    let values = limits.compactMap { $0.isExact ? Number(exactly: $0.floor) : nil }
    self = .isOneOf(Set(values).sorted())
  }
}

/// A number that integers are compared with: the largest integer that is not above it.
struct IntegerLimit: Hashable, Sendable {
  var floor: Int128
  /// Whether the number is that integer.
  var isExact: Bool
}

/// A test of a number with a fraction.
enum NumberTest: Sendable {
  case compare(Condition.Comparison, Double)
  case between(Double, Double)
  case isOneOf([Double])
}
