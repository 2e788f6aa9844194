#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension PropertyCollector {
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
      if let peek { return peek.record(relation, at: propertyOffset) }
      let (id, isObject) = try relation.idForPut(in: store, context, putsTargets: putsTargets)
      if id == 0 { return }
      try requireTarget(id, propertyOffset, isObject: isObject)
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

  /// Takes a string, which ``collect(dataOffset:at:)`` stores.
  public func prepare(string: String?) -> OBXDataOffset {
    string.map { string in keep { $0.collect(string, at: $1) } } ?? 0
  }

  /// Takes bytes, which ``collect(dataOffset:at:)`` stores.
  public func prepare(bytes data: Data?) -> OBXDataOffset {
    data.map { data in keep { $0.collect(data, at: $1) } } ?? 0
  }

  /// Takes bytes, which ``collect(dataOffset:at:)`` stores.
  public func prepare(bytes: [UInt8]?) -> OBXDataOffset {
    bytes.map { bytes in keep { $0.collect(bytes, at: $1) } } ?? 0
  }

  /// Takes a vector, which ``collect(dataOffset:at:)`` stores.
  public func prepare(values: [Int32]?) -> OBXDataOffset {
    values.map { values in keep { $0.collect(values, at: $1) } } ?? 0
  }

  /// Takes a vector, which ``collect(dataOffset:at:)`` stores.
  public func prepare(values: [Int64]?) -> OBXDataOffset {
    values.map { values in keep { $0.collect(values, at: $1) } } ?? 0
  }

  /// Takes a vector, which ``collect(dataOffset:at:)`` stores.
  public func prepare(values: [Float]?) -> OBXDataOffset {
    values.map { values in keep { $0.collect(values, at: $1) } } ?? 0
  }

  /// Takes a vector, which ``collect(dataOffset:at:)`` stores.
  public func prepare(values: [String]?) -> OBXDataOffset {
    values.map { values in keep { $0.collect(values, at: $1) } } ?? 0
  }

  /// Stores what was prepared without the offset of a property; what was prepared with one is in the record already.
  public func collect(dataOffset: OBXDataOffset, at propertyOffset: UInt16) {
    if dataOffset >= Self.firstKept { storeKept(dataOffset - Self.firstKept, at: propertyOffset) }
  }

  /// Takes a date that is stored in nanoseconds.
  public func collectNanos(_ date: Date?, at propertyOffset: UInt16) {
    collect(date, at: propertyOffset)
  }

  /// The number of the first value that was prepared without an offset, above all offsets of properties.
  private static let firstKept: OBXDataOffset = 1 << 16

  private func keep(_ collect: @escaping (PropertyCollector, UInt16) -> Void) -> OBXDataOffset {
    Self.firstKept + OBXDataOffset(keepValue(collect))
  }
}

/// The place of a prepared value; 0 for none.
public typealias OBXDataOffset = UInt32
