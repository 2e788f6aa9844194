public import BoxJSON

/// Converts between the values of a property as they are stored and as JSON shows them.
///
/// It is what a catalogue binds to a property, so that dumps, migrations and the command line all
/// read and write the same form. A converter may be called from many threads at once, and must not
/// touch a store.
public protocol JSONConverter: Sendable {
  /// The form in which JSON shows a stored value.
  ///
  /// A stored `null` is a property that the object lacks: it was nil, or is newer than the object.
  ///
  /// - Throws: ``ConversionError`` if the policy of the converter is to fail.
  func json(_ stored: Value) throws(ConversionError) -> JSONValue

  /// The stored value of a form; the inverse of ``json(_:)``.
  ///
  /// - Throws: ``ConversionError`` if the policy of the converter is to fail, or to keep what is
  ///   no stored value.
  func stored(_ json: JSONValue) throws(ConversionError) -> Value

  /// The stored value where JSON has no form of it, not even null.
  ///
  /// - Throws: ``ConversionError`` if the policy of the converter is to fail.
  func storedIfMissing() throws(ConversionError) -> Value

  /// The names of the values, where the converter lists them.
  var names: [String] { get }

  /// The stored value of a name, as conditions look it up; of a list, the element.
  ///
  /// - Throws: ``ConversionError`` if no value has the name, whatever the policy is.
  func stored(named name: String) throws(ConversionError) -> Value

  /// The error of converting a stored value, before any policy; nil if the value converts or is
  /// missing.
  func problem(_ stored: Value) -> ConversionError?
}

extension JSONConverter {
  /// None are listed.
  public var names: [String] { [] }

  /// The stored value of the name as a JSON string.
  public func stored(named name: String) throws(ConversionError) -> Value {
    try stored(.string(name))
  }

  /// Nothing is stored without a form.
  public func storedIfMissing() throws(ConversionError) -> Value { .null }

  /// The error with which ``json(_:)`` ends; nil if it ends without one.
  public func problem(_ stored: Value) -> ConversionError? {
    if case .null = stored { return nil }
    do throws(ConversionError) {
      _ = try json(stored)
      return nil
    } catch {
      return error
    }
  }
}

/// The reason why a value could not be converted.
public struct ConversionError: Error, Hashable, Sendable {
  /// The four ways in which a value can fail to be as expected.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// There is no value: the property is newer than the object, or the key is not in the JSON.
    case missing
    /// The value is null.
    case null
    /// The value is of the right form and none of the known ones.
    case unknown
    /// The value is not of the right form.
    case malformed
  }

  /// The kind of the error.
  public let kind: Kind
  /// The expected values, as in "one of admin, author".
  public let expected: String

  /// Creates an error.
  public init(_ kind: Kind, expected: String) {
    self.kind = kind
    self.expected = expected
  }
}

extension ConversionError: CustomStringConvertible {
  /// The error and the expected values, without a trailing period.
  public var description: String {
    switch kind {
    case .missing: "there is no value; expected \(expected)"
    case .null: "the value is null; expected \(expected)"
    case .unknown: "the value is not a known one; expected \(expected)"
    case .malformed: "the value is malformed; expected \(expected)"
    }
  }
}
