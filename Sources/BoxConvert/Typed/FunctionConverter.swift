/// A converter that is made of two functions, as the static functions `convert` of a plain type.
///
///     enum RoleConverter {
///       static func convert(_ role: Role) -> Int { role.rawValue }
///       static func convert(_ number: Int?) -> Role { number.flatMap(Role.init) ?? .reader }
///     }
///     let converter = FunctionConverter(
///       store: RoleConverter.convert, load: RoleConverter.convert)
///
/// A function that loads from an optional gets nil for a missing value; one that does not gets zero,
/// false, or an empty text or list.
public struct FunctionConverter<Domain, Stored: StoredValue>: ValueConverter {
  private let store: @Sendable (Domain) throws -> Stored?
  private let load: @Sendable (Stored?) throws -> Domain

  /// Creates a converter of functions of which the second takes an optional.
  public init(
    store: @escaping @Sendable (Domain) throws -> Stored?,
    load: @escaping @Sendable (Stored?) throws -> Domain
  ) {
    self.store = store
    self.load = load
  }

  /// Creates a converter of functions of which the second takes no optional.
  @_disfavoredOverload
  public init(
    store: @escaping @Sendable (Domain) throws -> Stored?,
    load: @escaping @Sendable (Stored) throws -> Domain
  ) {
    self.store = store
    self.load = { try load($0 ?? Stored.storedZero) }
  }

  /// Calls the function that loads.
  ///
  /// - Throws: ``ConversionError`` if the function throws it, or, of kind `malformed`, if it throws
  ///   something else.
  public func domain(_ stored: Stored?) throws(ConversionError) -> Domain {
    do {
      return try load(stored)
    } catch let error as ConversionError {
      throw error
    } catch {
      throw .malformed("\(error)")
    }
  }

  /// Calls the function that stores.
  ///
  /// - Throws: ``ConversionError`` if the function throws it, or, of kind `malformed`, if it throws
  ///   something else.
  public func stored(_ domain: Domain) throws(ConversionError) -> Stored? {
    do {
      return try store(domain)
    } catch let error as ConversionError {
      throw error
    } catch {
      throw .malformed("\(error)")
    }
  }
}
