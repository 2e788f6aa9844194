package import BoxJSON
package import BoxMerge
internal import BoxReport

/// The result for a conflicted file.
package struct ResolvedFile: Sendable {
  package var path: String
  var origin: ConflictedSides.Origin
  package var record = MergeRecord(status: .refused)
  var isStaged = false
  /// The reason why the file was left unchanged; nil if it was changed, or if ``record`` or
  /// ``failure`` has the reason.
  package var problem: String?
  /// The error of reading or writing.
  package var failure: CommandFailure?
  /// The number of errors that the check finds in a complete result.
  var checkErrors: Int?
  /// The conflicts that decisions can be about; nil if the file was not merged.
  package var conflictIDs: Set<String>?
  /// Whether the user wants no other file to be changed.
  package var isQuit = false

  init(path: String, origin: ConflictedSides.Origin) {
    self.path = path
    self.origin = origin
  }

  /// The outcome for the file.
  package var outcome: ReportOutcome {
    if let failure { return .failed(failure.kind) }
    if record.reason != nil { return .failed(.impossible) }
    if record.status != .merged { return .findings }
    return (checkErrors ?? 0) > 0 ? .findings : .success
  }

  /// The lines for people; none for a failure, which goes to standard error.
  package func text(isDryRun: Bool) -> String {
    let shown = path.escapedForDisplay
    if failure != nil { return "" }
    if let problem { return "\(shown): \(problem.escapedForDisplay)\n" }
    var text = record.text().split(separator: "\n").map { "\(shown): \($0)\n" }.joined()
    if isDryRun { return text }
    if let checkErrors {
      text +=
        checkErrors == 0
        ? "\(shown): check finds no error\n"
        : "\(shown): check finds \(MergeRecord.count(checkErrors, "error")); "
          + "`boxjoint check \(shellOperand(path).escapedForDisplay)` says which\n"
    }
    if isStaged { text += "\(shown): staged\n" }
    return text
  }

  /// The part of a comment or of the summary of a CI step about the file; empty for a failure, which goes
  /// to standard error.
  package var markdown: String {
    if failure != nil { return "" }
    let title = "**\(path.escapedForMarkdown)**\n\n"
    if let problem { return title + problem.escapedForMarkdown + "\n" }
    return title + record.markdown()
  }

  /// The object for programs, as `Schemas/resolve-report.schema.json` describes it.
  package var json: JSONValue {
    .compact(
      [
        ("path", .string(path)), ("source", .string(origin.rawValue)),
        ("staged", .bool(isStaged)),
        ("problem", (problem ?? failure?.message).map(JSONValue.string)),
        ("checkErrors", checkErrors.map(JSONValue.int)),
      ] + record.jsonMembers)
  }
}

/// The results for all files.
package struct ResolveReport: Sendable {
  package var files: [ResolvedFile]
  package var isDryRun: Bool

  /// Creates the report.
  package init(files: [ResolvedFile], isDryRun: Bool) {
    self.files = files
    self.isDryRun = isDryRun
  }

  /// The most severe outcome of all files.
  package var outcome: ReportOutcome { files.map(\.outcome).max() ?? .success }

  /// The commands that resolve the open conflicts, a line each; empty without open conflicts.
  package var advice: [String] {
    let open = files.filter { !$0.record.conflicts.isEmpty }
    if open.isEmpty { return [] }
    let paths = shellOperands(open.map(\.path))
    return [
      "to resolve what is open:",
      "  boxjoint resolve \(paths)                  (in a terminal, asks about each)",
      "  boxjoint resolve --take ours \(paths)      (or theirs, for all)",
      "  boxjoint resolve --decisions FILE \(paths) (a side for each id of a conflict)",
    ]
  }

  /// The report for people.
  package var text: String {
    if files.isEmpty { return "no model file is conflicted\n" }
    return files.map { $0.text(isDryRun: isDryRun) }.joined()
      + advice.map { $0.escapedForDisplay + "\n" }.joined()
  }

  /// The report for a comment or the summary of a CI step, ending with a line feed.
  package var markdown: String {
    if files.isEmpty { return "No model file is conflicted.\n" }
    var blocks = files.map(\.markdown).filter { !$0.isEmpty }
    if !advice.isEmpty {
      blocks.append(
        advice.map { ($0.hasPrefix(" ") ? "  " : "") + $0.escapedForDisplay + "\n" }.joined())
    }
    return blocks.joined(separator: "\n")
  }

  /// The report for programs.
  package var json: String {
    JSONValue.compact([
      ("schemaVersion", .int(1)),
      ("tool", ["name": "boxjoint", "version": .string(ToolInfo.boxjoint.version)]),
      ("dryRun", .bool(isDryRun)),
      ("files", .array(files.map(\.json))),
    ]).displayText
  }
}
