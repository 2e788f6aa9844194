import BoxReport
import Testing

struct DisplayWidthTests {
  // Widths as in Unicode's EastAsianWidth.txt and emoji-data.txt.
  @Test(arguments: [
    ("Ant", 3), ("Käfer", 5), ("Ka\u{308}fer", 5), ("日本", 4), ("한국", 4), ("ｱ", 1), ("Ａ", 2),
    ("🐻", 2), ("→", 1), ("\u{200B}", 0), ("𠮷", 2), ("…", 1), ("⌚", 2), ("‖", 1),
  ])
  func countsColumnsOfATerminal(text: String, expected: Int) {
    #expect(text.displayWidth == expected)
  }
}
