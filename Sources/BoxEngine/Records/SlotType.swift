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
  /// `char` holds a UTF-16 code unit, and a relation the id of its target.
  public init?(_ type: PropertyType, _ flags: PropertyFlags) {
    guard let traits = type.traits else { return nil }
    let isVector = traits.isVector
    switch traits.form {
    case .bool: self = isVector ? .bools : .bool
    case .integer:
      guard let type = SlotType(bits: traits.bits, traits.isUnsigned(flags), isVector) else {
        return nil
      }
      self = type
    case .float: self = isVector ? .floats : .float
    case .double: self = isVector ? .doubles : .double
    case .string: self = isVector ? .strings : .string
    case .bytes: self = .bytes
    }
  }

  /// The slot type of integers; nil for a width that no record stores.
  private init?(bits: Int, _ isUnsigned: Bool, _ isVector: Bool) {
    switch (bits, isVector) {
    case (8, false): self = isUnsigned ? .uint8 : .int8
    case (16, false): self = isUnsigned ? .uint16 : .int16
    case (32, false): self = isUnsigned ? .uint32 : .int32
    case (64, false): self = isUnsigned ? .uint64 : .int64
    case (16, true): self = isUnsigned ? .uint16s : .int16s
    case (32, true): self = isUnsigned ? .uint32s : .int32s
    case (64, true): self = isUnsigned ? .uint64s : .int64s
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

  /// Whether a value has elements of its own; strings and bytes are single values.
  var isVector: Bool { traits.isVector }

  /// Whether the table holds an offset instead of the value.
  @inlinable public var isReference: Bool { rawValue >= SlotType.string.rawValue }
}

/// The traits of a slot type, from the row of a property type that is stored so.
package struct SlotTraits: Sendable {
  /// The form of a value, of each element in a vector.
  package let form: PropertyTypeTraits.Form
  /// The bits of a value or an element; 0 if its length varies.
  package let bits: Int
  /// The domain of the values, of the elements of a vector.
  package let domain: PropertyTypeTraits.Domain
  /// Whether a value is a list of elements; bytes are one value.
  package let isVector: Bool

  fileprivate init(_ row: PropertyTypeTraits, _ flags: PropertyFlags) {
    (form, bits, isVector) = (row.form, row.bits, row.isVector)
    domain = row.domain(flags)
  }

  /// Whether values are integers without a sign.
  package var isUnsigned: Bool { form == .integer && domain == .unsigned }

  /// The rows by the raw values of their types.
  fileprivate static let table: [SlotTraits] = {
    var rows: [SlotType: SlotTraits] = [:]
    for row in PropertyTypeTraits.table {
      for flags in [[], .unsigned] as [PropertyFlags] {
        if let type = SlotType(row.type, flags) { rows[type] = SlotTraits(row, flags) }
      }
    }
    return rows.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value)
  }()
}

extension SlotType {
  /// The traits of the type.
  ///
  /// Work that is done for each value is chosen from them beforehand.
  package var traits: SlotTraits { SlotTraits.table[Int(rawValue)] }
}
