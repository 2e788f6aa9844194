/// A value of an enum that may be one that this version of the application does not know.
///
/// It keeps the raw value, so that an object that is read and written again is what it was.
public enum Preserved<Enum: RawRepresentable & Sendable>: Sendable where Enum.RawValue: Sendable {
  /// A case of the enum.
  case known(Enum)
  /// A raw value without a case.
  case unknown(Enum.RawValue)

  /// The value of a raw value.
  public init(rawValue: Enum.RawValue) {
    self = Enum(rawValue: rawValue).map { .known($0) } ?? .unknown(rawValue)
  }

  /// The raw value.
  public var rawValue: Enum.RawValue {
    switch self {
    case .known(let value): value.rawValue
    case .unknown(let rawValue): rawValue
    }
  }

  /// The case; nil for an unknown one.
  public var value: Enum? {
    guard case .known(let value) = self else { return nil }
    return value
  }
}

extension Preserved: Equatable where Enum.RawValue: Equatable {
  /// Whether the raw values are equal.
  public static func == (a: Preserved, b: Preserved) -> Bool { a.rawValue == b.rawValue }
}

extension Preserved: Hashable where Enum.RawValue: Hashable {
  /// Hashes the raw value.
  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

/// Converts an enum by its raw value, and keeps the raw values that it does not know.
public struct PreservedConverter<Enum: RawRepresentable & Sendable>: ValueConverter
where Enum.RawValue: StoredValue {
  private let missing: TypedPolicy<Preserved<Enum>>

  /// Creates a converter with a value for what is missing.
  public init(default value: Enum) { missing = .use(.known(value)) }

  /// Creates a converter with a policy for what is missing.
  public init(missing: TypedPolicy<Preserved<Enum>> = .fail) { self.missing = missing }

  /// The value of a raw value.
  ///
  /// - Throws: ``ConversionError`` of kind `missing` where that is the policy.
  public func domain(_ stored: Enum.RawValue?) throws(ConversionError) -> Preserved<Enum> {
    guard let stored else {
      return try missing.resolve(ConversionError(.missing, expected: "a case of \(Enum.self)"))
    }
    return Preserved(rawValue: stored)
  }

  /// The raw value.
  public func stored(_ domain: Preserved<Enum>) throws(ConversionError) -> Enum.RawValue? {
    domain.rawValue
  }
}
