#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Dates as records have them: whole milliseconds or nanoseconds since 1970.
enum StoredDate {
  /// The stored number of a date, rounded to the nearest unit and between two to the even one.
  ///
  /// - Returns: The number; nil if it does not fit into 64 bits.
  static func number(of date: Date, isNanoseconds: Bool) -> Int64? {
    let units = date.timeIntervalSince1970 * perSecond(isNanoseconds)
    return Int64(exactly: units.rounded(.toNearestOrEven))
  }

  /// The date of a stored number, as exact as a date can be.
  @inline(__always)
  static func date(_ number: Int64, isNanoseconds: Bool) -> Date {
    Date(timeIntervalSince1970: Double(number) / perSecond(isNanoseconds))
  }

  @inline(__always)
  private static func perSecond(_ isNanoseconds: Bool) -> Double { isNanoseconds ? 1e9 : 1e3 }
}
