internal import BoxJSON

/// Prints one JSON object, as `Schemas/findings.schema.json` describes it.
///
/// Strings are the exact ones; members without a value are left out.
struct JSONPrinter {
  /// Changes when a reader of the old form would misread the new one.
  static let schemaVersion = 1

  func print(_ report: Report) -> String {
    let omitted = report.omitted.map(numbers)
    let value: JSONValue = .compact([
      ("schemaVersion", .int(Self.schemaVersion)),
      ("tool", tool(report.tool)),
      ("summary", summary(report.summary)),
      ("files", .array(report.findingsByPath.map { .string($0.path) })),
      ("findings", .array(report.orderedFindings.map { finding($0, tool: report.tool) })),
      ("omitted", omitted.isEmpty ? nil : .array(omitted)),
    ])
    return value.displayText
  }

  private func numbers(_ omitted: OmittedFindings) -> JSONValue {
    [
      "path": .string(omitted.path), "errors": .int(omitted[.error]),
      "warnings": .int(omitted[.warning]), "notes": .int(omitted[.note]),
      "fixable": .int(omitted.fixable),
    ]
  }

  private func tool(_ tool: ToolInfo) -> JSONValue {
    .compact([
      ("name", .string(tool.name)), ("version", .string(tool.version)),
      ("informationUri", tool.informationURI.map(JSONValue.string)),
    ])
  }

  private func summary(_ summary: ReportSummary) -> JSONValue {
    [
      "files": .int(summary.files), "errors": .int(summary.errors),
      "warnings": .int(summary.warnings), "notes": .int(summary.notes),
      "fixable": .int(summary.fixable),
    ]
  }

  private func finding(_ finding: Finding, tool: ToolInfo) -> JSONValue {
    .compact([
      ("rule", rule(finding.rule, tool: tool)),
      ("severity", .string(finding.severity.rawValue)),
      ("message", .string(finding.message)),
      ("advice", finding.advice.map(JSONValue.string)),
      ("path", .string(finding.path)),
      ("region", finding.region.map(region)),
      ("sourceLine", finding.sourceLine.map { .string($0.text) }),
      (
        "sourceColumn",
        finding.sourceLine.flatMap { $0.column > 1 || $0.isCutAtEnd ? .int($0.column) : nil }
      ),
      ("fix", finding.fix.map(JSONValue.string)),
    ])
  }

  private func rule(_ rule: Rule, tool: ToolInfo) -> JSONValue {
    .compact([
      ("id", .string(rule.id)), ("name", .string(rule.name)), ("summary", .string(rule.summary)),
      ("helpUri", tool.helpURI(of: rule).map(JSONValue.string)),
    ])
  }

  private func region(_ region: SourceRegion) -> JSONValue {
    [
      "line": .int(region.line), "column": .int(region.column),
      "endLine": .int(region.endLine), "endColumn": .int(region.endColumn),
    ]
  }
}
