import BoxJSON
import TestSupport
import Testing

/// Values of documents that are written with the digits that were read.
struct ExactValueTests {
  private var options: JSONDocument.Options {
    var options = JSONDocument.Options()
    options.allowsLargeIntegers = true
    return options
  }

  @Test func theTextComesBack() throws {
    var random = TestSeed.next()
    for _ in 0..<TestSeed.count("BOXJOINT_SOAK_DOCUMENTS", default: 10_000) / 10 {
      let text = HardJSON.text(seed: random.next())
      let document = try JSONDocument(parsing: Array(text.utf8), options: options)
      let value = document.exactValue(of: document.root)
      let isSame = value.text(indent: 0).utf8.elementsEqual(text.utf8)
      #expect(isSame, "\(text)")
      // Rounding it is reading it without its digits; large integers are read in no other way.
      let isRounded = value.rounded.isIdentical(to: document.value(of: document.root))
      #expect(isRounded, "\(text)")
      if !isSame || !isRounded { return }
    }
  }

  @Test(
    arguments: [
      ("0", .int(0)), ("-9223372036854775808", .int(.min)), ("18446744073709551615", .uint(.max)),
      ("2.5", .double(2.5)), ("-0.0", .double(-0.0)), ("1e+16", .double(1e16)),
      ("1.7976931348623157e+308", .double(.greatestFiniteMagnitude)), ("-0", .number("-0")),
      ("2.50", .number("2.50")), ("1e16", .number("1e16")), ("1e400", .number("1e400")),
      ("18446744073709551616", .number("18446744073709551616")), ("1E2", .number("1E2")),
    ] as [(String, JSONValue)])
  func aNumberHasDigitsOnlyWhereItNeedsThem(_ text: String, _ value: JSONValue) throws {
    let document = try JSONDocument(parsing: Array(text.utf8), options: options)
    #expect(document.exactValue(of: document.root).isIdentical(to: value))
  }

  @Test func largeIntegersAreNumbersOnly() throws {
    let text = "[18446744073709551616,-9223372036854775809,1]"
    #expect(throws: JSONError.self) { try JSONDocument(parsing: Array(text.utf8)) }
    let document = try JSONDocument(parsing: Array(text.utf8), options: options)
    let elements = document.elements(of: document.root)
    #expect(elements.map { document.isInteger($0) } == [false, false, true])
    #expect(elements.map { document.kind(of: $0) } == [.number, .number, .number])
    let decoder = JSONValueDecoder()
    #expect(decoder.integer(elements[0], in: document, as: UInt64.self) == nil)
    #expect(decoder.double(elements[0], in: document) == 0x1p64)
    #expect(decoder.double(elements[1], in: document) == -0x1p63)
  }

  @Test func identicalIsMoreThanEqual() {
    #expect(JSONValue.double(.nan).isIdentical(to: .double(.nan)))
    #expect(!JSONValue.double(0).isIdentical(to: .double(-0.0)))
    #expect(!JSONValue.string("é").isIdentical(to: .string("e\u{301}")))
    #expect(!JSONValue.number("1.0").isIdentical(to: .number("1.00")))
    #expect(!(["é": 1] as JSONValue).isIdentical(to: ["e\u{301}": 1]))
    #expect(!([1, 2] as JSONValue).isIdentical(to: [1]))
    #expect((["a": [1, "b"]] as JSONValue).isIdentical(to: ["a": [1, "b"]]))
  }
}
