import BoxReport
import Testing

/// Tables for people.
struct TextTableTests {
  /// Columns line up on a terminal, where some characters take two columns and others none.
  @Test func columnsAreMeasuredAsATerminalShowsThem() {
    let table = TextTable([["NAME", "KIND"], ["日本語", "entity"], ["e\u{301}", "x"]])
    #expect(table.lines() == ["NAME    KIND", "日本語  entity", "e\u{301}       x"])
  }

  @Test func numbersAreAlignedToTheRight() {
    var table = TextTable([["A", "COUNT"], ["b", "1"], ["ccc", "語"]])
    table.rightAligned = [1]
    table.indent = 2
    #expect(table.lines() == ["  A    COUNT", "  b        1", "  ccc     語"])
  }

  /// A wide cell moves the rest of its own line alone.
  @Test func widthsCanBeGiven() {
    var table = TextTable([["a", "b"], ["aaaa", "b"], ["a", ""]])
    table.widths = [2]
    #expect(table.lines() == ["a   b", "aaaa  b", "a"])
    table.widths = nil
    table.maximumWidth = 3
    #expect(table.lines() == ["a    b", "aaaa  b", "a"])
  }

  @Test func theFirstCellIsPainted() {
    let table = TextTable([["A", "B"], ["x", "y"]])
    #expect(table.lines { $0 == 1 ? .red : nil } == ["A  B", "\u{1B}[1;31mx  \u{1B}[0my"])
  }
}
