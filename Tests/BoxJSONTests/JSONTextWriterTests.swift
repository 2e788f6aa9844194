import BoxJSON
import Testing

/// Strings are escaped as each generator does it, numbers read back as they were.
struct JSONTextWriterTests {
  private func written(_ string: String, _ escaping: JSONEscaping) -> String {
    var writer = JSONTextWriter(escaping: escaping)
    writer.append(string: string)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  // The rows of "String escaping" of the format's description.
  @Test(arguments: [
    (JSONEscaping.minimal, "\"\\\"\\\\/\\n\\r\t\u{8}\u{1}<>&é\u{2028}😀\u{7F}\""),
    (.standard, "\"\\\"\\\\/\\n\\r\\t\\b\\u0001<>&é\u{2028}😀\u{7F}\""),
    (.standardAndLineSeparators, "\"\\\"\\\\/\\n\\r\\t\\b\\u0001<>&é\\u2028😀\u{7F}\""),
    (.html, "\"\\\"\\\\/\\n\\r\\t\\b\\u0001\\u003c\\u003e\\u0026é\\u2028😀\u{7F}\""),
    (.ascii, "\"\\\"\\\\/\\n\\r\\t\\b\\u0001<>&\\u00e9\\u2028\\ud83d\\ude00\\u007f\""),
  ])
  func escapesAsTheGeneratorsDo(escaping: JSONEscaping, text: String) {
    #expect(written("\"\\/\n\r\t\u{8}\u{1}<>&é\u{2028}😀\u{7F}", escaping) == text)
  }

  @Test func escapesLineSeparatorsAndNothingNearThem() {
    let near = "\u{2027}\u{2028}\u{2029}\u{202A}\u{2068}\u{2E28}"
    let expected = "\"\u{2027}\\u2028\\u2029\u{202A}\u{2068}\u{2E28}\""
    #expect(written(near, .html) == expected)
    #expect(written(near, .standardAndLineSeparators) == expected)
    #expect(written(near, .standard) == "\"\(near)\"")
  }

  private static let all: [UInt8] = {
    var bytes: [UInt8] = []
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value), let encoded = UTF8.encode(scalar) else { continue }
      bytes.append(contentsOf: encoded)
    }
    return bytes
  }()

  /// The characters that the generator for Swift writes so that they read back, if raw tabs are
  /// allowed.
  private static let printable = all.filter { $0 >= 0x20 || [0x09, 0x0A, 0x0D].contains($0) }

  @Test(arguments: JSONEscaping.allCases)
  func everyScalarReadsBack(escaping: JSONEscaping) throws {
    var options = JSONDocument.Options()
    options.allowsRawTabs = true
    let all = String(decoding: escaping == .minimal ? Self.printable : Self.all, as: UTF8.self)
    var writer = JSONTextWriter(escaping: escaping)
    writer.append(string: all)
    let document = try JSONDocument(parsing: writer.bytes, options: options)
    // A million scalars are too many for a message.
    let isKept = document.key(document.root).utf8.elementsEqual(all.utf8)
    let decoded = JSONValueDecoder().string(document.root, in: document) ?? ""
    let isDecoded = decoded.utf8.elementsEqual(all.utf8)
    #expect(isKept)
    #expect(isDecoded)
    if escaping == .ascii { #expect(writer.bytes.allSatisfy { $0 < 0x7F }) }
  }

  @Test(arguments: [
    (0.1, "0.1"), (-0.0, "-0.0"), (1.0, "1.0"), (1e300, "1e+300"),
    (.leastNonzeroMagnitude, "5e-324"),
    (.nan, "\"NaN\""), (.infinity, "\"Infinity\""), (-.infinity, "\"-Infinity\""),
  ])
  func writesDoubles(value: Double, text: String) {
    #expect(JSONValue.double(value).text() == text)
  }

  @Test func writesIntegersOfEveryWidth() {
    var writer = JSONTextWriter()
    writer.append(integer: UInt64.max)
    writer.append(byte: UInt8(ascii: " "))
    writer.append(integer: Int64.min)
    writer.append(raw: [UInt8(ascii: " ")])
    writer.append(integer: Int8(-1))
    #expect(writer.bytes == Array("18446744073709551615 -9223372036854775808 -1".utf8))
  }

  @Test func printsReports() {
    let value: JSONValue = [
      "z": 1, "a": [true, nil, 2.5, "x"], "empty": [], "none": [:], "nested": ["k": [["m": -1]]],
    ]
    let expected = """
      {
        "z": 1,
        "a": [
          true,
          null,
          2.5,
          "x"
        ],
        "empty": [],
        "none": {},
        "nested": {
          "k": [
            {
              "m": -1
            }
          ]
        }
      }
      """
    #expect(value.text() == expected)
    #expect(
      value.text(indent: 0)
        == #"{"z":1,"a":[true,null,2.5,"x"],"empty":[],"none":{},"nested":{"k":[{"m":-1}]}}"#)
  }
}
