internal import BoxConvert
internal import BoxEngine
internal import BoxModel

/// The form in which the values of a property are written.
enum WrittenForm: Sendable {
  case id
  case bool
  case int8, uint8, int16, uint16, int32, uint32
  case int64(quoted: Bool)
  case uint64(quoted: Bool)
  case date(perSecond: Int64, digits: Int, isUnsigned: Bool, quoted: Bool)
  case character
  case float, double
  case string
  case base64
  /// Any vector but one of bytes, as an array of what the form writes.
  indirect case array(WrittenForm)
  case converted(any JSONConverter)
  case redacted(RedactedForm)

  /// The form of a property.
  init(_ property: PropertySchema, _ integers: IntegerForm, _ dates: DateForm) {
    let quoted = integers == .string
    let traits = property.modelType.traits
    let isVector = traits?.isVector ?? false
    if traits?.json == .character {
      self = isVector ? .array(.character) : .character
      return
    }
    if dates == .iso, let unit = traits?.unit {
      let form = WrittenForm.date(
        perSecond: unit.perSecond, digits: unit.digits, isUnsigned: property.type == .uint64,
        quoted: quoted)
      self = isVector ? .array(form) : form
      return
    }
    self =
      switch property.type {
      case .bool: .bool
      case .int8: .int8
      case .uint8: .uint8
      case .int16: .int16
      case .uint16: .uint16
      case .int32: .int32
      case .uint32: .uint32
      case .int64: .int64(quoted: quoted)
      case .uint64: .uint64(quoted: quoted)
      case .float: .float
      case .double: .double
      case .string: .string
      case .bytes: .base64
      case .bools: .array(.bool)
      case .int16s: .array(.int16)
      case .uint16s: .array(.uint16)
      case .int32s: .array(.int32)
      case .uint32s: .array(.uint32)
      case .int64s: .array(.int64(quoted: quoted))
      case .uint64s: .array(.uint64(quoted: quoted))
      case .floats: .array(.float)
      case .doubles: .array(.double)
      case .strings: .array(.string)
      }
  }
}

/// The replacement of a value that is not null.
enum RedactedForm: Sendable {
  /// JSON text without information; `null` for values that become null in any case.
  case constant([UInt8])
  case hash(RedactionKey)

  /// The value of a mask: of the type of the property, and the same for all objects.
  static func mask(_ property: PropertySchema) -> RedactedForm {
    let text =
      switch property.type {
      case .bool: "false"
      case .string: "\"***\""
      case .bytes: "\"\""
      case .float, .double: "0.0"
      case .uint16 where property.modelType == .char: "\"*\""
      case let type where type.elementWidth > 0: "[]"
      default: "0"
      }
    return .constant(Array(text.utf8))
  }
}
