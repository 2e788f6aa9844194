internal import BoxModel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A value of a property, whatever its type.
@nonexhaustive public enum PropertyValue: Hashable, Sendable {
  /// A truth value.
  case bool(Bool)
  /// A signed integer of any width.
  case integer(Int64)
  /// An unsigned integer of any width, an id, or a UTF-16 code unit.
  case unsigned(UInt64)
  /// A number of 32 or 64 bits.
  case number(Double)
  /// A string.
  case string(String)
  /// Bytes.
  case bytes([UInt8])
  /// A date, of milliseconds or nanoseconds.
  case date(Date)
  /// The elements of a vector.
  case list([PropertyValue])
}

extension PropertyValue: CustomStringConvertible {
  /// The value as in a message: strings in quotes, bytes by their number.
  public var description: String {
    switch self {
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .unsigned(let value): "\(value)"
    case .number(let value): "\(value)"
    case .string(let value): "\(Value.string(value))"
    case .bytes(let value): "\(Value.bytes(value))"
    case .date(let value): "\(value)"
    case .list(let values): "[\(values.map(\.description).joined(separator: ", "))]"
    }
  }
}

extension PropertyValue {
  /// The value of a stored one; nil for null.
  ///
  /// - Parameters:
  ///   - value: The stored value.
  ///   - unit: The unit of dates; nil for integers.
  init?(_ value: Value, unit: TimeUnit?) {
    func integer(_ number: Int64) -> PropertyValue {
      guard let unit else { return .integer(number) }
      return .date(StoredDate.date(number, isNanoseconds: unit == .nanoseconds))
    }
    switch value {
    case .null: return nil
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = integer(value)
    case .unsigned(let value): self = .unsigned(value)
    case .float(let value): self = .number(Double(value))
    case .double(let value): self = .number(value)
    case .string(let value): self = .string(value)
    case .bytes(let value): self = .bytes(value)
    case .bools(let values): self = .list(values.map { .bool($0) })
    case .integers(let values): self = .list(values.map(integer))
    case .unsignedIntegers(let values): self = .list(values.map { .unsigned($0) })
    case .floats(let values): self = .list(values.map { .number(Double($0)) })
    case .doubles(let values): self = .list(values.map { .number($0) })
    case .strings(let values): self = .list(values.map { .string($0) })
    }
  }
}
