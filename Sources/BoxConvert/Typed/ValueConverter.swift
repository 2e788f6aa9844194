public import BoxModel

/// Converts between a type of the application and one that a property can store.
///
/// A converter may be called from many threads at once. It must not touch a store: it runs while an
/// object is read or written, and a transaction that begins meanwhile is refused.
public protocol ValueConverter<Domain, Stored>: Sendable {
  /// The type of the application.
  associatedtype Domain
  /// The type that is stored.
  associatedtype Stored: StoredValue

  /// The application's value for a stored one.
  ///
  /// - Parameter stored: The stored value; nil if it is missing, because the property was nil or is
  ///   newer than its object.
  /// - Returns: The value.
  /// - Throws: ``ConversionError`` if there is no such value.
  func domain(_ stored: Stored?) throws(ConversionError) -> Domain

  /// The stored value for one of the application.
  ///
  /// - Parameter domain: The value.
  /// - Returns: The stored value; nil to store nothing.
  /// - Throws: ``ConversionError`` if the value cannot be stored.
  func stored(_ domain: Domain) throws(ConversionError) -> Stored?
}

/// The calls for code that reads and writes objects.
extension ValueConverter {
  /// Converts a stored value, and refuses transactions meanwhile.
  ///
  /// - Throws: ``ConversionError``, of kind `malformed` for a value that is of another type than
  ///   ``Stored`` or out of its range.
  public func read(_ value: Value) throws(ConversionError) -> Domain {
    try ConverterScope.run { () throws(ConversionError) in
      if case .null = value { return try domain(nil) }
      guard let stored = Stored(storedValue: value) else { throw .malformed("\(Stored.self)") }
      return try domain(stored)
    }
  }

  /// Converts an application's value, and refuses transactions meanwhile.
  ///
  /// - Throws: ``ConversionError``.
  public func write(_ domain: Domain) throws(ConversionError) -> Value {
    try ConverterScope.run { () throws(ConversionError) in
      try stored(domain)?.storedValue ?? .null
    }
  }
}

/// The treatment of a stored value that has no value in the application.
public enum TypedPolicy<Domain: Sendable>: Sendable {
  /// The value is an error.
  case fail
  /// This value replaces it; with an optional type, it can be nil.
  case use(Domain)

  func resolve(_ error: @autoclosure () -> ConversionError) throws(ConversionError) -> Domain {
    switch self {
    case .fail: throw error()
    case .use(let value): return value
    }
  }
}
