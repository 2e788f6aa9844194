import BoxJSON
import TestSupport
import Testing

@testable import BoxReport

struct SourceExcerptTests {
  private func excerpt(_ source: String, _ columns: Range<Int>, width: Int = 80) -> [String] {
    let excerpt = SourceExcerpt(SourceLine(source), columns: columns, width: width)
    return [excerpt.line, excerpt.marker]
  }

  @Test func marksTheStretch() {
    #expect(excerpt(#"  "id": "1:2","#, 9..<14) == [#"  "id": "1:2","#, "        ^~~~~"])
  }

  @Test func marksAPlaceAfterTheEnd() {
    #expect(excerpt("ab", 3..<4) == ["ab", "  ^"])
    #expect(excerpt("ab", 9..<12) == ["ab", "  ^"])
    #expect(excerpt("", 1..<1) == ["", "^"])
  }

  @Test func turnsTabsOfTheIndentationIntoBlanks() {
    #expect(excerpt("\t \tx", 4..<5) == ["        x", "        ^"])
    #expect(excerpt("  \tx", 4..<5) == ["    x", "    ^"])
  }

  @Test func writesOutATabInsideOfTheText() {
    #expect(excerpt("\"a\tb\"", 4..<5) == [#""a\tb""#, "    ^"])
  }

  @Test func writesOutControlCharacters() {
    #expect(excerpt("a\u{1B}b", 2..<3) == [#"a\u001bb"#, " ^~~~~~"])
    #expect(excerpt("a\u{1B}b", 3..<4) == [#"a\u001bb"#, "       ^"])
  }

  @Test func countsWideAndCombiningCharacters() {
    #expect(excerpt("日本 x", 4..<5) == ["日本 x", "     ^"])
    #expect(excerpt("日本 x", 1..<3) == ["日本 x", "^~~~"])
    #expect(excerpt("e\u{301}x", 3..<4) == ["e\u{301}x", " ^"])
  }

  @Test func cutsALongLineToAWindowAroundTheCaret() {
    let digits = String(repeating: "0123456789", count: 10)
    #expect(excerpt(digits, 1..<3, width: 20) == ["012345678901234567…", "^~"])
    #expect(excerpt(digits, 51..<53, width: 20) == ["…123456789012345678…", "          ^~"])
    #expect(excerpt(digits, 101..<101, width: 20).map(\.count) == [19, 20])
  }

  @Test func takesALineOfAWholeMinifiedFile() {
    let line = String(repeating: "日", count: 1_000_000)
    #expect(excerpt(line, 500_000..<500_002, width: 20) == ["…日日日日日日日日日…", "         ^~~~"])
  }

  @Test func theCaretMarksTheScalarOfTheColumn() {
    var random = TestSeed.next()
    let alphabet: [Unicode.Scalar] = [
      "a", "{", "\"", " ", "\t", "日", "🐻", "é", "\u{301}", "\u{1B}", "\u{202E}", "\u{85}",
    ]
    for _ in 0..<8_000 {
      let scalars = (0...random.below(120)).map { _ in random.pick(alphabet) }
      let index = random.below(scalars.count)
      let scalar = scalars[index]
      guard scalar != " ", scalar != "\t", scalar != "\u{301}" else { continue }
      var source = ""
      source.unicodeScalars.append(contentsOf: scalars)
      let width = 20 + random.below(80)
      let length = random.below(20)
      let excerpt = SourceExcerpt(
        SourceLine(source), columns: index + 1..<index + 1 + length, width: width)

      let indent = excerpt.marker.prefix { $0 == " " }.count
      var rest = excerpt.line.unicodeScalars[...]
      var column = 0
      while let next = rest.first, column + next.displayWidth <= indent {
        column += next.displayWidth
        rest.removeFirst()
      }
      #expect(column == indent, "\(source.debugDescription)")
      #expect(
        String(rest).unicodeScalars.starts(with: String(scalar).escapedForDisplay.unicodeScalars),
        "\(source.debugDescription) \(index)")
      #expect(excerpt.line.displayWidth <= width)
      #expect(excerpt.marker.displayWidth <= width)
      #expect(excerpt.line.unicodeScalars.allSatisfy { !$0.isHazardousForDisplay })
    }
  }
}
