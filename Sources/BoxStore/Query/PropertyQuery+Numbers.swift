internal import BoxEngine
internal import BoxModel

extension PropertyQuery where T == Double {
  /// The sum of the values, with the rounding errors added up beside it; 0 without values.
  ///
  /// - Throws: The [errors of every call](doc:errors#Errors-of-every-call).
  /// - Complexity: As ``Query/find(offset:limit:)``; no objects are built.
  public func sum() throws -> Double {
    guard case .number(let sum) = try summary().sum else { return 0 }
    return sum
  }

  /// The greatest value; NaN is greater than every number.
  ///
  /// - Throws: ``ObjectBoxError/notFound(message:)`` if there is no value.
  /// - Complexity: As `sum()`.
  public func max() throws -> Double { try limit(try summary().maximum) }

  /// The least value.
  ///
  /// - Throws: ``ObjectBoxError/notFound(message:)`` if there is no value.
  /// - Complexity: As `sum()`.
  public func min() throws -> Double { try limit(try summary().minimum) }

  private func limit(_ value: Value?) throws -> Double {
    guard let value else { throw noValues }
    guard case .double(let limit) = value else { throw mismatch(value) }
    return limit
  }

  /// The mean of the values.
  ///
  /// - Throws: ``ObjectBoxError/notFound(message:)`` if there is no value.
  /// - Complexity: As `sum()`.
  public func average() throws -> Double {
    guard let average = try summary().average else { throw noValues }
    return average
  }

  /// All values, in the order of the ids of their objects.
  ///
  /// - Throws: The [errors of every call](doc:errors#Errors-of-every-call).
  /// - Complexity: As `sum()`.
  public func findDoubles() throws -> [Double] { try all(number) }

  /// The only value; nil without values.
  ///
  /// - Throws: ``ObjectBoxError/uniqueViolation(message:)`` if there are several; with ``distinct()``, if
  ///   there are different ones.
  /// - Complexity: As `sum()`, up to the second value.
  public func findUniqueDouble() throws -> Double? { try unique(number) }

  private func number(_ value: Value) -> Double? {
    if case .double(let number) = value { number } else { nil }
  }

  /// Takes a value for the objects without one.
  ///
  /// - Returns: This property query.
  @discardableResult
  public func with(nullValue: Double) -> PropertyQuery<EntityType, ValueType> {
    with(nullValue: QueryValue(nullValue))
  }
}

extension PropertyQuery where T == Double? {
  /// Takes a value for the objects without one.
  ///
  /// - Returns: This property query.
  @discardableResult
  public func with(nullValue: Double) -> PropertyQuery<EntityType, ValueType> {
    with(nullValue: QueryValue(nullValue))
  }
}

extension PropertyQuery where T == Float {
  /// The sum of the values, with the rounding errors added up beside it; 0 without values.
  ///
  /// - Throws: The [errors of every call](doc:errors#Errors-of-every-call).
  /// - Complexity: As ``Query/find(offset:limit:)``; no objects are built.
  public func sum() throws -> Double {
    guard case .number(let sum) = try summary().sum else { return 0 }
    return sum
  }

  /// The greatest value; NaN is greater than every number.
  ///
  /// - Throws: ``ObjectBoxError/notFound(message:)`` if there is no value.
  /// - Complexity: As `sum()`.
  public func max() throws -> Float { try limit(try summary().maximum) }

  /// The least value.
  ///
  /// - Throws: ``ObjectBoxError/notFound(message:)`` if there is no value.
  /// - Complexity: As `sum()`.
  public func min() throws -> Float { try limit(try summary().minimum) }

  private func limit(_ value: Value?) throws -> Float {
    guard let value else { throw noValues }
    guard case .float(let limit) = value else { throw mismatch(value) }
    return limit
  }

  /// The mean of the values.
  ///
  /// - Throws: ``ObjectBoxError/notFound(message:)`` if there is no value.
  /// - Complexity: As `sum()`.
  public func average() throws -> Double {
    guard let average = try summary().average else { throw noValues }
    return average
  }

  /// All values, in the order of the ids of their objects.
  ///
  /// - Throws: The [errors of every call](doc:errors#Errors-of-every-call).
  /// - Complexity: As `sum()`.
  public func findFloats() throws -> [Float] { try all(number) }

  /// The only value; nil without values.
  ///
  /// - Throws: ``ObjectBoxError/uniqueViolation(message:)`` if there are several; with ``distinct()``, if
  ///   there are different ones.
  /// - Complexity: As `sum()`, up to the second value.
  public func findUniqueFloat() throws -> Float? { try unique(number) }

  private func number(_ value: Value) -> Float? {
    if case .float(let number) = value { number } else { nil }
  }

  /// Takes a value for the objects without one.
  ///
  /// - Returns: This property query.
  @discardableResult
  public func with(nullValue: Float) -> PropertyQuery<EntityType, ValueType> {
    with(nullValue: QueryValue(nullValue))
  }
}

extension PropertyQuery where T == Float? {
  /// Takes a value for the objects without one.
  ///
  /// - Returns: This property query.
  @discardableResult
  public func with(nullValue: Float) -> PropertyQuery<EntityType, ValueType> {
    with(nullValue: QueryValue(nullValue))
  }
}
