/// Prints workflow commands of GitHub Actions.
///
/// GitHub shows ten annotations of each kind for a step and drops the rest without a word. So the
/// most severe findings are printed first, the rest as plain lines, and a last notice says how many
/// there are.
struct GitHubPrinter {
  /// The number of annotations of each kind that GitHub shows for one step.
  private static let limit = 10

  func print(_ report: Report) -> String {
    var lines: [String] = []
    var rest: [Finding] = []
    let overflows =
      !report.omitted.isEmpty
      || Severity.allCases.contains { severity in
        report.findings.count { $0.severity == severity } > Self.limit
      }
    for severity in Severity.allCases.reversed() {
      let findings = report.orderedFindings.filter { $0.severity == severity }
      // The last notice takes one of the ten places of its kind.
      let shown = severity == .note && overflows ? Self.limit - 1 : Self.limit
      lines += findings.prefix(shown).map(command(for:))
      rest += findings.dropFirst(shown)
    }
    lines += rest.map(plainLine(for:))
    lines += report.omitted.map {
      plain("\($0.path.escapedForDisplay): \($0.sentence(report.limitOption))")
    }
    if !rest.isEmpty { lines.append(notice(about: rest, of: report)) }
    lines.append(plain(report.summary.sentence))
    return lines.joined(separator: "\n") + "\n"
  }

  private func command(for finding: Finding) -> String {
    var properties = [("file", finding.path)]
    if let region = finding.region {
      properties.append(("line", "\(region.line)"))
      // Annotations over several lines have no columns.
      if region.line == region.endLine {
        properties.append(("col", "\(region.column)"))
        properties.append(("endLine", "\(region.endLine)"))
        properties.append(("endColumn", "\(region.endColumn)"))
      } else {
        properties.append(("endLine", "\(region.endLine)"))
      }
    }
    properties.append(("title", finding.rule.displayTitle))
    var message = [finding.message.escapedForDisplay]
    if let advice = finding.advice { message.append("help: \(advice.escapedForDisplay)") }
    if let fix = finding.fixSentence { message.append(fix) }
    return GitHubAnnotation.command(
      finding.severity.gitHubCommand, properties, message.joined(separator: "\n"))
  }

  private func notice(about rest: [Finding], of report: Report) -> String {
    func count(_ severity: Severity) -> Int {
      rest.count { $0.severity == severity } + report.omitted.reduce(0) { $0 + $1[severity] }
    }
    let kinds = counted(errors: count(.error), warnings: count(.warning), notes: count(.note))
    let listed = report.omitted.isEmpty ? "them" : "\(grouped(rest.count)) of them"
    return GitHubAnnotation.command(
      "notice", [("title", report.tool.name)],
      "not shown as annotations: \(kinds); the log of this step has \(listed)")
  }

  private func plainLine(for finding: Finding) -> String {
    let message = finding.message.escapedForDisplay
    return plain(
      "\(finding.severity.rawValue): \(finding.displayPlace): \(message)"
        + " [\(finding.rule.displayTitle)]")
  }

  /// A line that the runner does not take for a command.
  private func plain(_ line: String) -> String { line.escapedForRunner }
}

/// Workflow commands of GitHub Actions that annotate files.
package enum GitHubAnnotation {
  /// The command for an error in a file.
  ///
  /// - Complexity: O(*n*) in the size of the texts.
  package static func error(_ message: String, title: String, file: String) -> String {
    let message = message.split(separator: "\n").map { String($0).escapedForDisplay }
    return command("error", [("file", file), ("title", title)], message.joined(separator: "\n"))
  }

  static func command(
    _ name: String, _ properties: [(String, String)], _ message: String
  ) -> String {
    let list = properties.map { "\($0.0)=\($0.1.escapedForDisplay.escapedAsProperty)" }
      .joined(separator: ",")
    // Runners other than GitHub's look for their own commands within the line.
    return "::\(name) \(list.escapedForRunner)::\(message.escapedAsData.escapedForRunner)"
  }
}

extension Severity {
  fileprivate var gitHubCommand: String {
    switch self {
    case .note: "notice"
    case .warning: "warning"
    case .error: "error"
    }
  }
}

extension String {
  /// The escaping of the message of a workflow command.
  fileprivate var escapedAsData: String { percentEncoding("%", "\r", "\n") }

  /// The escaping of a property of a workflow command.
  fileprivate var escapedAsProperty: String { percentEncoding("%", "\r", "\n", ":", ",") }

  // By scalar and not by character: the runner sees a colon also where an accent follows it.
  private func percentEncoding(_ reserved: Unicode.Scalar...) -> String {
    var result = ""
    for scalar in unicodeScalars {
      if reserved.contains(scalar) {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        result += (digits.utf8.count == 1 ? "%0" : "%") + digits
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
