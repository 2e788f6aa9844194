import BoxMerge
import BoxReport
import TestSupport
import Testing

/// The Markdown of a merge, with names that try to be more than names.
struct MergeMarkdownTests {
  private static let names = [
    "a | b", "a\nb", "@team", "<script>", "`x`", "[link](http://example.com)", "a\r\n\r\n# b",
    "\\|", "|",
    "*b* _c_ ~d~ $e$", "<!-- -->", "\u{202E}abc",
  ]

  /// Every row of a table has as many cells as its head, and no name calls anybody.
  @Test(arguments: names) func namesStayInTheirCells(_ name: String) {
    let decision = Decision(
      rule: MergeRule.renumbered, element: nil, label: name, message: name, consequence: name)
    let other = Decision(rule: MergeRule.added, element: nil, label: name, message: name)
    let conflict = Conflict(
      id: name, rule: MergeRule.editEdit, elements: [], label: name, message: name, ours: name,
      theirs: name, help: name)
    let record = MergeRecord(
      status: .conflicts, decisions: [decision, other], conflicts: [conflict],
      published: [.init(name: name, isResolved: false)], notes: [name])
    let lines = record.markdown(ours: name, theirs: name)
      .split(separator: "\n", omittingEmptySubsequences: false)
    let rows = lines.filter { $0.hasPrefix("|") }
    #expect(rows.count == 9)
    for row in rows {
      // A backslash takes the meaning of the next character.
      var (bars, isEscaped) = (0, false)
      for character in row {
        if character == "|", !isEscaped { bars += 1 }
        isEscaped = character == "\\" && !isEscaped
      }
      #expect(bars == 4, "\(row)")
      #expect(!row.contains("@team") && !row.contains("<script") && !row.contains("\r"))
    }
    #expect(lines.contains("<details><summary>1 other decision</summary>"))
  }

  @Test func manyRowsAreCounted() {
    let decisions = (0..<7).map {
      Decision(rule: MergeRule.renumbered, element: nil, label: "n\($0)", message: "m")
    }
    let text = MergeRecord(status: .merged, decisions: decisions).markdown(limit: 3)
    #expect(text.contains("n2") && !text.contains("n3"))
    #expect(text.hasSuffix("\nand 4 more decisions\n"))
  }

  @Test func aRefusal() {
    let record = MergeRecord(
      status: .refused,
      reason: .init(rule: MergeRule.regenerated, message: "it was generated", help: "match it"))
    #expect(
      record.markdown()
        == "not merged\n\nBOX591 regenerated-side it was generated\n\nhelp: match it\n")
  }
}
