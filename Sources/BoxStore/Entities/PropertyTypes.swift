#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A Swift type that a property can have, with the type of the model that it is stored as.
public protocol EntityPropertyTypeConvertible {
  /// The type in the model.
  static var entityPropertyType: PropertyType { get }
}

/// A single value of a fixed size.
public protocol EntityScalarPropertyType {}

/// An integer of 64 bits, optional or not.
public protocol LongPropertyType: EntityScalarPropertyType, EntityPropertyTypeConvertible {}

/// A value that a query compares with properties of 64 bits.
public protocol LongPropertyQueryType: LongPropertyType {
  /// The value as an integer of 64 bits.
  var int64Value: Int64 { get }
}

/// An integer that a query compares with properties of 32 bits.
public protocol IntegerPropertyType: EntityScalarPropertyType, EntityPropertyTypeConvertible {}

/// A value that a query compares with properties of 32 bits.
public protocol IntegerPropertyQueryType: IntegerPropertyType {
  /// The value as an integer of 64 bits.
  var int64Value: Int64 { get }
  /// The value as an integer of 32 bits; the nearest one if it does not fit.
  var int32Value: Int32 { get }
}

/// A string, optional or not.
public protocol StringPropertyType: EntityPropertyTypeConvertible {}
/// A date, optional or not.
public protocol DatePropertyType: EntityPropertyTypeConvertible {}
/// Bytes, optional or not.
public protocol DataPropertyType: EntityPropertyTypeConvertible {}

extension Bool: EntityPropertyTypeConvertible, EntityScalarPropertyType {
  /// `bool`.
  public static var entityPropertyType: PropertyType { .bool }
}

extension Int8: EntityPropertyTypeConvertible, EntityScalarPropertyType {
  /// `byte`.
  public static var entityPropertyType: PropertyType { .byte }
}

extension UInt8: EntityPropertyTypeConvertible, EntityScalarPropertyType {
  /// `byte`.
  public static var entityPropertyType: PropertyType { .byte }
}

extension Int16: EntityPropertyTypeConvertible, EntityScalarPropertyType {
  /// `short`.
  public static var entityPropertyType: PropertyType { .short }
}

extension UInt16: EntityPropertyTypeConvertible, EntityScalarPropertyType {
  /// `short`.
  public static var entityPropertyType: PropertyType { .short }
}

extension Int32: IntegerPropertyQueryType {
  /// `int`.
  public static var entityPropertyType: PropertyType { .int }
  /// The value as an integer of 64 bits.
  public var int64Value: Int64 { Int64(self) }
  /// The value.
  public var int32Value: Int32 { self }
}

extension UInt32: EntityPropertyTypeConvertible, EntityScalarPropertyType {
  /// `int`.
  public static var entityPropertyType: PropertyType { .int }
}

extension Int64: LongPropertyQueryType {
  /// `long`.
  public static var entityPropertyType: PropertyType { .long }
  /// The value.
  public var int64Value: Int64 { self }
}

extension UInt64: EntityPropertyTypeConvertible, EntityScalarPropertyType {
  /// `long`.
  public static var entityPropertyType: PropertyType { .long }
}

extension Int: LongPropertyQueryType, IntegerPropertyQueryType {
  /// `long`.
  public static var entityPropertyType: PropertyType { .long }
  /// The value.
  public var int64Value: Int64 { Int64(self) }
  /// The value as an integer of 32 bits; the nearest one if it does not fit.
  public var int32Value: Int32 { Int32(clamping: self) }
}

extension UInt: EntityPropertyTypeConvertible, EntityScalarPropertyType {
  /// `long`.
  public static var entityPropertyType: PropertyType { .long }
}

extension Float: EntityPropertyTypeConvertible, EntityScalarPropertyType {
  /// `float`.
  public static var entityPropertyType: PropertyType { .float }
}

extension Double: EntityPropertyTypeConvertible, EntityScalarPropertyType {
  /// `double`.
  public static var entityPropertyType: PropertyType { .double }
}

extension String: StringPropertyType {
  /// `string`.
  public static var entityPropertyType: PropertyType { .string }
}

extension Date: DatePropertyType, EntityScalarPropertyType {
  /// `date`: milliseconds, unless the model says nanoseconds.
  public static var entityPropertyType: PropertyType { .date }
}

extension Data: DataPropertyType {
  /// `byteVector`.
  public static var entityPropertyType: PropertyType { .byteVector }
}

extension Array: EntityPropertyTypeConvertible where Element == UInt8 {
  /// `byteVector`.
  public static var entityPropertyType: PropertyType { .byteVector }
}

extension Optional: EntityPropertyTypeConvertible where Wrapped: EntityPropertyTypeConvertible {
  /// The type of the value.
  public static var entityPropertyType: PropertyType { Wrapped.entityPropertyType }
}

extension Optional: EntityScalarPropertyType where Wrapped: LongPropertyType {}
extension Optional: LongPropertyType where Wrapped: LongPropertyType {}
extension Optional: StringPropertyType where Wrapped == String {}
extension Optional: DatePropertyType where Wrapped == Date {}
extension Optional: DataPropertyType where Wrapped == Data {}

/// The type of a property that holds integers of 32 bits, `[Int32]`, in queries.
public class Int32ArrayPropertyType: EntityPropertyTypeConvertible {
  /// `intVector`.
  public class var entityPropertyType: PropertyType { .intVector }
}

/// The type of a property that holds integers of 64 bits, `[Int64]`, in queries.
public class Int64ArrayPropertyType: EntityPropertyTypeConvertible {
  /// `longVector`.
  public class var entityPropertyType: PropertyType { .longVector }
}

/// The type of a property that holds numbers of 32 bits, `[Float]`, in queries.
public class FloatArrayPropertyType: EntityPropertyTypeConvertible {
  /// `floatVector`.
  public class var entityPropertyType: PropertyType { .floatVector }
}

/// The type of a property that holds `[Float]` and is searched for nearest neighbours.
public class HnswIndexPropertyType: FloatArrayPropertyType {}

/// The type of a property that holds `[String]`, in queries.
public class StringArrayPropertyType: EntityPropertyTypeConvertible {
  /// `stringVector`.
  public class var entityPropertyType: PropertyType { .stringVector }
}
