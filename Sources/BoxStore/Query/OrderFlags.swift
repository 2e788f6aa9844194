/// A flag of an order of objects by a property.
public enum OrderFlags: UInt32, Hashable, Sendable {
  /// The largest values first.
  case descending = 1
  /// Strings in the order of their UTF-8 bytes, and not without regard to case.
  case caseSensitive = 2
  /// Integers as unsigned ones, negative ones after all others; for properties that a model calls signed.
  case unsigned = 4
  /// Objects without a value after all others, and not before them.
  case nullsLast = 8
  /// Objects without a value among those whose number is 0.
  case nullsZero = 16
}
