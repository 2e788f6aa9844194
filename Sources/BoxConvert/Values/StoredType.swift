public import BoxModel

/// The stored form of the values of a property: the type in the model, and whether integers are
/// unsigned.
public struct StoredType: Hashable, Sendable {
  /// The type in the model.
  public let type: PropertyType
  /// Whether integers are unsigned.
  public let isUnsigned: Bool

  /// The form of the values, whatever their width.
  public enum Kind: Hashable, Sendable {
    case bool, integer, float, double, string, bytes
    case bools, integers, floats, doubles, strings
  }

  /// The form of the values.
  public let kind: Kind
  /// The least and the greatest integer that is stored, of an element where it is a vector.
  let range: ClosedRange<Int128>

  /// The way in which a property of a type with these flags is stored; nil for an unknown type.
  public init?(_ type: PropertyType, _ flags: PropertyFlags = []) {
    let kind: Kind
    var bits = 64
    var isUnsigned = flags.contains(.unsigned) && type.canBeUnsigned
    switch type.rawValue {
    case 1: kind = .bool
    case 2: (kind, bits) = (.integer, 8)
    case 3: (kind, bits) = (.integer, 16)
    case 4: (kind, bits, isUnsigned) = (.integer, 16, true)
    case 5: (kind, bits) = (.integer, 32)
    case 6, 10, 12: kind = .integer
    case 7: kind = .float
    case 8: kind = .double
    case 9: kind = .string
    case 11: (kind, isUnsigned) = (.integer, true)
    case 13, 23: kind = .bytes
    case 22: kind = .bools
    case 24: (kind, bits) = (.integers, 16)
    case 25: (kind, bits, isUnsigned) = (.integers, 16, true)
    case 26: (kind, bits) = (.integers, 32)
    case 27: kind = .integers
    case 28: kind = .floats
    case 29: kind = .doubles
    case 30: kind = .strings
    case 31, 32: (kind, isUnsigned) = (.integers, false)
    default: return nil
    }
    self.type = type
    self.kind = kind
    self.isUnsigned = isUnsigned
    let limit = Int128(1) << (isUnsigned ? bits : bits - 1)
    range = (isUnsigned ? 0 : -limit)...limit - 1
  }

  /// The way in which a property of a model is stored; nil for a property without a known type.
  public init?(_ property: Property) {
    guard let type = property.type else { return nil }
    self.init(type, property.flags)
  }

  /// The type of the elements of a vector; nil for anything else.
  public var element: StoredType? {
    let flags: PropertyFlags = isUnsigned ? .unsigned : []
    switch type.rawValue {
    case 22: return StoredType(.bool)
    case 24: return StoredType(.short, flags)
    case 25: return StoredType(.char)
    case 26: return StoredType(.int, flags)
    case 27: return StoredType(.long, flags)
    case 28: return StoredType(.float)
    case 29: return StoredType(.double)
    case 30: return StoredType(.string)
    case 31: return StoredType(.date)
    case 32: return StoredType(.dateNano)
    default: return nil
    }
  }

  /// The value of an integer; nil if it is out of range, or the type holds no integers.
  func value(_ integer: Int128) -> Value? {
    guard kind == .integer, range.contains(integer) else { return nil }
    return isUnsigned
      ? .unsigned(UInt64(truncatingIfNeeded: integer))
      : .integer(Int64(truncatingIfNeeded: integer))
  }
}

extension StoredType: CustomStringConvertible {
  /// The name of the type, as in "unsigned int".
  public var description: String {
    isUnsigned && type != .char && type != .relation && type.rawValue != 25
      ? "unsigned \(type)" : "\(type)"
  }
}

extension Value {
  /// The integer, whatever its sign; nil for anything else.
  var wideInteger: Int128? {
    switch self {
    case .integer(let value): Int128(value)
    case .unsigned(let value): Int128(value)
    default: nil
    }
  }
}
