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
  case date(DateTextForm)
  case character
  case float, double
  case string
  case base64
  case hex
  /// Any vector but one of bytes, as an array of what the form writes.
  indirect case array(WrittenForm)
  case converted(any JSONConverter)
  case redacted(RedactedForm)

  /// The form of a property.
  init(
    _ property: PropertySchema, _ integers: IntegerForm, _ dates: DateForm,
    _ bytes: BytesForm = .base64, zone: DateZone = .utc
  ) {
    let traits = property.type.traits
    if traits.form == .bytes {
      self = bytes == .hex ? .hex : .base64
      return
    }
    let form = Self(single: property, traits, integers, dates, zone)
    self = traits.isVector ? .array(form) : form
  }

  /// The form of a value, of each element in a vector.
  private init(
    single property: PropertySchema, _ traits: SlotTraits, _ integers: IntegerForm,
    _ dates: DateForm, _ zone: DateZone
  ) {
    let quoted = integers == .string
    let model = property.modelType.traits
    if model?.json == .character {
      self = .character
      return
    }
    if dates == .iso, let unit = model?.unit {
      self = .date(
        DateTextForm(
          perSecond: unit.perSecond, digits: unit.digits, isUnsigned: traits.isUnsigned,
          isQuoted: quoted, zone: zone))
      return
    }
    self =
      switch (traits.form, traits.bits) {
      case (.bool, _): .bool
      case (.integer, 8): traits.isUnsigned ? .uint8 : .int8
      case (.integer, 16): traits.isUnsigned ? .uint16 : .int16
      case (.integer, 32): traits.isUnsigned ? .uint32 : .int32
      case (.integer, _): traits.isUnsigned ? .uint64(quoted: quoted) : .int64(quoted: quoted)
      case (.float, _): .float
      case (.double, _): .double
      case (.string, _): .string
      case (.bytes, _): .base64
      }
  }
}

/// The form of dates as texts.
struct DateTextForm: Sendable {
  /// The number of the units that are stored in a second.
  var perSecond: Int64
  /// The digits of a fraction of a second.
  var digits: Int
  var isUnsigned: Bool
  /// Whether a date that no text has is an integer between quotation marks.
  var isQuoted: Bool
  var zone: DateZone
}

/// The replacement of a value that is not null.
enum RedactedForm: Sendable {
  /// JSON text without information; `null` for values that become null in any case.
  case constant([UInt8])
  case hash(RedactionKey)

  /// The value of a mask: of the type of the property, and the same for all objects.
  static func mask(_ property: PropertySchema) -> RedactedForm {
    let traits = property.type.traits
    let text =
      switch traits.form {
      case _ where traits.isVector: "[]"
      case .bool: "false"
      case .integer: property.modelType.traits?.json == .character ? "\"*\"" : "0"
      case .float, .double: "0.0"
      case .string: "\"***\""
      case .bytes: "\"\""
      }
    return .constant(Array(text.utf8))
  }
}
