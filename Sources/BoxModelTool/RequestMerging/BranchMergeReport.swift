internal import BoxJSON
internal import BoxMerge
package import BoxReport

/// The report on merges of branches.
package struct BranchMergeReport: Sendable {
  /// The merges, in the order in which they were made.
  package var items: [BranchMergeItem] = []
  /// The findings about queued changes.
  package var findings: [Finding] = []
  /// Whether nothing was written.
  package var isDryRun: Bool
  /// Whether this is a report on a merge queue.
  package var isAboutQueue = false

  /// Creates a report.
  package init(items: [BranchMergeItem] = [], isDryRun: Bool) {
    self.items = items
    self.isDryRun = isDryRun
  }

  /// Creates a report on a merge queue.
  package init(ofQueue findings: [Finding], isDryRun: Bool) {
    self.findings = findings
    self.isDryRun = isDryRun
    isAboutQueue = true
  }

  /// The report without a merge and a finding.
  private var nothing: String {
    isAboutQueue ? "the changes of the queue go together\n" : "there is nothing to merge\n"
  }

  /// The most severe outcome.
  package var outcome: ReportOutcome {
    let ofFindings: ReportOutcome =
      findings.contains { $0.severity == .error } ? .findings : .success
    return max(items.map(\.outcome).max() ?? .success, ofFindings)
  }

  /// The report for people, ending with a line feed.
  ///
  /// - Complexity: O(*n*) in the number of decisions and conflicts.
  package var text: String {
    if items.isEmpty, findings.isEmpty { return nothing }
    var lines = findings.map { finding in
      "\(finding.path): \(finding.severity): \(finding.message) "
        + "[\(finding.rule.id) \(finding.rule.name)]"
        + (finding.advice.map { "; \($0)" } ?? "")
    }
    for item in items {
      lines.append("\(item.title): \(item.sentence)")
      lines += (item.result?.lines ?? []).map { "  " + $0 }
      if let failure = item.failure, item.result != nil {
        lines.append("  " + failure.line)
      }
      lines += item.advice.map { "  " + $0 }
    }
    return lines.map { $0.escapedForDisplay + "\n" }.joined()
  }

  /// The report for a comment or the summary of a CI step, ending with a line feed.
  ///
  /// - Complexity: O(*n*) in the number of decisions and conflicts.
  package var markdown: String {
    if items.isEmpty, findings.isEmpty { return nothing }
    var blocks = items.map(\.markdown)
    if !findings.isEmpty {
      blocks.append(
        Report(
          findings: findings, checkedPaths: Set(findings.map(\.path)).sorted(), tool: .boxjoint,
          order: .asGiven
        ).render(.markdown))
    }
    return blocks.joined(separator: "\n")
  }

  /// The report for programs, as `Schemas/branch-merge.schema.json` describes it.
  ///
  /// - Complexity: O(*n*) in the number of decisions and conflicts.
  package var json: String {
    JSONValue.compact([
      ("schemaVersion", .int(1)),
      ("tool", ["name": "boxjoint", "version": .string(ToolInfo.boxjoint.version)]),
      ("dryRun", .bool(isDryRun)),
      ("merges", .array(items.map(\.json))),
      ("findings", .array(findings.map(Self.json))),
    ]).displayText
  }

  private static func json(_ finding: Finding) -> JSONValue {
    .compact([
      ("rule", ["id": .string(finding.rule.id), "name": .string(finding.rule.name)]),
      ("severity", .string(finding.severity.rawValue)), ("path", .string(finding.path)),
      ("message", .string(finding.message)), ("advice", finding.advice.map(JSONValue.string)),
    ])
  }
}

extension BranchMergeResult {
  /// The lines about files, for people.
  fileprivate var lines: [String] {
    var lines: [String] = []
    for model in models {
      if let record = model.record {
        lines += record.text().split(separator: "\n").map { "\(model.path): \($0)" }
      }
      if let reason = model.textReason {
        lines.append("\(model.path): merged as text, since \(reason)")
      }
    }
    lines += conflicts.map { "\($0.path): conflict (\($0.kind)): \($0.message)" }
    return lines + notes.map { "note: \($0)" }
  }
}

extension BranchMergeItem {
  /// The lines of what to do next, for people; none if nothing is open.
  fileprivate var advice: [String] {
    guard let result, outcome != .success else { return [] }
    return ["to end it:"] + commands(result).map { "  " + $0 }
  }

  /// The commands that merge the branches on a developer's machine.
  func commands(_ result: BranchMergeResult) -> [String] {
    let open = result.models.filter(\.isOpen).map(\.path)
    let refused = result.models.filter { $0.record?.status == .refused }.map(\.path)
    var commands = ["boxjoint git install"]
    let (branch, other) = (result.ours, result.theirs)
    let isFork = publication == .fork || isFromFork
    if isFork {
      commands += [
        "# in a clone of the fork; REPOSITORY is the address of the one that the request is for",
        "git switch \(shellQuoted(branch.name))",
        "git fetch REPOSITORY \(shellQuoted(other.name))", "git merge FETCH_HEAD",
      ]
    } else if let remote {
      commands += [
        "git fetch \(shellQuoted(remote))", "git switch \(shellQuoted(branch.name))",
        "git merge \(shellQuoted("\(remote)/\(other.name)"))",
      ]
    } else {
      commands += [branch.checkout, "git merge \(shellQuoted(other.name))"].compactMap(\.self)
    }
    if !refused.isEmpty { commands.append("boxjoint resolve --rematch \(shellOperands(refused))") }
    if open.count > refused.count { commands.append("boxjoint resolve") }
    let others = Set(result.conflicts.map(\.path).filter { !$0.isEmpty }).sorted()
    if !others.isEmpty {
      commands.append("# resolve the others by hand, and then: git add \(shellOperands(others))")
    }
    if result.outcome != .merged { commands.append("git commit") }
    if isFork {
      commands.append("git push")
    } else if let remote {
      commands.append("git push \(shellQuoted(remote)) \(shellQuoted(branch.name))")
    }
    return commands
  }

  fileprivate var json: JSONValue {
    var commit: String?
    var reason: String?
    var state = "none"
    switch publication {
    case .none: break
    case .planned: state = "planned"
    case .written(let hash): (state, commit) = ("written", hash)
    case .fork: state = "fork"
    case .refused(let text): (state, reason) = ("refused", text)
    }
    let models = (result?.models ?? []).map { model in
      JSONValue.compact(
        [
          ("path", .string(model.path)),
          ("mergedAsText", model.textReason.map(JSONValue.string)),
        ] + (model.record?.jsonMembers ?? []))
    }
    let conflicts = (result?.conflicts ?? []).map { conflict in
      JSONValue.compact([
        ("path", .string(conflict.path)), ("kind", .string(conflict.kind)),
        ("message", .string(conflict.message)),
      ])
    }
    return .compact([
      ("request", number.map(JSONValue.int)),
      ("branch", .string(branch)), ("base", .string(base)),
      ("ours", result.map { .string($0.ours.commit) }),
      ("theirs", result.map { .string($0.theirs.commit) }),
      ("outcome", .string(result?.outcome.rawValue ?? "failed")),
      ("siteMerge", result?.siteMerge.map { .string($0.rawValue) }),
      ("tree", result?.tree.map(JSONValue.string)),
      ("publication", .string(state)), ("commit", commit.map(JSONValue.string)),
      ("reason", (reason ?? failure?.message).map(JSONValue.string)),
      ("models", .array(models)), ("conflicts", .array(conflicts)),
      ("notes", .array((result?.notes ?? []).map(JSONValue.string))),
    ])
  }
}
