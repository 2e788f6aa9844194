/// The id of an object: 1 to 2^63-1 in a store, 0 for an object that was not put yet.
///
/// A put assigns the id of a new object and writes it into the object. Do not change it afterwards.
public typealias Id = UInt64

/// An unsigned integer of 8 bits, as an element of bytes.
public typealias Byte = UInt8

/// A type that ids can have: ``Id``, `Int64`, or ``EntityId``.
public protocol IdBase: Hashable, Sendable, EntityPropertyTypeConvertible {
  /// Creates the id with a value.
  init(_ entityId: Id)
  /// The value.
  var value: Id { get }
}

/// An id that does not say which entity it belongs to.
public protocol UntypedIdBase: IdBase {}

extension Id: UntypedIdBase {
  /// The id itself.
  @inlinable public var value: Id { self }
}

extension Int64: UntypedIdBase {
  /// Creates the number with the bits of an id.
  @inlinable public init(_ entityId: Id) { self = Int64(bitPattern: entityId) }

  /// The id with the same bits.
  @inlinable public var value: Id { Id(bitPattern: self) }
}

/// The id of an object of one entity: the compiler refuses the id of another entity's object.
public struct EntityId<R: Entity>: IdBase {
  /// The id.
  public let value: Id

  /// Creates a typed id.
  @inlinable public init(_ identifier: Id) { value = identifier }

  /// The type in which a model stores ids.
  public static var entityPropertyType: PropertyType { .long }
}

extension EntityId: ExpressibleByIntegerLiteral {
  /// Creates a typed id from a number in the source.
  @inlinable public init(integerLiteral value: Id) { self.value = value }
}

extension EntityId: CustomStringConvertible {
  /// The number.
  public var description: String { "\(value)" }
}
