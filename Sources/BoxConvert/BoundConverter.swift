public import BoxJSON
public import BoxModel

/// A converter of a catalogue for a type of property, with its policies.
///
/// A value that is kept as it is stored is shown in its plain form if that cannot be mistaken for a
/// converted one, such as 400 for an enum that has names, and as `{"raw": …}` otherwise.
public struct BoundConverter: JSONConverter {
  /// The type that it converts.
  public let type: StoredType
  /// The policies for values that are not as expected.
  public let policies: ConversionPolicies

  let form: any StrictForm
  let defaultValue: DefaultValue?

  /// The default value in both forms.
  struct DefaultValue: Sendable {
    var json: JSONValue
    var stored: Value
  }

  static let rawKey = "raw"

  /// The names of the values, where the converter lists them.
  public var names: [String] { form.names }

  /// The stored value of a name; of a list, the element.
  ///
  /// - Throws: ``ConversionError`` if no value has the name, whatever the policy is.
  public func stored(named name: String) throws(ConversionError) -> Value {
    try form.stored(named: name)
  }

  /// The error of converting a stored value, before any policy; nil if the value converts or is
  /// missing.
  ///
  /// - Complexity: O(*n*) in the size of the value.
  public func problem(_ stored: Value) -> ConversionError? {
    if case .null = stored { return nil }
    return form.problem(stored)
  }

  /// The form in which JSON shows a stored value.
  ///
  /// - Throws: ``ConversionError`` if the policy is to fail.
  public func json(_ stored: Value) throws(ConversionError) -> JSONValue {
    if case .null = stored {
      return try json(instead: .null, ConversionError(.missing, expected: "a value"))
    }
    do throws(ConversionError) {
      let json = try form.json(stored)
      return json.isMistakable ? Self.marked(PlainForm.json(stored)) : json
    } catch {
      return try json(instead: stored, error)
    }
  }

  /// The stored value of a form.
  ///
  /// - Throws: ``ConversionError`` if the policy is to fail, or to keep JSON that is not the raw
  ///   form of a stored value.
  public func stored(_ json: JSONValue) throws(ConversionError) -> Value {
    switch json {
    case .null: return try stored(ConversionError(.null, expected: "a value"), kept: .null)
    case .object(let members) where members.count == 1 && members[0].key == Self.rawKey:
      return try raw(members[0].value)
    default: break
    }
    if !form.kinds.contains(json.kind), PlainForm.stored(json, as: type) != nil {
      return try raw(json)
    }
    do throws(ConversionError) {
      return try form.stored(json)
    } catch {
      return try stored(error, kept: nil)
    }
  }

  /// The stored value of a form that is JSON text; no digit of its numbers is lost.
  ///
  /// - Throws: ``ConversionError`` if the policy is to fail, or to keep JSON that is not the raw
  ///   form of a stored value, and of kind `malformed` for what is not JSON.
  /// - Complexity: O(*n*) in the length of the text.
  public func stored(parsing text: [UInt8]) throws(ConversionError) -> Value {
    let document: JSONDocument
    do throws(JSONError) {
      var options = JSONDocument.Options()
      options.allowsLargeIntegers = true
      document = try JSONDocument(parsing: text, options: options)
    } catch {
      throw .malformed("JSON (\(error.message))")
    }
    return try stored(document.exactValue(of: document.root))
  }

  /// The stored value where JSON has no form.
  ///
  /// - Throws: ``ConversionError`` if the policy is to fail.
  public func storedIfMissing() throws(ConversionError) -> Value {
    try stored(ConversionError(.missing, expected: "a value"), kept: .null)
  }

  private func raw(_ json: JSONValue) throws(ConversionError) -> Value {
    guard let value = PlainForm.stored(json, as: type) else {
      throw .malformed("a raw value of type \(type)")
    }
    if case .null = value { throw .malformed("a raw value of type \(type)") }
    guard let problem = form.problem(value) else { return value }
    return try stored(problem, kept: value)
  }

  private func json(
    instead stored: Value, _ error: ConversionError
  ) throws(ConversionError) -> JSONValue {
    switch policies[error.kind] {
    case .fail: throw error
    case .null: return .null
    case .useDefault:
      guard let defaultValue else { throw error }
      return defaultValue.json
    case .keep:
      let plain = PlainForm.json(stored)
      if case .null = plain { return plain }
      return form.kinds.contains(plain.kind) ? Self.marked(plain) : plain
    }
  }

  private func stored(
    _ error: ConversionError, kept: Value?
  ) throws(ConversionError) -> Value {
    switch policies[error.kind] {
    case .fail: throw error
    case .null: return .null
    case .useDefault:
      guard let defaultValue else { throw error }
      return defaultValue.stored
    case .keep:
      guard let kept else { throw error }
      return kept
    }
  }

  private static func marked(_ plain: JSONValue) -> JSONValue {
    .object([JSONValue.Member(rawKey, plain)])
  }
}

extension JSONValue {
  /// Whether the form of a value looks like one that was kept, or like none.
  fileprivate var isMistakable: Bool {
    switch self {
    case .null: true
    case .object(let members): members.count == 1 && members[0].key == BoundConverter.rawKey
    default: false
    }
  }
}
