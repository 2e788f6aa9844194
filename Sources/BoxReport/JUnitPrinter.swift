/// Prints JUnit XML: a suite for each file, in it a case for each rule that has a finding, or one
/// case that passed.
///
/// A case fails if one of its findings is an error, so that the report agrees with the exit status;
/// warnings and notes are its output.
struct JUnitPrinter {
  func print(_ report: Report) -> String {
    let suites = report.findingsByPath.map { path, findings in
      Suite(path: path, findings: findings, order: report.order)
    }
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      element(
        "testsuites",
        [("name", report.tool.name)] + counts(suites.map(\.cases.count), suites.map(\.failures)),
        isEmpty: suites.isEmpty),
    ]
    let sentences = report.omitted.map { (Array($0.path.utf8), $0.sentence(report.limitOption)) }
    let omitted = Dictionary(sentences) { a, _ in a }
    for suite in suites {
      lines.append(
        "  "
          + element(
            "testsuite", [("name", suite.path)] + counts([suite.cases.count], [suite.failures])))
      lines += suite.cases.flatMap { self.lines(for: $0, path: suite.path) }
      if let sentence = omitted[Array(suite.path.utf8)] {
        lines.append("    <system-out>\(sentence.escapedForXML)</system-out>")
      }
      lines.append("  </testsuite>")
    }
    if !suites.isEmpty { lines.append("</testsuites>") }
    return lines.joined(separator: "\n") + "\n"
  }

  private struct Suite {
    var path: String
    /// The findings of each rule, in the order of the rule ids, or of the findings.
    var cases: [[Finding]]

    init(path: String, findings: [Finding], order: Report.Order) {
      self.path = path
      let byRule = Dictionary(grouping: findings.enumerated(), by: \.element.rule.id)
      cases = byRule.sorted { a, b in
        order == .byPlace ? a.key < b.key : (a.value[0].offset < b.value[0].offset)
      }.map { $0.value.map(\.element) }
      if cases.isEmpty { cases = [[]] }
    }

    var failures: Int { cases.count { $0.contains { $0.severity == .error } } }
  }

  private func counts(_ tests: [Int], _ failures: [Int]) -> [(String, String)] {
    [
      ("tests", "\(tests.reduce(0, +))"), ("failures", "\(failures.reduce(0, +))"),
      ("errors", "0"), ("skipped", "0"),
    ]
  }

  private func lines(for findings: [Finding], path: String) -> [String] {
    let name = findings.first?.rule.displayTitle ?? "check"
    var attributes = [("classname", path), ("name", name), ("file", path)]
    guard let gravest = findings.max(by: { $0.severity < $1.severity }) else {
      return ["    " + element("testcase", attributes, isEmpty: true)]
    }
    if let region = gravest.region { attributes.append(("line", "\(region.line)")) }
    let text = findings.map(description(of:)).joined(separator: "\n").escapedForXML
    let body =
      gravest.severity == .error
      ? element("failure", [("type", gravest.rule.id), ("message", gravest.message)])
        + "\(text)</failure>"
      : "<system-out>\(text)</system-out>"
    return ["    " + element("testcase", attributes), "      " + body, "    </testcase>"]
  }

  private func description(of finding: Finding) -> String {
    var lines = [TextPrinter(style: TextStyle()).headline(of: finding)]
    if let advice = finding.advice { lines.append("help: \(advice.escapedForDisplay)") }
    if let fix = finding.fixSentence { lines.append(fix) }
    return lines.joined(separator: "\n")
  }

  private func element(
    _ name: String, _ attributes: [(String, String)], isEmpty: Bool = false
  ) -> String {
    let list = attributes.map { " \($0.0)=\"\($0.1.escapedForDisplay.escapedForXML)\"" }.joined()
    return "<\(name)\(list)\(isEmpty ? "/" : "")>"
  }
}

extension String {
  /// The text as content or attribute of XML 1.0.
  ///
  /// Characters that XML 1.0 has no form for are written out as in JSON.
  package var escapedForXML: String {
    var result = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\t", "\n", "\r": result.unicodeScalars.append(scalar)
      case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": result += scalar.displayEscape
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
