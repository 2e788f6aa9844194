internal import BoxJSON
internal import BoxModel

/// An integer that the model calls signed, shown as the unsigned one of its bits.
struct UnsignedForm: StrictForm {
  let kinds: Set<JSONKind> = [.number]
  let result: StoredType?
  private let type: StoredType
  private let shown: StoredType
  private let expected: String

  /// Fails for a type whose sign no flag says, and for dates.
  init?(_ type: StoredType) {
    guard type.kind == .integer, let traits = type.type.traits, traits.sign == .byFlag,
      traits.unit == nil,
      let shown = StoredType(type.type, .unsigned)
    else { return nil }
    self.type = type
    self.shown = shown
    result = shown
    expected = "an integer from 0 to \(shown.range.upperBound)"
  }

  func json(_ stored: Value) throws(ConversionError) -> JSONValue {
    guard let integer = stored.wideInteger, let json = JSONValue(shown.sameBits(integer)) else {
      throw .malformed(expected)
    }
    return json
  }

  // Older dumps have the signed number, which no other value has.
  func stored(_ json: JSONValue) throws(ConversionError) -> Value {
    guard let integer = json.wideInteger, let value = type.value(type.sameBits(integer)) else {
      throw .malformed(expected)
    }
    return value
  }
}
