import BoxJSON
import BoxReport
import Testing

struct TextPrinterTests {
  @Test func printsAsCompilersDo() {
    let report = Samples.report(Samples.key, Samples.bear, Samples.version)
    let expected = #"""
      app/model.json: note: the file is of version 4 [BOX104 old-version]
      app/model.json:6:13: error: entity Bear has the id 1, which entity Ant has [BOX111 duplicate-entity-id]
              "id": "1:300",
                    ^~~~~~~
        help: give Bear the next free id
        fix: change the id to 2 (boxjoint check --fix app/model.json)
      app/model.json:9:5: warning: no tool writes the key colour [BOX120 unknown-key]
            "colour": {
            ^~~~~~~~~~~
      1 error, 1 warning, 1 note in 1 file; 1 can be fixed with --fix

      """#
    #expect(report.render(.text) == expected)
  }

  @Test func colorsOnlyWhenAsked() {
    let report = Samples.report(Samples.bear)
    #expect(!report.render(.text).contains("\u{1B}"))
    let colored = report.render(.text, style: TextStyle(color: true))
    #expect(
      colored.hasPrefix(
        "\u{1B}[1mapp/model.json:6:13:\u{1B}[0m \u{1B}[1;31merror:\u{1B}[0m "
          + "\u{1B}[1mentity Bear has the id 1, which entity Ant has\u{1B}[0m [BOX111 "))
    #expect(colored.contains("\n              \u{1B}[1;32m^~~~~~~\u{1B}[0m\n") == true)
  }

  @Test func writesOutHostileNames() {
    let lines = Samples.report(Samples.hostile).render(.text).split(separator: "\n")
    #expect(
      lines.first == #"""
        a,b:c%\u0007|é.json:1:1: error: entity \u001b[31mA|`<b>\n::error::x%0A\u202e, ##[error] ]]> [BOX111 duplicate-entity-id]
        """#)
  }

  @Test func keepsToTheWidth() {
    var finding = Samples.bear
    finding.sourceLine = SourceLine(String(repeating: "日", count: 500))
    finding.region = SourceRegion(line: 1, column: 250, endLine: 1, endColumn: 400)
    let text = Samples.report(finding).render(.text, style: TextStyle(width: 40))
    let excerpt = text.split(separator: "\n")[1...2]
    #expect(excerpt.allSatisfy { $0.displayWidth <= 40 })
  }
}
