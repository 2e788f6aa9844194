public import BoxJSON
public import BoxModel

/// The JSON of stored values that no converter changes, and the way back.
///
/// Integers keep all digits, vectors are arrays, bytes are base64, and the numbers that JSON lacks are
/// the strings `NaN`, `Infinity` and `-Infinity`.
public enum PlainForm {
  /// The JSON of a value.
  ///
  /// - Complexity: O(*n*) in the size of the value.
  public static func json(_ value: Value) -> JSONValue {
    switch value {
    case .null: .null
    case .bool(let value): .bool(value)
    case .integer(let value): .int(Int(value))
    case .unsigned(let value): JSONValue(value)
    case .float(let value): number(value)
    case .double(let value): number(value)
    case .string(let value): .string(value)
    case .bytes(let value): .string(Base64.text(value))
    case .bools(let values): .array(values.map { .bool($0) })
    case .integers(let values): .array(values.map { .int(Int($0)) })
    case .unsignedIntegers(let values): .array(values.map { JSONValue($0) })
    case .floats(let values): .array(values.map(number))
    case .doubles(let values): .array(values.map(number))
    case .strings(let values): .array(values.map { .string($0) })
    }
  }

  /// The value of a JSON form for a property of a type; nil if it does not fit without a loss.
  ///
  /// - Complexity: O(*n*) in the size of the form.
  public static func stored(_ json: JSONValue, as type: StoredType) -> Value? {
    if json == .null { return .null }
    switch type.kind {
    case .bool: return json.truth.map { .bool($0) }
    case .integer: return json.wideInteger.flatMap { type.value($0) }
    case .float: return float(json).map { .float($0) }
    case .double: return double(json).map { .double($0) }
    case .string:
      guard case .string(let text) = json else { return nil }
      return .string(text)
    case .bytes:
      guard case .string(let text) = json else { return nil }
      return Base64.bytes(text).map { .bytes($0) }
    case .bools: return elements(json) { $0.truth }.map { .bools($0) }
    case .integers:
      guard let values = elements(json, { $0.wideInteger }), values.allSatisfy(type.range.contains)
      else { return nil }
      return type.isUnsigned
        ? .unsignedIntegers(values.map { UInt64(truncatingIfNeeded: $0) })
        : .integers(values.map { Int64(truncatingIfNeeded: $0) })
    case .floats: return elements(json, float).map { .floats($0) }
    case .doubles: return elements(json, double).map { .doubles($0) }
    case .strings: return elements(json) { $0.textValue }.map { .strings($0) }
    }
  }

  private static func elements<T>(_ json: JSONValue, _ read: (JSONValue) -> T?) -> [T]? {
    guard case .array(let elements) = json else { return nil }
    var result: [T] = []
    result.reserveCapacity(elements.count)
    for element in elements {
      guard let value = read(element) else { return nil }
      result.append(value)
    }
    return result
  }

  /// A float is shown with as few digits as tell it from its neighbours among the floats.
  private static func number(_ value: Float) -> JSONValue {
    .double(value.isFinite ? Double(value.description) ?? Double(value) : Double(value))
  }

  private static func number(_ value: Double) -> JSONValue { .double(value) }

  private static func double(_ json: JSONValue) -> Double? {
    switch json {
    case .double(let value): value
    case .int(let value): Double(exactly: value)
    case .uint(let value): Double(exactly: value)
    case .number(let digits): Double(digits).flatMap { $0.isFinite ? $0 : nil }
    case .string("NaN"): .nan
    case .string("Infinity"): .infinity
    case .string("-Infinity"): -.infinity
    default: nil
    }
  }

  private static func float(_ json: JSONValue) -> Float? {
    guard let value = double(json) else { return nil }
    // The digits are rounded once: by way of a double they would be rounded twice.
    let digits = if case .number(let digits) = json { digits } else { value.description }
    let result = value.isFinite ? Float(digits) ?? .infinity : Float(value)
    // A finite number does not become an infinite one.
    return value.isFinite && !result.isFinite ? nil : result
  }
}

extension JSONValue {
  /// An integer, as `int` where it fits.
  init(_ integer: UInt64) { self = Int(exactly: integer).map { .int($0) } ?? .uint(integer) }

  /// An integer, as `int` where it fits, of at most 64 bits; nil for a larger one.
  init?(_ integer: Int128) {
    if let value = Int(exactly: integer) {
      self = .int(value)
    } else if let value = UInt64(exactly: integer) {
      self = .uint(value)
    } else {
      return nil
    }
  }

  /// The integer, whatever its sign and its spelling: `2.0` and `1e3` are integers; nil for anything
  /// else, and beyond 128 bits.
  var wideInteger: Int128? {
    switch self {
    case .int(let value): Int128(value)
    case .uint(let value): Int128(value)
    default: decimal?.integer()
    }
  }

  /// The exact value of a number; nil for anything else.
  var decimal: JSONDecimal? {
    switch self {
    case .int, .uint, .double, .number: JSONDecimal(text(indent: 0))
    default: nil
    }
  }

  var textValue: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The text of a string, or the digits of a number as they are written; nil for anything else.
  package var textOrDigits: String? {
    switch self {
    case .string(let text): text
    case .int, .uint, .double, .number: text(indent: 0)
    default: nil
    }
  }

  var truth: Bool? {
    guard case .bool(let value) = self else { return nil }
    return value
  }
}
