/// A value that a property can hold a list of, where queries have no type of their own for the list.
public protocol ListPropertyElement: Sendable {
  /// The type of the list in the model.
  static var listPropertyType: PropertyType { get }
}

/// The type of a property that holds a list, such as `[Int16]` or `[Double]`, in queries.
///
/// `[Int32]`, `[Int64]`, `[Float]` and `[String]` have types of their own.
public class ListPropertyType<Element: ListPropertyElement>: EntityPropertyTypeConvertible {
  /// The type in the model.
  public class var entityPropertyType: PropertyType { Element.listPropertyType }
}

/// The type of a property that holds a list of integers, in queries.
public protocol IntegerListPropertyType: EntityPropertyTypeConvertible {
  /// The type of an element.
  associatedtype Element: FixedWidthInteger
}

extension ListPropertyType: IntegerListPropertyType where Element: FixedWidthInteger {}

extension Int32ArrayPropertyType: IntegerListPropertyType {
  /// The type of an element.
  public typealias Element = Int32
}

extension Int64ArrayPropertyType: IntegerListPropertyType {
  /// The type of an element.
  public typealias Element = Int64
}

extension Bool: ListPropertyElement {
  /// `boolVector`.
  public static var listPropertyType: PropertyType { .boolVector }
}

extension Int16: ListPropertyElement {
  /// `shortVector`.
  public static var listPropertyType: PropertyType { .shortVector }
}

extension UInt16: ListPropertyElement {
  /// `shortVector`.
  public static var listPropertyType: PropertyType { .shortVector }
}

extension UInt32: ListPropertyElement {
  /// `intVector`.
  public static var listPropertyType: PropertyType { .intVector }
}

extension UInt64: ListPropertyElement {
  /// `longVector`.
  public static var listPropertyType: PropertyType { .longVector }
}

extension Double: ListPropertyElement {
  /// `doubleVector`.
  public static var listPropertyType: PropertyType { .doubleVector }
}
