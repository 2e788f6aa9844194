internal import BoxHash
internal import BoxJSON

/// Prints SARIF 2.1.0, the interchange format of static analysis (OASIS standard, errata 01).
struct SARIFPrinter {
  private static let schema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
  private static let root = "%SRCROOT%"

  func print(_ report: Report) -> String {
    let findings = report.orderedFindings
    let rules = Dictionary(findings.map { ($0.rule.id, $0.rule) }) { first, _ in first }
      .values.sorted { $0.id < $1.id }
    let paths = report.findingsByPath.map(\.path)
    let bases: JSONValue = [
      Self.root: ["description": ["text": "The directory in which the tool was run"]]
    ]
    let run: JSONValue = [
      "tool": ["driver": driver(report.tool, rules: rules)],
      "invocations": [invocation(report)],
      "originalUriBaseIds": bases,
      "columnKind": "unicodeCodePoints",
      "artifacts": .array(paths.map { ["location": location(of: $0)] }),
      "results": .array(results(findings, rules: rules, paths: paths)),
    ]
    let log: JSONValue = ["$schema": .string(Self.schema), "version": "2.1.0", "runs": [run]]
    return log.displayText
  }

  /// The run; what is not listed is a notification of it.
  private func invocation(_ report: Report) -> JSONValue {
    let notifications = report.omitted.map { omitted -> JSONValue in
      let path = omitted.path.escapedForDisplay
      let sentence = omitted.sentence(report.limitOption)
      return ["level": "warning", "message": message("\(path): \(sentence)")]
    }
    return .compact([
      ("executionSuccessful", true),
      ("toolExecutionNotifications", notifications.isEmpty ? nil : .array(notifications)),
    ])
  }

  private func driver(_ tool: ToolInfo, rules: [Rule]) -> JSONValue {
    .compact([
      ("name", .string(tool.name)),
      ("version", .string(tool.version)),
      ("informationUri", tool.informationURI.map(JSONValue.string)),
      ("rules", .array(rules.map { descriptor(of: $0, tool: tool) })),
    ])
  }

  private func descriptor(of rule: Rule, tool: ToolInfo) -> JSONValue {
    let configuration: JSONValue = ["level": .string(rule.severity.rawValue)]
    return .compact([
      ("id", .string(rule.id)),
      ("name", .string(rule.name)),
      ("shortDescription", message(rule.summary)),
      ("helpUri", tool.helpURI(of: rule).map(JSONValue.string)),
      ("defaultConfiguration", configuration),
    ])
  }

  private func results(_ findings: [Finding], rules: [Rule], paths: [String]) -> [JSONValue] {
    let ruleIndexes = Dictionary(zip(rules.map(\.id), rules.indices)) { first, _ in first }
    // File names are bytes, see ``Report/findingsByPath``.
    let artifactIndexes = Dictionary(zip(paths.map { Array($0.utf8) }, paths.indices)) { a, _ in a }
    var occurrences: [Fingerprint: Int] = [:]
    return findings.map { finding in
      let fingerprint = finding.fingerprint
      let occurrence = occurrences[fingerprint, default: 0] + 1
      occurrences[fingerprint] = occurrence
      let place: JSONValue = .compact([
        (
          "artifactLocation",
          location(of: finding.path, index: artifactIndexes[Array(finding.path.utf8)])
        ),
        ("region", finding.region.map(region)),
      ])
      return [
        "ruleId": .string(finding.rule.id),
        "ruleIndex": .int(ruleIndexes[finding.rule.id] ?? -1),
        "level": .string(finding.severity.rawValue),
        "message": message(text(of: finding)),
        "locations": [["physicalLocation": place]],
        "partialFingerprints": [
          "boxjointFinding/v1": .string("\(fingerprint.hexadecimal):\(occurrence)")
        ],
      ]
    }
  }

  private func text(of finding: Finding) -> String {
    var lines = [finding.message.escapedForDisplay]
    if let advice = finding.advice { lines.append("help: \(advice.escapedForDisplay)") }
    if let fix = finding.fixSentence { lines.append(fix) }
    return lines.joined(separator: "\n")
  }

  private func message(_ text: String) -> JSONValue { ["text": .string(text.withoutLinks)] }

  private func location(of path: String, index: Int? = nil) -> JSONValue {
    let uri = ArtifactURI(path: path)
    return .compact([
      ("uri", .string(uri.text)),
      ("uriBaseId", uri.isBelowRoot ? .string(Self.root) : nil),
      ("index", index.map(JSONValue.int)),
    ])
  }

  private func region(_ region: SourceRegion) -> JSONValue {
    [
      "startLine": .int(region.line), "startColumn": .int(region.column),
      "endLine": .int(region.endLine), "endColumn": .int(region.endColumn),
    ]
  }
}

extension String {
  /// The text without what SARIF takes for a link, `[text](target)`, by a blank between its parts.
  fileprivate var withoutLinks: String {
    var result = ""
    var follows = false
    for scalar in unicodeScalars {
      if scalar == "(", follows { result += " " }
      result.unicodeScalars.append(scalar)
      follows = scalar == "]"
    }
    return result
  }
}
