#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension PropertyCollector {
  // MARK: - Values that can be missing

  /// Takes a truth value; nil is stored as null.
  public func collect(_ value: Bool?, at propertyOffset: UInt16) {
    if let value { collect(value, at: propertyOffset) }
  }
  /// Takes an integer; nil is stored as null.
  public func collect(_ value: Int?, at propertyOffset: UInt16) {
    if let value { collect(value, at: propertyOffset) }
  }
  /// Takes an integer; nil is stored as null.
  public func collect(_ value: UInt?, at propertyOffset: UInt16) {
    if let value { collect(value, at: propertyOffset) }
  }
  /// Takes an integer; nil is stored as null.
  public func collect(_ value: Int8?, at propertyOffset: UInt16) {
    if let value { collect(value, at: propertyOffset) }
  }
  /// Takes an integer; nil is stored as null.
  public func collect(_ value: Int16?, at propertyOffset: UInt16) {
    if let value { collect(value, at: propertyOffset) }
  }
  /// Takes an integer; nil is stored as null.
  public func collect(_ value: Int32?, at propertyOffset: UInt16) {
    if let value { collect(value, at: propertyOffset) }
  }
  /// Takes an integer; nil is stored as null.
  public func collect(_ value: Int64?, at propertyOffset: UInt16) {
    if let value { collect(value, at: propertyOffset) }
  }
  /// Takes an integer; nil is stored as null.
  public func collect(_ value: UInt8?, at propertyOffset: UInt16) {
    if let value { collect(value, at: propertyOffset) }
  }
  /// Takes an integer; nil is stored as null.
  public func collect(_ value: UInt16?, at propertyOffset: UInt16) {
    if let value { collect(value, at: propertyOffset) }
  }
  /// Takes an integer; nil is stored as null.
  public func collect(_ value: UInt32?, at propertyOffset: UInt16) {
    if let value { collect(value, at: propertyOffset) }
  }
  /// Takes an integer; nil is stored as null.
  public func collect(_ value: UInt64?, at propertyOffset: UInt16) {
    if let value { collect(value, at: propertyOffset) }
  }
  /// Takes a number; nil is stored as null.
  public func collect(_ value: Float?, at propertyOffset: UInt16) {
    if let value { collect(value, at: propertyOffset) }
  }
  /// Takes a number; nil is stored as null.
  public func collect(_ value: Double?, at propertyOffset: UInt16) {
    if let value { collect(value, at: propertyOffset) }
  }

  // MARK: - Ids and relations

  /// Takes an id; nil is stored as null.
  public func collect<T>(_ value: EntityId<T>?, at propertyOffset: UInt16) {
    if let value { collect(value.value, at: propertyOffset) }
  }

  /// Takes a to-one relation; a new target is put first, so that there is an id to store.
  ///
  /// A relation without a target is stored as null.
  public func collect<E: EntityInspectable & __EntityRelatable>(
    _ relation: ToOne<E>, at propertyOffset: UInt16, store: Store
  ) where E == E.EntityBindingType.EntityType {
    do {
      let id = try relation.idForPut(in: store, context)
      if id == 0 { return }
      try requireTarget(id, propertyOffset)
      collect(id, at: propertyOffset)
    } catch {
      fail(error)
    }
  }

  // MARK: - In two steps, as hand-written bindings do

  /// Takes a string; the result is handed to ``collect(dataOffset:at:)``.
  public func prepare(string: String?, at propertyOffset: UInt16) -> OBXDataOffset {
    collect(string, at: propertyOffset)
    return string == nil ? 0 : OBXDataOffset(propertyOffset)
  }

  /// Takes bytes; the result is handed to ``collect(dataOffset:at:)``.
  public func prepare(bytes data: Data?, at propertyOffset: UInt16) -> OBXDataOffset {
    collect(data, at: propertyOffset)
    return data == nil ? 0 : OBXDataOffset(propertyOffset)
  }

  /// Takes bytes; the result is handed to ``collect(dataOffset:at:)``.
  public func prepare(bytes: [UInt8]?, at propertyOffset: UInt16) -> OBXDataOffset {
    collect(bytes, at: propertyOffset)
    return bytes == nil ? 0 : OBXDataOffset(propertyOffset)
  }

  /// Does nothing: what was prepared is in the record already.
  public func collect(dataOffset: OBXDataOffset, at propertyOffset: UInt16) {}
}

/// The place of a prepared value; 0 for none.
public typealias OBXDataOffset = UInt32
