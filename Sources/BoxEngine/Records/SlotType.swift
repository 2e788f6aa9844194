public import BoxModel

/// The type in which a record stores the value of a property.
public enum SlotType: UInt8, Hashable, Sendable {
  case bool, int8, uint8, int16, uint16, int32, uint32, int64, uint64, float, double
  case string
  /// Vectors of elements of a fixed size.
  case bytes, bools, int16s, uint16s, int32s, uint32s, int64s, uint64s, floats, doubles
  case strings

  /// The slot type of a property type; nil for unknown types.
  ///
  /// The numbers are those of the model format; `char` holds a UTF-16 code unit, and a relation the
  /// id of its target.
  public init?(_ type: PropertyType, _ flags: PropertyFlags) {
    let isUnsigned = flags.contains(.unsigned)
    switch type.rawValue {
    case 1: self = .bool
    case 2: self = isUnsigned ? .uint8 : .int8
    case 3: self = isUnsigned ? .uint16 : .int16
    case 4: self = .uint16
    case 5: self = isUnsigned ? .uint32 : .int32
    case 6: self = isUnsigned ? .uint64 : .int64
    case 7: self = .float
    case 8: self = .double
    case 9: self = .string
    case 10, 12: self = isUnsigned ? .uint64 : .int64
    case 11: self = .uint64
    case 13, 23: self = .bytes
    case 22: self = .bools
    case 24: self = isUnsigned ? .uint16s : .int16s
    case 25: self = .uint16s
    case 26: self = isUnsigned ? .uint32s : .int32s
    case 27: self = isUnsigned ? .uint64s : .int64s
    case 28: self = .floats
    case 29: self = .doubles
    case 30: self = .strings
    case 31, 32: self = .int64s
    default: return nil
    }
  }

  /// Bytes of the field in the table: of the value, or of the offset of what lies elsewhere.
  @inlinable public var width: Int {
    switch self {
    case .bool, .int8, .uint8: 1
    case .int16, .uint16: 2
    case .int32, .uint32, .float: 4
    case .int64, .uint64, .double: 8
    default: 4
    }
  }

  /// Bytes of an element of a vector or of a string; 0 for a single value, 4 for the offsets of
  /// strings.
  @inlinable public var elementWidth: Int {
    switch self {
    case .string, .bytes, .bools: 1
    case .int16s, .uint16s: 2
    case .int32s, .uint32s, .floats, .strings: 4
    case .int64s, .uint64s, .doubles: 8
    default: 0
    }
  }

  /// Whether the table holds an offset instead of the value.
  @inlinable public var isReference: Bool { rawValue >= SlotType.string.rawValue }
}
