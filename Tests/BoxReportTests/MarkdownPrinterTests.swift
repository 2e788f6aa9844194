import BoxReport
import TestSupport
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
        == ##"a\|b\`c\`&lt;i&gt;&amp;\\n\*\_\[x\](y)\\\~\#<!-- -->1\!@<!-- -->me\$"##)
    let row = Samples.report(Samples.hostile).render(.markdown).split(separator: "\n").last
    let expected =
      #"| error | a,b:c%\\u0007\|é.json:1:1 | BOX111 duplicate-entity-id |"#
      + #" entity \\u001b\[31mA\|\`&lt;b&gt;\\n::error::x%<!-- -->0A\\u202e, "#
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

  /// The texts that GitHub and GitLab turn into links, as they document it.
  private static let references = [
    #"(?i)[a-z][a-z0-9+.-]*:\/\/"#, #"(?i)www\."#, #"(?i)\w@\w"#, #"@[\w-]"#, #"[#!$&]\d"#,
    #"(?i)\bgh-\d"#, #"\b[A-Z][A-Z_]+-\d"#, #"\bGHSA-\w"#, #"[%~]["\w]"#,
    #"(?i)(mailto|xmpp):.*@\w"#,
    #"\[\w+:\w"#, #"\*\w+:["\w]"#, #"(?i)\b(?=\w*[a-f])[0-9a-f]{7,40}\b"#,
  ]

  private static let hostileNames = [
    "http://example.com/x", "HTTPS://e.x", "see(ftp://e.x)", "www.example.com", "xWWW.e.x", "a@b.c",
    "mailto:a@b.c", "@team", "@org/team", "GH-1", "gh-12", "CVE-2024-1234", "GHSA-aaaa-bbbb-cccc",
    "JIRA-7", "#1", "owner/repo#12", "group/project!3", "$4", "&5", "%6", "%\"v 1\"", "~bug",
    "~\"a b\"", "[vulnerability:1]", "[feature_flag:\"a\"]", "*iteration:\"x\"", "deadbeef",
    "0a1b2c3", "a@deadbeef1",
    String(repeating: "0a", count: 20), "user/repo@" + String(repeating: "f", count: 40),
    "[x](http://e.x)", "<http://e.x>", "<a href=x>", "![x](y)", "[x]: http://e.x", "://", "www.",
    "[^1]", "x://y", "a:b", "UTF-8", "Film.year", "1:8037969528211327744",
  ]

  /// No name becomes a link, a mention or a reference, also among others, and every name is shown.
  @Test func namesLinkNothing() throws {
    var random = TestSeed.next()
    let patterns = try Self.references.map { try Regex($0) }
    for round in 0..<2000 {
      let name =
        round < Self.hostileNames.count
        ? Self.hostileNames[round]
        : (0..<3).map { _ in random.pick(Self.hostileNames + ["-", ".", " ", "a", "1"]) }.joined()
      let markdown = name.escapedForMarkdown
      // A page shows the parts between two comments as texts of their own.
      let parts = Self.parts(of: markdown)
      #expect(parts.joined() == name, "\(markdown)")
      for part in parts {
        for (pattern, text) in zip(patterns, Self.references) {
          #expect(part.firstMatch(of: pattern) == nil, "\(text) in \(markdown)")
        }
      }
      #expect(!markdown.replacing("<!-- -->", with: "").contains("<"), "\(markdown)")
    }
  }

  /// The texts that a page shows of Markdown without links and emphasis.
  private static func parts(of markdown: String) -> [String] {
    markdown.split(separator: "<!-- -->").map { part in
      var (text, isEscaped) = ("", false)
      for character in part {
        isEscaped = character == "\\" && !isEscaped
        if !isEscaped { text.append(character) }
      }
      return text.replacing("&lt;", with: "<").replacing("&gt;", with: ">")
        .replacing("&amp;", with: "&")
    }
  }
}
