/// Reads dates of ISO 8601.
enum ISODate {
  /// The ticks since 1970 of a text such as `2024-02-29T12:00:00.125Z`.
  ///
  /// - Parameters:
  ///   - text: A date with a time, and with `Z` or an offset such as `+01:00`.
  ///   - perSecond: How many ticks a second has: a power of ten.
  /// - Returns: The ticks; nil for any other text, and for a date that is finer than a tick or too far
  ///   away.
  static func parse(_ text: String, perSecond: Int64) -> Int64? {
    var reader = Reader(bytes: Array(text.utf8))
    guard let year = reader.year(), reader.take("-"), let month = reader.digits(2),
      reader.take("-"), let day = reader.digits(2), reader.take("T"),
      let hour = reader.digits(2), reader.take(":"), let minute = reader.digits(2),
      reader.take(":"), let second = reader.digits(2),
      let fraction = reader.fraction(perSecond), let offset = reader.offset(), reader.isAtEnd,
      (1...12).contains(month), (1...days(in: month, of: year)).contains(day), hour < 24,
      minute < 60, second < 60
    else { return nil }
    let seconds =
      daysSince1970(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset
    let (ticks, tooFar) = seconds.multipliedReportingOverflow(by: perSecond)
    if !tooFar {
      let (sum, overflow) = ticks.addingReportingOverflow(fraction)
      return overflow ? nil : sum
    }
    // The ticks of the first second alone can be too many while their sum with the fraction is not.
    if seconds < 0, fraction > 0 {
      let (next, overflow) = (seconds + 1).multipliedReportingOverflow(by: perSecond)
      if overflow { return nil }
      let (sum, tooLow) = next.subtractingReportingOverflow(perSecond - fraction)
      return tooLow ? nil : sum
    }
    return nil
  }

  private static func days(in month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days of the Gregorian calendar, counted in eras of 400 years that begin in March.
  private static func daysSince1970(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  private struct Reader {
    let bytes: [UInt8]
    var index = 0

    var isAtEnd: Bool { index == bytes.count }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
      guard index < bytes.count, UInt32(bytes[index]) == character.value else { return false }
      index += 1
      return true
    }

    mutating func digits(_ count: Int) -> Int64? {
      var value: Int64 = 0
      for _ in 0..<count {
        guard index < bytes.count, bytes[index] &- 0x30 <= 9 else { return nil }
        value = value * 10 + Int64(bytes[index] &- 0x30)
        index += 1
      }
      return value
    }

    /// Four digits, or a sign and six of them.
    mutating func year() -> Int64? {
      if take("+") { return digits(6) }
      if take("-") { return digits(6).map { -$0 } }
      return digits(4)
    }

    /// The ticks of a fraction of a second; nil for a finer one.
    mutating func fraction(_ perSecond: Int64) -> Int64? {
      guard take(".") else { return 0 }
      var (value, unit, count) = (Int64(0), perSecond, 0)
      while index < bytes.count, bytes[index] &- 0x30 <= 9 {
        let digit = Int64(bytes[index] &- 0x30)
        unit /= 10
        if unit == 0 && digit != 0 { return nil }
        value += digit * unit
        index += 1
        count += 1
      }
      return count > 0 ? value : nil
    }

    /// Seconds that the time is ahead of UTC.
    mutating func offset() -> Int64? {
      if take("Z") { return 0 }
      let sign: Int64
      if take("+") { sign = 1 } else if take("-") { sign = -1 } else { return nil }
      guard let hours = digits(2), take(":"), let minutes = digits(2), hours < 24, minutes < 60
      else { return nil }
      return sign * (hours * 3600 + minutes * 60)
    }
  }
}
