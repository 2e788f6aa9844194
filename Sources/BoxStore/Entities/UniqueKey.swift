#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A unique property of an entity type, by whose values a ``Box`` finds and replaces objects.
///
/// ```swift
/// let ada = try users.get(User.email, "ada@example.org")
/// try users.put(user, matching: User.email)
/// ```
///
/// The generator writes one for each unique property of integers, strings or dates, with the name of the
/// ``Property`` that queries use: the compiler takes the one that a call needs. `V` is the type of the values, not
/// optional where the property is; of an enum or a converted value it is the stored type.
public struct UniqueKey<E: EntityInspectable & __EntityRelatable, V: UniqueImportValue>: Sendable
where E == E.EntityBindingType.EntityType {
  /// The entity type.
  public typealias EntityType = E
  /// The type of the values.
  public typealias ValueType = V

  let propertyId: UInt32

  /// Creates a key by its id in the model.
  public init(propertyId: UInt32) { self.propertyId = propertyId }
}

/// A type of the values by which objects are found: an integer, a string, a date, or a UUID.
public protocol UniqueImportValue: Hashable, Sendable {
  /// The value as a property has it.
  var uniqueImportValue: PropertyValue { get }
}

extension FixedWidthInteger where Self: UniqueImportValue {
  /// The integer, with the sign of its type.
  public var uniqueImportValue: PropertyValue {
    Self.isSigned ? .integer(Int64(self)) : .unsigned(UInt64(self))
  }
}

extension Int: UniqueImportValue {}
extension Int8: UniqueImportValue {}
extension Int16: UniqueImportValue {}
extension Int32: UniqueImportValue {}
extension Int64: UniqueImportValue {}
extension UInt: UniqueImportValue {}
extension UInt8: UniqueImportValue {}
extension UInt16: UniqueImportValue {}
extension UInt32: UniqueImportValue {}
extension UInt64: UniqueImportValue {}

extension String: UniqueImportValue {
  /// The string.
  public var uniqueImportValue: PropertyValue { .string(self) }
}

extension Date: UniqueImportValue {
  /// The date.
  public var uniqueImportValue: PropertyValue { .date(self) }
}

extension UUID: UniqueImportValue {
  /// The text in lower case, as the converter of UUIDs stores it.
  public var uniqueImportValue: PropertyValue { .string(uuidString.lowercased()) }
}
