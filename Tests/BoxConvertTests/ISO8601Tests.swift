import BoxJSON
import BoxModel
import TestSupport
import Testing

@testable import BoxConvert

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Dates as text; the C library is the other implementation.
struct ISO8601Tests {
  private func libraryText(_ seconds: Int64) -> String {
    var time = time_t(seconds)
    var parts = tm()
    gmtime_r(&time, &parts)
    func digits(_ value: Int32, _ count: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    return
      "\(digits(parts.tm_year + 1900, 4))-\(digits(parts.tm_mon + 1, 2))-\(digits(parts.tm_mday, 2))"
      + "T\(digits(parts.tm_hour, 2)):\(digits(parts.tm_min, 2)):\(digits(parts.tm_sec, 2))Z"
  }

  /// The law: a time in another zone is read as the same time, and ends with the offset.
  @Test func anOffsetChangesNoTime() {
    var random = TestSeed.next()
    for _ in 0..<TestSeed.count("BOXJOINT_SOAK_CONVERSIONS", default: 20_000) {
      let moment = ISO8601.Moment(
        seconds: Int64.random(in: ISO8601.seconds, using: &random),
        nanoseconds: Int64.random(in: 0..<1_000_000_000, using: &random))
      let offset = Int64.random(in: -1439...1439, using: &random) * 60
      let text = ISO8601.text(moment, digits: 9, offset: offset)
      let isInside = ISO8601.seconds.contains(moment.seconds + offset)
      #expect((text != nil) == isInside)
      guard let text else { continue }
      #expect(ISO8601.moment(text) == moment, "\(text)")
      #expect(text.utf8.count == 35 && !text.hasSuffix("Z"))
    }
    let end = ISO8601.Moment(seconds: .max, nanoseconds: 0)
    #expect(ISO8601.text(end, digits: 0, offset: 60) == nil)
    let moment = ISO8601.Moment(seconds: 0, nanoseconds: 0)
    #expect(ISO8601.text(moment, digits: 0, offset: -34_200) == "1969-12-31T14:30:00-09:30")
    #expect(ISO8601.text(moment, digits: 0, offset: 0) == "1970-01-01T00:00:00+00:00")
  }

  @Test func theLibraryWritesTheSame() {
    var random = TestSeed.next()
    let count = TestSeed.count("BOXJOINT_SOAK_CONVERSIONS", default: 20_000)
    let ends = [ISO8601.seconds.lowerBound, ISO8601.seconds.upperBound, 0, -1, 951_782_400]
    let others = (0..<count).lazy.map { _ in Int64.random(in: ISO8601.seconds, using: &random) }
    for seconds in ends + others {
      let moment = ISO8601.Moment(seconds: seconds, nanoseconds: 0)
      let text = libraryText(seconds)
      #expect(ISO8601.text(moment, digits: 0) == text)
      #expect(ISO8601.moment(text) == moment)
    }
  }

  @Test func everyDayIsADay() {
    var day = ISO8601.seconds.lowerBound
    var last = ""
    var isAscending = true
    while day <= ISO8601.seconds.upperBound {
      let moment = ISO8601.Moment(seconds: day, nanoseconds: 0)
      let text = ISO8601.text(moment, digits: 0) ?? ""
      if text <= last || ISO8601.moment(text) != moment { isAscending = false }
      last = text
      day += 86_400
    }
    #expect(isAscending)
    #expect(last == "9999-12-31T00:00:00Z")
  }

  /// RFC 3339, section 5.8, and what is near.
  @Test(arguments: [
    ("1985-04-12T23:20:50.52Z", 482_196_050, 520_000_000),
    ("1996-12-19T16:39:57-08:00", 851_042_397, 0),
    ("1937-01-01T12:00:27.87+00:20", -1_041_337_173, 870_000_000),
    ("1970-01-01 00:00:00z", 0, 0), ("1970-01-01", 0, 0),
    ("2024-02-29T12:00:00.1234567890Z", 1_709_208_000, 123_456_789),
  ])
  func examplesAreRead(_ text: String, _ seconds: Int64, _ nanoseconds: Int64) {
    #expect(
      ISO8601.moment(text) == ISO8601.Moment(seconds: seconds, nanoseconds: nanoseconds))
  }

  @Test(arguments: [
    "", "2024", "2024-02-30", "2023-02-29", "1900-02-29", "2024-13-01", "2024-00-01", "2024-01-00",
    "0000-01-01", "2024-01-01T", "2024-01-01T24:00:00Z", "2024-01-01T00:60:00Z",
    "1990-12-31T23:59:60Z", "2024-01-01T00:00:00", "2024-01-01T00:00:00.Z",
    "2024-01-01T00:00:00.0000000001Z", "2024-01-01T00:00:00+24:00", "2024-01-01T00:00:00+0100",
    "2024-01-01T00:00:00Zx", "+2024-01-01", "２０２４-01-01", "2024-1-1",
  ])
  func whatIsNoDateIsRefused(_ text: String) {
    #expect(ISO8601.moment(text) == nil)
  }

  @Test(arguments: [
    (Int64.min, PropertyType.date), (.max, .date), (253_402_300_800_000, .date),
    (-62_135_596_800_001, .date),
  ])
  func otherYearsAreKeptAsIntegers(_ count: Int64, _ type: PropertyType) throws {
    let catalogue = try Catalogue(["properties": ["E.p": "date"]])
    let converter = try #require(
      try catalogue.converter(entity: "E", property: "p", type: type, flags: []))
    #expect(converter.problem(.integer(count))?.kind == .malformed)
    #expect(try converter.json(.integer(count)) == .int(Int(count)))
    #expect(try converter.stored(.int(Int(count))) == .integer(count))
  }

  @Test func theWholeRangeOfNanosecondsHasATextInAll64Bits() throws {
    let catalogue = try Catalogue(["properties": ["E.p": "date"]])
    let converter = try #require(
      try catalogue.converter(entity: "E", property: "p", type: .dateNano, flags: []))
    #expect(try converter.json(.integer(.min)) == "1677-09-21T00:12:43.145224192Z")
    #expect(try converter.json(.integer(.max)) == "2262-04-11T23:47:16.854775807Z")
    #expect(try converter.stored("1677-09-21T00:12:43.145224192Z") == .integer(.min))
    #expect(throws: ConversionError.self) { try converter.stored("2262-04-11T23:47:16.854775808Z") }
    #expect(throws: ConversionError.self) { try converter.stored("1677-09-21T00:12:43.145224191Z") }
  }
}
