internal import BoxModel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A type of the values in the rows of a ``Selection``.
///
/// The types that properties have conform to it.
public protocol SelectableValue: Sendable {
  /// Creates the value of a stored one; nil if the stored one has another type or does not fit.
  ///
  /// Null is 0, false, an empty string or the like for a type that is not optional, as in an object.
  init?(selected value: PropertyValue?)
}

extension Optional: SelectableValue where Wrapped: SelectableValue {
  /// Creates the value; null is nil.
  public init?(selected value: PropertyValue?) {
    guard let value else {
      self = .none
      return
    }
    guard let wrapped = Wrapped(selected: value) else { return nil }
    self = .some(wrapped)
  }
}

extension FixedWidthInteger where Self: SelectableValue {
  /// Creates the integer; null is 0.
  public init?(selected value: PropertyValue?) {
    switch value {
    case nil: self = 0
    case .integer(let value): self.init(stored: .integer(value))
    case .unsigned(let value): self.init(stored: .unsigned(value))
    case .bool(let value): self.init(stored: .bool(value))
    default: return nil
    }
  }
}

extension Int: SelectableValue {}
extension Int8: SelectableValue {}
extension Int16: SelectableValue {}
extension Int32: SelectableValue {}
extension Int64: SelectableValue {}
extension UInt: SelectableValue {}
extension UInt8: SelectableValue {}
extension UInt16: SelectableValue {}
extension UInt32: SelectableValue {}
extension UInt64: SelectableValue {}

extension Bool: SelectableValue {
  /// Creates the truth value; null is false.
  public init?(selected value: PropertyValue?) {
    switch value {
    case nil: self = false
    case .bool(let value): self = value
    default: return nil
    }
  }
}

extension Double: SelectableValue {
  /// Creates the number; null is 0.
  public init?(selected value: PropertyValue?) {
    switch value {
    case nil: self = 0
    case .number(let value): self = value
    default: return nil
    }
  }
}

extension Float: SelectableValue {
  /// Creates the number; null is 0.
  public init?(selected value: PropertyValue?) {
    guard let number = Double(selected: value) else { return nil }
    self = Float(number)
  }
}

extension String: SelectableValue {
  /// Creates the string; null is empty.
  public init?(selected value: PropertyValue?) {
    switch value {
    case nil: self = ""
    case .string(let value): self = value
    default: return nil
    }
  }
}

extension Date: SelectableValue {
  /// Creates the date; null is the beginning of 1970.
  public init?(selected value: PropertyValue?) {
    switch value {
    case nil: self.init(timeIntervalSince1970: 0)
    case .date(let value): self = value
    default: return nil
    }
  }
}

extension [UInt8]: SelectableValue {
  /// Creates the bytes; null is empty.
  public init?(selected value: PropertyValue?) {
    switch value {
    case nil: self = []
    case .bytes(let value): self = value
    default: return nil
    }
  }
}

extension Data: SelectableValue {
  /// Creates the bytes; null is empty.
  public init?(selected value: PropertyValue?) {
    guard let bytes = [UInt8](selected: value) else { return nil }
    self.init(bytes)
  }
}

extension EntityId: SelectableValue {
  /// Creates the id; null is 0.
  public init?(selected value: PropertyValue?) {
    guard let id = Id(selected: value) else { return nil }
    self.init(id)
  }
}
