internal import BoxConvert
internal import BoxEngine
internal import BoxModel

/// A member of the objects of the input, and its property in the store.
struct ImportField {
  /// The form in which a value is read.
  enum Form: UInt8 {
    case skipped, id
    case bool, int8, uint8, int16, uint16, int32, uint32, int64, uint64
    case float, double, string, bytes, char, date, dateNano
    case bools, int16s, uint16s, chars, int32s, uint32s, int64s, uint64s, dates, dateNanos
    case floats, doubles, strings
    /// By a converter of the catalogue.
    case converted
  }

  /// The key, without quotes.
  var key: String
  var form: Form
  /// The position among the properties of the entity; -1 for a member that is skipped.
  var position: Int
  /// The slot in records; -1 for the id and for a member that is skipped.
  var slot: Int
  var type: SlotType
  /// Whether the property is a to-one relation.
  var isRelation = false
  /// The converter from JSON to the value; nil for the plain form.
  var converter: BoundConverter?

  /// The field of the targets of an object in a to-many relation.
  static func relation(_ name: String) -> ImportField {
    ImportField(key: name, form: .uint64s, position: -1, slot: -1, type: .uint64s)
  }
}

extension ImportField.Form {
  /// The form of a property; nil for a type that this version does not know.
  init(_ property: PropertySchema, isID: Bool) {
    if isID {
      self = .id
      return
    }
    if let traits = property.modelType.traits, let form = Self(traits) {
      self = form
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
      case .int64: .int64
      case .uint64: .uint64
      case .float: .float
      case .double: .double
      case .string: .string
      case .bytes: .bytes
      case .bools: .bools
      case .int16s: .int16s
      case .uint16s: .uint16s
      case .int32s: .int32s
      case .uint32s: .uint32s
      case .int64s: .int64s
      case .uint64s: .uint64s
      case .floats: .floats
      case .doubles: .doubles
      case .strings: .strings
      }
  }

  /// The form of characters and dates; nil for types whose values read as they are stored.
  private init?(_ traits: PropertyTypeTraits) {
    switch (traits.json, traits.unit, traits.isVector) {
    case (.character, _, false): self = .char
    case (.character, _, true): self = .chars
    case (.plain, .milliseconds, false): self = .date
    case (.plain, .milliseconds, true): self = .dates
    case (.plain, .nanoseconds, false): self = .dateNano
    case (.plain, .nanoseconds, true): self = .dateNanos
    case (.plain, .seconds, _), (.plain, .microseconds, _), (.plain, nil, _): return nil
    }
  }

  /// The form of an element of a vector; nil for other fields.
  var element: Self? {
    switch self {
    case .bools: .bool
    case .int16s: .int16
    case .uint16s: .uint16
    case .chars: .char
    case .int32s: .int32
    case .uint32s: .uint32
    case .int64s: .int64
    case .uint64s: .uint64
    case .dates: .date
    case .dateNanos: .dateNano
    case .floats: .float
    case .doubles: .double
    case .strings: .string
    default: nil
    }
  }

  /// The signed integer with the bits of one that is too large for the form; nil for any other text or form.
  ///
  /// Model files of ObjectBox's generator for Swift do not say the sign of optional integers.
  func sameBits(asUnsigned text: String) -> Int64? {
    guard let number = UInt64(text) else { return nil }
    let signed: Int64? =
      switch self {
      case .int8: UInt8(exactly: number).map { Int64(Int8(bitPattern: $0)) }
      case .int16: UInt16(exactly: number).map { Int64(Int16(bitPattern: $0)) }
      case .int32: UInt32(exactly: number).map { Int64(Int32(bitPattern: $0)) }
      case .int64: Int64(bitPattern: number)
      default: nil
      }
    return signed.flatMap { $0 < 0 ? $0 : nil }
  }

  /// The expected value, for messages.
  var expected: String {
    switch self {
    case .skipped, .converted: "a value"
    case .id: "an id from 1 to 9223372036854775807"
    case .bool: "true or false"
    case .int8: "an integer from -128 to 127"
    case .uint8: "an integer from 0 to 255"
    case .int16: "an integer from -32768 to 32767"
    case .uint16: "an integer from 0 to 65535"
    case .int32: "an integer from -2147483648 to 2147483647"
    case .uint32: "an integer from 0 to 4294967295"
    case .int64: "an integer from -9223372036854775808 to 9223372036854775807"
    case .uint64: "an integer from 0 to 18446744073709551615"
    case .float: "a number within the range of 32-bit floats"
    case .double: "a number within the range of 64-bit floats"
    case .string: "a string"
    case .bytes: "bytes in base64"
    case .char: "a string of one UTF-16 code unit"
    case .date: "a date: milliseconds since 1970, or ISO 8601"
    case .dateNano: "a date: nanoseconds since 1970, or ISO 8601"
    case .bools: "an array of true and false"
    case .int16s, .uint16s, .int32s, .uint32s, .int64s, .uint64s: "an array of integers"
    case .chars: "an array of strings of one UTF-16 code unit"
    case .dates, .dateNanos: "an array of dates"
    case .floats, .doubles: "an array of numbers"
    case .strings: "an array of strings"
    }
  }
}
