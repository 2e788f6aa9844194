/// Converts an enum by its raw value, which is the type that is stored.
///
/// With a default the enum takes it where the value is missing or unknown, as the documents have it;
/// that loses an unknown raw value when the object is written again. ``PreservedConverter`` does not.
public struct EnumConverter<Enum: RawRepresentable & Sendable>: ValueConverter
where Enum.RawValue: StoredValue {
  private let missing: TypedPolicy<Enum>
  private let unknown: TypedPolicy<Enum>

  /// Creates a converter that uses a default for what is missing or unknown.
  public init(default value: Enum) {
    missing = .use(value)
    unknown = .use(value)
  }

  /// Creates a converter with a policy for each.
  public init(missing: TypedPolicy<Enum> = .fail, unknown: TypedPolicy<Enum> = .fail) {
    self.missing = missing
    self.unknown = unknown
  }

  /// The case of a raw value.
  ///
  /// - Throws: ``ConversionError`` of kind `missing` or `unknown` where that is the policy.
  public func domain(_ stored: Enum.RawValue?) throws(ConversionError) -> Enum {
    guard let stored else {
      return try missing.resolve(ConversionError(.missing, expected: "a case of \(Enum.self)"))
    }
    if let value = Enum(rawValue: stored) { return value }
    return try unknown.resolve(ConversionError(.unknown, expected: "a case of \(Enum.self)"))
  }

  /// The raw value of a case.
  public func stored(_ domain: Enum) throws(ConversionError) -> Enum.RawValue? { domain.rawValue }
}

/// Converts an optional enum by its raw value: what is missing or unknown is nil.
///
/// An unknown raw value is lost when the object is written again; ``PreservedConverter`` keeps it.
public struct OptionalEnumConverter<Enum: RawRepresentable & Sendable>: ValueConverter
where Enum.RawValue: StoredValue {
  private let unknown: TypedPolicy<Enum?>

  /// Creates a converter with a policy for what is unknown.
  public init(unknown: TypedPolicy<Enum?> = .use(nil)) { self.unknown = unknown }

  /// The case of a raw value; nil if it is missing, or unknown and that is the policy.
  ///
  /// - Throws: ``ConversionError`` of kind `unknown` where that is the policy.
  public func domain(_ stored: Enum.RawValue?) throws(ConversionError) -> Enum? {
    guard let stored else { return nil }
    if let value = Enum(rawValue: stored) { return value }
    return try unknown.resolve(ConversionError(.unknown, expected: "a case of \(Enum.self)"))
  }

  /// The raw value of a case.
  public func stored(_ domain: Enum?) throws(ConversionError) -> Enum.RawValue? {
    domain?.rawValue
  }
}
