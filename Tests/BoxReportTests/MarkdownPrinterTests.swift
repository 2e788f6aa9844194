import BoxReport
import Testing

struct MarkdownPrinterTests {
  @Test func printsATable() {
    let report = Samples.report(Samples.key, Samples.bear, Samples.version)
    let expected = """
      **boxjoint**: 1 error, 1 warning, 1 note in 1 file; 1 can be fixed with --fix

      | Severity | Place | Rule | Finding |
      | --- | --- | --- | --- |
      | note | app/model.json | BOX104 old-version | the file is of version 4 |
      | error | app/model.json:6:13 | BOX111 duplicate-entity-id | entity Bear has the id 1, which \
      entity Ant has<br>help: give Bear the next free id<br>fix: change the id to 2 \
      (`boxjoint check --fix app/model.json`) |
      | warning | app/model.json:9:5 | BOX120 unknown-key | no tool writes the key colour |

      """
    #expect(report.render(.markdown) == expected)
  }

  @Test func printsNoTableWithoutFindings() {
    #expect(
      Samples.report(checked: ["a", "b"]).render(.markdown)
        == "**boxjoint**: no problems in 2 files\n")
  }

  @Test func escapesWhatMarkdownAndHTMLRead() {
    #expect(
      "a|b`c`<i>&\n*_[x](y)\\~#1!@me$".escapedForMarkdown
        == ##"a\|b\`c\`&lt;i&gt;&amp;\\n\*\_\[x\](y)\\\~\#1\!@<!-- -->me\$"##)
    let row = Samples.report(Samples.hostile).render(.markdown).split(separator: "\n").last
    let expected =
      #"| error | a,b:c%\\u0007\|é.json:1:1 | BOX111 duplicate-entity-id |"#
      + #" entity \\u001b\[31mA\|\`&lt;b&gt;\\n::error::x%0A\\u202e, "#
      + ##"\#\#\[error\] \]\]&gt; |"##
    #expect(row.map(String.init) == expected)
  }

  @Test func linksToTheRule() {
    var report = Samples.report(Samples.version)
    report.tool.ruleHelpURIPrefix = "https://example.org/rules.md#"
    #expect(
      report.render(.markdown).contains(
        "| [BOX104 old-version](<https://example.org/rules.md#box104>) |"))
  }
}
