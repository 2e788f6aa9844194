import BoxConvert
import BoxJSON
import BoxModel
import TestSupport
import Testing

/// Texts that are JSON are shown as what they say, with all digits.
struct JSONTextTests {
  private let count = TestSeed.count("BOXJOINT_SOAK_CONVERSIONS", default: 5000)

  private func converter(
    _ definition: JSONValue, _ type: PropertyType = .string
  ) throws -> BoundConverter {
    let catalogue = try Catalogue(["properties": ["E.p": definition]])
    return try #require(
      try catalogue.converter(entity: "E", property: "p", type: type, flags: []))
  }

  private func bytes(_ json: JSONValue) -> [UInt8] { Array(json.text(indent: 0).utf8) }

  /// The form of a text is the text, and from its bytes, as from the form, comes the text.
  @Test func everyTextKeepsItsDigits() throws {
    var random = TestSeed.next()
    let strict = try converter(["type": "json", "malformed": "fail"])
    let loose = try converter(["type": "json", "exact": false, "malformed": "fail"])
    let chain = try converter(
      ["type": "chain", "of": ["text", "json"], "malformed": "fail"], .byteVector)
    let list = try converter(["type": "list", "malformed": "fail"])
    let progress = SoakProgress("BOXJOINT_SOAK_CONVERSIONS", of: 10)
    let clock = ContinuousClock()
    var start = clock.now
    for number in 1...max(1, count) {
      if number % max(1, count / 10) == 0 {
        progress.finish("JSON text: \(number) texts", clock.now - start)
        start = clock.now
      }
      let text = HardJSON.text(seed: random.next())
      let utf8 = Array(text.utf8)
      var cases: [(BoundConverter, Value)] = [
        (strict, .string(text)), (loose, .string(text)), (chain, .bytes(utf8)),
      ]
      if text.hasPrefix("[") { cases.append((list, .string(text))) }
      for (converter, stored) in cases {
        let form = try converter.json(stored)
        let isRight =
          try bytes(form) == utf8 && converter.stored(parsing: utf8).isIdentical(to: stored)
          && converter.stored(form).isIdentical(to: stored) && converter.problem(stored) == nil
        #expect(isRight, "\(text)")
        if !isRight { return }
      }
    }
  }

  @Test func elementsKeepTheirDigits() throws {
    var random = TestSeed.next()
    let converter = try converter(
      ["type": "list", "of": "json", "malformed": "fail"], PropertyType(rawValue: 30))
    for _ in 0..<count / 10 {
      let texts = (0..<random.below(4)).map { _ in HardJSON.text(seed: random.next()) }
      let shown = Array("[\(texts.joined(separator: ","))]".utf8)
      #expect(try bytes(converter.json(.strings(texts))) == shown)
      #expect(try converter.stored(parsing: shown).isIdentical(to: .strings(texts)))
    }
  }

  @Test(arguments: HardJSON.numbers)
  func aNumberAloneKeepsItsDigits(_ number: String) throws {
    let converter = try converter("json")
    #expect(try bytes(converter.json(.string(number))) == Array(number.utf8))
    #expect(try converter.stored(parsing: Array(number.utf8)).isIdentical(to: .string(number)))
  }

  /// A text that would come back with other bytes is malformed, and kept as text unless a policy
  /// differs.
  @Test(arguments: [HardJSON.Spelling.spaced, .escaped])
  func anotherSpellingIsMalformed(_ spelling: HardJSON.Spelling) throws {
    var random = TestSeed.next()
    let kept = try converter("json")
    let strict = try converter(["type": "json", "malformed": "fail"])
    let null = try converter(["type": "json", "malformed": "null"])
    let loose = try converter(["type": "json", "exact": false, "malformed": "fail"])
    for _ in 0..<count / 10 {
      let seed = random.next()
      let text = HardJSON.text(seed: seed, spelling)
      let form = try kept.json(.string(text))
      #expect(form.isIdentical(to: ["raw": .string(text)]))
      #expect(try kept.stored(parsing: bytes(form)).isIdentical(to: .string(text)))
      #expect(strict.problem(.string(text))?.kind == .malformed)
      #expect(throws: ConversionError.self) { try strict.json(.string(text)) }
      #expect(try null.json(.string(text)) == .null)
      // The spelling is lost where that is allowed, and nothing else.
      let shown = try bytes(loose.json(.string(text)))
      let usual = Array(HardJSON.text(seed: seed).utf8)
      if spelling == .spaced { #expect(shown == usual) }
      let back = try loose.stored(parsing: shown)
      #expect(back.isIdentical(to: .string(String(decoding: shown, as: UTF8.self))))
      #expect(try bytes(loose.json(back)) == shown)
    }
  }

  @Test func textThatIsNotJSONIsKeptAsText() throws {
    var random = TestSeed.next()
    for definition: JSONValue in ["json", ["type": "json", "exact": false], "list"] {
      let kept = try converter(definition)
      for _ in 0..<count / 10 {
        let text = HardJSON.malformed(&random)
        let form = try kept.json(.string(text))
        #expect(kept.problem(.string(text))?.kind == .malformed)
        #expect(try kept.stored(parsing: bytes(form)).isIdentical(to: .string(text)), "\(text)")
      }
    }
  }

  /// White space of a formatter in the JSON is not part of what is stored.
  @Test func anyLayoutOfTheFormIsTaken() throws {
    var random = TestSeed.next()
    let converter = try converter("json")
    for _ in 0..<count / 10 {
      let seed = random.next()
      let spaced = Array(HardJSON.text(seed: seed, .spaced).utf8)
      let usual = Value.string(HardJSON.text(seed: seed))
      #expect(try converter.stored(parsing: spaced).isIdentical(to: usual))
    }
  }

  /// Converters that do not read JSON text get numbers by their values.
  @Test func othersGetTheValuesOfNumbers() throws {
    struct Echo: JSONConverter {
      func json(_ stored: Value) throws(ConversionError) -> JSONValue { "" }

      func stored(_ json: JSONValue) throws(ConversionError) -> Value {
        guard case .array(let elements) = json else { return .null }
        return .strings(elements.map { "\($0)" })
      }
    }
    var registry = ConverterRegistry()
    registry["echo"] = Echo()
    let catalogue = try Catalogue(
      ["properties": ["E.p": ["type": "registered", "name": "echo"]]], registry: registry)
    let converter = try #require(
      try catalogue.converter(
        entity: "E", property: "p", type: PropertyType(rawValue: 30), flags: []))
    let expected: [JSONValue] = [.double(1.1), .int(0), .double(1e3), .double(.infinity), .int(7)]
    let digits: [JSONValue] = [
      .number("1.10"), .number("-0"), .number("1e3"), .number("1e400"), .int(7),
    ]
    #expect(try converter.stored(.array(digits)) == .strings(expected.map { "\($0)" }))
    let double = try #require(StoredType(.double))
    #expect(PlainForm.stored(.number("1.10"), as: double) == .double(1.1))
    #expect(PlainForm.stored(.number("1e400"), as: double) == nil)
  }
}
