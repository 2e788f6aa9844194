#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension EntityReader {
  // MARK: - Integers

  /// An integer; nil for null.
  @inlinable public func read(at index: UInt16) -> Int8? { integer(index, .integer8) }
  /// An integer; 0 for null.
  @inlinable public func read(at index: UInt16) -> Int8 { integer(index, .integer8) ?? 0 }
  /// An integer; nil for null.
  @inlinable public func read(at index: UInt16) -> Int16? { integer(index, .integer16) }
  /// An integer; 0 for null.
  @inlinable public func read(at index: UInt16) -> Int16 { integer(index, .integer16) ?? 0 }
  /// An integer; nil for null.
  @inlinable public func read(at index: UInt16) -> Int32? { integer(index, .integer32) }
  /// An integer; 0 for null.
  @inlinable public func read(at index: UInt16) -> Int32 { integer(index, .integer32) ?? 0 }
  /// An integer; nil for null.
  @inlinable public func read(at index: UInt16) -> Int64? { integer(index, .integer64) }
  /// An integer; 0 for null.
  @inlinable public func read(at index: UInt16) -> Int64 { integer(index, .integer64) ?? 0 }
  /// An integer; nil for null.
  @inlinable public func read(at index: UInt16) -> UInt8? { integer(index, .integer8) }
  /// An integer; 0 for null.
  @inlinable public func read(at index: UInt16) -> UInt8 { integer(index, .integer8) ?? 0 }
  /// An integer; nil for null.
  @inlinable public func read(at index: UInt16) -> UInt16? { integer(index, .integer16) }
  /// An integer; 0 for null.
  @inlinable public func read(at index: UInt16) -> UInt16 { integer(index, .integer16) ?? 0 }
  /// An integer; nil for null.
  @inlinable public func read(at index: UInt16) -> UInt32? { integer(index, .integer32) }
  /// An integer; 0 for null.
  @inlinable public func read(at index: UInt16) -> UInt32 { integer(index, .integer32) ?? 0 }
  /// An integer; nil for null.
  @inlinable public func read(at index: UInt16) -> UInt64? { integer(index, .integer64) }
  /// An integer; 0 for null.
  @inlinable public func read(at index: UInt16) -> UInt64 { integer(index, .integer64) ?? 0 }
  /// An integer; nil for null.
  @inlinable public func read(at index: UInt16) -> Int? {
    (integer(index, .integer64) as Int64?).map { Int(truncatingIfNeeded: $0) }
  }
  /// An integer; 0 for null.
  @inlinable public func read(at index: UInt16) -> Int {
    Int(truncatingIfNeeded: (integer(index, .integer64) as Int64?) ?? 0)
  }
  /// An integer; nil for null.
  @inlinable public func read(at index: UInt16) -> UInt? {
    (integer(index, .integer64) as UInt64?).map { UInt(truncatingIfNeeded: $0) }
  }
  /// An integer; 0 for null.
  @inlinable public func read(at index: UInt16) -> UInt {
    UInt(truncatingIfNeeded: (integer(index, .integer64) as UInt64?) ?? 0)
  }

  // MARK: - Other single values

  /// A truth value; nil for null.
  @inlinable public func read(at index: UInt16) -> Bool? {
    (integer(index, .bool) as UInt8?).map { $0 != 0 }
  }
  /// A truth value; false for null.
  @inlinable public func read(at index: UInt16) -> Bool { read(at: index) ?? false }

  /// A number of 32 bits; nil for null.
  @inlinable public func read(at index: UInt16) -> Float? {
    unsafe place(index, .float).map {
      unsafe Float(bitPattern: UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self)))
    }
  }
  /// A number of 32 bits; 0 for null.
  @inlinable public func read(at index: UInt16) -> Float { read(at: index) ?? 0 }

  /// A number of 64 bits, stored as such or in 32 bits; nil for null.
  @inlinable public func read(at index: UInt16) -> Double? {
    if field(index, .double).form == .float { return (read(at: index) as Float?).map(Double.init) }
    return unsafe place(index, .double).map {
      unsafe Double(bitPattern: UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)))
    }
  }
  /// A number of 64 bits; 0 for null.
  @inlinable public func read(at index: UInt16) -> Double { read(at: index) ?? 0 }

  /// The date of a property that counts nanoseconds; nil for null.
  @inlinable public func readNanos(at index: UInt16) -> Date? { read(at: index) }

  /// The date of a property that counts nanoseconds; 1970 for null.
  @inlinable public func readNanos(at index: UInt16) -> Date { read(at: index) }

  /// A date; nil for null.
  @inlinable public func read(at index: UInt16) -> Date? {
    (integer(index, .integer64) as Int64?).map { date($0, index) }
  }
  /// A date; 1970 for null.
  @inlinable public func read(at index: UInt16) -> Date {
    date((integer(index, .integer64) as Int64?) ?? 0, index)
  }

  // MARK: - Strings and bytes

  /// A string; nil for null.
  @inlinable public func read(at index: UInt16) -> String? {
    unsafe elements(index, .string, width: 1).map { unsafe String(decoding: $0, as: UTF8.self) }
  }
  /// A string; empty for null.
  @inlinable public func read(at index: UInt16) -> String { read(at: index) ?? "" }

  /// Bytes; nil for null.
  @inlinable public func read(at index: UInt16) -> Data? {
    unsafe elements(index, .bytes, width: 1).map { unsafe Data($0) }
  }
  /// Bytes; empty for null.
  @inlinable public func read(at index: UInt16) -> Data { read(at: index) ?? Data() }

  /// Bytes; nil for null.
  @inlinable public func read(at index: UInt16) -> [UInt8]? {
    unsafe elements(index, .bytes, width: 1).map { unsafe [UInt8]($0) }
  }
  /// Bytes; empty for null.
  @inlinable public func read(at index: UInt16) -> [UInt8] { read(at: index) ?? [] }

  // MARK: - Vectors

  /// A vector; nil for null.
  @inlinable public func read(at index: UInt16) -> [Int16]? { vector(index, .integers16) }
  /// A vector; empty for null.
  @inlinable public func read(at index: UInt16) -> [Int16] { vector(index, .integers16) ?? [] }
  /// A vector; nil for null.
  @inlinable public func read(at index: UInt16) -> [UInt16]? { vector(index, .integers16) }
  /// A vector; empty for null.
  @inlinable public func read(at index: UInt16) -> [UInt16] { vector(index, .integers16) ?? [] }
  /// A vector; nil for null.
  @inlinable public func read(at index: UInt16) -> [Int32]? { vector(index, .integers32) }
  /// A vector; empty for null.
  @inlinable public func read(at index: UInt16) -> [Int32] { vector(index, .integers32) ?? [] }
  /// A vector; nil for null.
  @inlinable public func read(at index: UInt16) -> [UInt32]? { vector(index, .integers32) }
  /// A vector; empty for null.
  @inlinable public func read(at index: UInt16) -> [UInt32] { vector(index, .integers32) ?? [] }
  /// A vector; nil for null.
  @inlinable public func read(at index: UInt16) -> [Int64]? { vector(index, .integers64) }
  /// A vector; empty for null.
  @inlinable public func read(at index: UInt16) -> [Int64] { vector(index, .integers64) ?? [] }
  /// A vector; nil for null.
  @inlinable public func read(at index: UInt16) -> [UInt64]? { vector(index, .integers64) }
  /// A vector; empty for null.
  @inlinable public func read(at index: UInt16) -> [UInt64] { vector(index, .integers64) ?? [] }
  /// A vector; nil for null.
  @inlinable public func read(at index: UInt16) -> [Float]? { vector(index, .floats) }
  /// A vector; empty for null.
  @inlinable public func read(at index: UInt16) -> [Float] { vector(index, .floats) ?? [] }
  /// A vector; nil for null.
  @inlinable public func read(at index: UInt16) -> [Double]? { vector(index, .doubles) }
  /// A vector; empty for null.
  @inlinable public func read(at index: UInt16) -> [Double] { vector(index, .doubles) ?? [] }

  /// A vector of truth values; nil for null.
  public func read(at index: UInt16) -> [Bool]? {
    unsafe elements(index, .bools, width: 1).map { bytes in unsafe bytes.map { $0 != 0 } }
  }
  /// A vector of truth values; empty for null.
  public func read(at index: UInt16) -> [Bool] { read(at: index) ?? [] }

  /// A vector of strings; nil for null.
  public func read(at index: UInt16) -> [String]? { stringVector(index) }
  /// A vector of strings; empty for null.
  public func read(at index: UInt16) -> [String] { stringVector(index) ?? [] }

  // MARK: - Ids and relations

  /// The id of the object, or a stored id; 0 for null.
  @inlinable public func read<E>(at index: UInt16) -> EntityId<E> {
    EntityId((integer(index, .integer64) as UInt64?) ?? 0)
  }
  /// The id of the object, or a stored id; nil for null.
  @inlinable public func read<E>(at index: UInt16) -> EntityId<E>? {
    (integer(index, .integer64) as UInt64?).map { EntityId($0) }
  }

  /// A to-one relation, whose target is read when it is first asked for.
  @inlinable public func read<T: EntityInspectable & __EntityRelatable>(
    at index: UInt16, store: Store
  ) -> ToOne<T> where T == T.EntityBindingType.EntityType {
    ToOne(stored: (integer(index, .integer64) as UInt64?) ?? 0, in: store)
  }

  /// Reads a to-one relation into the one that a new object has, or into another one if that is used
  /// elsewhere too.
  @inlinable public func read<T: EntityInspectable & __EntityRelatable>(
    at index: UInt16, into relation: inout ToOne<T>, store: Store
  ) where T == T.EntityBindingType.EntityType {
    if !ToOne.load(read(at: index), into: &relation, store: store) {
      relation = read(at: index, store: store)
    }
  }
}
