import BoxEngine
import BoxModel
import TestSupport
import Testing

@testable import BoxDump

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

#if canImport(Glibc)
  /// A locale whose decimals begin with a comma.
  private enum CommaLocale {
    static var isAvailable: Bool {
      guard let locale = make() else { return false }
      freelocale(locale)
      return true
    }

    /// Makes the locale; nil if the system has none of some.
    static func make() -> locale_t? {
      for name in ["de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fr_FR", "da_DK.UTF-8", "pl_PL.UTF-8"] {
        if let locale = newlocale(1 << LC_NUMERIC, name, nil) { return locale }
      }
      return nil
    }
  }
#endif

/// Numbers are read to the nearest value, however they are written.
struct NumberTests {
  @Test func numbersWithFractions() throws {
    var random = TestSeed.next()
    var texts = [
      "0", "-0", "-0.0", "0e5", "1E+2", "1e-400", "9007199254740993", "9007199254740993.0",
      "179769313486231570000000000000000000000", "16777217", "0.1",
      "1.00000017881393432617187500",
      "1.00000017881393432617187499", "1.00000017881393432617187501", "7.038531e-26",
      "1.1754943508222875e-38", "4.9406564584124654e-324", "33554431.0", "8.589934593e9",
    ]
    for _ in 0..<TestSeed.count("BOXJOINT_SOAK_NUMBERS", default: 2000) {
      texts.append(Self.text(&random))
    }
    let fixture = try ImportFixture()
    let store = try fixture.open("store")
    let lines = texts.enumerated().map { number, text in
      "{\"id\":\(number + 1),\"double\":\(text),\"float\":\(text)}\n"
    }
    try fixture.load(text: lines.joined(), into: store) { $0.entity = "Everything" }
    try store.read { transaction in
      let everything = try store.entity(named: "Everything")
      for (number, text) in texts.enumerated() {
        let object = try #require(try transaction.get(everything, UInt64(number + 1)))
        guard case .double(let double) = object["double"],
          case .float(let float) = object["float"]
        else {
          Issue.record("\(text) is not a number")
          continue
        }
        #expect(double.bitPattern == strtod(text, nil).bitPattern, "\(text)")
        #expect(float.bitPattern == strtof(text, nil).bitPattern, "\(text)")
      }
    }
  }

  #if canImport(Glibc)
    /// The locale is that of the thread alone, so that no other test has it.
    @Test(.enabled(if: CommaLocale.isAvailable, "no locale has decimals with a comma"))
    func theLocaleDoesNotMatter() throws {
      let locale = try #require(CommaLocale.make())
      let previous = uselocale(locale)
      defer {
        uselocale(previous)
        freelocale(locale)
      }
      #expect(strtod("1.5e1", nil) == 1, "the locale is in force")
      let halfway = "1.00000017881393432617187501"
      let cases: [(text: String, form: ImportField.Form, type: SlotType, bits: UInt64)] = [
        ("1.5e1", .double, .double, 0x402E_0000_0000_0000), ("1.5e1", .float, .float, 0x4170_0000),
        (halfway, .float, .float, 0x3F80_0002), ("1.5e1", .int64, .int64, 15),
      ]
      for (text, form, type, bits) in cases {
        let scanner = ObjectScanner(
          [ImportField(key: "value", form: form, position: 0, slot: 0, type: type)],
          ignoresUnknown: false)
        let object = Array("{\"value\":\(text)}".utf8)
        try PaddedBytes.withPadding(object) { text throws in
          try scanner.scan(text, from: 0, end: object.count)
        }
        #expect(scanner.values[0].bits == bits, "\(text) as \(form)")
      }
    }
  #endif

  /// Digits in any number, with a fraction and an exponent or without, within the range of floats;
  /// often half way between two floats.
  private static func text(_ random: inout SplitMix64) -> String {
    if random.oneIn(4) {
      let float = Float(bitPattern: UInt32(random.below(0x7F00_0000)))
      return "\((Double(float) + Double(float.nextUp)) / 2)"
    }
    var text = random.oneIn(2) ? "-" : ""
    text += random.oneIn(3) ? "0" : "\(1 + random.below(9))" + digits(random.below(20), &random)
    if random.oneIn(2) { text += "." + digits(1 + random.below(20), &random) }
    if random.oneIn(3) { text += "e\(random.below(30) - 15)" }
    return text
  }

  private static func digits(_ count: Int, _ random: inout SplitMix64) -> String {
    (0..<count).map { _ in "\(random.below(10))" }.joined()
  }

  @Test func integers() throws {
    let fixture = try ImportFixture()
    let store = try fixture.open("store")
    let texts: [(String, Int64)] = [
      ("9223372036854775807", .max), ("-9223372036854775808", .min), ("1e3", 1000), ("2.0", 2),
      ("-0", 0), ("\"-5\"", -5), ("\"9223372036854775807\"", .max),
      ("1234567890123456789", 1_234_567_890_123_456_789),
      // Beyond 2^53 a double holds every second integer at best.
      ("9007199254740993.0", 9_007_199_254_740_993), ("9007199254740994.0", 9_007_199_254_740_994),
      ("1e16", 10_000_000_000_000_000), ("1E+18", 1_000_000_000_000_000_000),
      ("9.223372036854775807e18", .max), ("-92233720368547758.08e2", .min), ("1200e-2", 12),
      ("0e99999999999999999999", 0), ("0.000e-5", 0), ("-0.0", 0),
    ]
    let lines = texts.enumerated().map { "{\"id\":\($0 + 1),\"long\":\($1.0)}\n" }
    try fixture.load(text: lines.joined(), into: store) { $0.entity = "Everything" }
    try store.read { transaction in
      let everything = try store.entity(named: "Everything")
      for (number, (text, value)) in texts.enumerated() {
        let object = try transaction.get(everything, UInt64(number + 1))
        #expect(object?["long"] == .integer(value), "\(text)")
      }
    }
    for text in [
      "9223372036854775808", "-9223372036854775809", "99999999999999999999", "1.5", "1e19", "--1",
      "+1", "1.", ".5", "0x1", "\"\"", "\"1.0\"", "\" 1\"", "true", "[]",
      "4503599627370497.5", "0.9999999999999999999", "1e-400", "2147483647.0000001",
      "9223372036854775807.5", "9223372036854775808.0", "1e99999999999999999999", "1201e-2",
    ] {
      let refusal = try fixture.refusal("{\"id\":99,\"long\":\(text)}", into: store) {
        $0.entity = "Everything"
      }
      // The 0 of 0x1 is a number.
      #expect(refusal?.column == (text == "0x1" ? 18 : 17), "\(text)")
    }
  }

  /// An integer is taken in each spelling, and one that is off by the least fraction in none.
  @Test func spellingsOfIntegers() throws {
    var random = TestSeed.next()
    let fixture = try ImportFixture()
    let store = try fixture.open("store")
    var expected: [(text: String, value: Int64)] = []
    var refused: [String] = []
    for _ in 0..<TestSeed.count("BOXJOINT_SOAK_NUMBERS", default: 2000) {
      let value = Int64(bitPattern: random.next()) >> random.below(64)
      let digits = "\(value.magnitude)"
      let sign = value < 0 ? "-" : ""
      let point = 1 + random.below(digits.utf8.count)
      let (whole, fraction) = (digits.prefix(point), digits.dropFirst(point))
      let zeros = String(repeating: "0", count: random.below(25))
      expected.append(
        (
          "\(sign)\(whole).\(fraction)0\(zeros)e\(fraction.utf8.count)", value
        ))
      refused.append("\(sign)\(digits).\(zeros)1")
      refused.append("\(sign)\(whole).\(fraction)\(zeros)1e\(fraction.utf8.count)")
    }
    let lines = expected.enumerated().map { "{\"id\":\($0 + 1).0,\"long\":\($1.text)}\n" }
    try fixture.load(text: lines.joined(), into: store) { $0.entity = "Everything" }
    try store.read { transaction in
      let everything = try store.entity(named: "Everything")
      for (number, (text, value)) in expected.enumerated() {
        let object = try transaction.get(everything, UInt64(number + 1))
        #expect(object?["long"] == .integer(value), "\(text)")
      }
    }
    let rejects = refused.map { "{\"long\":\($0)}\n" }.joined()
    let summary = try fixture.load(text: rejects, into: store) {
      $0.entity = "Everything"
      $0.maximumErrors = .max
    }
    #expect(summary.rejected == refused.count)
  }
}
