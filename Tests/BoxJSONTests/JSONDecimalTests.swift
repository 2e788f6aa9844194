import BoxJSON
import Testing

/// Numbers as their text says, which no double holds.
struct JSONDecimalTests {
  @Test(
    arguments: [
      ("0", 0, 0), ("-0", 0, 0), ("0.000e9", 0, 0), ("12", 12, 1200), ("12.5", nil, 1250),
      ("12.50", nil, 1250), ("12.505", nil, nil), ("-1.10", nil, -110), ("1e3", 1000, 100_000),
      ("1200e-2", 12, 1200), ("1e-2", nil, 1), ("1E+2", 100, 10_000), ("1e-400", nil, nil),
      ("1e400", nil, nil), ("0e400", 0, 0),
      ("9007199254740993.0", 9_007_199_254_740_993, 900_719_925_474_099_300),
      ("4503599627370497.5", nil, 450_359_962_737_049_750),
      ("0.9999999999999999999", nil, nil),
      ("170141183460469231731687303715884105727", Int128.max, nil),
      ("170141183460469231731687303715884105728", nil, nil),
      ("-170141183460469231731687303715884105728", Int128.min, nil),
      ("-170141183460469231731687303715884105729", nil, nil),
      ("1e99999999999999999999999999", nil, nil), ("1e-99999999999999999999999999", nil, nil),
    ] as [(String, Int128?, Int128?)])
  func integers(_ text: String, _ integer: Int128?, _ hundredths: Int128?) throws {
    let number = try #require(JSONDecimal(text))
    #expect(number.integer() == integer)
    #expect(number.integer(scale: 2) == hundredths)
    #expect(number.isNegative == text.hasPrefix("-"))
  }

  @Test(
    arguments: [
      ("0", 0, true), ("12.5", 12, false), ("-12.5", -13, false), ("-12", -12, true),
      ("1e2", 100, true),
      ("0.001", 0, false), ("-0.001", -1, false), ("1e-400", 0, false), ("-1e-400", -1, false),
      ("4503599627370497.5", 4_503_599_627_370_497, false),
      ("99999999999.9", 99_999_999_999, false), ("1e19", 1 << 60, true),
      ("-10000000000000000000.5", -1 << 60, true), ("1e400", 1 << 60, true),
      ("-1e400", -1 << 60, true),
    ] as [(String, Int128, Bool)])
  func floors(_ text: String, _ integer: Int128, _ isExact: Bool) throws {
    let floor = try #require(JSONDecimal(text)).floor(limit: 1 << 60)
    #expect(floor.integer == integer && floor.isExact == isExact, "\(floor)")
  }

  @Test(arguments: [
    "", "-", "+1", "01", "-01", "1.", ".5", "1e", "1e+", "1.e3", "0x1", "1 ", " 1", "NaN", "1_0",
    "1e1.0",
  ])
  func whatIsNotANumber(_ text: String) {
    #expect(JSONDecimal(text) == nil)
  }

  /// A text of a megabyte takes no longer for its exponent, and holds no integer of 128 bits.
  @Test func longTexts() throws {
    let zeros = String(repeating: "0", count: 1 << 20)
    #expect(try #require(JSONDecimal("1" + zeros)).integer() == nil)
    #expect(try #require(JSONDecimal("1.\(zeros)")).integer() == 1)
    #expect(try #require(JSONDecimal("1\(zeros)e-1048576")).integer() == 1)
    #expect(try #require(JSONDecimal("0.\(zeros)1e1048577")).integer() == 1)
    #expect(try #require(JSONDecimal("0.\(zeros)1")).integer() == nil)
  }
}
