internal import BoxJSON
internal import BoxModel

/// Two converters, one after the other: the first next to the store, the second next to the JSON.
struct ChainForm: StrictForm {
  let first: any StrictForm
  let second: any StrictForm
  /// The type of the value between the two converters.
  let between: StoredType

  var kinds: Set<JSONKind> { second.kinds }
  var result: StoredType? { second.result }
  var names: [String] { second.names }

  func stored(named name: String) throws(ConversionError) -> Value {
    try first.stored(PlainForm.json(try second.stored(named: name)))
  }

  func json(_ stored: Value) throws(ConversionError) -> JSONValue {
    guard let value = PlainForm.stored(try first.json(stored), as: between) else {
      throw .malformed("\(between)")
    }
    return try second.json(value)
  }

  func stored(_ json: JSONValue) throws(ConversionError) -> Value {
    try first.stored(PlainForm.json(try second.stored(json)))
  }
}

/// A converter that the application brought along.
struct RegisteredForm: StrictForm {
  let converter: any JSONConverter
  var names: [String] { converter.names }

  // Any kind: what is kept is always marked as such.
  let kinds: Set<JSONKind> = [.null, .bool, .number, .string, .array, .object]

  func json(_ stored: Value) throws(ConversionError) -> JSONValue {
    try ConverterScope.run { () throws(ConversionError) in try converter.json(stored) }
  }

  func stored(_ json: JSONValue) throws(ConversionError) -> Value {
    // An application knows numbers by their values.
    let json = json.rounded
    return try ConverterScope.run { () throws(ConversionError) in try converter.stored(json) }
  }

  func stored(named name: String) throws(ConversionError) -> Value {
    try ConverterScope.run { () throws(ConversionError) in try converter.stored(named: name) }
  }
}
