/// A value of a property, as the tools handle it.
///
/// Integers of all widths are `integer`, values of unsigned properties `unsigned`; dates are integers in the
/// unit of their property. A to-one relation is `unsigned`: the id of its target.
///
/// Two integers are equal if they are the same number, and so are two numbers with a fraction: a mapping can
/// compare a property of any width with a literal.
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

extension Value {
  /// Whether two values are the same; NaN is equal to nothing.
  ///
  /// - Complexity: O(*n*) in their size.
  public static func == (a: Value, b: Value) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.integer(let a), .integer(let b)): a == b
    case (.unsigned(let a), .unsigned(let b)): a == b
    case (.integer(let a), .unsigned(let b)), (.unsigned(let b), .integer(let a)): a == b
    case (.float(let a), .float(let b)): a == b
    case (.double(let a), .double(let b)): a == b
    case (.float(let a), .double(let b)), (.double(let b), .float(let a)): Double(a) == b
    case (.string(let a), .string(let b)): a == b
    case (.bytes(let a), .bytes(let b)): a == b
    case (.bools(let a), .bools(let b)): a == b
    case (.integers(let a), .integers(let b)): a == b
    case (.unsignedIntegers(let a), .unsignedIntegers(let b)): a == b
    case (.floats(let a), .floats(let b)): a == b
    case (.doubles(let a), .doubles(let b)): a == b
    case (.strings(let a), .strings(let b)): a == b
    default: false
    }
  }

  /// Hashes the value; equal ones have one hash.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0 as UInt8)
    case .bool(let value): hasher.combine(value)
    // An integer that is not negative has the bits of the unsigned one.
    case .integer(let value): hasher.combine(UInt64(bitPattern: value))
    case .unsigned(let value): hasher.combine(value)
    case .float(let value): hasher.combine(Double(value))
    case .double(let value): hasher.combine(value)
    case .string(let value): hasher.combine(value)
    case .bytes(let value): hasher.combine(value)
    case .bools(let value): hasher.combine(value)
    case .integers(let value): hasher.combine(value)
    case .unsignedIntegers(let value): hasher.combine(value)
    case .floats(let value): hasher.combine(value)
    case .doubles(let value): hasher.combine(value)
    case .strings(let value): hasher.combine(value)
    }
  }
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
