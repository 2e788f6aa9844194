import BoxJSON
import TestSupport
import Testing

/// Texts of different bytes are different keys, however they look.
struct ExactTextTests {
  @Test func textsAreEqualIfTheirBytesAre() {
    var random = TestSeed.next()
    for _ in 0..<2000 {
      let (first, second) = Lookalikes.pair(&random, folds: true)
      #expect(first == second)
      #expect(ExactText(first) != ExactText(second))
      #expect(ExactText(first) == ExactText(String(decoding: Array(first.utf8), as: UTF8.self)))
      #expect(Set([first, second, first].map { ExactText($0) }).count == 2)
      #expect((ExactText(first) < ExactText(second)) != (ExactText(second) < ExactText(first)))
      #expect(first.hasSameBytes(as: second) == first.utf8.elementsEqual(second.utf8))
    }
  }

  @Test func aValueWithAnExactTextDiffersWithItsBytes() {
    struct Named: Hashable {
      @ExactText var name: String
    }
    #expect(Named(name: "\u{E9}") != Named(name: "e\u{301}"))
    #expect(Named(name: "\u{E9}").hashValue == Named(name: "\u{E9}").hashValue)
  }

  @Test func aPeriodSplitsAlsoInFrontOfAnAccent() {
    #expect("Entity.\u{301}x".splitAtPeriods().map { ExactText($0) } == ["Entity", "\u{301}x"])
    #expect("a.b.c".splitAtPeriods(maxSplits: 1) == ["a", "b.c"])
    #expect(".a.".splitAtPeriods() == ["", "a", ""])
    #expect("".splitAtPeriods() == [""])
    #expect("E.\u{301}x".withoutPrefix("E.").map { ExactText($0) } == "\u{301}x")
    #expect("e\u{301}x".withoutPrefix("\u{E9}") == nil)
  }

  /// Written as they are or with escapes, in small and in large objects.
  @Test func anObjectHasBothKeys() throws {
    var random = TestSeed.next()
    for _ in 0..<500 {
      let (first, second) = Lookalikes.pair(&random, folds: true)
      var members = [first, second].enumerated().map { (quoted($1, &random), $0) }
      for number in 2..<(2 + random.pick([0, 3, 60])) { members.append(("\"k\(number)\"", number)) }
      let text = "{" + members.map { "\($0.0):\($0.1)" }.joined(separator: ",") + "}"
      let document = try JSONDocument(parsing: Array(text.utf8))
      for (number, key) in [first, second].enumerated() {
        let node = try #require(document.value(forKey: key, in: document.root), "\(text)")
        #expect(document.text(of: node) == "\(number)", "\(text)")
      }
      #expect(throws: JSONError.self) {
        try JSONDocument(
          parsing: Array("{\(quoted(first, &random)):1,\(quoted(first, &random)):2}".utf8))
      }
    }
  }

  private func quoted(_ text: String, _ random: inout SplitMix64) -> String {
    if random.oneIn(2) { return "\"\(text)\"" }
    let digits = text.utf16.map { String($0, radix: 16) }
    return "\""
      + digits.map { "\\u" + String(repeating: "0", count: 4 - $0.count) + $0 }.joined() + "\""
  }
}
