#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A type of properties whose values ``PropertyQuery/find()`` returns and ``QueryUpdate`` sets.
///
/// All types that properties with values have conform to it.
public protocol StoredPropertyType: EntityPropertyTypeConvertible {
  /// The type of a value that is there.
  associatedtype FoundValue
  /// The type of a new value, optional where a property can be nil.
  associatedtype AssignedValue

  /// The value of a stored one; nil if the stored one has another type or does not fit.
  static func foundValue(_ value: PropertyValue) -> FoundValue?
  /// Hands a new value to a collector.
  static func collect(
    _ value: AssignedValue, by collector: PropertyCollector, at propertyOffset: UInt16)
}

extension StoredPropertyType where Self: SelectableValue {
  /// The value of a stored one; nil if the stored one has another type or does not fit.
  public static func foundValue(_ value: PropertyValue) -> Self? { Self(selected: value) }
}

extension Optional: StoredPropertyType where Wrapped: StoredPropertyType {
  /// The value of a stored one; nil if the stored one has another type or does not fit.
  public static func foundValue(_ value: PropertyValue) -> Wrapped.FoundValue? {
    Wrapped.foundValue(value)
  }

  /// Hands a new value to a collector; nil is stored as null.
  public static func collect(
    _ value: Wrapped.AssignedValue?, by collector: PropertyCollector, at propertyOffset: UInt16
  ) {
    if let value { Wrapped.collect(value, by: collector, at: propertyOffset) }
  }
}

extension Bool: StoredPropertyType {
  /// Hands a new value to a collector.
  public static func collect(
    _ value: Bool, by collector: PropertyCollector, at propertyOffset: UInt16
  ) { collector.collect(value, at: propertyOffset) }
}

extension Int: StoredPropertyType {
  /// Hands a new value to a collector.
  public static func collect(
    _ value: Int, by collector: PropertyCollector, at propertyOffset: UInt16
  ) { collector.collect(value, at: propertyOffset) }
}

extension Int8: StoredPropertyType {
  /// Hands a new value to a collector.
  public static func collect(
    _ value: Int8, by collector: PropertyCollector, at propertyOffset: UInt16
  ) { collector.collect(value, at: propertyOffset) }
}

extension Int16: StoredPropertyType {
  /// Hands a new value to a collector.
  public static func collect(
    _ value: Int16, by collector: PropertyCollector, at propertyOffset: UInt16
  ) { collector.collect(value, at: propertyOffset) }
}

extension Int32: StoredPropertyType {
  /// Hands a new value to a collector.
  public static func collect(
    _ value: Int32, by collector: PropertyCollector, at propertyOffset: UInt16
  ) { collector.collect(value, at: propertyOffset) }
}

extension Int64: StoredPropertyType {
  /// Hands a new value to a collector.
  public static func collect(
    _ value: Int64, by collector: PropertyCollector, at propertyOffset: UInt16
  ) { collector.collect(value, at: propertyOffset) }
}

extension UInt: StoredPropertyType {
  /// Hands a new value to a collector.
  public static func collect(
    _ value: UInt, by collector: PropertyCollector, at propertyOffset: UInt16
  ) { collector.collect(value, at: propertyOffset) }
}

extension UInt8: StoredPropertyType {
  /// Hands a new value to a collector.
  public static func collect(
    _ value: UInt8, by collector: PropertyCollector, at propertyOffset: UInt16
  ) { collector.collect(value, at: propertyOffset) }
}

extension UInt16: StoredPropertyType {
  /// Hands a new value to a collector.
  public static func collect(
    _ value: UInt16, by collector: PropertyCollector, at propertyOffset: UInt16
  ) { collector.collect(value, at: propertyOffset) }
}

extension UInt32: StoredPropertyType {
  /// Hands a new value to a collector.
  public static func collect(
    _ value: UInt32, by collector: PropertyCollector, at propertyOffset: UInt16
  ) { collector.collect(value, at: propertyOffset) }
}

extension UInt64: StoredPropertyType {
  /// Hands a new value to a collector.
  public static func collect(
    _ value: UInt64, by collector: PropertyCollector, at propertyOffset: UInt16
  ) { collector.collect(value, at: propertyOffset) }
}

extension Float: StoredPropertyType {
  /// Hands a new value to a collector.
  public static func collect(
    _ value: Float, by collector: PropertyCollector, at propertyOffset: UInt16
  ) { collector.collect(value, at: propertyOffset) }
}

extension Double: StoredPropertyType {
  /// Hands a new value to a collector.
  public static func collect(
    _ value: Double, by collector: PropertyCollector, at propertyOffset: UInt16
  ) { collector.collect(value, at: propertyOffset) }
}

extension String: StoredPropertyType {
  /// Hands a new value to a collector.
  public static func collect(
    _ value: String, by collector: PropertyCollector, at propertyOffset: UInt16
  ) { collector.collect(value, at: propertyOffset) }
}

extension Date: StoredPropertyType {
  /// Hands a new value to a collector.
  public static func collect(
    _ value: Date, by collector: PropertyCollector, at propertyOffset: UInt16
  ) { collector.collect(value, at: propertyOffset) }
}

extension Data: StoredPropertyType {
  /// Hands a new value to a collector.
  public static func collect(
    _ value: Data, by collector: PropertyCollector, at propertyOffset: UInt16
  ) { collector.collect(value, at: propertyOffset) }
}

extension [UInt8]: StoredPropertyType {
  /// Hands a new value to a collector.
  public static func collect(
    _ value: [UInt8], by collector: PropertyCollector, at propertyOffset: UInt16
  ) { collector.collect(value, at: propertyOffset) }
}

// MARK: - Lists

extension PropertyValue {
  /// The elements of a list; nil if one has another type or does not fit, and for other values.
  fileprivate func elements<Element: SelectableValue>() -> [Element]? {
    guard case .list(let values) = self else { return nil }
    let elements = values.compactMap { Element(selected: $0) }
    return elements.count == values.count ? elements : nil
  }
}

extension Int32ArrayPropertyType: StoredPropertyType {
  /// The list of a stored one; nil if the stored one has another type or does not fit.
  public static func foundValue(_ value: PropertyValue) -> [Int32]? { value.elements() }

  /// Hands a new list to a collector; nil is stored as null.
  public static func collect(
    _ value: [Int32]?, by collector: PropertyCollector, at propertyOffset: UInt16
  ) { collector.collect(value, at: propertyOffset) }
}

extension Int64ArrayPropertyType: StoredPropertyType {
  /// The list of a stored one; nil if the stored one has another type or does not fit.
  public static func foundValue(_ value: PropertyValue) -> [Int64]? { value.elements() }

  /// Hands a new list to a collector; nil is stored as null.
  public static func collect(
    _ value: [Int64]?, by collector: PropertyCollector, at propertyOffset: UInt16
  ) { collector.collect(value, at: propertyOffset) }
}

extension FloatArrayPropertyType: StoredPropertyType {
  /// The list of a stored one; nil if the stored one has another type or does not fit.
  public static func foundValue(_ value: PropertyValue) -> [Float]? { value.elements() }

  /// Hands a new list to a collector; nil is stored as null.
  public static func collect(
    _ value: [Float]?, by collector: PropertyCollector, at propertyOffset: UInt16
  ) { collector.collect(value, at: propertyOffset) }
}

extension StringArrayPropertyType: StoredPropertyType {
  /// The list of a stored one; nil if the stored one has another type or does not fit.
  public static func foundValue(_ value: PropertyValue) -> [String]? { value.elements() }

  /// Hands a new list to a collector; nil is stored as null.
  public static func collect(
    _ value: [String]?, by collector: PropertyCollector, at propertyOffset: UInt16
  ) { collector.collect(value, at: propertyOffset) }
}

extension ListPropertyType: StoredPropertyType where Element: SelectableValue {
  /// The list of a stored one; nil if the stored one has another type or does not fit.
  public static func foundValue(_ value: PropertyValue) -> [Element]? { value.elements() }

  /// Hands a new list to a collector; nil is stored as null.
  public static func collect(
    _ value: [Element]?, by collector: PropertyCollector, at propertyOffset: UInt16
  ) {
    switch value {
    case let list as [Bool]: collector.collect(list, at: propertyOffset)
    case let list as [Int16]: collector.collect(list, at: propertyOffset)
    case let list as [UInt16]: collector.collect(list, at: propertyOffset)
    case let list as [UInt32]: collector.collect(list, at: propertyOffset)
    case let list as [UInt64]: collector.collect(list, at: propertyOffset)
    case let list as [Double]: collector.collect(list, at: propertyOffset)
    // nil: there are no other elements.
    default: break
    }
  }
}
