public import BoxJSON
public import BoxModel

/// A converter as a catalogue describes it, before it meets the type of a property.
public struct ConverterDefinition: Hashable, Sendable {
  /// The type of a converter, with its settings.
  public indirect enum Kind: Hashable, Sendable {
    /// Names for the raw values of an enum.
    case enumeration(Enumeration)
    /// Names for the bits of a set of options.
    case optionSet(Enumeration)
    /// A time: the unit in which it is stored if the type does not determine the unit, and the unit
    /// in which it is shown, nil for ISO 8601.
    case date(unit: TimeUnit?, shown: TimeUnit?)
    /// A UUID.
    case uuid(isUppercase: Bool)
    /// A URL.
    case url(isRelativeAllowed: Bool)
    /// A decimal number; if it is stored as an integer, the number of digits after the decimal
    /// point.
    case decimal(scale: Int?)
    /// Bytes as a text.
    case bytes(BytesEncoding)
    /// A text that is JSON.
    case json(isExact: Bool)
    /// A vector, or a text that holds a list.
    case list(separator: String?, element: ConverterDefinition?)
    /// A truth value that is stored as one of two raw values.
    case boolean(no: RawValue, yes: RawValue)
    /// A signed integer as the unsigned one of its bits.
    case unsigned
    /// Two converters, the one next to the store first.
    case chain(ConverterDefinition, ConverterDefinition)
    /// A converter that the application registers under a name.
    case registered(String)
  }

  /// The type of the converter, with its settings.
  public var kind: Kind
  /// The policies for values that are not as expected.
  public var policies = ConversionPolicies()
  /// The default value, as JSON shows it.
  public var defaultValue: JSONValue?
  /// The place in the catalogue.
  public var position: JSONPosition?

  /// Creates a converter that keeps everything.
  public init(_ kind: Kind, position: JSONPosition? = nil) {
    self.kind = kind
    self.position = position
  }
}

/// A name and its raw value.
public struct EnumerationCase: Hashable, Sendable {
  /// The name.
  public var name: String
  /// The raw value, or the bits of an option.
  public var raw: RawValue
  /// The place of the name in the catalogue.
  public var position: JSONPosition?

  /// Creates a case.
  public init(_ name: String, _ raw: RawValue, position: JSONPosition? = nil) {
    self.name = name
    self.raw = raw
    self.position = position
  }
}

/// The cases of an enum, or of a set of options.
public struct Enumeration: Hashable, Sendable {
  /// The cases in use.
  public var cases: [EnumerationCase]
  /// The cases that were in use: their values may be stored still, and never mean something else.
  public var retired: [EnumerationCase] = []
  /// Further names that are read: those that a case had earlier, each with the name that it has now.
  public var aliases: [Alias] = []

  /// An earlier name.
  public struct Alias: Hashable, Sendable {
    /// The earlier name.
    public var alias: String
    /// The name of the case now.
    public var name: String
    /// The place of the earlier name in the catalogue.
    public var position: JSONPosition?

    /// Creates an earlier name.
    public init(_ alias: String, for name: String, position: JSONPosition? = nil) {
      self.alias = alias
      self.name = name
      self.position = position
    }
  }

  /// Creates the enum of cases.
  public init(_ cases: [EnumerationCase]) { self.cases = cases }
}

extension ConverterDefinition {
  /// The word for the kind in a catalogue.
  public var typeName: String {
    switch kind {
    case .enumeration: "enum"
    case .optionSet: "options"
    case .date: "date"
    case .uuid: "uuid"
    case .url: "url"
    case .decimal: "decimal"
    case .bytes(let encoding): encoding.rawValue
    case .json: "json"
    case .list: "list"
    case .boolean: "boolean"
    case .unsigned: "unsigned"
    case .chain: "chain"
    case .registered: "registered"
    }
  }
}
