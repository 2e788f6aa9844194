internal import BoxEngine

/// A test of one property, before the store is known: the property has the id that a model gave it.
struct PropertyTest: Sendable {
  /// The entity of the property, by its id in the model.
  var entity: obx_schema_id
  /// The property, by its id in the model.
  var property: obx_schema_id
  /// The type of its values in Swift.
  var valueType: ObjectIdentifier
  /// The name by which values of the test can be changed; nil without one.
  var alias: String?
  var kind: Kind

  enum Kind: Sendable {
    case isNil
    case isNotNil
    case compare(Condition.Comparison, QueryValue, ignoringCase: Bool)
    /// Between two values that count; the bounds may be the wrong way round.
    case between(QueryValue, QueryValue)
    /// Nearly a value.
    case near(Nearness)
    /// In a range of Swift, or not in it.
    case inRange(ValueRange, isNegated: Bool)
    case isOneOf([QueryValue], ignoringCase: Bool)
    /// Not nil, and none of the values.
    case isNoneOf([QueryValue])
    case match(Condition.Match, QueryValue, ignoringCase: Bool)
    case element(Condition.Comparison, QueryValue, ignoringCase: Bool)
    case nearest([Float], maximum: Int)
  }

  /// The bounds of a range, of which the lower one is not above the upper one.
  struct ValueRange: Sendable {
    var low: QueryValue
    var high: QueryValue
    /// Whether the upper bound is left out.
    var isHalfOpen: Bool
  }

  /// A value and the distance from it that counts as equal to it.
  struct Nearness: Sendable {
    let low: QueryValue
    let high: QueryValue
    let tolerance: Double
    /// Whether the value is NaN, which conditions treat as equal to itself.
    let isNaN: Bool

    init<Number: BinaryFloatingPoint>(_ value: Number, tolerance: Number) {
      // Infinity minus infinity is NaN, so an infinite value needs its own bound.
      func bound(_ number: Number, else infinity: Number) -> QueryValue {
        if number.isNaN && !value.isNaN { return QueryValue(infinity) }
        // An infinite number is farther from a finite one than any distance.
        let isOverflow = number.isInfinite && value.isFinite && tolerance.isFinite
        return QueryValue(
          isOverflow
            ? Number(signOf: number, magnitudeOf: Number.greatestFiniteMagnitude) : number)
      }
      low = bound(value - tolerance, else: -.infinity)
      high = bound(value + tolerance, else: .infinity)
      self.tolerance = Double(tolerance)
      isNaN = value.isNaN
    }
  }

  /// Whether values of the test can be changed.
  var hasParameters: Bool {
    switch kind {
    case .isNil, .isNotNil: false
    default: true
    }
  }
}

// MARK: - Parameters

/// New values for a test.
enum QueryParameters: Sendable {
  case one(QueryValue)
  case two(QueryValue, QueryValue)
  case near(PropertyTest.Nearness)
  case list([QueryValue])
  case vector([Float])
}

extension PropertyTest {
  /// The test with other values.
  ///
  /// - Returns: The test; nil for another number of values.
  func with(_ parameters: QueryParameters) -> PropertyTest? {
    var test = self
    switch (kind, parameters) {
    case (.compare(let comparison, _, let ignoringCase), .one(let value)):
      test.kind = .compare(comparison, value, ignoringCase: ignoringCase)
    case (.match(let match, _, let ignoringCase), .one(let value)):
      test.kind = .match(match, value, ignoringCase: ignoringCase)
    case (.element(let comparison, _, let ignoringCase), .one(let value)):
      test.kind = .element(comparison, value, ignoringCase: ignoringCase)
    case (.nearest(let vector, _), .one(.integer(let maximum))):
      test.kind = .nearest(vector, maximum: Int(clamping: maximum))
    case (.nearest(_, let maximum), .vector(let vector)):
      test.kind = .nearest(vector, maximum: maximum)
    case (.between, .two(let low, let high)), (.near, .two(let low, let high)):
      test.kind = .between(low, high)
    case (.between, .near(let nearness)), (.near, .near(let nearness)): test.kind = .near(nearness)
    case (.inRange(_, let isNegated), .two(let low, let high)):
      let isOrdered = QueryValue.areOrdered(low, high)
      test.kind = .inRange(
        ValueRange(low: isOrdered ? low : high, high: isOrdered ? high : low, isHalfOpen: false),
        isNegated: isNegated)
    case (.isOneOf(_, let ignoringCase), .list(let values)):
      test.kind = .isOneOf(values, ignoringCase: ignoringCase)
    case (.isNoneOf, .list(let values)): test.kind = .isNoneOf(values)
    default: return nil
    }
    return test
  }

  /// The call that changes the values of the test.
  var setter: String {
    switch kind {
    case .isNil, .isNotNil: "nothing: it has no values"
    case .compare, .match, .element: "setParameter(_:to:) with one value"
    case .near: "setParameters(_:toEqual:tolerance:) with a value and a tolerance"
    case .between, .inRange: "setParameters(_:to:_:) with two values"
    case .isOneOf, .isNoneOf: "setParameters(_:to:) with an array"
    case .nearest: "setParameter(_:to:) with a vector, or with an integer for the maximum"
    }
  }
}
