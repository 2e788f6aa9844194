public import BoxConvert
public import BoxModel
public import Foundation

/// Converts dates to the count of milliseconds or nanoseconds that a property stores.
///
/// A `Date` is a `Double` of seconds: the nearest count is stored, and counts of nanoseconds lose
/// their last digits when they are read.
public struct DateConverter: ValueConverter {
  private let perSecond: Double
  private let missing: Date?

  /// Creates a converter.
  ///
  /// - Parameters:
  ///   - unit: The unit of the stored number: milliseconds for the type `date`, nanoseconds for
  ///     `dateNano`.
  ///   - missing: The date where the value is missing; nil to fail.
  public init(_ unit: TimeUnit = .milliseconds, missing: Date? = nil) {
    switch unit {
    case .seconds: perSecond = 1
    case .milliseconds: perSecond = 1e3
    case .microseconds: perSecond = 1e6
    case .nanoseconds: perSecond = 1e9
    }
    self.missing = missing
  }

  /// The date of a count.
  ///
  /// - Throws: ``BoxConvert/ConversionError`` of kind `missing` if no date corresponds to the value.
  public func domain(_ stored: Int64?) throws(ConversionError) -> Date {
    guard let stored else {
      guard let missing else { throw ConversionError(.missing, expected: "a date") }
      return missing
    }
    return Date(timeIntervalSince1970: Double(stored) / perSecond)
  }

  /// The count of a date.
  ///
  /// - Throws: ``BoxConvert/ConversionError`` of kind `malformed` for a date beyond 64 bits.
  public func stored(_ domain: Date) throws(ConversionError) -> Int64? {
    let count = (domain.timeIntervalSince1970 * perSecond).rounded()
    guard let stored = Int64(exactly: count) else {
      throw ConversionError(.malformed, expected: "a date that fits into 64 bits")
    }
    return stored
  }
}
