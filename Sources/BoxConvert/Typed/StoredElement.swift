public import BoxModel

/// A Swift type that a property can store a list of.
public protocol StoredElement: Sendable {
  /// The value of a list.
  static func storedValue(of elements: [Self]) -> Value

  /// The elements of a value; nil if it is of another kind, or one is out of range.
  static func elements(of value: Value) -> [Self]?
}

extension Array: StoredValue where Element: StoredElement {
  /// The list.
  public var storedValue: Value { Element.storedValue(of: self) }

  /// The list, if all elements fit.
  public init?(storedValue: Value) {
    guard let elements = Element.elements(of: storedValue) else { return nil }
    self = elements
  }

  /// An empty list.
  public static var storedZero: [Element] { [] }
}

extension StoredElement where Self: FixedWidthInteger {
  /// The value of a list of integers.
  public static func storedValue(of elements: [Self]) -> Value {
    isSigned
      ? .integers(elements.map { Int64(truncatingIfNeeded: $0) })
      : .unsignedIntegers(elements.map { UInt64(truncatingIfNeeded: $0) })
  }

  /// The integers of a value, if all fit.
  public static func elements(of value: Value) -> [Self]? {
    switch value {
    case .integers(let values): exactly(values)
    case .unsignedIntegers(let values): exactly(values)
    default: nil
    }
  }

  private static func exactly(_ values: [some FixedWidthInteger]) -> [Self]? {
    let result = values.compactMap { Self(exactly: $0) }
    return result.count == values.count ? result : nil
  }
}

extension Int16: StoredElement {}
extension Int32: StoredElement {}
extension Int64: StoredElement {}
extension Int: StoredElement {}
extension UInt16: StoredElement {}
extension UInt32: StoredElement {}
extension UInt64: StoredElement {}
extension UInt: StoredElement {}

extension UInt8: StoredElement {
  /// Bytes.
  public static func storedValue(of elements: [UInt8]) -> Value { .bytes(elements) }

  /// Bytes.
  public static func elements(of value: Value) -> [UInt8]? {
    guard case .bytes(let bytes) = value else { return nil }
    return bytes
  }
}

extension Bool: StoredElement {
  /// Truth values.
  public static func storedValue(of elements: [Bool]) -> Value { .bools(elements) }

  /// Truth values.
  public static func elements(of value: Value) -> [Bool]? {
    guard case .bools(let values) = value else { return nil }
    return values
  }
}

extension Float: StoredElement {
  /// Numbers.
  public static func storedValue(of elements: [Float]) -> Value { .floats(elements) }

  /// Numbers.
  public static func elements(of value: Value) -> [Float]? {
    guard case .floats(let values) = value else { return nil }
    return values
  }
}

extension Double: StoredElement {
  /// Numbers.
  public static func storedValue(of elements: [Double]) -> Value { .doubles(elements) }

  /// Numbers.
  public static func elements(of value: Value) -> [Double]? {
    guard case .doubles(let values) = value else { return nil }
    return values
  }
}

extension String: StoredElement {
  /// Texts.
  public static func storedValue(of elements: [String]) -> Value { .strings(elements) }

  /// Texts.
  public static func elements(of value: Value) -> [String]? {
    guard case .strings(let values) = value else { return nil }
    return values
  }
}
