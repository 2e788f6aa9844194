import BoxReport
import TestSupport
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

  @Test func isIdempotentAndLeavesNothingHazardous() {
    var random = TestSeed.next()
    for _ in 0..<4_000 {
      var text = ""
      for _ in 0..<random.below(13) {
        if let scalar = Unicode.Scalar(UInt32(random.below(0x2100))) {
          text.unicodeScalars.append(scalar)
        }
      }
      let escaped = text.escapedForDisplay
      #expect(escaped.unicodeScalars.allSatisfy { !$0.isHazardousForDisplay })
      #expect(escaped.escapedForDisplay == escaped)
    }
  }
}
