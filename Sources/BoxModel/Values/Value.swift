/// A value of a property, as the tools handle it.
///
/// Integers of all widths are `integer`, those of unsigned properties `unsigned`; dates are integers
/// in the unit of their property. A relation to one is `unsigned`: the id of its target.
public enum Value: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case unsigned(UInt64)
  case float(Float)
  case double(Double)
  case string(String)
  case bytes([UInt8])
  case bools([Bool])
  case integers([Int64])
  case unsignedIntegers([UInt64])
  case floats([Float])
  case doubles([Double])
  case strings([String])
}

extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByFloatLiteral, ExpressibleByNilLiteral
{
  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// A signed integer.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// A boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// A number of 64 bits.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// No value.
  public init(nilLiteral: ()) { self = .null }
}

extension Value: CustomStringConvertible {
  /// The value as in a message: strings in quotes, long ones cut.
  public var description: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .unsigned(let value): "\(value)"
    case .float(let value): "\(value)"
    case .double(let value): "\(value)"
    case .string(let value): value.count > 60 ? "\"\(value.prefix(60))…\"" : "\"\(value)\""
    case .bytes(let value): "\(value.count) bytes"
    case .bools(let value): "\(value.count) booleans"
    case .integers(let value): "\(value.count) integers"
    case .unsignedIntegers(let value): "\(value.count) integers"
    case .floats(let value): "\(value.count) numbers"
    case .doubles(let value): "\(value.count) numbers"
    case .strings(let value): "\(value.count) strings"
    }
  }
}
