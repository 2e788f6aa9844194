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
    guard let traits = type.traits else { return nil }
    kind = Kind(traits)
    isUnsigned = traits.isUnsigned(flags)
    self.type = type
    let bits = traits.form == .integer ? traits.bits : 64
    let limit = Int128(1) << (isUnsigned ? bits : bits - 1)
    range = (isUnsigned ? 0 : -limit)...limit - 1
  }

  /// The way in which a property of a model is stored; nil for a property without a known type.
  public init?(_ property: Property) {
    guard let type = property.type else { return nil }
    self.init(type, property.flags)
  }

  /// The integer of this type that has the bits of another one.
  ///
  /// - Parameter integer: An integer of this type with either sign.
  /// - Returns: -56 for 200 where bytes are signed; what neither sign can hold, and a type without integers,
  ///   as it is.
  package func sameBits(_ integer: Int128) -> Int128 {
    guard kind == .integer, !range.contains(integer) else { return integer }
    let count = range.upperBound - range.lowerBound + 1
    let moved = integer < 0 ? integer + count : integer - count
    return range.contains(moved) && (-count / 2..<count).contains(integer) ? moved : integer
  }

  /// The type of the elements of a vector; nil for anything else.
  public var element: StoredType? {
    type.traits?.element.flatMap { StoredType($0, isUnsigned ? .unsigned : []) }
  }

  /// The value of an integer; nil if it is out of range, or the type holds no integers.
  func value(_ integer: Int128) -> Value? {
    guard kind == .integer, range.contains(integer) else { return nil }
    return isUnsigned
      ? .unsigned(UInt64(truncatingIfNeeded: integer))
      : .integer(Int64(truncatingIfNeeded: integer))
  }
}

extension StoredType.Kind {
  fileprivate init(_ traits: PropertyTypeTraits) {
    self =
      switch traits.form {
      case .bool: traits.isVector ? .bools : .bool
      case .integer: traits.isVector ? .integers : .integer
      case .float: traits.isVector ? .floats : .float
      case .double: traits.isVector ? .doubles : .double
      case .string: traits.isVector ? .strings : .string
      case .bytes: .bytes
      }
  }
}

extension StoredType: CustomStringConvertible {
  /// The name of the type, as in "unsigned int".
  public var description: String {
    isUnsigned && type.traits?.sign == .byFlag ? "unsigned \(type)" : "\(type)"
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
