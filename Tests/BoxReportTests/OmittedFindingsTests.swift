import BoxReport
import TestSupport
import Testing

/// Reports of more findings than are listed.
struct OmittedFindingsTests {
  private func finding(_ path: String, _ line: Int, _ severity: Severity, fix: String?) -> Finding {
    Finding(
      rule: Rule(id: "BOX999", name: "some-rule", summary: "A rule.", severity: severity),
      message: "something", path: path,
      region: SourceRegion(line: line, column: 1, endLine: line, endColumn: 2), fix: fix,
      fixCommand: fix.map { _ in "boxjoint check --fix" })
  }

  private func report(_ random: inout SplitMix64) -> Report {
    var findings: [Finding] = []
    for path in ["a.json", "b.json", "é.json"] {
      for line in 0..<random.below(400) {
        findings.append(
          finding(
            path, line + 1, random.pick(Severity.allCases),
            fix: random.below(3) == 0 ? "mend it" : nil))
      }
    }
    return Report(
      findings: findings.shuffled(using: &random),
      checkedPaths: ["a.json", "b.json", "é.json", "z.json"], tool: Samples.tool)
  }

  @Test func theMostSevereStayAndTheCountsIncludeAll() {
    var random = TestSeed.next()
    for _ in 0..<100 {
      let report = report(&random)
      let limit = 1 + random.below(300)
      let limited = report.limited(to: limit)
      #expect(limited.summary == report.summary)
      #expect(limited.hasErrors == report.hasErrors)
      for path in report.checkedPaths {
        let all = report.orderedFindings.filter { $0.path == path }
        let kept = limited.orderedFindings.filter { $0.path == path }
        // By severity, and of one severity in their order: written down here once more.
        let gravest = all.enumerated().sorted {
          ($1.element.severity, $0.offset) < ($0.element.severity, $1.offset)
        }.prefix(limit).sorted { $0.offset < $1.offset }.map(\.element)
        #expect(kept == gravest, "\(path) \(limit)")
      }
    }
  }

  @Test(arguments: ReportFormat.allCases)
  func everyFormatSaysWhatIsMissing(_ format: ReportFormat) {
    let findings = (1...400).map { finding("a.json", $0, .warning, fix: nil) }
    var report = Report(
      findings: findings + [finding("a.json", 500, .error, fix: nil)], checkedPaths: ["a.json"],
      tool: Samples.tool)
    #expect(!report.render(format, limit: 10).contains("lists more"))
    report.limitOption = "--max-findings"
    let text = report.render(format, limit: 10)
    switch format {
    case .json:
      #expect(text.contains("\"omitted\""))
      #expect(text.contains("\"warnings\": 391"))
      #expect(text.contains("\"warnings\": 400"))
    default: #expect(text.contains("… and 391 more (391 warnings); --max-findings lists more"))
    }
    // The error is listed although it comes last.
    #expect(text.contains("500"))
    let whole = report.render(format, limit: 1_000)
    #expect(!whole.contains("--max-findings"))
    #expect(!whole.contains("\"omitted\""))
  }

  @Test func sarifHasNoMoreResultsThanGitHubTakes() {
    let findings = (1...30_000).map { finding("\($0 % 3).json", $0, .note, fix: nil) }
    let report = Report(findings: findings, checkedPaths: [], tool: Samples.tool)
    let results = report.render(.sarif).split(separator: "\n").count { $0.contains("\"ruleId\"") }
    #expect(results == 25_000)
    #expect(
      report.render(.json).split(separator: "\n").count { $0.contains("\"severity\"") } == 30_000)
  }

  @Test func textListsSomeHundred() {
    let findings = (1...20_000).map { finding("a.json", $0, .error, fix: nil) }
    let report = Report(findings: findings, checkedPaths: ["a.json"], tool: Samples.tool)
    let lines = report.render(.text).split(separator: "\n")
    #expect(lines.count == 302)
    #expect(
      lines[300] == "a.json: … and 19,700 more (19,700 errors)")
    #expect(lines[301] == "20,000 errors in 1 file")
  }
}
