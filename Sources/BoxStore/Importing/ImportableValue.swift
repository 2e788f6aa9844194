internal import BoxModel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A type of the values that ``ImportFields`` reads.
public protocol ImportableValue {
  /// Creates the value of one in a dictionary; nil if it has another type or something would be lost.
  init?(importing value: Any)
}

extension FixedWidthInteger where Self: ImportableValue {
  /// Creates an integer of an integer of any type, or of a number without a fraction, that fits.
  public init?(importing value: Any) {
    if let integer = value as? any FixedWidthInteger {
      self.init(exactly: Int128(clamping: integer))
    } else if let number = value as? any BinaryFloatingPoint {
      self.init(exactly: Double(number))
    } else if let number = BoxedNumber(value) {
      switch number {
      case .integer(let integer): self.init(exactly: integer)
      case .number(let number): self.init(exactly: number)
      }
    } else {
      return nil
    }
  }
}

/// A number in a box of another module, such as `NSNumber`, which `JSONSerialization` makes.
private enum BoxedNumber {
  case integer(Int128)
  case number(Double)

  init?(_ value: Any) {
    if type(of: value) == Bool.self { return nil }
    if let integer = value as? Int64 {
      self = .integer(Int128(integer))
    } else if let integer = value as? UInt64 {
      self = .integer(Int128(integer))
    } else if let number = value as? Double {
      self = .number(number)
    } else {
      return nil
    }
  }
}

extension Int: ImportableValue {}
extension Int8: ImportableValue {}
extension Int16: ImportableValue {}
extension Int32: ImportableValue {}
extension Int64: ImportableValue {}
extension UInt: ImportableValue {}
extension UInt8: ImportableValue {}
extension UInt16: ImportableValue {}
extension UInt32: ImportableValue {}
extension UInt64: ImportableValue {}

extension BinaryFloatingPoint where Self: ImportableValue {
  /// Creates a number of a number of any type: the nearest one, as fractions have no last digit.
  ///
  /// A number without a fraction has to be one of the numbers of the type, and any other within its range.
  public init?(importing value: Any) {
    if let number = value as? any BinaryFloatingPoint {
      self.init(nearest: Double(number))
    } else if let integer = value as? any FixedWidthInteger {
      self.init(exactly: Int128(clamping: integer))
    } else if let number = BoxedNumber(value) {
      switch number {
      case .integer(let integer): self.init(exactly: integer)
      case .number(let number): self.init(nearest: number)
      }
    } else {
      return nil
    }
  }

  private init?(nearest number: Double) {
    self.init(number)
    if !number.isFinite { return }
    if number.rounded() == number ? Double(self) != number : isZero || isInfinite { return nil }
  }
}

extension Double: ImportableValue {}
extension Float: ImportableValue {}

extension Bool: ImportableValue {
  /// Creates a truth value of one.
  public init?(importing value: Any) {
    guard let value = value as? Bool else { return nil }
    self = value
  }
}

extension String: ImportableValue {
  /// Creates a string of one.
  public init?(importing value: Any) {
    guard let value = value as? String else { return nil }
    self = value
  }
}

extension Data: ImportableValue {
  /// Creates bytes of bytes, or of base64.
  public init?(importing value: Any) {
    switch value {
    case let value as Data: self = value
    case let value as [UInt8]: self.init(value)
    case let value as String: self.init(base64Encoded: value)
    default: return nil
    }
  }
}

extension Date: ImportableValue {
  /// Creates a date of a date, or of a text in the form of ISO 8601, such as `2026-11-24T16:05:00Z`.
  public init?(importing value: Any) {
    switch value {
    case let value as Date: self = value
    case let value as String:
      // The 30th of February would be the 1st of March.
      guard let date = try? Date(value, strategy: .iso8601), Self.hasDay(value) else { return nil }
      self = date
    default: return nil
    }
  }
}

extension Date {
  /// Whether the day that a text begins with is one of the calendar.
  fileprivate static func hasDay(_ text: String) -> Bool {
    let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }.prefix(8)
    guard digits.count == 8, digits.allSatisfy({ $0 &- 0x30 <= 9 }) else { return true }
    let day = Array(digits)
    func part(_ range: Range<Int>) -> String { String(decoding: day[range], as: UTF8.self) }
    return Approval.isDay("\(part(0..<4))-\(part(4..<6))-\(part(6..<8))")
  }
}

extension UUID: ImportableValue {
  /// Creates a UUID of one, or of its text.
  public init?(importing value: Any) {
    switch value {
    case let value as UUID: self = value
    case let value as String: self.init(uuidString: value)
    default: return nil
    }
  }
}

extension RawRepresentable where Self: ImportableValue, RawValue: ImportableValue {
  /// Creates a value of one, or of its raw value.
  public init?(importing value: Any) {
    if let value = value as? Self {
      self = value
    } else if let raw = RawValue(importing: value) {
      self.init(rawValue: raw)
    } else {
      return nil
    }
  }
}

extension Array: ImportableValue where Element: ImportableValue {
  /// Creates an array of one, each of whose elements can be converted.
  public init?(importing value: Any) {
    guard let values = value as? [Any] else { return nil }
    self.init()
    for value in values {
      guard let element = Element(importing: value) else { return nil }
      append(element)
    }
  }
}
