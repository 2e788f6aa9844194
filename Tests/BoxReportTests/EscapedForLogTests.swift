import BoxReport
import TestSupport
import Testing

struct EscapedForLogTests {
  @Test(
    arguments: [
      ("::error::x", "\\u003a:error::x"), ("  ::error::x", "  \\u003a:error::x"),
      ("\u{A0}\t::x", "\u{A0}\t\\u003a:x"), ("a ::error::x", "a ::error::x"),
      (":12:", ":12:"), ("a\n::b\r::c", "a\n\\u003a:b\r\\u003a:c"),
      ("x ##[error]y", "x ##\\u005berror]y"), ("###[x", "###\\u005bx"), ("#[x]", "#[x]"),
      ("## [x]", "## [x]"), ("##vso[x]", "##vso\\u005bx]"),
      ("##teamcity[x]", "##teamcity\\u005bx]"),
      ("# #[x]", "# #[x]"), ("##a#[x]", "##a#[x]"), ("##a##[x]", "##a##\\u005bx]"),
      ("::", "\\u003a:"), ("", ""),
    ])
  func commandsAreWrittenOut(text: String, expected: String) {
    #expect(text.escapedForRunner == expected)
    #expect(expected.escapedForRunner == expected)
  }

  @Test(
    arguments: [
      ("a\nb\tc", "a\nb\tc"), ("\u{1B}[1;31mred\u{1B}[0m", "\u{1B}[1;31mred\u{1B}[0m"),
      ("\u{1B}[2J", "\\u001b[2J"), ("\u{1B}]0;title\u{7}", "\\u001b]0;title\\u0007"),
      ("\u{1B}[1", "\\u001b[1"), ("\u{1B}", "\\u001b"), ("\u{1B}[", "\\u001b["),
      ("a\rb", "a\\rb"), ("\u{9B}2J\u{202E}", "\\u009b2J\\u202e"),
      ("\u{1B}[1\u{1B}[0m", "\\u001b[1\u{1B}[0m"),
    ])
  func whatMovesTheCursorIsWrittenOut(text: String, expected: String) {
    #expect(text.escapedLines == expected)
  }

  /// All of the first plane; what is hazardous is in there.
  @Test func noHazardousScalarIsOverlooked() {
    for value in UInt32(0)...0xFFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let stays = !scalar.isHazardousForDisplay || scalar == "\n" || scalar == "\t"
      if (String(scalar).escapedLines == String(scalar)) != stays { Issue.record("\(value)") }
    }
  }

  /// No text is a command after escaping, by an independent reading of lines as a runner reads
  /// them.
  @Test func noTextIsACommandAfterwards() {
    var random = TestSeed.next()
    let parts: [Unicode.Scalar] = [
      ":", ":", ":", "#", "#", "#", "[", "[", " ", "\t", "\n", "\r", "\u{A0}", "\u{2003}",
      "\u{2028}", "a", "vso".unicodeScalars.first ?? "v", "é", "\u{301}", "\\",
    ]
    for _ in 0..<20_000 {
      var text = ""
      for _ in 0..<random.below(12) { text.unicodeScalars.append(random.pick(parts)) }
      let escaped = text.escapedForRunner
      #expect(escaped.escapedForRunner == escaped)
      for line in escaped.unicodeScalars.split(whereSeparator: { $0 == "\n" || $0 == "\r" }) {
        let start = line.drop { $0.properties.isWhitespace }
        #expect(!start.starts(with: "::".unicodeScalars), "\(text.debugDescription)")
        #expect(!String(line).utf8.contains(sequence: "##["), "\(text.debugDescription)")
      }
    }
  }
}

extension String.UTF8View {
  fileprivate func contains(sequence: String) -> Bool {
    let bytes = Array(self)
    let wanted = Array(sequence.utf8)
    return bytes.indices.contains { bytes[$0...].starts(with: wanted) }
  }
}
