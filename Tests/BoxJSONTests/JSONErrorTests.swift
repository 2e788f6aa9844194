import BoxJSON
import Testing

/// Every defect has its own code and its exact place.
struct JSONErrorTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let text: [UInt8]
    let code: JSONError.Code
    let line: Int
    let column: Int
    var testDescription: String { "\(code) in \(text.prefix(40))" }
  }

  private static func bad(
    _ text: String, _ code: JSONError.Code, _ line: Int, _ column: Int
  ) -> Case {
    Case(text: Array(text.utf8), code: code, line: line, column: column)
  }

  private static func badBytes(_ sequence: [UInt8]) -> Case {
    // An "é" in front: columns count scalars, not bytes.
    Case(
      text: Array("[\n\"é".utf8) + sequence + [0x22, 0x5D], code: .invalidUTF8, line: 2, column: 3)
  }

  static let cases: [Case] = [
    bad("", .empty, 1, 1),
    bad(" \r\n\t\n", .empty, 1, 1),
    bad("\u{FEFF}{}", .byteOrderMark, 1, 1),
    Case(text: [0xFF, 0xFE, 0x7B, 0], code: .byteOrderMark, line: 1, column: 1),
    Case(text: [0xFE, 0xFF, 0, 0x7B], code: .byteOrderMark, line: 1, column: 1),

    bad("{} x", .trailingText, 1, 4),
    bad("1 2", .trailingText, 1, 3),
    bad("[]]", .trailingText, 1, 3),
    bad("nullx", .trailingText, 1, 5),
    bad("{}\n\u{0}", .trailingText, 2, 1),

    bad("{\"a\": 1, \"b\": 2, \"a\": 3}", .duplicateKey, 1, 18),
    bad("[{\"a\":1,\n\"\\u0061\":1}]", .duplicateKey, 2, 1),
    bad("{\"\":1,\"\":2}", .duplicateKey, 1, 7),
    bad("{\"😀\":1,\"\\uD83D\\uDE00\":2}", .duplicateKey, 1, 8),
    bad("{\"a/\":{},\"b\":1,\"a\\/\":[]}", .duplicateKey, 1, 16),

    bad("[01]", .leadingZero, 1, 2),
    bad("[-012]", .leadingZero, 1, 3),
    bad("00", .leadingZero, 1, 1),
    bad("[1.]", .invalidNumber, 1, 4),
    bad("[1.e5]", .invalidNumber, 1, 4),
    bad("[1e]", .invalidNumber, 1, 4),
    bad("[1E+]", .invalidNumber, 1, 5),
    bad("[.5]", .invalidNumber, 1, 2),
    bad("[+1]", .invalidNumber, 1, 2),
    bad("[-]", .invalidNumber, 1, 3),
    bad("[--1]", .invalidNumber, 1, 3),
    bad("1.", .invalidNumber, 1, 3),
    bad("-", .invalidNumber, 1, 2),
    bad("[NaN]", .notANumber, 1, 2),
    bad("[nan]", .notANumber, 1, 2),
    bad("[1, Infinity]", .notANumber, 1, 5),
    bad("[-Infinity]", .notANumber, 1, 2),
    bad("[-inf]", .notANumber, 1, 2),
    bad("[18446744073709551616]", .integerOutOfRange, 1, 2),
    bad("[1, -9223372036854775809]", .integerOutOfRange, 1, 5),
    bad("1" + String(repeating: "0", count: 400), .integerOutOfRange, 1, 1),

    bad("[\"a\tb\"]", .controlCharacter, 1, 4),
    bad("[\"\u{0}\"]", .controlCharacter, 1, 3),
    bad("[\"\u{1F}\"]", .controlCharacter, 1, 3),
    bad("{\"é\u{1}\": 1}", .controlCharacter, 1, 4),
    bad("[\"a\n\"]", .controlCharacter, 1, 4),
    bad("[\"a\r\n\"]", .controlCharacter, 1, 4),

    badBytes([0x80]), badBytes([0xBF]), badBytes([0xC0, 0xAF]), badBytes([0xC1, 0xBF]),
    badBytes([0xC3]), badBytes([0xE0, 0x9F, 0xBF]), badBytes([0xE2, 0x82]),
    badBytes([0xED, 0xA0, 0x80]), badBytes([0xED, 0xBF, 0xBF]), badBytes([0xF0, 0x8F, 0xBF, 0xBF]),
    badBytes([0xF0, 0x9F, 0x98]), badBytes([0xF4, 0x90, 0x80, 0x80]),
    badBytes([0xF5, 0x80, 0x80, 0x80]), badBytes([0xFE]), badBytes([0xFF]),
    Case(text: [0x5B, 0xE9, 0x5D], code: .invalidUTF8, line: 1, column: 2),
    Case(text: [0x22, 0xE2, 0x82], code: .invalidUTF8, line: 1, column: 2),
    Case(text: [0x22, 0x5C, 0xE9, 0x22], code: .invalidUTF8, line: 1, column: 3),

    bad(#"["\ud800"]"#, .loneSurrogate, 1, 3),
    bad(#"["\uDC00"]"#, .loneSurrogate, 1, 3),
    bad(#"["a\ud800b"]"#, .loneSurrogate, 1, 4),
    bad(#"["\ud800\u0041"]"#, .loneSurrogate, 1, 3),
    bad(#"["\ud800\n"]"#, .loneSurrogate, 1, 3),
    bad(#"["\ud800\ud800"]"#, .loneSurrogate, 1, 3),
    bad(#"["\x41"]"#, .invalidEscape, 1, 3),
    bad(#"["a\'"]"#, .invalidEscape, 1, 4),
    bad(#"["\u12G4"]"#, .invalidEscape, 1, 3),
    bad(#"["\u12"]"#, .invalidEscape, 1, 3),
    bad(#"["\U0041"]"#, .invalidEscape, 1, 3),
    bad("[\"\\\n\"]", .invalidEscape, 1, 3),

    bad("[", .unexpectedEnd, 1, 2),
    bad("[1,\n", .unexpectedEnd, 2, 1),
    bad("[1", .unexpectedEnd, 1, 3),
    bad("{", .unexpectedEnd, 1, 2),
    bad("{\"a\"", .unexpectedEnd, 1, 5),
    bad("{\"a\":", .unexpectedEnd, 1, 6),
    bad("{\"a\":1", .unexpectedEnd, 1, 7),
    bad("{\"a\":1,", .unexpectedEnd, 1, 8),
    bad("\"é", .unexpectedEnd, 1, 3),
    bad(#""\"#, .unexpectedEnd, 1, 3),
    bad(#""\u00"#, .unexpectedEnd, 1, 6),
    bad("tru", .unexpectedEnd, 1, 4),

    bad("[1,]", .unexpectedCharacter, 1, 4),
    bad("{\"a\":1,}", .unexpectedCharacter, 1, 8),
    bad("[,]", .unexpectedCharacter, 1, 2),
    bad("[1 2]", .unexpectedCharacter, 1, 4),
    bad("{\"a\" 1}", .unexpectedCharacter, 1, 6),
    bad("{\"a\":1 \"b\":2}", .unexpectedCharacter, 1, 8),
    bad("{a:1}", .unexpectedCharacter, 1, 2),
    bad("{1:1}", .unexpectedCharacter, 1, 2),
    bad("['a']", .unexpectedCharacter, 1, 2),
    bad("[1}", .unexpectedCharacter, 1, 3),
    bad("{\"a\":1]", .unexpectedCharacter, 1, 7),
    bad("[True]", .unexpectedCharacter, 1, 2),
    bad("[truefalse]", .unexpectedCharacter, 1, 6),
    bad("[0x10]", .unexpectedCharacter, 1, 3),
    bad("[1.2.3]", .unexpectedCharacter, 1, 5),
    bad("[1\u{A0}]", .unexpectedCharacter, 1, 3),
    bad("// a\n[]", .unexpectedCharacter, 1, 1),
    bad("[\u{C}]", .unexpectedCharacter, 1, 2),
    bad("\r\r\n\n[é]", .unexpectedCharacter, 4, 2),

    bad("{\n<<<<<<< HEAD\n\"a\":1\n=======\n\"a\":2\n>>>>>>> x\n}", .conflictMarkers, 2, 1),
    bad("[x\r\n<<<<<<<\r\n", .conflictMarkers, 2, 1),
    bad("<<<<<<<<<<<<<< a\n", .conflictMarkers, 1, 1),
    bad("=======\n[1]\n<<<<<<< a\n", .conflictMarkers, 3, 1),
    bad("{\n=======\n}", .conflictMarkers, 2, 1),
    bad("{\n>>>>>>> topic\n}", .conflictMarkers, 2, 1),
    bad("{\n||||||| base\n}", .conflictMarkers, 2, 1),
    bad("{\n<<<<<< six\n}", .unexpectedCharacter, 2, 1),
    bad("{\n<<<<<<<glued\n}", .unexpectedCharacter, 2, 1),
    bad("{\n <<<<<<< indented\n}", .unexpectedCharacter, 2, 2),
    // Half a file whose keys are twice there: what the parse trips over does not matter.
    bad("{\"a\":1,\"a\":1}\n<<<<<<< HEAD\n", .conflictMarkers, 2, 1),

    bad(String(repeating: "[", count: 129), .nestingTooDeep, 1, 129),
    bad(String(repeating: "{\"a\":", count: 128) + "{}", .nestingTooDeep, 1, 641),
  ]

  @Test(arguments: cases)
  func hasItsCodeAndPlace(of bad: Case) throws {
    let error = try #require(throws: JSONError.self) { try JSONDocument(parsing: bad.text) }
    #expect(error.code == bad.code, "\(error.message)")
    #expect(error.position == JSONPosition(line: bad.line, column: bad.column), "\(error)")
    #expect(0...bad.text.count ~= error.offset)
    #expect(!error.message.isEmpty)
    #expect(!error.message.hasSuffix("."))
    #expect(error.message.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
  }

  @Test func aTextOfTwoGibibytesIsTooLarge() throws {
    // The memory is asked for and never touched: the size is looked at first.
    let size = Int(Int32.max)
    let text = [UInt8](unsafeUninitializedCapacity: size) { _, count in count = size }
    let error = try #require(throws: JSONError.self) { try JSONDocument(parsing: text) }
    #expect(error.code == .tooLarge)
    #expect(error.position == JSONPosition(line: 1, column: 1))
  }

  @Test func everyCodeButTooLargeHasACase() {
    let covered = Set(Self.cases.map(\.code))
    #expect(Set(JSONError.Code.allCases).subtracting(covered) == [.tooLarge])
  }

  @Test(arguments: [
    ("[1 x]", #"Expected "," or "]", found "x""#),
    ("{\"a\":1 \u{1B}[31m}", #"Expected "," or "}", found U+001B"#),
    ("[\u{202E}]", "Expected a value, found U+202E"),
    ("{\"a\" é", #"Expected ":" after the key, found "é""#),
    ("[True]", #"Expected a value, found "True""#),
    ("{'a': 1}", #"Expected a key in quotes or "}", found "'""#),
    ("{\"a\n", "A string ends at the end of the line without its closing quote"),
    ("[\"\u{7}\"]", "The control character U+0007 must be escaped"),
    (
      "{\"a\\u0007\":1,\n\"a\\u0007\":1}",
      #"The key "a<U+0007>" occurs twice in the object, first in line 1"#
    ),
  ])
  func saysWhatItExpectedAndFound(text: String, message: String) throws {
    let error = try #require(throws: JSONError.self) { try JSONDocument(parsing: Array(text.utf8)) }
    #expect(error.message == message)
  }

  @Test func aTextWithMarkersInsideOfStringsParses() throws {
    _ = try JSONDocument(parsing: Array(#"["<<<<<<< HEAD", "======="]"#.utf8))
  }

  @Test func everyPrefixOfATextIsRefused() throws {
    let text = Array(#"{"a": [1.5e3, "é\ud83d\ude00", {"b": null}], "c": true}"#.utf8)
    _ = try JSONDocument(parsing: text)
    for length in 0..<text.count {
      let error = try #require(throws: JSONError.self) {
        try JSONDocument(parsing: Array(text[..<length]))
      }
      #expect(error.offset <= length)
    }
  }
}
