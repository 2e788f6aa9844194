public import BoxModel

/// A Swift type that a property can store as it is.
public protocol StoredValue: Sendable {
  /// The value as the tools handle it.
  var storedValue: Value { get }

  /// Creates a Swift value from a stored one; fails if that is of another kind or out of range.
  init?(storedValue: Value)

  /// The value that a converter whose parameter is not optional receives for a missing value.
  static var storedZero: Self { get }
}

extension StoredValue where Self: FixedWidthInteger & SignedInteger {
  /// The integer.
  public var storedValue: Value { .integer(Int64(self)) }

  /// The integer, if it fits.
  public init?(storedValue: Value) {
    guard let integer = storedValue.wideInteger else { return nil }
    self.init(exactly: integer)
  }

  /// 0.
  public static var storedZero: Self { 0 }
}

extension StoredValue where Self: FixedWidthInteger & UnsignedInteger {
  /// The integer.
  public var storedValue: Value { .unsigned(UInt64(self)) }

  /// The integer, if it fits.
  public init?(storedValue: Value) {
    guard let integer = storedValue.wideInteger else { return nil }
    self.init(exactly: integer)
  }

  /// 0.
  public static var storedZero: Self { 0 }
}

extension Int8: StoredValue {}
extension Int16: StoredValue {}
extension Int32: StoredValue {}
extension Int64: StoredValue {}
extension Int: StoredValue {}
extension UInt8: StoredValue {}
extension UInt16: StoredValue {}
extension UInt32: StoredValue {}
extension UInt64: StoredValue {}
extension UInt: StoredValue {}

extension Bool: StoredValue {
  /// The truth value.
  public var storedValue: Value { .bool(self) }

  /// The truth value.
  public init?(storedValue: Value) {
    guard case .bool(let value) = storedValue else { return nil }
    self = value
  }

  /// False.
  public static var storedZero: Bool { false }
}

extension Float: StoredValue {
  /// The number.
  public var storedValue: Value { .float(self) }

  /// The number.
  public init?(storedValue: Value) {
    guard case .float(let value) = storedValue else { return nil }
    self = value
  }

  /// 0.
  public static var storedZero: Float { 0 }
}

extension Double: StoredValue {
  /// The number.
  public var storedValue: Value { .double(self) }

  /// The number.
  public init?(storedValue: Value) {
    guard case .double(let value) = storedValue else { return nil }
    self = value
  }

  /// 0.
  public static var storedZero: Double { 0 }
}

extension String: StoredValue {
  /// The text.
  public var storedValue: Value { .string(self) }

  /// The text.
  public init?(storedValue: Value) {
    guard case .string(let value) = storedValue else { return nil }
    self = value
  }

  /// An empty text.
  public static var storedZero: String { "" }
}
