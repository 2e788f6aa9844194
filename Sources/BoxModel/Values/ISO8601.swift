/// Times of the calendar of ISO 8601 in the profile of RFC 3339, for the years 1 to 9999.
package enum ISO8601 {
  /// The first and the last second: 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z.
  package static let seconds: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  /// A time as seconds since 1970 and nanoseconds above them.
  package struct Moment: Hashable, Sendable {
    package var seconds: Int64
    package var nanoseconds: Int64

    package init(seconds: Int64, nanoseconds: Int64) {
      self.seconds = seconds
      self.nanoseconds = nanoseconds
    }
  }

  /// The text of a time, with `digits` digits of a second's fraction; nil outside of the years.
  ///
  /// - Parameters:
  ///   - moment: The time.
  ///   - digits: The number of digits.
  ///   - offset: The seconds by which the local time is ahead of UTC, full minutes of less than a day; nil for
  ///     UTC, which is written as `Z`.
  /// - Returns: The text.
  package static func text(_ moment: Moment, digits: Int, offset: Int64? = nil) -> String? {
    let (local, isTooFar) = moment.seconds.addingReportingOverflow(offset ?? 0)
    guard !isTooFar, seconds.contains(local) else { return nil }
    let day = local.floorDivided(by: 86_400)
    let rest = local - day * 86_400
    let (year, month, dayOfMonth) = civil(day)
    return String(unsafeUninitializedCapacity: 35) { text in
      var count = 0
      func put(_ mark: Unicode.Scalar) {
        text[count] = UInt8(ascii: mark)
        count += 1
      }
      /// Writes a number that is not negative with leading zeros.
      func put(_ number: Int64, _ digits: Int) {
        var rest = number
        for place in stride(from: count + digits - 1, through: count, by: -1) {
          text[place] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
          rest /= 10
        }
        count += digits
      }
      put(year, 4)
      put("-")
      put(month, 2)
      put("-")
      put(dayOfMonth, 2)
      put("T")
      put(rest / 3600, 2)
      put(":")
      put(rest / 60 % 60, 2)
      put(":")
      put(rest % 60, 2)
      if digits > 0 {
        var fraction = moment.nanoseconds
        for _ in digits..<9 { fraction /= 10 }
        put(".")
        put(fraction, digits)
      }
      if let offset {
        put(offset < 0 ? "-" : "+")
        put(abs(offset) / 3600, 2)
        put(":")
        put(abs(offset) / 60 % 60, 2)
      } else {
        put("Z")
      }
      return count
    }
  }

  /// The time of a text; nil for an invalid text, for digits beyond nanoseconds that are not zero, and for
  /// leap seconds.
  ///
  /// `T` and `Z` may be small, `T` a space, and the offset any from -23:59 to +23:59. A date alone is
  /// its midnight in UTC.
  package static func moment(_ text: String) -> Moment? {
    var text = text
    return text.withUTF8 { moment($0) }
  }

  /// The time of the bytes of a text.
  package static func moment(_ text: UnsafeBufferPointer<UInt8>) -> Moment? {
    var reader = Reader(bytes: text)
    guard let year = reader.number(4), year >= 1, reader.consume("-"),
      let month = reader.number(2), (1...12).contains(month), reader.consume("-"),
      let day = reader.number(2), day >= 1, day <= length(ofMonth: month, in: year)
    else { return nil }
    var moment = Moment(seconds: days(year, month, day) * 86_400, nanoseconds: 0)
    if reader.isAtEnd { return moment }
    guard reader.consume("T") || reader.consume("t") || reader.consume(" "),
      let hour = reader.number(2), hour < 24, reader.consume(":"),
      let minute = reader.number(2), minute < 60, reader.consume(":"),
      let second = reader.number(2), second < 60
    else { return nil }
    if reader.consume(".") {
      guard let fraction = reader.fraction() else { return nil }
      moment.nanoseconds = fraction
    }
    guard let offset = reader.offset(), reader.isAtEnd else { return nil }
    moment.seconds += hour * 3600 + minute * 60 + second - offset
    return moment
  }

  /// The days from 1970-01-01 to a date of the Gregorian calendar.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    // Years begin in March here, so that the leap day is the last one of its year.
    let shifted = month > 2 ? year : year - 1
    let monthFromMarch = (month + 9) % 12
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
  }

  /// The date `day` days after 1970-01-01.
  private static func civil(_ day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = day + 719_468
    let era = shifted.floorDivided(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
  }

  private static func length(ofMonth month: Int64, in year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private struct Reader {
    let bytes: UnsafeBufferPointer<UInt8>
    var index = 0

    init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    var isAtEnd: Bool { index == bytes.count }

    mutating func consume(_ character: Unicode.Scalar) -> Bool {
      guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
      index += 1
      return true
    }

    mutating func digit() -> Int64? {
      guard index < bytes.count, (0x30...0x39).contains(bytes[index]) else { return nil }
      index += 1
      return Int64(bytes[index - 1] - 0x30)
    }

    mutating func number(_ digits: Int) -> Int64? {
      var result: Int64 = 0
      for _ in 0..<digits {
        guard let digit = digit() else { return nil }
        result = result * 10 + digit
      }
      return result
    }

    /// The nanoseconds of the digits of a fraction.
    mutating func fraction() -> Int64? {
      guard var result = digit() else { return nil }
      var count = 1
      while let digit = digit() {
        count += 1
        if count > 9 {
          if digit != 0 { return nil }
        } else {
          result = result * 10 + digit
        }
      }
      while count < 9 {
        result *= 10
        count += 1
      }
      return result
    }

    /// The seconds by which the local time is ahead of UTC.
    mutating func offset() -> Int64? {
      if consume("Z") || consume("z") { return 0 }
      let sign: Int64 = consume("+") ? 1 : consume("-") ? -1 : 0
      guard sign != 0, let hours = number(2), hours < 24, consume(":"),
        let minutes = number(2), minutes < 60
      else { return nil }
      return sign * (hours * 3600 + minutes * 60)
    }
  }
}

extension Int64 {
  package func floorDivided(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
