public import BoxJSON
public import BoxModel

/// A typed converter as one of JSON, to be registered for a catalogue.
///
///     var registry = ConverterRegistry()
///     registry["color"] = JSONAdapter(
///       ColorConverter(), json: { .string($0.name) }, parse: { Color(json: $0) })
public struct JSONAdapter<Converter: ValueConverter>: JSONConverter {
  private let converter: Converter
  private let describe: @Sendable (Converter.Domain) -> JSONValue
  private let parse: @Sendable (JSONValue) -> Converter.Domain?

  /// Creates an adapter.
  ///
  /// - Parameters:
  ///   - converter: The converter.
  ///   - json: The JSON of a value of the application.
  ///   - parse: The value of the application for JSON; nil where it is malformed.
  public init(
    _ converter: Converter, json: @escaping @Sendable (Converter.Domain) -> JSONValue,
    parse: @escaping @Sendable (JSONValue) -> Converter.Domain?
  ) {
    self.converter = converter
    describe = json
    self.parse = parse
  }

  /// The JSON of the application's value of what is stored.
  ///
  /// - Throws: ``ConversionError`` of the converter.
  public func json(_ stored: Value) throws(ConversionError) -> JSONValue {
    describe(try converter.read(stored))
  }

  /// The stored value for JSON, by way of the application's value.
  ///
  /// - Throws: ``ConversionError`` of the converter, and of kind `malformed` for other JSON.
  public func stored(_ json: JSONValue) throws(ConversionError) -> Value {
    guard let value = parse(json) else { throw .malformed("\(Converter.Domain.self)") }
    return try converter.write(value)
  }
}
