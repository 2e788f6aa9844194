import BoxReport
import Testing

/// The commands and their escaping are those of GitHub's documentation, "Workflow commands".
struct GitHubPrinterTests {
  @Test func printsTheGravestFirst() {
    let report = Samples.report(Samples.version, Samples.key, Samples.bear)
    let expected = """
      ::error file=app/model.json,line=6,col=13,endLine=6,endColumn=20,\
      title=BOX111 duplicate-entity-id::entity Bear has the id 1, which entity Ant has\
      %0Ahelp: give Bear the next free id%0Afix: change the id to 2 (boxjoint check --fix app/model.json)
      ::warning file=app/model.json,line=9,endLine=11,title=BOX120 unknown-key\
      ::no tool writes the key colour
      ::notice file=app/model.json,title=BOX104 old-version::the file is of version 4
      1 error, 1 warning, 1 note in 1 file; 1 can be fixed with --fix

      """
    #expect(report.render(.github) == expected)
  }

  @Test func escapesPropertiesAndMessages() {
    let lines = Samples.report(Samples.hostile).render(.github).split(separator: "\n")
    #expect(
      lines.first == #"""
        ::error file=a%2Cb%3Ac%25\u0007|é.json,line=1,col=1,endLine=1,endColumn=2,\#
        title=BOX111 duplicate-entity-id\#
        ::entity \u001b[31mA|`<b>\n::error::x%250A\u202e, ##\u005berror] ]]>
        """#)
    #expect(lines.count == 2)
  }

  /// Azure's runner looks for its commands anywhere in a line, and GitHub's did so too.
  @Test func namesAreNoCommandsToOtherRunners() {
    var finding = Samples.version
    finding.path = "##vso[task.complete]/model.json"
    finding.message = "::stop-commands::x ##[error] ##vso[task.setvariable variable=x]y"
    let text = Samples.report(finding).render(.github)
    #expect(
      text.hasPrefix(
        #"::notice file=##vso\u005btask.complete]/model.json,title=BOX104 old-version::"#
          + #"\u003a:stop-commands::x ##\u005berror] ##vso\u005btask.setvariable variable=x]y"#),
      "\(text)")
  }

  @Test func escapesWhatACombiningMarkFollows() {
    var finding = Samples.version
    finding.path = "a,\u{301}b:\u{301}%\u{301}"
    let text = Samples.report(finding).render(.github)
    #expect(text.contains("file=a%2C\u{301}b%3A\u{301}%25\u{301},title="))
  }

  @Test func saysWhatGitHubWouldDrop() {
    let errors = (1...12).map { line in
      var finding = Samples.bear
      finding.region = SourceRegion(line: line, column: 1, endLine: line, endColumn: 2)
      return finding
    }
    let notes = Array(repeating: Samples.version, count: 10)
    let report = Report(findings: notes + errors, checkedPaths: [], tool: Samples.tool)
    let lines = report.render(.github).split(separator: "\n").map(String.init)
    #expect(lines.count { $0.hasPrefix("::error ") } == 10)
    // Nine notes and the last notice: ten of the kind.
    #expect(lines.count { $0.hasPrefix("::notice ") } == 10)
    #expect(
      Array(lines.suffix(5)) == [
        "error: app/model.json:11:1: entity Bear has the id 1, which entity Ant has"
          + " [BOX111 duplicate-entity-id]",
        "error: app/model.json:12:1: entity Bear has the id 1, which entity Ant has"
          + " [BOX111 duplicate-entity-id]",
        "note: app/model.json: the file is of version 4 [BOX104 old-version]",
        "::notice title=boxjoint::not shown as annotations: 2 errors, 1 note;"
          + " the log of this step has them",
        "12 errors, 10 notes in 1 file; 12 can be fixed with --fix",
      ])
  }

  @Test func tenOfAKindAreAllAnnotations() {
    let report = Report(
      findings: Array(repeating: Samples.version, count: 10), checkedPaths: [], tool: Samples.tool)
    let lines = report.render(.github).split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("::notice file=") } == 10)
    #expect(lines.count == 11)
  }

  @Test func plainLinesAreNoCommands() {
    var finding = Samples.hostile
    finding.path = "::error::x"
    let report = Report(
      findings: Array(repeating: finding, count: 12), checkedPaths: [], tool: Samples.tool)
    let plain = report.render(.github).split(separator: "\n").filter { !$0.hasPrefix("::") }
    #expect(plain.count == 3)
    #expect(plain.allSatisfy { !$0.contains("##[") })
    #expect(plain.first?.contains(#"##\u005berror]"#) == true)
  }
}
