internal import BoxJSON
internal import BoxModel

/// A truth value that is stored as one of two integers or texts.
struct BooleanForm: StrictForm {
  let kinds: Set<JSONKind> = [.bool]
  let result = StoredType(.bool)
  private let values: (no: Value, yes: Value)
  private let keys: (no: RawKey, yes: RawKey)
  private let expected: String

  /// Fails if the raw values do not fit the type.
  init?(no: RawValue, yes: RawValue, _ type: StoredType) {
    guard let false_ = no.value(type), let true_ = yes.value(type) else { return nil }
    values = (false_, true_)
    keys = (RawKey(no), RawKey(yes))
    expected = "\(no) or \(yes)"
  }

  func json(_ stored: Value) throws(ConversionError) -> JSONValue {
    guard let key = RawKey(stored) else { throw .malformed(expected) }
    if key == keys.yes { return true }
    if key == keys.no { return false }
    throw ConversionError(.unknown, expected: expected)
  }

  func stored(_ json: JSONValue) throws(ConversionError) -> Value {
    guard case .bool(let value) = json else { throw .malformed("true or false") }
    return value ? values.yes : values.no
  }
}
