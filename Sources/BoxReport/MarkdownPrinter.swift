/// Prints a table for a comment on a pull request or for the summary of a CI step.
struct MarkdownPrinter {
  func print(_ report: Report) -> String {
    let name = report.tool.name.escapedForMarkdown
    var lines = ["**\(name)**: \(report.summary.sentence)"]
    let findings = report.orderedFindings
    if !findings.isEmpty {
      lines += ["", "| Severity | Place | Rule | Finding |", "| --- | --- | --- | --- |"]
      lines += findings.map { row(for: $0, tool: report.tool) }
    }
    for omitted in report.omitted {
      lines += ["", "\(omitted.path.escapedForMarkdown): \(omitted.sentence(report.limitOption))"]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func row(for finding: Finding, tool: ToolInfo) -> String {
    var text = [finding.message.escapedForMarkdown]
    if let advice = finding.advice { text.append("help: \(advice.escapedForMarkdown)") }
    if let fix = finding.fix {
      let command = finding.fixCommand.map { " (\(code($0)))" } ?? ""
      text.append("fix: \(fix.escapedForMarkdown)\(command)")
    }
    let path = finding.path.escapedForMarkdown
    let place = finding.region.map { "\(path):\($0.line):\($0.column)" } ?? path
    let title = "\(finding.rule.id) \(finding.rule.name)".escapedForMarkdown
    let rule = tool.helpURI(of: finding.rule).map { "[\(title)](<\($0)>)" } ?? title
    let cells = [finding.severity.rawValue, place, rule, text.joined(separator: "<br>")]
    return "| \(cells.joined(separator: " | ")) |"
  }

  /// A command line as code, unless it has a character that would end the code or the cell.
  private func code(_ command: String) -> String {
    command.utf8.contains { "`|".utf8.contains($0) }
      ? command.escapedForMarkdown : "`\(command.escapedForDisplay)`"
  }
}
