internal import BoxEngine
internal import BoxModel

extension PropertyQuery where T: FixedWidthInteger {
  /// The sum of the values; 0 without values.
  ///
  /// - Throws: ``ObjectBoxError/stdOverflow(message:)`` if the sum does not fit.
  /// - Complexity: As ``Query/find(offset:limit:)``; no objects are built.
  public func sum() throws -> Int64 { try exactSum() }

  /// The sum of the values, as `sum()`.
  ///
  /// - Throws: As `sum()`.
  /// - Complexity: As `sum()`.
  public func sumInt() throws -> Int { try exactSum() }

  /// The sum of the values, as `sum()`.
  ///
  /// - Throws: ``ObjectBoxError/stdOverflow(message:)`` if the sum does not fit, or is negative.
  /// - Complexity: As `sum()`.
  public func sumUnsigned() throws -> UInt64 { try exactSum() }

  private func exactSum<Sum: FixedWidthInteger>() throws -> Sum {
    guard case .integer(let exact) = try summary().sum else { return 0 }
    if let sum = Sum(exactly: exact) { return sum }
    let advice =
      Int64(exactly: exact) != nil
      ? "use sum() or average()"
      : UInt64(exactly: exact) != nil ? "use sumUnsigned() or average()" : "use average()"
    throw overflow(Sum.self, advice)
  }

  /// The greatest value.
  ///
  /// - Throws: ``ObjectBoxError/notFound(message:)`` if there is no value.
  /// - Complexity: As `sum()`.
  public func max() throws -> T { try limit(try summary().maximum) }

  /// The least value.
  ///
  /// - Throws: ``ObjectBoxError/notFound(message:)`` if there is no value.
  /// - Complexity: As `sum()`.
  public func min() throws -> T { try limit(try summary().minimum) }

  private func limit(_ value: Value?) throws -> T {
    guard let value else { throw noValues }
    guard let limit = T(stored: value) else { throw mismatch(value) }
    return limit
  }

  /// The mean of the values, from their exact sum.
  ///
  /// - Throws: ``ObjectBoxError/notFound(message:)`` if there is no value.
  /// - Complexity: As `sum()`.
  public func average() throws -> Double {
    guard let average = try summary().average else { throw noValues }
    return average
  }

  /// The mean of the values without its fraction, as a division of integers has it.
  ///
  /// - Throws: ``ObjectBoxError/notFound(message:)`` if there is no value.
  /// - Complexity: As `sum()`.
  public func averageInt() throws -> T {
    let summary = try summary()
    guard case .integer(let sum) = summary.sum else { throw noValues }
    // Between the least and the greatest value, so that it fits as they do.
    return T(truncatingIfNeeded: sum / Int128(summary.count))
  }

  /// All values, in the order of the ids of their objects.
  ///
  /// - Throws: The [errors of every call](doc:errors#Errors-of-every-call).
  /// - Complexity: As `sum()`.
  public func find() throws -> [T] { try all { T(stored: $0) } }

  /// The only value; nil without values.
  ///
  /// - Throws: ``ObjectBoxError/uniqueViolation(message:)`` if there are several; with ``distinct()``, if
  ///   there are different ones.
  /// - Complexity: As `sum()`, up to the second value.
  public func findUnique() throws -> T? { try unique { T(stored: $0) } }

  /// Takes a value for the objects without one.
  ///
  /// - Returns: This property query.
  @discardableResult
  public func with(nullValue: T) -> PropertyQuery<EntityType, ValueType> {
    with(nullValue: QueryValue(nullValue))
  }
}

extension PropertyQuery where T == Int64? {
  /// Takes a value for the objects without one.
  ///
  /// - Returns: This property query.
  @discardableResult
  public func with(nullValue: Int64) -> PropertyQuery<EntityType, ValueType> {
    with(nullValue: QueryValue(nullValue))
  }
}

extension FixedWidthInteger {
  /// The number of a stored value; nil if it is not an integer or does not fit.
  ///
  /// Bindings may disagree with their model about signs: then the bits count.
  init?(stored value: Value) {
    switch value {
    case .integer(let number):
      if let exact = Self(exactly: number) {
        self = exact
      } else if number >= -(Int64(1) << (Int64(Self.bitWidth) - 1)), number < 0 {
        self = Self(truncatingIfNeeded: number)
      } else {
        return nil
      }
    case .unsigned(let number):
      guard number >> UInt64(Self.bitWidth) == 0 else { return nil }
      self = Self(truncatingIfNeeded: number)
    case .bool(let isTrue): self = isTrue ? 1 : 0
    default: return nil
    }
  }
}
