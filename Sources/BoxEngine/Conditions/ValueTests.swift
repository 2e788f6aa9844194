/// A test of an integer, resolved from a comparison so that it is fast to evaluate.
enum IntegerTest<Number: FixedWidthInteger & Sendable>: Sendable {
  case never
  case isIn(ClosedRange<Number>)
  case isNot(Number)
  case any
  /// Sorted, without repetitions.
  case isOneOf([Number])

  @inline(__always)
  func matches(_ value: Number) -> Bool {
    switch self {
    case .never: return false
    case .isIn(let range): return range.contains(value)
    case .isNot(let other): return value != other
    case .any: return true
    case .isOneOf(let values):
      var (low, high) = (0, values.count)
      while low < high {
        let middle = (low + high) / 2
        if values[middle] < value { low = middle + 1 } else { high = middle }
      }
      return low < values.count && values[low] == value
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

  @inline(__always)
  func matches(_ value: Double) -> Bool {
    switch self {
    case .compare(let comparison, let other):
      switch comparison {
      case .equal: Self.equal(value, other)
      case .notEqual: !Self.equal(value, other)
      case .less: value < other
      case .lessOrEqual: value < other || Self.equal(value, other)
      case .greater: value > other
      case .greaterOrEqual: value > other || Self.equal(value, other)
      }
    case .between(let low, let high): value >= low && value <= high
    case .isOneOf(let others): others.contains { Self.equal(value, $0) }
    }
  }

  /// As in an index: NaN equals NaN.
  @inline(__always)
  private static func equal(_ a: Double, _ b: Double) -> Bool { a == b || (a.isNaN && b.isNaN) }
}

/// A test of a string by its UTF-8 bytes.
struct StringTest: Sendable {
  enum Kind: Sendable {
    case compare(Condition.Comparison)
    case match(Condition.Match)
    case between(upper: [UInt8])
    case isOneOf(Set<[UInt8]>)
  }

  let kind: Kind
  /// The string to compare with, folded if case is ignored.
  let other: [UInt8]
  let ignoresCase: Bool

  init(_ kind: Kind, _ other: String = "", ignoringCase: Bool) {
    self.kind = kind
    self.other = ignoringCase ? CaseFolding.fold(other) : Array(other.utf8)
    ignoresCase = ignoringCase
  }

  init(oneOf texts: [String], ignoringCase: Bool) {
    let texts = texts.map { ignoringCase ? CaseFolding.fold($0) : Array($0.utf8) }
    self.init(.isOneOf(Set(texts)), ignoringCase: ignoringCase)
  }

  func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    if !ignoresCase { return unsafe matchesBytes(text) }
    return unsafe CaseFolding.fold(text).withUnsafeBufferPointer { unsafe matchesBytes($0) }
  }

  private func matchesBytes(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    unsafe other.withUnsafeBufferPointer { other in
      switch kind {
      case .compare(let comparison): unsafe Self.compare(text, comparison, other)
      case .match(.contains): unsafe Self.contains(text, other)
      case .match(.startsWith): unsafe text.count >= other.count && text.starts(with: other)
      case .match(.endsWith):
        unsafe text.count >= other.count && text.suffix(other.count).elementsEqual(other)
      case .between(let upper):
        unsafe !text.lexicographicallyPrecedes(other) && !upper.lexicographicallyPrecedes(text)
      case .isOneOf(let others): unsafe others.contains(Array(text))
      }
    }
  }

  private static func compare(
    _ text: UnsafeBufferPointer<UInt8>, _ comparison: Condition.Comparison,
    _ other: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    switch comparison {
    case .equal: unsafe text.count == other.count && text.elementsEqual(other)
    case .notEqual: unsafe text.count != other.count || !text.elementsEqual(other)
    case .less: unsafe text.lexicographicallyPrecedes(other)
    case .lessOrEqual: unsafe !other.lexicographicallyPrecedes(text)
    case .greater: unsafe other.lexicographicallyPrecedes(text)
    case .greaterOrEqual: unsafe !text.lexicographicallyPrecedes(other)
    }
  }

  private static func contains(
    _ text: UnsafeBufferPointer<UInt8>, _ part: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard let first = unsafe part.first else { return true }
    if text.count < part.count { return false }
    var start = 0
    while start <= text.count - part.count {
      if unsafe text[start] == first {
        var length = 1
        while unsafe length < part.count && text[start + length] == part[length] { length += 1 }
        if length == part.count { return true }
      }
      start += 1
    }
    return false
  }
}
