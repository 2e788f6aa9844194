import BoxConvert
import BoxJSON
import BoxModel
import Testing

/// Numbers of JSON that was not made for the model, as their digits say.
struct NumberFormTests {
  private func converter(
    _ definition: JSONValue, _ type: PropertyType, _ flags: PropertyFlags = []
  ) throws -> BoundConverter {
    let catalogue = try Catalogue(["properties": ["E.p": definition]])
    return try #require(
      try catalogue.converter(entity: "E", property: "p", type: type, flags: flags))
  }

  private func stored(_ text: String, _ converter: BoundConverter) -> Value? {
    try? converter.stored(parsing: Array(text.utf8))
  }

  @Test(
    arguments: [
      ("12", 1200), ("12.5", 1250), ("12.50", 1250), ("\"12.50\"", 1250), ("-0.01", -1),
      ("1e1", 1000), ("12.505", nil), ("{\"raw\":12}", 12), ("92233720368547758.07", Int64.max),
      ("92233720368547758.08", nil), ("90071992547409.93", 9_007_199_254_740_993), ("true", nil),
    ] as [(String, Int64?)])
  func aBareNumberIsTheNumberThatItSays(_ text: String, _ value: Int64?) throws {
    let price = try converter(["type": "decimal", "scale": 2], .long)
    #expect(stored(text, price) == value.map { .integer($0) })
    let prices = try converter(
      ["type": "list", "of": ["type": "decimal", "scale": 2]], PropertyType(rawValue: 27))
    #expect(stored("[\(text)]", prices) == value.map { .integers([$0]) })
  }

  @Test(
    arguments: [
      ("1.10", "1.10"), ("1", "1"), ("-0", "-0"), ("1e400", "1e400"), ("\"1.10\"", "1.10"),
      ("12345678901234567890.123", "12345678901234567890.123"), ("\"1,5\"", nil), ("[1]", nil),
    ] as [(String, String?)])
  func aTextKeepsTheDigitsOfANumber(_ text: String, _ value: String?) throws {
    #expect(stored(text, try converter("decimal", .string)) == value.map { .string($0) })
  }

  /// Raw values and counts are integers in each spelling, and are never rounded.
  @Test func integersInEachSpelling() throws {
    let role = try converter(
      ["type": "enum", "values": ["a": 0, "b": 9_007_199_254_740_993]], .long)
    #expect(stored("9007199254740993.0", role) == 9_007_199_254_740_993)
    #expect(stored("0.9999999999999999999", role) == nil)
    let seconds = try converter(["type": "date", "as": "seconds"], .date)
    #expect(stored("1.7e9", seconds) == 1_700_000_000_000)
    #expect(stored("1700000000.5", seconds) == nil)
    let date = try converter("date", .date)
    #expect(stored("9007199254740993.0", date) == 9_007_199_254_740_993)
    #expect(stored("4503599627370497.5", date) == nil)
  }

  /// Half way between two floats, a little above: by way of a double it would be rounded down.
  @Test func floatsAreRoundedOnce() throws {
    let type = try #require(StoredType(.float))
    let json = JSONValue.number("1.00000017881393432617187501")
    #expect(PlainForm.stored(json, as: type) == .float(Float(bitPattern: 0x3F80_0002)))
  }
}
