import BoxJSON
import TestSupport
import Testing

/// Single values come out exactly as the text has them.
struct JSONValueDecoderTests {
  private let decoder = JSONValueDecoder()

  private func parse(_ text: String) throws -> JSONDocument {
    var options = JSONDocument.Options()
    options.allowsRawTabs = true
    return try JSONDocument(parsing: Array(text.utf8), options: options)
  }

  @Test(arguments: [
    (#""""#, ""), (#""a""#, "a"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
    (#""é€😀""#, "é€😀"), (#""\u00e9\u20AC\ud83d\ude00""#, "é€😀"), (#""a\u0000b""#, "a\u{0}b"),
    (#""\u0000""#, "\u{0}"), ("\"a\tb\"", "a\tb"), ("\"\\\\\t\\t\"", "\\\t\t"),
    (#""\ud836\udc00\ud836\udfff\uDBFF\uDFFF""#, "\u{1D800}\u{1DBFF}\u{10FFFF}"),
    (#""\uFFFF\uFEFF""#, "\u{FFFF}\u{FEFF}"),
  ])
  func readsStrings(text: String, value: String) throws {
    let document = try parse(text)
    let string = try #require(decoder.string(document.root, in: document))
    #expect(Array(string.utf8) == Array(value.utf8))
    #expect(document.key(document.root).utf8.elementsEqual(value.utf8))
  }

  @Test func readsALongString() throws {
    let long = String(repeating: "aé\u{0}😀", count: 300_000)
    let document = try parse(JSONValue.string(long).text())
    #expect(decoder.string(document.root, in: document) == long)
  }

  @Test func readsIntegersOfEveryWidth() throws {
    func check<T: FixedWidthInteger & Sendable>(_ type: T.Type) throws {
      for value in [T.min, T.max, 0, 1, T.max / 3] {
        let document = try parse("\(value)")
        #expect(decoder.integer(document.root, in: document, as: T.self) == value)
      }
      for text in ["\(T.max)0", "\(T.max)", "-1", "-\(T.max)"] {
        guard let document = try? parse(text) else { continue }
        #expect(decoder.integer(document.root, in: document, as: T.self) == T(text))
      }
    }
    try check(Int64.self)
    try check(UInt64.self)
    try check(Int.self)
    try check(Int32.self)
    try check(UInt16.self)
    try check(Int8.self)
  }

  @Test func readsNegativeZero() throws {
    let document = try parse("-0")
    #expect(decoder.integer(document.root, in: document, as: Int.self) == 0)
    #expect(decoder.double(document.root, in: document)?.sign == .minus)
  }

  @Test(arguments: ["1.0", "1e2", "\"1\"", "true", "null", "[1]", "{}"])
  func isNoInteger(text: String) throws {
    let document = try parse(text)
    #expect(decoder.integer(document.root, in: document, as: Int.self) == nil)
  }

  @Test(arguments: [
    ("0.1", 0.1), ("-0.0", -0.0), ("5e-324", .leastNonzeroMagnitude), ("2e-324", 0),
    ("-1e-400", -0.0),
    ("1.7976931348623157e308", .greatestFiniteMagnitude), ("9007199254740993", 9007199254740992),
    ("9007199254740993.0", 9007199254740992), ("18446744073709551615", 18446744073709551616),
    ("-9223372036854775808", -9223372036854775808), ("1E+2", 100),
    ("2.2250738585072011e-308", .init(bitPattern: 0x000F_FFFF_FFFF_FFFF)),
  ])
  func readsDoubles(text: String, value: Double) throws {
    let document = try parse(text)
    #expect(decoder.double(document.root, in: document)?.bitPattern == value.bitPattern)
  }

  @Test func aNumberAboveEveryDoubleIsRefused() throws {
    let document = try parse("[1e400, -1e400]")
    for node in document.elements(of: document.root) {
      #expect(decoder.double(node, in: document) == nil)
    }
  }

  @Test func readsDoublesOfAllBitPatterns() throws {
    var random = TestSeed.next()
    for _ in 0..<20_000 {
      let value = Double(bitPattern: random.next())
      guard value.isFinite else { continue }
      let document = try parse(JSONValue.double(value).text())
      try #require(decoder.double(document.root, in: document)?.bitPattern == value.bitPattern)
    }
  }

  @Test func readsTruthValuesAndNothingElse() throws {
    let document = try parse(#"[true, false, null, "true", 1]"#)
    let nodes = document.elements(of: document.root)
    #expect(nodes.map { decoder.bool($0, in: document) } == [true, false, nil, nil, nil])
    #expect(nodes.map { decoder.string($0, in: document) } == [nil, nil, nil, "true", nil])
    #expect(nodes.map { decoder.double($0, in: document) } == [nil, nil, nil, nil, 1])
  }
}
