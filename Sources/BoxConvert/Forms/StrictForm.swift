internal import BoxJSON
internal import BoxModel

/// A form of stored values without policies: every unknown value is an error.
///
/// ``BoundConverter`` applies the policies, and never passes null here.
protocol StrictForm: Sendable {
  /// The kinds of JSON that the form has. The plain form of a value that is kept as it is stored
  /// must not be one of them.
  var kinds: Set<JSONKind> { get }
  /// The stored type for the second converter of a chain; nil if there cannot be one.
  var result: StoredType? { get }

  func json(_ stored: Value) throws(ConversionError) -> JSONValue
  func stored(_ json: JSONValue) throws(ConversionError) -> Value
  /// The error of a stored value, even if only a part of the value is wrong; nil for a valid value.
  func problem(_ stored: Value) -> ConversionError?

  /// The names of the values, where the form lists them.
  var names: [String] { get }
  /// The stored value of a name; of a list, the element.
  func stored(named name: String) throws(ConversionError) -> Value
}

extension StrictForm {
  var result: StoredType? { nil }
  var names: [String] { [] }

  func stored(named name: String) throws(ConversionError) -> Value { try stored(.string(name)) }

  func problem(_ stored: Value) -> ConversionError? {
    do throws(ConversionError) {
      _ = try json(stored)
      return nil
    } catch {
      return error
    }
  }
}

extension ConversionError {
  static func malformed(_ expected: String) -> ConversionError {
    ConversionError(.malformed, expected: expected)
  }
}
