internal import BoxEngine

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A value that a condition compares with, before the property that stores it is known.
enum QueryValue: Sendable {
  case bool(Bool)
  case integer(Int128)
  case number(Double)
  case string(String)
  case bytes([UInt8])
  /// A date, which becomes a number of the unit that the property counts in.
  case date(Date)

  init(_ integer: some FixedWidthInteger) { self = .integer(Int128(clamping: integer)) }
  init(_ number: some BinaryFloatingPoint) { self = .number(Double(number)) }
  init(_ data: Data) { self = .bytes([UInt8](data)) }

  /// The literal of the engine.
  ///
  /// - Parameter isNanoseconds: Whether the property counts nanoseconds, if it holds dates.
  /// - Returns: The literal.
  func literal(isNanoseconds: Bool) -> Condition.Literal {
    switch self {
    case .bool(let value): return .bool(value)
    case .integer(let value): return Self.literal(value)
    case .number(let value): return .number(value)
    case .string(let value): return .string(value)
    case .bytes(let value): return .bytes(value)
    case .date(let date):
      // Rounded as a put rounds it, so that a stored date equals the one that it was made of.
      guard let units = StoredDate.number(of: date, isNanoseconds: isNanoseconds) else {
        // Beyond all dates that fit: comparisons with an infinite number have the right results.
        return .number(date.timeIntervalSince1970 * .infinity)
      }
      return Self.date(units, isNanoseconds: isNanoseconds)
    }
  }

  private static func literal(_ value: Int128) -> Condition.Literal {
    if let small = Int64(exactly: value) { return .integer(small) }
    if let large = UInt64(exactly: value) { return .unsigned(large) }
    // Beyond all integers that fit. The nearest double can be one that does.
    return .number(value < 0 ? -.infinity : .infinity)
  }

  private static func date(_ units: Int64, isNanoseconds: Bool) -> Condition.Literal {
    let perSecond: Int64 = isNanoseconds ? 1_000_000_000 : 1_000
    var (seconds, rest) = units.quotientAndRemainder(dividingBy: perSecond)
    if rest < 0 { (seconds, rest) = (seconds - 1, rest + perSecond) }
    return .date(seconds: seconds, nanoseconds: rest * (1_000_000_000 / perSecond))
  }

  /// The literal of the largest value below this one; nil if values of the type have no predecessor.
  func predecessor(isNanoseconds: Bool) -> Condition.Literal? {
    switch self {
    case .integer(let value): return Self.literal(value - 1)
    case .date(let date):
      let units = StoredDate.number(of: date, isNanoseconds: isNanoseconds)
      guard let units, units > .min else { return nil }
      return Self.date(units - 1, isNanoseconds: isNanoseconds)
    default: return nil
    }
  }

  /// Whether the first of two values of one kind is not above the second.
  static func areOrdered(_ low: QueryValue, _ high: QueryValue) -> Bool {
    switch (low, high) {
    case (.integer(let low), .integer(let high)): low <= high
    case (.number(let low), .number(let high)): !(low > high)
    case (.integer(let low), .number(let high)): !(Double(low) > high)
    case (.number(let low), .integer(let high)): !(low > Double(high))
    case (.date(let low), .date(let high)): low <= high
    default: true
    }
  }
}
