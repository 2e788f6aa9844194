import BoxReport
import Testing

struct EscapedForDisplayTests {
  @Test(arguments: [
    ("plain", "plain"),
    ("two\nlines\r\n\ttab", #"two\nlines\r\n\ttab"#),
    ("\u{1B}[31mred", #"\u001b[31mred"#),
    ("\0\u{7F}\u{80}\u{9F}", #"\u0000\u007f\u0080\u009f"#),
    (
      "\u{202A}\u{202E}\u{2066}\u{2069}\u{200E}\u{200F}\u{61C}",
      #"\u202a\u202e\u2066\u2069\u200e\u200f\u061c"#
    ),
    ("\u{2028}\u{2029}", #"\u2028\u2029"#),
    ("Käfer 日本 🐻‍❄️ \u{A0}", "Käfer 日本 🐻‍❄️ \u{A0}"),
    (#"back\slash"#, #"back\slash"#),
    ("", ""),
  ])
  func writesOutControlCharacters(text: String, expected: String) {
    #expect(text.escapedForDisplay == expected)
  }

  @Test func escapesAControlCharacterThatACombiningMarkFollows() {
    #expect("\n\u{301}".escapedForDisplay == "\\n\u{301}")
  }

  @Test func escapesEveryScalarThatUnicodeCallsAControlOrABidiControl() {
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let properties = scalar.properties
      let isHazardous =
        [.control, .lineSeparator, .paragraphSeparator].contains(properties.generalCategory)
        || properties.isBidiControl
      if scalar.isHazardousForDisplay != isHazardous {
        Issue.record("U+\(String(value, radix: 16))")
      }
    }
  }

  @Test(arguments: UInt64(1)...20)
  func isIdempotentAndLeavesNothingHazardous(seed: UInt64) {
    var random = SeededGenerator(state: seed)
    for _ in 0..<200 {
      var text = ""
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        let value = UInt32.random(in: 0...0x20FF, using: &random)
        if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
      }
      let escaped = text.escapedForDisplay
      #expect(escaped.unicodeScalars.allSatisfy { !$0.isHazardousForDisplay })
      #expect(escaped.escapedForDisplay == escaped)
    }
  }
}
