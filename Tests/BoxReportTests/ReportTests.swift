import BoxReport
import TestSupport
import Testing

struct ReportTests {
  private func finding(_ path: String, _ line: Int?, _ column: Int = 1, _ id: String = "BOX1")
    -> Finding
  {
    Finding(
      rule: Rule(id: id, name: id, summary: id, severity: .error), message: "\(id)", path: path,
      region: line.map {
        SourceRegion(line: $0, column: column, endLine: $0, endColumn: column + 1)
      })
  }

  @Test func orderIsByPathLineColumnAndRule() {
    let expected = [
      finding("B", 1), finding("a", nil, 1, "BOX1"), finding("a", nil, 1, "BOX2"),
      finding("a", 2, 3), finding("a", 2, 10), finding("a", 10, 1, "BOX1"),
      finding("a", 10, 1, "BOX2"), finding("a/b", 1), finding("é", 1),
    ]
    var random = TestSeed.next()
    for _ in 0..<100 {
      let report = Report(
        findings: expected.shuffled(using: &random), checkedPaths: [], tool: Samples.tool)
      #expect(report.orderedFindings == expected)
    }
  }

  @Test func equalPlacesKeepTheirOrder() {
    var first = finding("a", 1)
    first.message = "z"
    var second = finding("a", 1)
    second.message = "b"
    #expect(Samples.report(first, second).orderedFindings == [first, second])
  }

  @Test func groupsFindingsOfFilesAndCleanFiles() {
    let report = Report(
      findings: [finding("c", 1), finding("a", 2), finding("a", 1), finding("x", 1)],
      checkedPaths: ["d", "c", "b", "a", "b"], tool: Samples.tool)
    let groups = report.findingsByPath
    #expect(groups.map(\.path) == ["a", "b", "c", "d", "x"])
    #expect(groups.map(\.findings.count) == [2, 0, 1, 0, 1])
  }

  @Test func namesThatDifferInBytesOnlyAreTwoFiles() {
    let report = Report(
      findings: [finding("e\u{301}", 1), finding("\u{E9}", 1)], checkedPaths: ["\u{E9}"],
      tool: Samples.tool)
    #expect(report.findingsByPath.map(\.findings.count) == [1, 1])
  }

  @Test func countsFindings() {
    let summary = Samples.report(Samples.bear, Samples.key, Samples.version).summary
    #expect(summary.errors == 1)
    #expect(summary.warnings == 1)
    #expect(summary.notes == 1)
    #expect(summary.fixable == 1)
    #expect(summary.files == 1)
    #expect(Samples.report(Samples.bear).hasErrors)
    #expect(!Samples.report(Samples.key).hasErrors)
  }

  @Test func saysTheCountsInWords() {
    let paths = ["app/model.json", "b", "c"]
    #expect(
      Samples.report(Samples.bear, Samples.bear, Samples.key).summary.sentence
        == "2 errors, 1 warning in 1 file; 2 can be fixed with --fix")
    #expect(Samples.report(Samples.version).summary.sentence == "1 note in 1 file")
    #expect(
      Samples.report(Samples.key, Samples.key, checked: paths).summary.sentence
        == "2 warnings in 1 of 3 files")
    #expect(Samples.report(checked: paths).summary.sentence == "no problems in 3 files")
    #expect(Samples.report(checked: ["a"]).summary.sentence == "no problems in 1 file")
    #expect(Samples.report(checked: []).summary.sentence == "no files checked")
  }

  @Test(arguments: ReportFormat.allCases)
  func everyFormatEndsWithOneLineFeedAndHidesNoControlCharacter(format: ReportFormat) {
    for report in [
      Samples.report(Samples.hostile, Samples.bear, Samples.key, Samples.version),
      Samples.report(checked: [Samples.hostile.path]), Samples.report(checked: []),
    ] {
      let text = report.render(format)
      #expect(text.hasSuffix("\n"))
      #expect(!text.hasSuffix("\n\n"))
      #expect(
        !text.unicodeScalars.contains { $0 != "\n" && $0.isHazardousForDisplay }, "\(text)")
    }
  }
}
