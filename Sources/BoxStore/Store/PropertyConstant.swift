package import BoxModel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The value of a property that is not optional, in objects that have none.
///
/// Bindings give it to ``StoreModel/init(json:constants:zeros:vectors:)``, in the type that the property is stored as.
public struct PropertyConstant: Hashable, Sendable {
  package let value: Value

  private init(value: Value) { self.value = value }

  /// Zero, false, or what has no elements, whatever the type of the property.
  public static let zero = PropertyConstant(value: .null)

  /// A truth value.
  public init(_ value: Bool) { self.value = .bool(value) }

  /// An integer of any width.
  public init<T: FixedWidthInteger>(_ value: T) {
    self.value = T.isSigned ? .integer(Int64(value)) : .unsigned(UInt64(value))
  }

  /// A number of 32 bits.
  public init(_ value: Float) { self.value = .float(value) }

  /// A number of 64 bits.
  public init(_ value: Double) { self.value = .double(value) }

  /// A string.
  public init(_ value: String) { self.value = .string(value) }

  /// Bytes.
  public init(_ value: Data) { self.value = .bytes([UInt8](value)) }

  /// Bytes.
  public init(_ value: [UInt8]) { self.value = .bytes(value) }

  /// Truth values.
  public init(_ value: [Bool]) { self.value = .bools(value) }

  /// Integers of 16, 32 or 64 bits.
  public init<T: FixedWidthInteger>(_ value: [T]) {
    self.value =
      T.isSigned
      ? .integers(value.map { Int64($0) }) : .unsignedIntegers(value.map { UInt64($0) })
  }

  /// Numbers of 32 bits.
  public init(_ value: [Float]) { self.value = .floats(value) }

  /// Numbers of 64 bits.
  public init(_ value: [Double]) { self.value = .doubles(value) }

  /// Strings.
  public init(_ value: [String]) { self.value = .strings(value) }
}
