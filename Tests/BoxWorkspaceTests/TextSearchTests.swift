import TestSupport
import Testing

@testable import BoxWorkspace

/// Texts in texts.
struct TextSearchTests {
  /// Few different characters, so that a part often occurs, also in part.
  private func text(_ random: inout SplitMix64, _ limit: Int) -> String {
    (0..<random.below(limit)).map { _ in ["a", "b", "é", "🎬"][random.below(4)] }.joined()
  }

  @Test func aFoundPartIsTheFirst() {
    var random = TestSeed.next()
    for _ in 0..<2_000 {
      let (whole, part) = (text(&random, 20), text(&random, 4))
      let (bytes, searched) = (Array(whole.utf8), Array(part.utf8))
      let expected = bytes.indices.first { start in
        !searched.isEmpty && bytes[start...].starts(with: searched)
      }
      let found = whole.firstPlace(of: part)
      let start = found.map { whole.utf8.distance(from: whole.startIndex, to: $0.lowerBound) }
      #expect(start == expected)
      if let found { #expect(whole[found] == part) }
      #expect(whole.hasPart(part) == (expected != nil))
    }
  }

  @Test func replacingThereAndBackChangesNothing() {
    var random = TestSeed.next()
    for _ in 0..<2_000 {
      let (whole, part) = (text(&random, 20), text(&random, 4))
      let replaced = whole.replacing(part: part, by: "-")
      #expect(replaced.replacing(part: "-", by: part) == whole || part.isEmpty)
      #expect(!replaced.hasPart(part))
    }
    #expect("abab aba".replacing(part: "ab", by: "") == " a")
    #expect("%%%".replacing(part: "%%", by: "%") == "%%")
    #expect("it's".replacing(part: "'", by: "''") == "it''s")
  }

  @Test func aCharacterOfSeveralScalarsDoesNotHideItsParts() {
    // Git's messages are bytes: an accent behind a quote must not hide the quote.
    #expect("branch '\u{301}x".hasPart("branch '"))
    #expect("a\r\nb".hasPart("\n"))
  }
}
